"""Searches give back the memory for noted positions: thousands of them in one process, and whole games."""

from __future__ import annotations

from itertools import islice
from weakref import WeakSet

import pytest

import gamedsl
from gamedsl.agents import forest, parse_agent, play_tournament
from gamedsl.agents import position as positions
from gamedsl.compiler import Context
from gamedsl.language.core.nodes import HistoryT
from gamedsl.language.rules.files import shipped
from gamedsl.language.source import UsageError
from tests.agents.play import decision, played, resident
from tests.shipped_sample import sampled, small

NOTING = [
    "atreso", "brandub", "chess", "chess960", "dark-chess", "english-draughts", "go", "hive",
    "international-draughts", "nine-mens-morris", "oware", "phantom-go",
]  # fmt: skip
DUELS = {*NOTING} - {"atreso", "chess960", "dark-chess", "phantom-go"}  # without chance and hidden values
SEARCHES = 1_000
GROWTH = 64 << 20  # bytes; a search that kept its arena would need 32 MB


@pytest.fixture
def contexts(monkeypatch: pytest.MonkeyPatch) -> WeakSet[Context]:
    """All contexts that are in use."""
    found: WeakSet[Context] = WeakSet()
    begin = Context.__init__

    def __init__(self: Context, *args: object, **named: object) -> None:
        begin(self, *args, **named)  # type: ignore[arg-type]
        found.add(self)

    monkeypatch.setattr(Context, "__init__", __init__)
    return found


def words(contexts: WeakSet[Context]) -> list[int]:
    return sorted(c.used for c in contexts)


@pytest.mark.parametrize("name", sampled(NOTING, "searches give back their memory"))
def test_searches_give_back_their_memory(name: str, contexts: WeakSet[Context]) -> None:
    state = decision(name)
    agents = [parse_agent(text) for text in ("mcts:2", "mcts:4:threads=2", *["ab:d1"] * (name in DUELS))]
    before: list[list[int]] = []
    for seed in range(4):
        for agent in agents:
            agent.choose(state, seed)
            agent.analyse(state, seed)
        before.append(words(contexts))
    assert before[0] == before[-1]


def test_calls_of_compiled_rules_give_back_their_memory(contexts: WeakSet[Context]) -> None:
    state = decision("oware")
    native = positions.compiled(state.game)
    before: list[list[int]] = []
    for seed in range(4):
        native.perft(state, 1)
        native.playouts(2, seed, start=state)
        before.append(words(contexts))
    assert before[0] == before[-1] == []


def test_a_tree_stops_growing_when_the_room_for_noted_positions_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for 2,048 positions of 4 words beside those of a playout: the iterations go on, and the findings count."""
    for module, name in ((positions, "ARENA"), (positions, "ROOM"), (forest, "ROOM")):
        monkeypatch.setattr(module, name, 1 << 13)
    found = parse_agent("mcts:3000").study(decision("nine-mens-morris"), 1)  # type: ignore[attr-defined]
    assert 1000 < found.nodes < 2500
    assert sum(row.visits for row in found.rows) > 2900


def test_games_of_agents_against_agents() -> None:
    ends = [played(gamedsl.load(name), "mcts:1", "ab:d1") for name in ("brandub", "nine-mens-morris")]
    assert all(end.is_terminal for end in ends)


def test_a_tournament_in_a_game_that_notes_positions() -> None:
    agents = [parse_agent("mcts:1"), parse_agent("random")]
    game = gamedsl.load("brandub")
    assert all(outcome.finished for outcome in islice(play_tournament(game, agents, 2), 4))


# ------------------------------------------------------------------------------------------------------ long ones


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped())
def test_a_thousand_searches(name: str) -> None:
    game = gamedsl.load(name, **small(name))
    notes = any(isinstance(v.type, HistoryT) for v in game.program.variables)
    assert notes == (name in NOTING)  # hive: only with an option, but it has room for them
    if game.num_player_actions == 0:
        pytest.skip("nobody chooses among moves")
    state = decision(name)
    for text in ("mcts:1", "ab:d1"):
        agent = parse_agent(text)
        try:
            agent.check(state.game)
            agent.choose(state, 0)
        except UsageError:  # drawings, chance, hidden values: the agent does not fit
            continue
        for seed in range(20):
            agent.choose(state, seed)
        before = resident()
        for seed in range(SEARCHES):
            agent.choose(state, seed)
        assert resident() - before < GROWTH


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTING)
def test_whole_games_of_agents(name: str) -> None:
    agents = [parse_agent("mcts:1"), parse_agent("random")]
    for outcome in play_tournament(gamedsl.load(name), agents, 1):
        assert outcome.finished or outcome.plies >= 1000
