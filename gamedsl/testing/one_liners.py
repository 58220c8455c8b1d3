"""Whole tests in one line: the laws of every game, and a ruleset's own claims, over generated games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings, target

from gamedsl.engine import Game, evaluate_at
from gamedsl.lab.base import claim_text, holds_in, plies_so_far
from gamedsl.language.core import nodes as n
from gamedsl.language.source import UsageError
from gamedsl.testing.games import load_game
from gamedsl.testing.laws import check_laws
from gamedsl.testing.strategies import plays
from gamedsl.testing.tested_play import Play


def unhurried() -> settings:
    """Returns the current settings of Hypothesis without a deadline, because the first generated game takes longest."""
    return settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def laws(ruleset: str | Path | Game, /, *, settings: settings | None = None, **options: Any) -> Callable[[], None]:
    """Returns a test that the laws of ``check_laws`` hold in the last positions of generated games.

    ``test_laws = laws("my-game.gdl")`` in a test file is enough. ``settings``: those of Hypothesis; by default the
    current profile's, without a deadline. Raises ``GameDSLError`` if the ruleset is wrong.
    """
    game = load_game(ruleset, options)

    @given(play=plays(game))
    def test_laws(play: Play) -> None:
        check_laws(play.last)
        if len(play.states) > 1:
            check_laws(play.states[-2])

    return (settings or unhurried())(test_laws)


def claims(ruleset: str | Path | Game, /, *, settings: settings | None = None, **options: Any) -> Callable[[], None]:
    """Returns a test that the ruleset's claims ``always``, ``never`` and ``ends within`` hold along generated games.

    Claims about all games together (``reachable``, ``leads to``, ``balanced``, ``used``) need ``gamedsl verify``.
    Raises ``UsageError`` if there is no claim of the first three kinds, and ``GameDSLError`` if the ruleset is wrong.
    """
    game = load_game(ruleset, options)
    checked = [claim for claim in game.program.claims if claim.checked_along]
    if not checked:
        raise UsageError(
            f"`{game.program.name}` claims nothing that a single game could refute",
            code="E0001",
            help="`always`, `never` and `ends within N plies` are checked; `gamedsl verify` checks the others.",
        )

    @given(play=plays(game))
    def test_claims(play: Play) -> None:
        target(float(len(play.moves)))
        for claim in checked:
            for problem in _violations(claim, play):
                raise AssertionError(problem)

    return (settings or unhurried())(test_claims)


def _violations(claim: n.CoreClaim, play: Play) -> Iterator[str]:
    where = f"{claim.span.source.path}:{claim.span.line}: {claim_text(claim)}"
    there = (
        (i, state)
        for i, state in enumerate(play.states)
        if claim.part == 0 or claim.part in state.game.parts_played[state.part]
    )
    match claim:
        case n.Always(condition=condition):
            bad = (count for count, state in there if not holds_in(state, condition))
        case n.Never(condition=condition):
            bad = (count for count, state in there if holds_in(state, condition))
        case n.Ends(bound=bound) if bound is not None:
            most = evaluate_at(play.states[0], bound)
            bad = (i for i, plies in enumerate(_certain_plies(play, claim.part)) if plies > most)
        case _:
            return
    for number in bad:
        yield f"{where}\n    is violated after {_first(number, play)}"


def _certain_plies(play: Play, part: int) -> Iterator[int]:
    """Yields for each position how many plies the game of a part will have at least: one more where a player must act."""
    for state, (plies, continues) in zip(play.states, plies_so_far(play.states, part), strict=True):
        yield plies + (continues and state.kind in ("player", "together", "drawing"))


def _first(number: int, play: Play) -> str:
    return "; ".join(map(str, play.moves[:number])) or "no move"
