"""Monte-Carlo tree search: plays that must not be lost, wins that must be found, values that are known."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.agents import parse_agent
from gamedsl.agents.mcts import Mcts
from tests.agents.play import after, played, wins_at_once

TTT = gamedsl.load("tic-tac-toe")


@pytest.mark.parametrize("seed", range(20))
def test_never_loses_as_second(seed: int) -> None:
    assert played(TTT, "random", "mcts:3000", seed=seed).returns[1] >= 0


@pytest.mark.parametrize("seed", range(3))
def test_draws_with_a_perfect_player(seed: int) -> None:
    assert played(TTT, "mcts:3000", "ab:d9", seed=seed).outcome_text == "a draw"
    assert played(TTT, "ab:d9", "mcts:3000", seed=seed).outcome_text == "a draw"


def test_finds_a_win_in_one_ply() -> None:
    state = after(TTT, "a1", "a3", "b1", "b3")
    found = Mcts(500, None).study(state)
    assert wins_at_once(state) == ["c1"]
    assert str(parse_agent("mcts:500").choose(state, 1)) == "c1"
    assert (found.exact, found.values, found.plies) == (True, (1.0, -1.0), 1)


def test_finds_a_win_in_three_plies() -> None:
    state = after(TTT, "a1", "b1", "a3", "a2")
    move = parse_agent("mcts:2000").choose(state, 1)
    behind = state.apply(move)
    assert not behind.is_terminal and not wins_at_once(behind)
    assert all(wins_at_once(behind.apply(reply)) for reply in behind.legal_moves())
    found = Mcts(2000, None).study(state)
    assert (found.exact, found.values, found.plies) == (True, (1.0, -1.0), 3)


def test_knows_a_loss() -> None:
    """Two lines are threatened and only one can be stopped."""
    state = after(TTT, "a1", "b1", "a3", "a2", "c3")
    best, *others = parse_agent("mcts:3000").analyse(state)
    assert best.value == -1.0 and all(r.value == -1.0 for r in others)


def test_the_same_seed_gives_the_same_moves() -> None:
    state = after(TTT, "b2")
    for text in ("mcts:700", "mcts:700:threads=2"):
        agent = parse_agent(text)
        assert agent.analyse(state, 5) == agent.analyse(state, 5)
        assert agent.choose(state, 5) == agent.choose(state, 5)
    assert parse_agent("mcts:700").analyse(state, 5) != parse_agent("mcts:700").analyse(state, 6)


def test_all_iterations_are_done_whatever_the_threads() -> None:
    for threads in (1, 2, 3):
        found = Mcts(1000, None, threads).study(TTT.initial_state())
        assert sum(r.visits for r in found.rows) == 1000
        assert sum(r.share for r in found.rows) == pytest.approx(1.0)


def test_a_budget_of_time_ends_the_search() -> None:
    """Nothing else would: hex has no end of iterations."""
    start = gamedsl.load("hex").initial_state()
    assert sum(r.visits for r in Mcts(None, 0.1).study(start).rows) > 0
    assert parse_agent("mcts:0.1s").choose(start, 1) in start.legal_moves()


def test_chance_by_its_weights() -> None:
    """Pig up to two points: who rolls a one passes the turn, everything else wins with the next hold. The first player
    wins with the chance w = 5/6 + (1 - w)/6, that is 6/7, and expects 5/7."""
    found = Mcts(20000, None).study(gamedsl.load("pig", target="2").initial_state())
    assert found.values[0] == pytest.approx(5 / 7, abs=0.03)
    assert found.values[1] == pytest.approx(-5 / 7, abs=0.03)


def test_holds_when_that_wins() -> None:
    game = gamedsl.load("pig", target="10")
    certain = game.initial_state().with_values({("points", 0): [6, 9], ("pot", 0): [4]})
    assert str(parse_agent("mcts:3000").choose(certain, 1)) == "hold"


def test_plays_pig_better_than_chance() -> None:
    game = gamedsl.load("pig", target="30")
    won = sum(played(game, "mcts:300", "random", seed=s).returns[0] > 0 for s in range(15))
    assert won >= 11


def test_a_small_memory_is_kept_to() -> None:
    from gamedsl.agents.forest import Tree
    from gamedsl.agents.position import Position

    tree = Tree(Position.of(gamedsl.load("hex").initial_state()), 1, memory=1 << 20)
    assert tree.grow(20_000)
    size = sum(a.nbytes for a in tree.arrays[1:])
    assert size <= 1 << 20 and int(tree.arrays.node[0, 5]) == 20_000


@pytest.mark.parametrize("name", ["tic-tac-toe", "rock-paper-scissors", "chess"])
def test_compiled_states_are_searched_like_others(name: str) -> None:
    texts = {"tic-tac-toe": ("b2",), "rock-paper-scissors": ("rock",), "chess": ("e2e4", "e7e5")}[name]
    plain, fast = after(gamedsl.load(name), *texts), after(gamedsl.load(name, backend="native"), *texts)
    for text in ("mcts:60", *(() if name == "rock-paper-scissors" else ("ab:d1",))):
        agent = parse_agent(text)
        assert [(str(r.move), *r[1:]) for r in agent.analyse(fast, 2)] == [
            (str(r.move), *r[1:]) for r in agent.analyse(plain, 2)
        ]


@pytest.mark.slow
def test_where_drawings_are_made_they_are_drawn_at_random() -> None:
    state = gamedsl.load("abs-trac-toe").initial_state()
    agent = parse_agent("mcts:50")
    assert agent.analyse(state) == []
    while state.kind == "drawing":
        state = state.apply(agent.choose(state, 1))
    assert agent.choose(state, 1) in state.legal_moves()


@pytest.mark.parametrize("name", ["backgammon", "kalah", "t-tic-t-tac-toe", "x-s-and-lines"])
def test_whole_plays(name: str) -> None:
    """Every choice is legal, in games with chance, repeated turns, secret choices, parts."""
    game = gamedsl.load(name)
    state = game.initial_state()
    agent = parse_agent("mcts:20")
    for seed in range(8):
        if state.is_terminal:
            break
        state = state.apply(agent.choose(state, seed))
