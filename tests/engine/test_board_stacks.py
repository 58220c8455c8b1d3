"""What lies below the top of a stack on the board is shown with its owner and its sign, as far as a seat may know it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gamedsl
from gamedsl.engine import Game, State
from gamedsl.engine.picture import stacks_on_board, view
from gamedsl.play.terminal.render.panel import panel
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.web import describe_position

GUIDE = Path(__file__).parents[2] / "docs/guide/stacks.md"
Below = dict[str, list[tuple[str, str, str]]]


def towers(tmp_path: Path, hidden: str = "") -> Game:
    found = re.search(r"```gdl file=towers.gdl\n(.*?)```", GUIDE.read_text("utf-8"), re.S)
    assert found
    file = tmp_path / "towers.gdl"
    file.write_text(found[1].replace("up to 3", f"up to 3{hidden}", 1), encoding="utf-8")
    return gamedsl.load(file)


def after(game: Game, *plies: str) -> State:
    state = game.initial_state()
    for ply in plies:
        state = state.apply(game.parse_move(ply, state))
    return state


def below(state: State, viewer: int | None = None) -> Below:
    """By place, what lies below from the bottom: sign, owner, piece."""
    picture = view(state, viewer=viewer)
    assert picture.place is not None
    return {
        picture.place.names[index]: [(g.text, g.owner, g.piece) for g in spot.below]
        for (_, index), spot in picture.spots.items()
        if spot.below
    }


def test_owners_alternate_down_to_the_bottom(tmp_path: Path) -> None:
    """Red, blue, red on one square: the top is what the look shows."""
    state = after(towers(tmp_path), "r1c1", "r1c1", "r1c1")
    assert below(state) == {"a1": [("R", "red", ""), ("B", "blue", "")]}
    [spot] = [s for s in describe_position(state, 0)["picture"]["spots"] if "below" in s]
    assert [(g["text"], g["owner"], g["number"]) for g in spot["below"]] == [("R", 0, None), ("B", 1, None)]
    assert [(g["text"], g["number"]) for g in spot["glyphs"]] == [("R", 3)]


def test_a_terminal_lists_what_lies_in_stacks(tmp_path: Path) -> None:
    picture = view(after(towers(tmp_path), "r1c1", "r1c1", "r1c1"))
    lines = panel(picture, Viewport(ascii=True), 60, 40)
    assert "a1 from the bottom: R, B, R" in ["".join(run.text for run in line) for line in lines]


def test_what_pieces_have_been_looks_as_they_did() -> None:
    """The look of Hive shows only those that lie open; one that is covered is a value with the same player and kind."""
    game = gamedsl.load("hive", queen_first="yes")
    (stack,) = stacks_on_board(game, 0)
    assert not stack.has_top
    assert [(g.text, g.owner, g.piece) for g in stack.signs[:6]] == [
        ("Q", "white", "queen"),
        ("B", "white", "beetle"),
        ("S", "white", "spider"),
        ("H", "white", "hopper"),
        ("A", "white", "ant"),
        ("q", "black", "queen"),
    ]
    state = after(game, "queen k11", "queen k12", "beetle k10", "ant k13", "k10-k11")
    assert below(state) == {"k11": [("Q", "white", "queen")]}


@pytest.mark.parametrize("hidden", ["", ", seen by nobody"])
def test_what_a_seat_may_not_know_is_not_shown(tmp_path: Path, hidden: str) -> None:
    state = after(towers(tmp_path, hidden), "r1c1", "r1c1", "r1c1")
    assert all(bool(below(state, viewer)) != bool(hidden) for viewer in (0, 1, None))


TOPS = """
game "Tops"

players red, blue

board grid 2 by 2

type kind = {small, large}
type chip = (player, kind)

state
  pile: cell -> stack of chip up to 2

move lay(c: cell, k: kind) written "{c} {k}"
  when height(pile[c]) < 2 "full"
  push (me, k) on pile[c]

play
  turns from red, 3 times
    me plays lay
  draw

look
  show c as "x" for c in {c in cell: height(pile[c]) > 0}
"""


def test_the_top_has_the_owner_that_the_stack_knows(tmp_path: Path) -> None:
    """The look says only that something lies there; the same sign for all."""
    (tmp_path / "tops.gdl").write_text(TOPS, encoding="utf-8")
    state = after(gamedsl.load(tmp_path / "tops.gdl"), "r1c1 small", "r1c1 large")
    spot = view(state).spot("cell", 0)
    assert [(g.owner, g.piece) for g in (*spot.below, *spot.glyphs)] == [("red", "small"), ("blue", "large")]
