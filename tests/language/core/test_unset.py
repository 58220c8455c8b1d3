"""Variables that nobody has given a value yet are not shown; those that count from their default are."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.engine import State
from gamedsl.engine.picture import view
from gamedsl.language.core import unset_variables

GAME = """game "Dice and a Choice"
players one, two

state
  first: player  # thrown for, again and again until the dice differ
  color: {{red, blue}}{value}
  thrown: 1..6
  points: player -> 0..9
  total: 0..9

move go() written "go"
  add 1 to points[me]
  add 1 to total

play
  repeat
    roll d6 -> a
    roll d6 -> b
    set thrown to a
    set first to if a > b then one else two
  until a != b
  first chooses color
  turns from first, 2 times
    me plays go
  if color = red
    win first
  rank by points

look
  beside "{{p}} begins" for p in {{p in players: p = first}}
  beside "color" color
  beside "thrown" thrown
  beside "points of {{p}}" points[p] for p in players
  beside "total" total
"""


def played(folder: Path, value: str = "") -> list[State]:
    """One state per stop of a game: dice, the choice, two moves, the end."""
    rng, file = Random(1), folder / "dice.gdl"
    file.write_text(GAME.format(value=value))
    found = [gamedsl.load(file).initial_state()]
    while not found[-1].is_terminal:
        found.append(found[-1].apply(found[-1].propose(rng)))
    return found


def labels(state: State) -> list[str]:
    return [aside.label for aside in view(state).asides]


POINTS = ["points of one", "points of two", "total"]


def test_nothing_is_shown_before_it_is_known(tmp_path: Path) -> None:
    """Dice: nobody begins yet, no color, nothing thrown. Points and totals count from 0, so they are known."""
    states = {(s.kind, i): labels(s) for i, s in enumerate(played(tmp_path))}
    dice = [shown for (kind, _), shown in states.items() if kind == "chance"]
    [choice, *moves] = [shown for (kind, _), shown in states.items() if kind == "player"]
    [end] = [shown for (kind, _), shown in states.items() if kind == "end"]
    assert dice and all(shown == POINTS for shown in dice)
    assert choice[1:] == ["thrown", *POINTS] and choice[0].endswith(" begins")
    assert all(shown[1:] == ["color", "thrown", *POINTS] for shown in (*moves, end))


def test_a_first_value_is_shown(tmp_path: Path) -> None:
    assert "color" in labels(played(tmp_path, " = blue")[0])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("atreso", {"white"}),  # before and between the dice
        ("t-tic-t-tac-toe", {"x", "starter", "edition"}),  # before the first throw
        ("tic-tac-toe", set()),
        ("pig", set()),
    ],
)
def test_what_is_unset_at_the_beginning(name: str, expected: set[str]) -> None:
    state = gamedsl.load(name).initial_state()
    program = state.game.program
    assert {program.variables[i].name for i in unset_variables(program)[state.block]} == expected


def test_nobody_has_a_symbol_before_the_throw() -> None:
    state = gamedsl.load("t-tic-t-tac-toe").initial_state()
    assert not any("has X" in label for label in labels(state))
    rng = Random(3)
    while state.kind == "together":
        state = state.apply(state.propose(rng))
    assert sum("has X" in label for label in labels(state)) == 1
