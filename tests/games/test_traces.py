"""Every game recorded by an independent program: the same number of legal moves before each move, each legal, same end."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import gamedsl
from gamedsl import State

from . import translate

Notation = Callable[[State, str], list[str]]


def number_of_choices(state: State) -> int:
    """Moves, branches of a die, or joint choices."""
    if state.kind == "chance":
        return len(state.chance_outcomes())
    if state.kind == "together":
        return math.prod(len(state.legal_moves(p)) for p in state.to_act)
    return len(state.legal_moves())


def play(state: State, texts: list[str]) -> State:
    """The state after the one of the texts that is possible now."""
    moves = [m for m, _ in state.chance_outcomes()] if state.kind == "chance" else state.legal_moves()
    wanted = [m for m in moves if str(m) in texts]
    assert len(wanted) == 1, f"{texts} is not among {[str(m) for m in moves]}"
    return state.apply(wanted[0])


def replay(state: State, moves: list[tuple[str, int]], notation: Notation) -> State:
    for ply, (move, count) in enumerate(moves):
        assert number_of_choices(state) == count, f"before ply {ply + 1}, {move}"
        texts = [[t] for t in translate.joint(move)] if state.kind == "together" else [notation(state, move)]
        for text in texts:
            state = play(state, text)
    assert state.is_terminal
    return state


def names(state: State) -> set[str]:
    return {state.game.players[p] for p in state.winners}


def cases(name: str) -> list[Any]:
    return [pytest.param(g, id=f"{name}-{i}") for i, g in enumerate(translate.recorded(name))]


@pytest.mark.parametrize("edition", ["v1", "v2"])
@pytest.mark.parametrize("number", range(6))
def test_one_game_on_the_big_board(edition: str, number: int) -> None:
    record = translate.recorded(f"ttic_{edition}")[number]
    game = gamedsl.load("t-tic-t-tac-toe-game", edition=edition)
    assert names(replay(game.initial_state(), record["moves"], translate.ttic)) == {record["outcome"]}


@pytest.mark.parametrize("record", cases("match"))
def test_whole_match(record: dict[str, Any]) -> None:
    state = gamedsl.load("t-tic-t-tac-toe").initial_state()
    expected = {"A": {"one"}, "B": {"two"}}.get(record["outcome"], set())
    assert names(replay(state, record["moves"], translate.match)) == expected


@pytest.mark.parametrize("record", cases("xlines"))
def test_xs_and_lines(record: dict[str, Any]) -> None:
    state = gamedsl.load("x-s-and-lines", n=8).initial_state()
    expected = {1: {"first"}, 2: {"second"}}[record["outcome"]]
    assert names(replay(state, record["moves"], translate.xlines)) == expected


@pytest.mark.parametrize("record", cases("tiles"))
def test_tiles(record: dict[str, Any]) -> None:
    state = gamedsl.load("horn-tiles").initial_state()
    expected = {"A": {"a"}, "B": {"b"}}.get(record["outcome"], set())
    assert names(replay(state, record["moves"], translate.tiles)) == expected


@pytest.mark.parametrize("record", cases("atreso"))
def test_atreso(record: dict[str, Any]) -> None:
    state = gamedsl.load("atreso").initial_state()
    rolls = [m for m, _ in record["moves"][:2]]
    white_is_one = _white_is_one([m for m, _ in record["moves"] if m[0] == "r"])
    assert rolls[0][0] == "r"
    end = replay(state, record["moves"], translate.atreso)
    expected = {"white": {"one" if white_is_one else "two"}, "black": {"two" if white_is_one else "one"}}
    assert names(end) == expected.get(record["outcome"], set())


def _white_is_one(rolls: list[str]) -> bool:
    for one, two in zip(rolls[::2], rolls[1::2], strict=False):
        if one != two:
            return one > two
    raise AssertionError("no roll-off")


@pytest.mark.parametrize("record", cases("abstractoe"))
def test_abs_trac_toe(record: dict[str, Any]) -> None:
    teams = "single" if record["teams"] is None else "two"
    state = gamedsl.load("abs-trac-toe", players=record["players"], teams=teams).initial_state()
    drawings = {d["name"]: d for d in translate.recorded("drawings")}
    drawing = drawings[record["drawing"]]
    for text in translate.strokes(drawing["drawing"]):
        state = state.apply(state.game.parse_move(text, state))
    for (_, count), (x, y) in zip(record["moves"], record["claimed_points"], strict=True):
        assert len(state.legal_moves()) == count
        state = play(state, [translate.space_at(state, x, y)])
    assert state.is_terminal
    sides = record["teams"] or range(record["players"])
    scores = {str(side): state.scores[p] for p, side in enumerate(sides)}
    assert scores == record["scores"]
    assert {sides[p] for p in state.winners} == set(record["outcome"])


@pytest.mark.parametrize("drawing", translate.recorded("drawings"), ids=lambda d: d["name"])
def test_drawings(drawing: dict[str, Any]) -> None:
    state = gamedsl.load("abs-trac-toe").initial_state()
    for text in translate.strokes(drawing["drawing"]):
        state = state.apply(state.game.parse_move(text, state))
    spaces = [translate.space_at(state, x, y) for x, y in drawing["inner_points"]]
    assert len(set(spaces)) == drawing["spaces"] == len(state.legal_moves())
    made = translate.arrangement(state)
    assert len(made.borders) == drawing["borders"]
    assert made.crossings("bend") == drawing["bend_crossings"]
