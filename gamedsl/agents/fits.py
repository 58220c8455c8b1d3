"""Which rules an agent that searches can play; the others are refused with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.core.nodes import Chance, DecideTogether
from gamedsl.engine.information.secrets import Secrets
from gamedsl.source.diagnostic import UsageError

if TYPE_CHECKING:
    from gamedsl.core.nodes import Program


def must_be_open(program: Program, text: str) -> None:
    """A search sees the whole position. Where rules keep something from a player, that would be cheating: UsageError."""
    hidden = Secrets(program).name()
    if hidden is not None:
        reason = f"`{hidden}` is kept from players, and a search would look at it"
        raise _refusal(
            program, text, reason, "only `random` plays such games, in `gamedsl play` and `gamedsl simulate`"
        )


def must_be_a_duel(program: Program, text: str) -> None:
    """Alpha-beta needs two players who move one after the other, with nothing hidden and no chance: else UsageError.
    (That one's gain is the other's loss shows at the ends of play only.)"""
    must_be_open(program, text)
    if program.players.size != 2:
        raise _refusal(program, text, f"alpha-beta is for two players, and there are {program.players.size}")
    ends = [b.end for b in program.blocks]
    if any(isinstance(e, Chance) for e in ends):
        raise _refusal(program, text, "alpha-beta can't weigh chance", "use `mcts`")
    if any(isinstance(e, DecideTogether) for e in ends):
        raise _refusal(program, text, "alpha-beta can't weigh choices made at once", "use `mcts`")


def _refusal(program: Program, text: str, reason: str, help: str = "use `random`") -> UsageError:
    return UsageError(f"`{text}` can't play {program.title or program.name}: {reason}", help=help)
