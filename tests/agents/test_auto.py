"""The agent `auto`: what its self-test decides, which rules it plays, and tree search with a leaf value."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from pathlib import Path

import pytest

import gamedsl
from gamedsl import UsageError
from gamedsl.agents import auto_choice, contender, kept_data, parse_agent
from gamedsl.agents.auto import Auto
from gamedsl.agents.contender import TreeContender
from gamedsl.agents.forest import PLAIN, Tree, TreeStyle, search
from gamedsl.agents.leaf_kernel import ONE, linear
from gamedsl.agents.leaf_value import leaf_value
from gamedsl.agents.portable_math import tanh_of
from gamedsl.agents.position import Position, compiled
from gamedsl.agents.tournament import Outcome, Pairing, PairScores
from gamedsl.cli.main import main
from gamedsl.lab.statistics import PairCounts
from tests.agents.play import after, own_game, watch_kept_data


@pytest.fixture(autouse=True)
def with_less_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches of a few milliseconds a game."""
    monkeypatch.setattr(auto_choice, "QUALIFYING", auto_choice.MatchPlan(60, 1_000))
    monkeypatch.setattr(auto_choice, "FINAL", auto_choice.MatchPlan(120, 1_000))
    monkeypatch.setattr(auto_choice, "PLIES", 10)
    monkeypatch.setattr(auto_choice, "FEWEST_ITERATIONS", 1)


def test_a_leaf_value_wins_at_breakthrough_and_the_decision_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    native = compiled(gamedsl.load("breakthrough-6x6"))
    value = leaf_value(native)
    assert value is not None
    kept = watch_kept_data(monkeypatch)
    found = auto_choice._tested(native, value)
    assert found.way.leaf and found.pairs > 1
    way = found.way
    assert kept["auto choice, random games"] == [way.kind, way.leaf, way.explore, found.points, found.pairs]


def test_how_often_a_challenger_wins_a_match() -> None:
    """Exactly, over all courses of a match; to take the place, it has to win two. Of pairs, equals lose, tie and win 1/4, 1/2
    and 1/4; a challenger that wins 3/4 of the games 1/16, 6/16 and 9/16."""
    decided = lru_cache(lambda counts: auto_choice.TEST.decide(PairCounts((counts[0], 0, counts[1], 0, counts[2]))))

    def accepted(chances: tuple[float, float, float]) -> float:
        courses, total = {(0, 0, 0): 1.0}, 0.0
        for _ in range(auto_choice.MOST_PAIRS):
            longer = defaultdict[tuple[int, int, int], float](float)
            for (lost, tied, won), chance in courses.items():
                longer[lost + 1, tied, won] += chance * chances[0]
                longer[lost, tied + 1, won] += chance * chances[1]
                longer[lost, tied, won + 1] += chance * chances[2]
            total += sum(chance for counts, chance in longer.items() if decided(counts) == "H1")
            courses = {counts: chance for counts, chance in longer.items() if decided(counts) is None}
        return total

    assert accepted((1 / 4, 1 / 2, 1 / 4)) ** 2 == pytest.approx(0.0185, abs=1e-4)
    assert accepted((1 / 16, 6 / 16, 9 / 16)) ** 2 == pytest.approx(0.883, abs=1e-3)


def test_a_match_ends_where_the_test_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    native, sides = compiled(gamedsl.load("tic-tac-toe")), [TreeContender(PLAIN, 1), TreeContender(PLAIN, 1)]

    def played(points: list[float], most_plies: int = 10_000) -> PairScores:
        found = iter(points)

        def game(_game: object, _sides: object, pairing: Pairing, _conditions: object) -> Outcome:
            first = 2 * next(found) - 1
            return Outcome(pairing, tuple(first if side == 0 else -first for side in pairing.seats), 10)

        monkeypatch.setattr(contender, "play", game)
        return auto_choice.play_match(native, sides, auto_choice.MatchPlan(1, most_plies))

    won, lost, between = (
        played([1.0] * 100),
        played([0.0] * 100),
        [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0] * 10,
    )
    assert won.counts == {(0, 1): PairCounts((0, 0, 0, 0, 5))} and won.accepted == "H1"  # equals do this in 1 of 1,024
    assert lost.counts == {(0, 1): PairCounts((4, 0, 0, 0, 0))} and lost.accepted == "H0"
    assert (
        played(between).counts[0, 1].pairs == auto_choice.MOST_PAIRS and played(between).accepted is None
    )  # 0.6 a game
    assert played([1.0] * 100, 80).counts[0, 1].pairs == 4 and played([1.0] * 100, 80).accepted is None
    assert played([1.0] * 100, 10).counts == {}


