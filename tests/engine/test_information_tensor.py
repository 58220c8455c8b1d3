"""Tensors of information states: equal exactly when the keys are, and laid out as the layout says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gamedsl
from gamedsl import Game, GameDSLError, State
from tests.shipped_sample import sampled, small

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))


@cache
def load(name: str) -> Game:
    return gamedsl.load(name, backend="interpreter", **small(name))


def states(mine: Game, plays: int, most: int) -> Iterator[State]:
    """Every state of random plays, which often begin alike, and two set up in their middle."""
    rng = random.Random(5)
    for _ in range(plays):
        state = mine.initial_state()
        yield state
        for at in range(most):
            if state.is_terminal:
                break
            few = random.Random(rng.randrange(2)) if at < 3 else rng
            state = state.apply(state.propose(few))
            yield state
        yield mine.deserialize(state.serialize())


@pytest.mark.parametrize("name", sampled(SHIPPED, "information tensor"))
def test_equal_exactly_when_the_keys_are(name: str) -> None:
    mine, length = load(name), 40
    if "drawing" in mine.kinds:
        with pytest.raises(GameDSLError, match="E0541"):
            mine.information_state_layout_of(length)
        return
    layout = mine.information_state_layout_of(length)
    by_key: dict[Any, bytes] = {}
    by_tensor: dict[Any, str] = {}
    for state in states(mine, 4, 6):
        for seat in (None, *range(mine.num_players)):
            tensor, key = state.information_state_tensor(seat, length), state.information_state(seat).key
            assert tensor.shape == layout.shape and tensor.dtype == np.float32
            assert by_key.setdefault((seat, key), tensor.tobytes()) == tensor.tobytes()
            assert by_tensor.setdefault((seat, tensor.tobytes()), key) == key
            for f in layout.features:
                part = tensor[f.first : f.first + f.size]
                assert not f.size or (f.low <= part.min() and part.max() <= f.high), f.name
    assert len(by_key) == len(by_tensor)


def whole_tree(state: State) -> Iterator[State]:
    yield state
    for action in state.legal_actions():
        yield from whole_tree(state.apply_action(action))


@pytest.mark.parametrize("name", ["kuhn-poker", "sealed-bid-auction"])
def test_all_histories_of_a_small_game(name: str) -> None:
    options = {"top": 3} if name == "sealed-bid-auction" else small(name)
    mine = gamedsl.load(name, backend="native", **options)
    for seat in (0, 1):
        pairs = {
            (s.information_state(seat).key, s.information_state_tensor(seat, 20).tobytes())
            for s in whole_tree(mine.initial_state())
        }
        assert len({key for key, _ in pairs}) == len({tensor for _, tensor in pairs}) == len(pairs) > 5


def test_moves_where_nothing_is_hidden() -> None:
    mine = load("tic-tac-toe")
    layout = mine.information_state_layout
    assert layout.length == 9  # proved
    found = layout.split(mine.initial_state().apply_action(4).apply_action(0).information_state_tensor(1))
    assert found["who"].shape == (9, 3) and found["action"].shape == (9, 9)
    assert found["who"][:3].tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert found["action"][:2].argmax(1).tolist() == [4, 0] and not found["action"][2:].any()
    assert found["start mark"].shape == (2, 9) and found["start to act"].tolist() == [1, 0]


def test_rows_where_something_is_hidden() -> None:
    mine = load("kuhn-poker")
    state = mine.initial_state().apply_action(6).apply_action(5)  # king, queen
    layout = mine.information_state_layout_of(12)
    first = layout.split(state.information_state_tensor(0, 12))
    other = layout.split(state.information_state_tensor(1, 12))
    rows = int(first["filled"].any(1).sum())
    assert first["hand"][rows - 1].tolist() == [3, 0] and first["hand known"][rows - 1].tolist() == [1, 0]
    assert other["hand"].max() == 2 and not other["hand known"][:, 0].any()
    assert first["legal"][rows - 1].nonzero()[0].tolist() == state.legal_actions() and not other["legal"].any()
    later = layout.split(state.apply_action(state.legal_actions()[0]).information_state_tensor(0, 12))
    assert later["own action"][rows].argmax() == state.legal_actions()[0]
    assert later["filled"][rows][0] == 1
    assert all(np.array_equal(later[name][:rows], first[name][:rows]) for name in later)


def test_open_choices() -> None:
    mine = load("rock-paper-scissors")
    chosen = mine.initial_state().apply_action(2, 0)
    layout = mine.information_state_layout_of(8)
    own = layout.split(chosen.information_state_tensor(0, 8))
    assert own["open"].tolist() == [1, 0, 0, 0, 0, 0, 0, 0] and own["action"][0].tolist() == [0, 0, 1]
    assert not layout.split(chosen.information_state_tensor(1, 8))["who"].any()


SECRET_BIDS = """game "Bids"
players ann, bob
state
  coin: player -> 0..1, seen by owner
  bid: player -> 0..3
move offer(b: 0..3) written "{b}"
  set bid[me] to b
play
  pick at random from 0..1 -> v
  set coin[ann] to v
  everyone plays offer
  score by bid
"""


def test_the_proved_length_is_enough(tmp_path: Path) -> None:
    (tmp_path / "bids.gdl").write_text(SECRET_BIDS)
    for name in ("tic-tac-toe", "dots-and-boxes", "nim", str(tmp_path / "bids.gdl")):
        mine, rng = gamedsl.load(name, **small(name)), random.Random(2)
        for _ in range(5):
            state = mine.initial_state()
            while not state.is_terminal:
                state = state.apply(state.propose(rng))
            for seat in range(mine.num_players):
                state.information_state_tensor(seat)


def refused(code: str, ask: Any) -> str:
    with pytest.raises(GameDSLError, match=code) as caught:
        ask()
    return f"{caught.value} {[d.help for d in caught.value.diagnostics]}"


def test_refusals() -> None:
    pig = load("pig").initial_state()
    assert "length=" in refused("E0543", lambda: pig.information_state_tensor(0))
    refused("E0543", lambda: pig.game.information_state_layout)
    later = pig.apply(pig.propose(random.Random(1)))
    for _ in range(3):
        later = later.apply(later.propose(random.Random(1)))
    assert "length=16" in refused("E0545", lambda: later.information_state_tensor(0, 2))
    assert "a row has" in refused("E0544", lambda: load("dark-chess").information_state_layout_of(100_000))
