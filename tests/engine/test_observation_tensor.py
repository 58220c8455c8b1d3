"""Observation tensors: what a seat sees decides them, and they tell all of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gamedsl
from gamedsl import Game, State
from gamedsl.engine.information.observation import own_choices, seats_to_act, visible_values
from gamedsl.language.core.nodes import DrawingT, HistoryT
from tests.random_states import random_states
from tests.shipped_sample import sampled, small

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))


@cache
def load(name: str) -> Game:
    return gamedsl.load(name, backend="interpreter", **small(name))


def look(state: State, seat: int | None) -> Any:
    """What the engine grants the seat to see, without what has no fixed size."""
    sized = [not isinstance(v.type, HistoryT | DrawingT) for v in state.game.program.variables for _ in range(v.slots)]
    seen = [v for v, ok in zip(visible_values(state, seat), sized, strict=True) if ok]
    mine = () if seat is None else own_choices(state, seat)
    stop = state.kind, state.phase, state.part, sorted(seats_to_act(state, seat)), sorted(mine)
    return repr((seen, stop, state.returns, sorted(state.winners), state.scores))


@pytest.mark.parametrize("name", sampled(SHIPPED, "observation"))
def test_tensors_tell_exactly_what_is_seen(name: str) -> None:
    """Two states look the same to a seat exactly when their tensors are the same."""
    mine = load(name)
    by_look: dict[Any, bytes] = {}
    by_tensor: dict[Any, str] = {}
    for state in random_states(mine, 3, 4, 12):
        for seat in (None, *range(mine.num_players)):
            seen, tensor = look(state, seat), state.observation_tensor(seat)
            assert tensor.shape == mine.observation_layout.shape and tensor.dtype == np.float32
            who = None if seat is None else seat
            assert by_look.setdefault((who, seen), tensor.tobytes()) == tensor.tobytes()
            assert by_tensor.setdefault((who, tensor.tobytes()), seen) == seen
            for f in mine.observation_layout.features:
                part = tensor[f.first : f.first + f.size]
                assert not f.size or (f.low <= part.min() and part.max() <= f.high), f.name


@pytest.mark.parametrize("name", sampled(SHIPPED, "observation parts"))
def test_the_parts_tell_what_the_whole_tells(name: str) -> None:
    mine = load(name)
    of_parts: dict[Any, bytes] = {}
    of_whole: dict[Any, tuple[bytes, bytes]] = {}
    for state in random_states(mine, 3, 3, 8):
        public = state.observation_tensor(None, "public")
        for seat in range(mine.num_players):
            whole, private = state.observation_tensor(seat), state.observation_tensor(seat, "private")
            assert np.array_equal(public, state.observation_tensor(seat, "public"))
            parts = public.tobytes(), private.tobytes()
            assert of_parts.setdefault((seat, parts), whole.tobytes()) == whole.tobytes()
            assert of_whole.setdefault((seat, whole.tobytes()), parts) == parts


def test_tic_tac_toe() -> None:
    mine = load("tic-tac-toe")
    state = mine.initial_state()
    for move in ("b2", "a1"):
        state = state.apply(mine.parse_move(move, state))
    found = mine.observation_layout.split(state.observation_tensor(0))
    assert {name: part.shape for name, part in found.items()} == {
        "to act": (2,), "kind": (2,), "won": (2,), "returns": (2,), "mark": (2, 9),
    }  # fmt: skip
    assert found["mark"].tolist() == [[0, 0, 0, 0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0]]
    assert found["to act"].tolist() == [1, 0] and found["kind"].tolist() == [1, 0]
    batch = np.stack([state.observation_tensor(0)] * 5)
    assert mine.observation_layout.split(batch)["mark"].shape == (5, 2, 9)
    assert mine.layout_of("private").size == 2  # who is to act


def test_kuhn_poker() -> None:
    mine = load("kuhn-poker")
    state = mine.initial_state().apply_action(6).apply_action(5)  # king, queen
    layout = mine.observation_layout
    own = [layout.split(state.observation_tensor(seat)) for seat in (0, 1)]
    assert own[0]["hand"].tolist() == [3, 0] and own[0]["hand known"].tolist() == [1, 0]
    assert own[1]["hand"].tolist() == [0, 2] and own[1]["hand known"].tolist() == [0, 1]
    public = mine.layout_of("public").split(state.observation_tensor(0, "public"))
    assert public["hand"].tolist() == [0, 0] and public["paid"].tolist() == [1, 1]
    private = mine.layout_of("private").split(state.observation_tensor(0, "private"))
    assert private["hand"].tolist() == [3, 0] and "paid" not in private
    text = state.observation_text(0).splitlines()
    assert "hand[p1] = 3" in text and "hand[p2] = ?" in text and "to act: p1" in text


def test_own_choices() -> None:
    mine = load("rock-paper-scissors")
    first = mine.initial_state()
    chosen = [first.apply_action(a, 0) for a in first.legal_actions(0)]
    own = [mine.observation_layout.split(s.observation_tensor(0))["own choice"].tolist() for s in chosen]
    assert [max(o) for o in own] == [1, 2, 3]
    others = {s.observation_tensor(1).tobytes() for s in chosen}
    assert others == {first.observation_tensor(1).tobytes()}


def test_what_is_left_out() -> None:
    assert load("chess").observation_layout.omitted and not load("tic-tac-toe").observation_layout.omitted


def test_variables_named_like_features(tmp_path: Path) -> None:
    text = (RULESETS / "tic-tac-toe.gdl").read_text().replace("mark", "won")
    (tmp_path / "same.gdl").write_text(text)
    mine = gamedsl.load(str(tmp_path / "same.gdl"))
    found = mine.observation_layout.split(mine.initial_state().apply_action(4).observation_tensor(0))
    assert found["won"].shape == (2,) and any(part.shape == (2, 9) and part.sum() == 1 for part in found.values())
