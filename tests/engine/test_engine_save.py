"""States as text: nothing lost, nothing told to a seat that it may not know, nothing damaged taken."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.state import State
from gamedsl.engine.values import History
from gamedsl.language.core.nodes import HistoryT
from gamedsl.language.source.diagnostic import GameDSLError
from tests.engine.coregames import ALL, three_in_a_row
from tests.engine.plays import GAMES, play


@pytest.mark.parametrize("name", ALL)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=5, deadline=None)
def test_save_and_load(name: str, seed: int) -> None:
    for state, move in play(GAMES[name], seed):
        for one in (state, state.apply(move)):
            text = one.serialize()
            again = GAMES[name].deserialize(text)
            assert again == one and hash(again) == hash(one) and again.serialize() == text
            assert [str(m) for m in again.legal_moves()] == [str(m) for m in one.legal_moves()]


def test_two_loads_of_one_game_understand_each_other() -> None:
    a, b = InterpretedGame(three_in_a_row()), InterpretedGame(three_in_a_row())
    state = a.initial_state().apply(a.initial_state().legal_moves()[4])
    assert b.deserialize(state.serialize()) == state


def saved() -> tuple[Game, State, str]:
    game = GAMES["walk"]
    state = game.initial_state()
    for text in ("s1", "step s0", "pass"):
        state = state.apply(game.parse_move(text, state))
    return game, state, state.serialize()


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_any_change_is_refused(data: st.DataObject) -> None:
    """A character changed, left out or put in: refused, or harmless (white space)."""
    game, state, text = saved()
    at = data.draw(st.integers(0, len(text) - 1))
    kind = data.draw(st.sampled_from(["change", "cut", "insert", "end"]))
    new = data.draw(st.characters(codec="utf-8"))
    broken = {
        "change": text[:at] + new + text[at + 1 :],
        "cut": text[:at] + text[at + 1 :],
        "insert": text[:at] + new + text[at:],
        "end": text[:at],
    }[kind]
    try:
        assert game.deserialize(broken) == state
    except GameDSLError as error:
        assert error.diagnostics[0].code in ("E0520", "E0521", "E0522")


def resealed(text: str, change: object) -> str:
    """A save changed by somebody who knows how the checksum is made."""
    from gamedsl.engine.records.save import _check

    data = json.loads(text)
    change(data)  # type: ignore[operator]
    data.pop("check")
    return json.dumps({**data, "check": _check(data)})


@pytest.mark.parametrize("change", [
    lambda d: d.update(block=99),
    lambda d: d.update(block=-1),
    lambda d: d.update(block="x"),
    lambda d: d["values"].update(here=[77]),
    lambda d: d["values"].update(here=[]),
    lambda d: d["values"].update(here=["s1"]),
    lambda d: d["values"].update(here=[True]),
    lambda d: d["values"].pop("here"),
    lambda d: d["values"].update(history=[[1]]),
    lambda d: d.update(values=[]),
    lambda d: d.update(pending=[[0, 0, [0]]]),
    lambda d: d.pop("pending"),
])  # fmt: skip
def test_values_that_make_no_sense_are_refused(change: object) -> None:
    game, _, text = saved()
    with pytest.raises(GameDSLError, match="E0520"):
        game.deserialize(resealed(text, change))


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", "3", "[" * 100_000, '{"gamedsl state": 2}', "\x00", '{"a": NaN}']
)
def test_what_is_no_save_at_all(text: str) -> None:
    with pytest.raises(GameDSLError):
        GAMES["three"].deserialize(text)


def test_other_rules_are_refused() -> None:
    with pytest.raises(GameDSLError, match="E0521"):
        GAMES["dice"].deserialize(GAMES["three"].initial_state().serialize())


# ----------------------------------------------------------------------------------------------------- secrecy


def test_nothing_tells_what_the_other_has_chosen() -> None:
    """For two choices of one player, everything the other seat can see is the same."""
    game = GAMES["odd"]
    start = game.initial_state()
    after = [start.apply(m) for m in start.legal_moves(0)]
    assert len({s.serialize(1) for s in after}) == 1
    assert len({json.dumps(s.observation(1)) for s in after}) == 1
    assert after[0].serialize(1) == start.serialize(1)  # not even whether he has chosen
    assert after[0].observation(1) == start.observation(1)
    assert len({s.serialize(0) for s in after}) == 3  # one's own choice is kept
    assert [s.observation(0)["own_choice"] for s in after] == [["rock"], ["paper"], ["scissors"]]


def test_a_save_for_a_seat_can_be_resumed() -> None:
    game = GAMES["odd"]
    start = game.initial_state()
    state = start.apply(game.parse_move("paper", start, 0))
    assert game.deserialize(state.serialize(0)) == state
    assert game.deserialize(state.serialize(1)) == start  # the missing choice must be made again


def test_hidden_variables() -> None:
    game, state, _ = saved()
    assert state.observation(0)["variables"]["secret"] == [None]
    assert state.observation(0)["variables"]["here"] == 0
    assert "7" not in json.dumps(json.loads(state.serialize(0))["values"]["secret"])
    with pytest.raises(GameDSLError, match=r"E0522.*secret is hidden"):
        game.deserialize(state.serialize(0))


@pytest.mark.parametrize("name", ALL)
def test_observations_are_plain_data(name: str) -> None:
    for state, _ in play(GAMES[name], 3):
        for player in range(state.game.num_players):
            assert json.loads(json.dumps(state.observation(player))) == state.observation(player)


def test_other_values() -> None:
    game = GAMES["three"]
    state = game.initial_state().with_values({("mark", 0): [0b11, 0b11000]})
    assert len(state.legal_moves()) == 5
    assert state.apply(game.parse_move("r1c3", state)).outcome_text == "X wins"
    with pytest.raises(GameDSLError, match="E0506"):
        state.with_values({("mark", 0): [1]})
    with pytest.raises(GameDSLError, match="E0506"):
        state.with_values({("mark", 0): [1, 1 << 9]})
    with pytest.raises(GameDSLError, match="E0506"):
        state.with_values({("nothing", 0): [1]})


# ------------------------------------------------------------------------------------------- forged, with native code


NOTED = """game "Noted"
players A, B
board grid 2 by 1
piece stone of player
move flip(c: cell) written "{c}"
  if c in stone[A]
    remove stone[A] from c
  else
    put stone[A] on c
