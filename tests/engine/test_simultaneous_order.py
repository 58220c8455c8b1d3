"""Simultaneous choices in a part whose players are the game's in another order: told in the order of their effects."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl import State
from gamedsl.engine import announcements_at
from gamedsl.engine.play.history import steps

DUEL = """game "Duel"
players one, two, third
part bids
  players left, right
  state
    total: 0..99 = 0{secret}
  move bid(n in 1..3) written "bid {{n}}"
    set total to total * 5 + n
  play
    everyone plays bid
    win left
play
  play bids with left = two, right = one -> result
  draw
"""
SECRET = "\n    spare: player -> 0..1 = 0, seen by owner"


def bids(folder: Path, secret: str, *, first: str) -> State:
    file = folder / "duel.gdl"
    file.write_text(DUEL.format(secret=secret), encoding="utf-8")
    state = gamedsl.load(file, backend="interpreter").initial_state()
    chosen = {"one": (0, "bid 1"), "two": (1, "bid 2")}
    for name in sorted(chosen, key=lambda name: name != first):
        seat, text = chosen[name]
        state = state.apply(state.game.parse_move(text, state, player=seat))
    return state


@pytest.mark.parametrize("first", ["one", "two"])
@pytest.mark.parametrize("secret", ["", SECRET])
def test_the_order_told_is_that_of_the_effects(secret: str, first: str, tmp_path: Path) -> None:
    state = bids(tmp_path, secret, first=first)
    assert state.game.secrets.hides == bool(secret)
    for seat in (0, 1, 2, None):
        told = announcements_at(steps(state), 2, seat)
        assert [(a.player, a.text) for a in told] == [(1, "bid 2"), (0, "bid 1")]


@pytest.mark.parametrize("first", ["one", "two"])
def test_the_information_state_has_the_same_order(first: str, tmp_path: Path) -> None:
    lines = bids(tmp_path, "", first=first).information_state(2).text.splitlines()
    assert [line for line in lines if ": bid " in line] == ["two: bid 2", "one: bid 1"]
