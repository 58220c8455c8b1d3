"""What a page is told: it has the documented form for every shipped ruleset, and offers exactly the legal moves."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

import gamedsl
from gamedsl.engine import Game, State
from gamedsl.play.web import describe_game, describe_position, describe_reasons, drawing_of, judge_strokes
from tests.shipped_sample import sampled

ROOT = Path(__file__).parents[3]
NAMES = sorted(p.stem for p in [*ROOT.glob("rulesets/*.gdl"), *ROOT.glob("rulesets/classics/*.gdl")])
SCHEMA = json.loads((ROOT / "grammar" / "web.schema.json").read_text(encoding="utf-8"))
POSITIONS = 6  # of a play


@cache
def _validator(of: str) -> Any:
    return jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{of}"})


def is_valid(data: object, of: str) -> None:
    _validator(of).validate(json.loads(json.dumps(data)))


def states(game: Game, seed: int, positions: int = POSITIONS) -> list[State]:
    """The first position of a random play, some between, and the last."""
    rng, found = Random(seed), [game.initial_state()]
    while not found[-1].is_terminal and len(found) < 120:
        found.append(found[-1].apply(found[-1].propose(rng)))
    return [*found[:: max(1, len(found) // positions)], found[-1]]


@pytest.mark.parametrize("name", sampled(NAMES, "form"))
def test_games_and_positions_have_the_documented_form(name: str) -> None:
    game = gamedsl.load(name)
    is_valid(describe_game(game), "game")
    for state in states(game, 5):
        for seat in (None, *range(game.num_players)):
            is_valid(describe_position(state, seat), "position")


@pytest.mark.parametrize("name", sampled(NAMES, "references"))
def test_references_lead_somewhere(name: str) -> None:
    """Marks stand on places of their scene, trails and borders on its cells, moves name known values and places."""
    game = gamedsl.load(name)
    told = describe_game(game)
    scenes = {s["part"]: s for s in told["scenes"]}
    for kind in told["kinds"]:
        for parameter in kind["parameters"]:
            for places in parameter["places"]:
                assert places["members"] is None or len(places["members"]) == len(parameter["names"])
    for state in states(game, 6):
        for seat in range(game.num_players):
            position = describe_position(state, seat)
            scene = scenes[position["scene"]]
            for spot in position["picture"]["spots"]:
                domain, index = spot["at"]
                assert index < len(scene["places"][domain]["names"])
            cells = len(scene["places"][scene["place"]]["names"]) if scene["place"] else 0
            for marks in (position["picture"]["trails"], position["picture"]["borders"]):
                assert all(i < cells for mark in marks for i in mark["cells"])
            for _, number, values, _ in position["turn"]["actions"]:
                parameters = told["kinds"][number]["parameters"]
                assert len(values) == len(parameters)
                assert all(v < len(p["names"]) for v, p in zip(values, parameters, strict=True))


@pytest.mark.parametrize("name", sampled(NAMES, "actions"))
def test_the_actions_are_the_legal_ones(name: str) -> None:
    game = gamedsl.load(name)
    for state in states(game, 7):
        for seat in (None, *range(game.num_players)):
            turn = describe_position(state, seat)["turn"]
            acts = seat is not None and state.kind not in ("chance", "end") and seat in state.to_act
            expected = state.legal_actions(seat) if acts and state.kind != "drawing" else []
            assert sorted(row[0] for row in turn["actions"]) == expected
            assert {row[1] for row in turn["actions"]} <= set(turn["kinds"])


def test_places_lie_where_they_are_drawn() -> None:
    """By hand: the squares of a small board, the hexagons of another, the sides between squares."""
    [squares] = describe_game(gamedsl.load("tic-tac-toe"))["scenes"]
    assert squares["places"]["cell"]["at"][0] == [0.5, 2.5]
    assert len(squares["places"]["cell"]["at"]) == 9 and set(squares["places"]) == {"cell"}
    [hexagons] = describe_game(gamedsl.load("hex"))["scenes"]
    a, b = hexagons["places"]["cell"]["at"][:2]
    assert b[0] - a[0] == 1 and a[1] == b[1]
    [dots] = describe_game(gamedsl.load("dots-and-boxes"))["scenes"]
    edge = dots["places"]["edge"]
    first = edge["names"][0].split("/")
    cell = dots["places"]["cell"]
    ends = [cell["at"][cell["names"].index(name)] for name in first]
    assert sorted([edge["lines"][0][:2], edge["lines"][0][2:]]) == sorted(ends)


def test_an_owner_and_a_piece_are_told_apart_from_the_sign() -> None:
    game = gamedsl.load("chess")
    spots = describe_position(game.initial_state(), 0)["picture"]["spots"]
    names = describe_game(game)["scenes"][0]["places"]["cell"]["names"]
    [knight] = [s for s in spots if names[s["at"][1]] == "b8"]
    assert knight["glyphs"] == [
        {"text": "n", "number": None, "colour": "", "piece": "knight", "owner": 1, "scar": False, "shape": "knight"}
    ]


def test_reasons_have_their_clauses() -> None:
    game = gamedsl.load("x-s-and-lines")
    state = game.initial_state()
    first = state.legal_actions()[0]
    after = state.apply_action(first)
    reasons = describe_reasons(after, [first], after.to_act[0])
    is_valid(reasons, "reasons")
    assert reasons and reasons[0]["message"] and reasons[0]["clauses"][0]["text"]


SQUARE = [(10.0, 10.0), (90.0, 10.0), (90.0, 90.0), (10.0, 90.0)]


def test_strokes_are_judged_one_after_another() -> None:
    state = gamedsl.load("abs-trac-toe").initial_state()
    names = describe_position(state, state.to_act[0])["turn"]["strokes"]
    good = judge_strokes(state, [(names[0], SQUARE)])
    is_valid(good, "judged")
    assert good["strokes"][0]["faults"] == [] and not good["done"]
    crossed = judge_strokes(state, [(names[0], [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]])])
    is_valid(crossed, "judged")
    [fault, *_] = crossed["strokes"][0]["faults"]
    assert fault["at"] == [50, 50] and fault["clauses"]


def test_ends_near_the_outline_are_moved_onto_it() -> None:
    state = gamedsl.load("abs-trac-toe").initial_state()
    names = describe_position(state, state.to_act[0])["turn"]["strokes"]
    judged = judge_strokes(state, [(names[0], SQUARE), (names[1], [(12.0, 40.0), (88.0, 40.0)])])
    assert judged["strokes"][1] == {"name": names[1], "points": [[10, 40], [90, 40]], "faults": []}
    move = drawing_of(state, [(names[0], SQUARE), (names[1], [(12.0, 40.0), (88.0, 40.0)])], 0)
    assert "10,40 90,40" in move.text


@pytest.mark.parametrize("points", [[(float("nan"), 1.0)], [(float("inf"), 1.0)], [(1.0, 1.0)] * 100_000])
def test_what_is_no_stroke_is_refused_in_words(points: list[tuple[float, float]]) -> None:
    state = gamedsl.load("abs-trac-toe").initial_state()
    names = describe_position(state, state.to_act[0])["turn"]["strokes"]
    with pytest.raises(ValueError, match=r"a stroke has at most|two numbers"):
        judge_strokes(state, [(names[0], points)])
    with pytest.raises(ValueError, match="nothing to draw"):
        judge_strokes(gamedsl.load("hex").initial_state(), [])