def test_what_wins_no_match_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    native = compiled(gamedsl.load("tic-tac-toe"))
    value, met = leaf_value(native), list[auto_choice.MatchPlan]()

    def result(qualifying: str | None, final: str | None) -> None:
        results = {auto_choice.QUALIFYING: qualifying, auto_choice.FINAL: final}

        def match(_native: object, _sides: object, plan: auto_choice.MatchPlan) -> PairScores:
            met.append(plan)
            return PairScores(auto_choice.TEST, {(0, 1): PairCounts((0, 0, 4, 0, 4))}, results[plan])

        monkeypatch.setattr(auto_choice, "play_match", match)

    result(None, "H1")
    assert auto_choice._knockout(native, value) == auto_choice.Choice(auto_choice.PLAIN, 4.0, 8)
    # wins of 1 and ties of 1/2 a pair: 6 and 2 of 8; constants that are smaller still are not tried then, and there is no final
    assert met == [auto_choice.QUALIFYING] * 3
    result("H1", "H1")
    assert auto_choice._knockout(native, None).way == auto_choice.Way("tree", False, 0.25)
    assert auto_choice._knockout(native, value) == auto_choice.Choice(auto_choice.Way("ab", True), 12.0, 8)
    for final in ("H0", None):  # strong with little time only
        result("H1", final)
        assert auto_choice._knockout(native, value) == auto_choice.Choice(auto_choice.PLAIN, 4.0, 8)
    assert met[-3:] == [auto_choice.QUALIFYING, auto_choice.QUALIFYING, auto_choice.FINAL]


def test_where_games_teach_no_value_constants_are_tried_with_equal_playouts() -> None:
    native = compiled(gamedsl.load("hex", n=5))
    ways = auto_choice.Way("tree", False, 0.5), auto_choice.PLAIN
    sides = auto_choice.contenders(ways, native, None, 100)
    assert sides is not None
    one, other = sides
    assert isinstance(one, TreeContender) and isinstance(other, TreeContender)
    assert one.iterations == other.iterations > 1
    assert (one.style.explore, other.style.explore) == (0.5, 1.0)
    found = auto_choice._tested(native, None)
    assert found.pairs > 1 and not found.way.leaf


def test_games_that_are_too_long_are_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto_choice, "PLIES", 0)
    native = compiled(gamedsl.load("hex", n=5))
    found = auto_choice._knockout(native, None)
    assert found == auto_choice.Choice(auto_choice.PLAIN) and "too long" in found.reason


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


def test_a_new_node_is_worth_a_playout_or_its_leaf_value() -> None:
    """The second node of a tree is evaluated in the first iteration."""
    game = gamedsl.load("tic-tac-toe")
    value = leaf_value(compiled(game))
    assert value is not None
    position = Position.of(after(game, "b2"))

    def worth(tree: Tree) -> float:
        tree.grow(1)
        return float(tree.arrays.value[1, 0])

    tree = Tree(position.beside(), 3)
    played = worth(tree)
    judged = tanh_of(linear(value.segments, value.weights, tree.arrays.blocks, 1) / ONE)
    assert played in (-1.0, 0.0, 1.0) and worth(Tree(position.beside(), 3, style=TreeStyle(value))) == judged


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
    for data in (b"", b"[]", b'["tree", true, 7, 3, 6]', b'["tree", true, "x", 3, 6]', b"[" * 100_000):
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
