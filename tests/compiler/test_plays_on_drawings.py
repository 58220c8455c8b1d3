"""Random plays that begin with a drawing: specialized playouts and step-by-step play agree draw by draw."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.host.drawing_pool import Pool
from gamedsl.compiler.transform.pipeline import why_not_specialized
from gamedsl.language.boards.drawing import format_points
from gamedsl.language.core.nodes import BoolT, Loop
from gamedsl.language.core.traverse import walk

from .agree import Walker, agree, compiled
from .replay import UNFINISHED, Draws, Outcome, forms_differ, played

GAME = "abs-trac-toe"


def by_steps(native: Any, seed: int, index: int, plies: int) -> Outcome:
    """The same play by "count" and "step", which know nothing of the fast form."""
    walker, draws = Walker(native), Draws(seed, index)
    ctypes.memmove(walker.at, native.initial(walker.context), native.state_size)
    for n in range(plies + 1):
        if walker.kind() == 0:
            return n, tuple(walker.returns()[1])
        if n < plies:
            assert walker.step(draws.below(walker.count())) >= 0
    return UNFINISHED, ()


@cache
def native_of(**options: Any) -> Any:
    """Made once: drawings take seconds."""
    return compiled(gamedsl.load(GAME, **options))


def same(native: Any, plies: int) -> None:
    assert why_not_specialized(native.program) is None
    for index in range(30):
        assert played(native, 3, index, plies) == by_steps(native, 3, index, plies), index
    assert forms_differ(native, 200, 3, plies) == ""


@pytest.mark.parametrize("plies", [1, 5, 41, 42, 500])
def test_plays_on_drawings_are_those_by_steps(plies: int) -> None:
    """The longest play has 42 plies."""
    same(native_of(), plies)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"players": 1}, {"players": 4, "teams": "two"}, {"players": 5}])
def test_plays_on_drawings_with_other_players(options: dict[str, Any]) -> None:
    same(native_of(**options), 500)


def test_plays_go_on_from_a_finished_drawing() -> None:
    native = native_of()
    game = native.game
    state = game.initial_state()
    drawn = [native.pool.drawing(1), native.pool.finished()[0]]
    for made in (0, 1):
        text = "; ".join(f"{name} {format_points(points)}" for name, points in drawn[made][5 * made :])
        state = state.apply(game.parse_move(text, state))
    tally = native.playouts(300, 1, start=state)
    assert set(tally.lengths) - {0} and tally.lengths.index(300) == len(state.legal_moves())
    assert all(won + even + lost == 300 for won, even, lost in zip(tally.wins, tally.draws, tally.losses, strict=True))


POINTS = """define points(p: player) = (count b in borders: not sides(b) disjoint land(p)) +
    count({b in borders: sides(b) within land(p)}) +
    (if some b in borders: not sides(b) within land(p) then 100 else 0) +
    (if every b in borders: sides(b) meets land(p) then 200 else 0) +
    (if some b in borders: land(p) disjoint sides(b) then 400 else 0) +
    (if every b in {b in borders: sides(b) within land(p)}: not sides(b) disjoint land(p) then 800 else 0)"""


def test_conditions_on_borders_are_asked_of_all_at_once(tmp_path: Path) -> None:
    """Each form that such a condition has."""
    text = (Path(gamedsl.__file__).parents[1] / "rulesets" / f"{GAME}.gdl").read_text(encoding="utf-8")
    head, tail = text.split("define points(p: player) = ", 1)
    path = tmp_path / "points.gdl"
    path.write_text(
        head.replace('  clauses "clauses/abs-trac-toe.yaml"\n', "") + POINTS + "\n" + tail.split("\n", 1)[1]
    )
    game = gamedsl.load(str(path), players=1)  # the result is the points then
    functions = [f for f in game.program.functions if f.name.endswith("points")]
    asked = [e for f in functions for e in walk(f.body) if isinstance(e, Loop) and isinstance(e.body.type, BoolT)]
    assert len(asked) >= 6
    native = compiled(game)
    agree(game, 0, native=native)


def test_prepared_drawings_come_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMEDSL_CACHE", str(tmp_path))
    game = gamedsl.load("abs-trac-toe")

    def prepared(seed: int, size: int) -> tuple[Any, ...]:
        pool = Pool(game.program, game, Random(seed), size)
        return pool.drawings, pool.finished(), list(pool.records())

    made = prepared(0, 1)
    assert len(made[1]) == 1

    def grown(*_: object) -> None:
        raise AssertionError("generated")

    monkeypatch.setattr(Pool, "_grow", grown)
    assert prepared(0, 1) == made
    for seed, size in ((1, 1), (0, 2)):
        with pytest.raises(AssertionError, match="generated"):
            prepared(seed, size)
