"""The linear leaf value of alpha-beta: what it learns, what the self-test decides, and what the cache may hold."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import gamedsl
from gamedsl.agents import leaf_choice, leaf_value, parse_agent
from gamedsl.agents.alphabeta import AlphaBeta
from gamedsl.agents.contender import match
from gamedsl.agents.deepening import Budget, search
from gamedsl.agents.leaf_kernel import ONE, linear
from gamedsl.agents.position import Position
from gamedsl.cli.main import main
from gamedsl.compiler import Native
from gamedsl.language.core import nodes as n
from tests.agents.play import fresh


def weights_of_sets(native: Native, value: leaf_value.LeafValue) -> dict[str, list[list[float]]]:
    """The weights of the elements of every set, by variable and slot, found from the layout in the Core."""
    found, at = dict[str, list[list[float]]](), 1 + len(native.program.blocks)
    for var in native.program.variables:
        for _ in range(var.slots):
            if isinstance(var.type, n.SetT):
                size = var.type.domain.size
                found.setdefault(var.name, []).append([float(w) / ONE for w in value.weights[at : at + size]])
            else:
                size = leaf_value.Features.of(native.frame, native.program).sizes[_segment(native, var)]
            at += size
    assert at == len(value.weights)
    return found


def _segment(native: Native, wanted: n.Var) -> int:
    number = 1
    for var in native.program.variables:
        if var is wanted:
            return number
        units = native.frame.place(var).cell.count if isinstance(var.type, n.SetT) else 1
        number += var.slots * units
    raise AssertionError


def test_corners_of_reversi_are_worth_more_than_the_squares_beside_them() -> None:
    """Rose, "Othello: A Minute to Learn... A Lifetime to Master" (2005): corners are the best squares, X-squares the
    worst."""
    native = fresh("reversi")
    value = leaf_value.leaf_value(native)
    assert value is not None and value.share > 0.05
    mine, theirs = next(slots for slots in weights_of_sets(native, value).values() if len(slots) == 2)
    corners, beside = (0, 7, 56, 63), (9, 14, 49, 54)
    assert min(mine[c] for c in corners) > max(mine[x] for x in beside)
    assert max(theirs[c] for c in corners) < min(theirs[x] for x in beside)


def test_the_kernel_adds_up_the_weights_of_what_stands_where() -> None:
    """Against the state as the engine unpacks it, in random positions."""
    native = fresh("breakthrough")
    value = leaf_value.leaf_value(native)
    assert value is not None
    state, rng = native.game.initial_state(), Random(1)
    for _ in range(30):
        position = Position.of(state)
        block = np.frombuffer(position.block, dtype=np.int64).reshape(1, -1)
        total, at, slot = int(value.weights[0]) + int(value.weights[1 + state.block]), 1 + len(native.program.blocks), 0
        for var in native.program.variables:
            for _ in range(var.slots):
                code = state.slots[slot]
                slot += 1
                if isinstance(var.type, n.SetT):
                    size = var.type.domain.size
                    total += sum(int(value.weights[at + e]) for e in range(size) if code >> e & 1)
                else:
                    low = native.frame.place(var).cell.low
                    size = leaf_value.Features.of(native.frame, native.program).sizes[_segment(native, var)]
                    total += int(value.weights[at + code - low])
                at += size
        assert linear(value.segments, value.weights, block, 0) == total
        state = state.apply(state.propose(rng))
        if state.is_terminal:
            return


def test_material_wins_at_breakthrough_and_the_match_is_the_same_every_time() -> None:
    native = fresh("breakthrough")
    value = leaf_value.leaf_value(native)
    assert value is not None
    points, games = match(native, value, None, leaf_choice.PAIRS)
    assert points > games / 2
    assert match(native, value, None, leaf_choice.PAIRS) == (points, games)
    assert leaf_choice.leaf_choice(native).value is not None
    assert leaf_choice.leaf_choice(native, "playouts").value is None


def test_effort_bounds_a_search_and_gives_the_same_findings() -> None:
    position = Position.of(gamedsl.load("breakthrough").initial_state())
    value = leaf_value.leaf_value(position.rules.native)
    found = search(position, 1, Budget(effort=8_000), False, value)
    assert 500 <= found.nodes <= 1_000  # a node counts 8
    assert search(position, 1, Budget(effort=8_000), False, value) == found
    slow = search(position, 1, Budget(effort=8_000), False, None)
    assert 1 <= slow.nodes < 100  # a playout counts its plies, at least 30 here


def test_tree_search_fits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(native: Native) -> None:
        raise AssertionError

    monkeypatch.setattr(leaf_value, "leaf_value", refuse)
    monkeypatch.setattr(leaf_choice, "best_value", refuse)
    state = gamedsl.load("breakthrough").initial_state()
    parse_agent("mcts:50").choose(state, 1)
    parse_agent("ab:d1:leaf=playouts").choose(state, 1)
    with pytest.raises(AssertionError):
        parse_agent("ab:d1:leaf=linear").choose(state, 1)


def _forged(data: bytes, path: Path) -> None:
    """Replaces the data of a cached file, with a digest that fits."""
    head = json.loads(path.read_bytes().partition(b"\n")[0])
    head["sha256"] = hashlib.sha256(data).hexdigest()
    path.write_bytes(json.dumps(head).encode() + b"\n" + data)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[1]", b'{"share": 1, "plies": 9}', b'{"share": 1, "plies": 9, "weights": [1, 2]}',
        b'{"share": 1, "plies": 9, "weights": "much"}', b"[" * 100_000, b'{"share": 1, "plies": 9, "weights": [1e400]}',
        b'{"share": 1, "plies": 9, "weights": [NaN]}',
    ],
)  # fmt: skip
def test_forged_values_are_learned_anew(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMEDSL_CACHE", str(tmp_path / "cache"))
    before = leaf_value.leaf_value(fresh("tic-tac-toe"))
    assert before is not None
    kept = [f for f in (tmp_path / "cache").iterdir() if b'"share"' in f.read_bytes()]
    assert len(kept) == 1
    _forged(data, kept[0])
    again = leaf_value.leaf_value(fresh("tic-tac-toe"))
    assert again is not None and (again.weights == before.weights).all()


def test_a_kept_value_and_a_kept_decision_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMEDSL_CACHE", str(tmp_path / "cache"))
    native = fresh("tic-tac-toe")
    before = leaf_choice.leaf_choice(native).text
    (kept,) = [f for f in (tmp_path / "cache").iterdir() if f.read_bytes().partition(b"\n")[2].startswith(b"[")]
    _forged(b"[0.0, 4]", kept)
    assert leaf_choice.leaf_choice(fresh("tic-tac-toe")).text.startswith("playouts (a linear leaf value got 0 of 4")
    for nonsense in (b"[9, 4]", b"{}", b"[0, 0]", b"null", b'["x", 2]'):
        _forged(nonsense, kept)
        assert leaf_choice.leaf_choice(fresh("tic-tac-toe")).text == before


def test_nothing_is_kept_where_nothing_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMEDSL_CACHE", "off")
    assert leaf_value.leaf_value(fresh("tic-tac-toe")) is not None


def test_random_games_that_teach_nothing() -> None:
    """Whoever moves first in Nim with one heap of one wins every game: all results are alike."""
    native = fresh("nim", a="1", b="0", c="0")
    assert leaf_value.leaf_value(native) is None
    assert leaf_choice.leaf_choice(native, "linear").text == "playouts, because random games teach no linear leaf value"
    assert AlphaBeta(3, None, "linear").study(native.game.initial_state()).exact


def test_more_features_than_fit_into_memory_are_not_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMEDSL_CACHE", "off")
    monkeypatch.setattr(leaf_value, "MOST_WEIGHTS", 29)  # tic-tac-toe has as many
    assert leaf_value.leaf_value(fresh("tic-tac-toe")) is not None
    monkeypatch.setattr(leaf_value, "MOST_WEIGHTS", 28)
    assert leaf_value.leaf_value(fresh("tic-tac-toe")) is None


def test_tournaments_show_what_was_decided(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "breakthrough", "--agents", "random,ab:d1,ab:d1:leaf=playouts", "--rounds", "1"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "  ab:d1 uses a linear leaf value (" in out
    assert "  ab:d1:leaf=playouts uses playouts, as asked" in out
    assert main([*words, "--format", "json"]) == 0
    rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["agents"]
    assert {r["agent"]: bool(r["settings"]) for r in rows} == {
        "random": False, "ab:d1": True, "ab:d1:leaf=playouts": True
    }  # fmt: skip


def test_details_show_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "breakthrough", "--seats", "ab:d1,random", "-n", "1", "-v"]) == 0
    assert "ab: a linear leaf value (" in capsys.readouterr().err