play
  turns from A
    me plays flip
    note position
    if repetition(3)
      draw
"""


@pytest.mark.parametrize("forge", [
    lambda p: [[[*p, 0], 1]], lambda p: [[p[1:], 1]], lambda p: [[[10**30, *p[1:]], 1]], lambda p: [[[-1, *p[1:]], 1]],
    lambda p: [[[*p[:-1], True], 1]], lambda p: [[p, 10**9]], lambda p: [[p, 0]], lambda p: [[p, -1]], lambda p: [[p, 1.5]],
    lambda p: [[p, 1], [p, 1]], lambda p: [p], lambda p: [[p]], lambda p: 7, lambda p: {"a": 1},
])  # fmt: skip
@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_forged_histories_are_refused(forge: Any, backend: Any, tmp_path: Path) -> None:
    """Also for a game whose compiled code would be given them."""
    path = tmp_path / "noted.gdl"
    path.write_text(NOTED, encoding="utf-8")
    game = gamedsl.load(path, backend=backend)
    state = game.initial_state()
    for _ in range(4):
        state = state.apply(state.legal_moves()[0])
    text = state.serialize()
    name, saved = next((n, v) for n, v in json.loads(text)["values"].items() if v and isinstance(v[0], list))
    position = saved[0][0][0]
    assert game.deserialize(text) == state
    game.deserialize(resealed(text, lambda d: d["values"].update({name: [[[position, 2]]]})))
    with pytest.raises(GameDSLError, match="E0520"):
        game.deserialize(resealed(text, lambda d: d["values"].update({name: [forge(position)]})))


def test_forged_drawings_are_refused() -> None:
    game = gamedsl.load("abs-trac-toe")
    state = game.initial_state()
    while state.kind != "drawing":
        state = state.apply(state.legal_moves()[0])
    state = state.apply(state.propose(Random(1)))
    text = state.serialize()
    assert game.deserialize(text) == state
    name = next(n for n, v in json.loads(text)["values"].items() if v and isinstance(v[0], str) and v[0])
    for drawing in ("nothing 0,0 1,1", "figure 0,0 1,1", json.loads(text)["values"][name][0] * 2, "0" * 10_000):
        with pytest.raises(GameDSLError):
            game.deserialize(resealed(text, lambda d, to=drawing: d["values"].update({name: [to]})))  # type: ignore[misc]


def test_values_that_no_variable_can_hold(tmp_path: Path) -> None:
    """Stacks and noted positions too: compiled code takes values as they are."""
    path = tmp_path / "piles.gdl"
    path.write_text(
        NOTED.replace("move flip", "state\n  pile: cell -> stack of player up to 3\nmove flip"), encoding="utf-8"
    )
    game = gamedsl.load(path, backend="native")
    state = game.initial_state()
    assert (0, 1, 1) in state.with_values({("pile", 0): [(0, 1, 1), ()]}).slots
    for wrong in ((0, 0, 0, 0), (2,), (-1,), (0.5,), 7, [0]):
        with pytest.raises(GameDSLError, match="E0506"):
            state.with_values({("pile", 0): [wrong, ()]})
    history = next(v for v in game.program.variables if isinstance(v.type, HistoryT))
    for wrong in ((), {(0,): 1}, History({(0,): 1}), History({(10**30, 0): 1}), History({("a", "b"): 1})):
        with pytest.raises(GameDSLError, match="E0506"):
            state.with_values({(history.name, 0): [wrong]})
    with pytest.raises(GameDSLError, match="E0506"):
        state.with_values({("stone", 0): [0.5, 0]})
