"""Drawings are judged and divided into spaces by the page's own modules as by the engine."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.host.drawing_pool import Pool
from gamedsl.engine import Game, State
from gamedsl.engine.stop import codes_of
from gamedsl.play.web import judge_strokes
from gamedsl.play.web.offline.playable_data import playable_data
from gamedsl.play.web.pictures import describe_drawing

from .test_rules_js import NODE, STATIC

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
CHECK = Path(__file__).with_name("drawing_check.mjs")
GAME = "abs-trac-toe"  # the only shipped ruleset in which players draw
Json = dict[str, Any]
Strokes = list[tuple[str, list[tuple[float, float]]]]

# Sheets by hand, and what is wrong with each: (x, y) of a square with sides of 80, then lines across it.
SQUARE = ("figure", [(10.0, 10.0), (90.0, 10.0), (90.0, 90.0), (10.0, 90.0)])
GOOD: Strokes = [
    SQUARE,
    ("upper", [(10.0, 30.0), (90.0, 30.0)]),
    ("lower", [(10.0, 70.0), (90.0, 70.0)]),
    ("left", [(30.0, 10.0), (30.0, 90.0)]),
    ("right", [(70.0, 10.0), (70.0, 90.0)]),
]
OVERSHOT: Strokes = [  # cut at the square: judged as good
    SQUARE,
    ("upper", [(-20.0, 20.0), (120.0, 40.0)]),
    ("lower", [(9.0, 70.0), (300.0, 70.0)]),
    ("left", [(30.0, -40.0), (30.0, 90.0)]),
    ("right", [(70.0, 10.0), (70.0, 97.5)]),
]
FAULTY: dict[str, Strokes] = {
    "E0710": [("figure", [(10.0, 10.0), (90.0, 90.0), (90.0, 10.0), (10.0, 90.0)])],
    "E0708": [("figure", [(10.0, 10.0), (50.0, 50.0), (90.0, 90.0)])],
    "E0703": [("figure", [(10.0, 10.0), (90.0, 10.0)])],
    "E0702": [("figure", [(10.0, 10.0), (9e6, 10.0), (90.0, 90.0)])],
    "E0704": [("figure", [(10.0, 10.0), (10.0, 10.0), (90.0, 10.0), (90.0, 90.0)])],
    "E0711": [SQUARE, ("upper", [(30.0, 30.0), (90.0, 30.0)])],
    "E0712": [SQUARE, ("upper", [(10.0, 10.0), (90.0, 10.0)])],
    "E0715": [SQUARE, ("upper", [(40.0, 10.0), (50.0, 90.0)])],
    "E0716": [SQUARE, ("upper", [(10.0, 30.0), (90.0, 60.0)]), ("lower", [(10.0, 60.0), (90.0, 30.0)])],
}


@cache
def _facts() -> Json:
    facts: Json = playable_data(gamedsl.load(GAME)).facts
    return facts


def _judged(folder: Path, cases: list[Json]) -> list[Json]:
    (folder / "cases.json").write_text(json.dumps({"facts": _facts(), "cases": cases}), encoding="utf-8")
    arguments = [str(NODE), str(CHECK), str(STATIC), str(folder / "cases.json")]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def _plain(drawing: Any) -> Strokes:
    return [(name, [(float(x), float(y)) for x, y in points]) for name, points in drawing]


def _drawn(state: State) -> Any:
    [var] = [v for v in state.game.program.variables if type(v.type).__name__ == "DrawingT"]
    return codes_of(state, var)[0], var


def _due(state: State) -> list[str]:
    strokes: list[str] = list(state.terminator.strokes)  # type: ignore[union-attr]
    return strokes


def _wrong(strokes: Strokes, rng: Random) -> Strokes:
    """A point of a good drawing moved: near by, onto another point, or far away."""
    found = [(name, list(points)) for name, points in strokes]
    _, points = rng.choice(found)
    i = rng.randrange(len(points))
    others = [p for _, line in found for p in line]
    moved = rng.choice([(points[i][0] + rng.uniform(-9, 9), points[i][1] + rng.uniform(-9, 9)), rng.choice(others)])
    points[i] = (round(moved[0], 1), round(moved[1], 1))
    return found


def _cases(game: Game, n: int) -> list[tuple[State, Strokes]]:
    """Drawings of the generator, for the first and for the second drawer, and drawings with one point moved."""
    found: list[tuple[State, Strokes]] = []
    for seed in range(n):
        rng, state = Random(seed), game.initial_state()
        while state.kind == "drawing":
            move = state.propose(rng)
            good = _plain(move.drawing)
            found += [(state, good), *((state, _wrong(good, rng)) for _ in range(3))]
            state = state.apply(move)
    return found


def _compare(folder: Path, cases: list[tuple[State, Strokes]]) -> Counter[str]:
    """Compares judgements, shapes and records; returns how often which fault was seen ("": none)."""
    asked = [{"before": _plain(_drawn(s)[0]), "due": _due(s), "strokes": strokes} for s, strokes in cases]
    seen: Counter[str] = Counter()
    for (state, strokes), told in zip(cases, _judged(folder, asked), strict=True):
        expected = json.loads(json.dumps(judge_strokes(state, strokes)))
        assert {k: told[k] for k in ("done", "strokes")} == expected, strokes
        seen.update(f["code"] for s in told["strokes"] for f in s["faults"])
        if told["done"]:
            _same_board(state, told)
            seen[""] += 1
    return seen


def _same_board(state: State, told: Json) -> None:
    before, var = _drawn(state)
    points = [(s["name"], [tuple(p) for p in s["points"]]) for s in told["strokes"]]
    move = gamedsl.play.web.drawing_of(state, points, 0)
    drawing = (*before, *move.drawing)
    assert told["shapes"] == json.loads(json.dumps(describe_drawing((var.type.plan, drawing))))
    assert told["record"] == [str(w) for w in _record(state.game, var, drawing)]


def _record(game: Game, var: Any, drawing: Any) -> list[int]:
    pool = Pool(game.program, game, Random(0), 0)  # without the generated ones, which take seconds
    handle = pool.handle(drawing)
    words = list(pool.records())
    size = _facts()["words"]
    return [0, 0, *words[handle * size + 2 : (handle + 1) * size]]


def test_good_and_faulty_sheets(tmp_path: Path) -> None:
    state = gamedsl.load(GAME).initial_state()
    due = _due(state)
    sheets = [
        (state, strokes)
        for strokes in (GOOD, OVERSHOT, *FAULTY.values())
        if [n for n, _ in strokes] == due[: len(strokes)]
    ]
    seen = _compare(tmp_path, sheets)
    assert seen[""] == 2
    assert set(FAULTY) <= set(seen)


def test_generated_drawings_and_moved_points(tmp_path: Path) -> None:
    seen = _compare(tmp_path, _cases(gamedsl.load(GAME), 6))
    assert seen[""] >= 12 and len(seen) > 4


HAND_MADE: Strokes = [  # the square of a person's first attempt: sections of 30 by 30
    ("figure", [(0.0, 0.0), (90.0, 0.0), (90.0, 90.0), (0.0, 90.0)]),
    ("upper", [(0.0, 30.0), (90.0, 30.0)]),
    ("lower", [(0.0, 60.0), (90.0, 60.0)]),
    ("left", [(30.0, 0.0), (30.0, 90.0)]),
    ("right", [(60.0, 0.0), (60.0, 90.0)]),
]


def test_strokes_made_at_random_are_good(tmp_path: Path) -> None:
    """On an empty sheet, and after a drawing that a person made: the engine finds no fault with any."""
    state = gamedsl.load(GAME).initial_state()
    after = state.apply(gamedsl.play.web.drawing_of(state, HAND_MADE, 0))
    asked = [
        {"before": _plain(_drawn(one)[0]), "due": _due(one), "seed": seed}
        for one in (state, after)
        for seed in range(1, 5)
    ]
    spaces = set()
    for case, told in zip(asked, _judged(tmp_path, asked), strict=True):
        one = after if case["before"] else state
        judged = judge_strokes(one, [(name, points) for name, points in told["made"]])
        assert judged["done"] and not any(s["faults"] for s in judged["strokes"])
        spaces.add(len(told["shapes"]["spaces"]) if case["before"] else 9)
    assert spaces <= {9, *range(12, 41)} and len(spaces) > 2  # 12 to 40 spaces are meant, and not always the same


@pytest.mark.slow
def test_many_drawings(tmp_path: Path) -> None:
    seen = _compare(tmp_path, _cases(gamedsl.load(GAME), 30))
    assert seen[""] >= 60 and len(seen) > 8
