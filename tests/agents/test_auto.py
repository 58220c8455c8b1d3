"""The agent `auto`: what its self-test decides, which rules it plays, and tree search with a leaf value."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl import UsageError
from gamedsl.agents import auto_choice, kept_data, parse_agent
from gamedsl.agents.auto import Auto
from gamedsl.agents.forest import TreeStyle, search
from gamedsl.agents.leaf_value import leaf_value
from gamedsl.agents.position import Position, compiled
from gamedsl.cli.main import main
from tests.agents.play import after, own_game, watch_kept_data


def test_a_leaf_value_wins_at_breakthrough_and_the_decision_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto_choice, "EFFORT", 100_000)
    native = compiled(gamedsl.load("breakthrough-6x6"))
    value = leaf_value(native)
    assert value is not None
    kept = watch_kept_data(monkeypatch)
    way, points = auto_choice._tested(native, value)
    assert way.leaf
    assert auto_choice._knockout(native, value) == (way, points)
    assert kept["auto choice, random games"] == [way.kind, way.leaf, way.explore, points]


def test_tree_search_with_a_leaf_value_proves_and_repeats() -> None:
    game = gamedsl.load("tic-tac-toe")
    value = leaf_value(compiled(game))
    assert value is not None
    position = Position.of(after(game, "a1", "a3", "b1", "b3"))
    found = search([position.beside()], 1, 500, None, TreeStyle(value, 0.3))
    assert found.exact and found.values == (1.0, -1.0) and found.plies == 1
    again = Position.of(game.initial_state())
    assert search([again.beside()], 2, 300, None, TreeStyle(value, 0.3)) == search(
        [again.beside()], 2, 300, None, TreeStyle(value, 0.3)
    )


@pytest.mark.parametrize("name", ["pig", "rock-paper-scissors", "kuhn-poker"])
def test_tree_search_plays_what_alpha_beta_cannot(name: str) -> None:
    game, agent = gamedsl.load(name), parse_agent("auto:10ms")
    state = game.initial_state()
    while state.kind == "chance":
        state = state.apply(agent.choose(state, 1))
    assert agent.choose(state, 1) in state.legal_moves()
    assert agent.settings(game) == "tree search with playouts, because alpha-beta cannot play these rules"


def test_results_that_are_not_zero_sum_are_left_to_playouts(tmp_path: Path) -> None:
    text = """game "Both gain"
players one, two
state
  points: player -> 0..2
move take_it written "take"
  set points[me] to 2
move leave_it written "leave"
play
  turns from one, 4 times
    me plays take_it | leave_it
  score by points
"""
    game = own_game(tmp_path, text)
    assert str(parse_agent("auto:10ms").choose(game.initial_state(), 1)) == "take"
    assert "playouts" in parse_agent("auto").settings(game)


def test_forged_decisions_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    native = compiled(gamedsl.load("tic-tac-toe"))
    value = leaf_value(native)
    assert value is not None
    made = auto_choice._knockout(native, value)
    for data in (b"", b"[]", b'["tree", true, 7, 3]', b'["tree", true, "x", 3]', b"[" * 100_000):
        monkeypatch.setattr(kept_data, "cached_data", lambda *_, data=data: data)
        assert auto_choice._tested(native, value) == made


def test_tournaments_show_what_was_decided(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "tic-tac-toe", "--agents", "random,auto:5ms", "--rounds", "1"]) == 0
    assert "  auto:0.005s uses " in capsys.readouterr().out


def test_texts() -> None:
    assert parse_agent("auto") == Auto(1.0) and parse_agent("auto:2s") == Auto(2.0)
    assert parse_agent(parse_agent("auto:50ms").text) == Auto(0.05)
    for text in ("auto:", "auto:d3", "auto:5000"):
        with pytest.raises(UsageError, match="is not an agent"):
            parse_agent(text)
