"""Decides which rules a searching agent can play, and refuses others with a reason."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gamedsl.engine import Secrets
from gamedsl.language.core import nodes as n
from gamedsl.language.source import UsageError

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.language.core import nodes as n


def must_be_searchable(game: Game, text: str) -> None:
    """Raises ``UsageError`` if rules hide something in a way that a search over players' knowledge cannot follow."""
    if game.secrets.hides:
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.beliefs.observation_hashes import why_unobservable
        from gamedsl.agents.position import once

        reason = once(game, "unobservable", partial(why_unobservable, game))
        if reason is not None:
            raise _refusal(game.program, text, reason)


def must_be_a_duel(program: n.Program, text: str, verb: str = "play") -> None:
    """Raises ``UsageError`` unless two players move one at a time, without hidden information or chance.

    Alpha-beta requires this. (Whether the game is zero-sum shows only at terminal positions.)
    """
    hidden = Secrets(program).name()
    if hidden is not None:
        reason = f"`{hidden}` is hidden from players, and alpha-beta would see it"
        raise _refusal(program, text, reason, "use `mcts`", verb)
    if program.players.size != 2:
        reason = f"alpha-beta needs two players, and there are {program.players.size}"
        raise _refusal(program, text, reason, "use `mcts`", verb)
    ends = [b.end for b in program.blocks]
    if any(isinstance(e, n.Chance) for e in ends):
        raise _refusal(program, text, "alpha-beta cannot handle chance", "use `mcts`", verb)
    if any(isinstance(e, n.DecideTogether) for e in ends):
        raise _refusal(program, text, "alpha-beta cannot handle simultaneous choices", "use `mcts`", verb)


def is_duel(program: n.Program) -> bool:
    """Whether alpha-beta can play the rules (see ``must_be_a_duel``)."""
    try:
        must_be_a_duel(program, "ab")
    except UsageError:
        return False
    return True


def _refusal(program: n.Program, text: str, reason: str, help: str = "use `random`", verb: str = "play") -> UsageError:
    return UsageError(f"`{text}` cannot {verb} {program.title or program.name}: {reason}", help=help)
