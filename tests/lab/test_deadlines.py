"""Every loop asks the clock, every step that may take long is begun only if it fits: told by clocks that tick when asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path

import numpy as np
import pytest

from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.base.claim_kinds import read_claim
from gamedsl.lab.base.clock import Clock, OutOfTime
from gamedsl.lab.base.compile_cost import baseline_seconds, exploring_seconds, playing_seconds, seeking_seconds
from gamedsl.lab.claims.compiled_claims import AT_ONCE, ends_by_winners
from gamedsl.lab.claims.default_claims import check_defaults
from gamedsl.lab.claims.default_guards import idle_guards
from gamedsl.lab.claims.default_names import WRONG
from gamedsl.lab.claims.outcome_odds import exact_odds
from gamedsl.lab.claims.random import sample_claims
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.claims.use_of_moves import first_use
from gamedsl.lab.explore import paths
from gamedsl.lab.explore.explorer import Execution, explore
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.paths import Edges, cycle, must_come, peel, reaches
from gamedsl.lab.explore.reference_search import EngineStore
from gamedsl.lab.explore.state_graph import Graph
from gamedsl.lab.search.random_search import Budget
from gamedsl.lab.simulate.compiled_plays import FullPlays
from gamedsl.lab.simulate.reference_plays import Plan
from gamedsl.lab.simulate.simulation import EnginePlays, fastest
from gamedsl.language.rules import load_lowered, load_program
from tests.lab.judging import check_claim

ROUNDABOUT = """game "Roundabout"

players A, B

state
  n: 0..9
  stopped: bool

move on(k: 1..2) written "{k}"
  set n to (n + k) mod 10

move stop written "stop"
  when n = 3
  set stopped to yes

play
  turns from A
    me plays on | stop
    if stopped
      win me
"""


@dataclass
class Ticking:
    """Whenever it is asked, so many seconds have gone by."""

    step: float = 1.0
    asked: int = 0

    def __call__(self) -> float:
        self.asked += 1
        return self.asked * self.step

    def clock(self, until: float) -> Clock:
        return Clock(until=until, now=self)


def game(name: str) -> Game:
    return InterpretedGame(load_program(name))


def roundabout(tmp_path: Path) -> Graph:
    path = tmp_path / "roundabout.gdl"
    path.write_text(ROUNDABOUT, encoding="utf-8")
    return explore(InterpretedGame(load_program(path)), execution=Execution(native=False))


@pytest.mark.parametrize("native", [False, True], ids=["engine", "compiled"])
def test_exploring_asks_the_clock_at_every_state_when_these_take_long(native: bool) -> None:
    ticking = Ticking()
    graph = explore(game("tic-tac-toe"), execution=Execution(native=native), clock=ticking.clock(until=200.0))
    assert graph.stopped == "time"
    assert 0 < graph.expanded <= 200


def test_what_does_not_fit_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine goes on alone, as long as there is time, further than it goes before rules are compiled."""
    monkeypatch.setattr("gamedsl.lab.explore.explorer.compile_program", _never)
    monkeypatch.setattr("gamedsl.lab.explore.explorer.FEW", 50)
    rules = game("connect-four")
    ticking = Ticking(1e-4)
    graph = explore(rules, clock=ticking.clock(until=exploring_seconds(rules.program)))
    assert isinstance(graph.store, EngineStore)
    assert (graph.stopped, len(graph) > 500) == ("time", True)


def test_a_search_that_is_gone_on_with_finds_the_same_as_one_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedsl.lab.explore.explorer.exploring_seconds", _soon_too_long())
    monkeypatch.setattr("gamedsl.lab.explore.explorer.FEW", 1234)
    found = explore(game("tic-tac-toe"), clock=Clock().within(3600))
    whole = explore(game("tic-tac-toe"), execution=Execution(native=False))
    assert isinstance(found.store, EngineStore)
    assert (found.levels, found.stopped, len(found)) == (whole.levels, whole.stopped, len(whole))
    assert (found.parent == whole.parent).all()
    assert (found.target == whole.target).all()


def _soon_too_long() -> Callable[[object], float]:
    """Compiling looks cheap when it is asked first, and far too dear after the first states."""
    answers = iter([0.0])
    return lambda program: next(answers, 1e9)


def test_plays_are_not_sought_by_rules_that_take_too_long_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedsl.lab.claims.guided.Walker", _never)
    start = game("tic-tac-toe").initial_state()
    least = seeking_seconds(start.game.program, ())
    found = sample_claims(start, [], Budget(plays=3, seconds=least))
    assert found.met.plays == 3


def test_random_plays_are_not_compiled_for_when_that_takes_too_long() -> None:
    rules = game("tic-tac-toe")
    plan = Plan(rules, rules.initial_state(), (None, None), 0, 100)
    assert isinstance(fastest(plan, baseline_seconds(rules.program)), EnginePlays)
    some = fastest(plan, playing_seconds(rules.program))
    assert isinstance(some, FullPlays) and some.plays.baseline == inf


def test_longer_rules_are_expected_to_take_longer() -> None:
    small, large = load_program("tic-tac-toe"), load_program("chess")
    for expected in (
        exploring_seconds,
        playing_seconds,
        baseline_seconds,
        lambda program: seeking_seconds(program, ()),
    ):
        assert expected(small) < expected(large)


@pytest.mark.parametrize("few", [0, 1 << 15], ids=["compiled", "Python"])
@pytest.mark.parametrize("walk", ["back", "peel", "reaches", "must come", "cycle"])
def test_walking_along_edges_asks_the_clock(
    walk: str, few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At least once every few edges followed: here, where it may be four, it is asked that often."""
    monkeypatch.setattr(paths, "MOST_EDGES", 4)
    monkeypatch.setattr(paths, "FEW_EDGES", few)
    graph = roundabout(tmp_path)
    nobody = np.zeros(len(graph), dtype=bool)
    ends = graph.kinds() == 0
    walks: dict[str, Callable[[Edges], object]] = {
        "back": lambda e: e.back,
        "peel": peel,
        "reaches": lambda e: reaches(e, ends),
        "must come": lambda e: must_come(graph, ends, e),
        "cycle": lambda e: cycle(e, ~nobody),
    }
    ticking = Ticking()
    walks[walk](Edges.of(graph, None, ticking.clock(until=1e9)))
    assert ticking.asked >= len(graph.target) / 4
    for until in range(2, ticking.asked, 3):
        with pytest.raises(OutOfTime):
            walks[walk](Edges.of(graph, None, Ticking().clock(until)))


def test_walks_find_what_is_there(tmp_path: Path) -> None:
    graph = roundabout(tmp_path)
    edges = Edges.of(graph)
    _, stays = peel(edges)
    loop = cycle(edges, stays)
    assert all(b in graph.successors(a) for a, b in zip(loop, [*loop[1:], loop[0]], strict=True))
    assert stays.sum() == np.count_nonzero(graph.kinds() != 0)
    assert reaches(edges, graph.kinds() == 0).all()
    assert not must_come(graph, graph.kinds() == 0, edges)[0]


def test_exact_odds_guards_and_winners_ask_the_clock() -> None:
    graph = explore(game("tic-tac-toe"), execution=Execution(native=True))
    assert isinstance(graph.store, NativeStore)
    with pytest.raises(OutOfTime):
        exact_odds(graph, Ticking().clock(until=50.0))
    ends = np.flatnonzero(graph.kinds() == 0)
    with pytest.raises(OutOfTime):
        ends_by_winners(graph.store, np.tile(ends, 3 + 3 * AT_ONCE // len(ends)), Ticking().clock(until=2.0))
    ticking = Ticking()
    idle, undecided, total, _ = idle_guards(graph, ticking.clock(until=3.0))
    assert ticking.asked < 10
    assert (idle, len(undecided) > 0, total > 0) == ([], True, True)


def test_states_in_which_no_condition_is_left_to_try_are_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = explore(game("tic-tac-toe"), execution=Execution(native=False))
    ticking = Ticking()
    monkeypatch.setattr("gamedsl.lab.search.redundant_conditions._movers", lambda state: iter(()))
    idle_guards(graph, ticking.clock(until=100.0))
    assert ticking.asked < 110


def test_looking_for_a_move_that_is_never_legal_asks_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = explore(game("tic-tac-toe"), execution=Execution(native=False))
    assert first_use(StateSpace(graph), {0}) == 0
    monkeypatch.setattr("gamedsl.lab.claims.use_of_moves._offers", lambda state, schemas: False)
    with pytest.raises(OutOfTime):
        first_use(StateSpace(graph, clock=Ticking().clock(until=100.0)), {0})


def test_what_is_violated_is_told_without_a_play_when_there_is_no_time_to_show_one() -> None:
    rules = load_lowered("tic-tac-toe")
    graph = explore(InterpretedGame(rules.program), execution=Execution(native=False))
    space = StateSpace(graph)
    found = check_claim(space, read_claim(rules, "never three(O)"))
    assert found.evidence is not None
    space.clock.stopped.set()
    assert space.play_to(7) is None


def test_a_rule_that_goes_wrong_everywhere_is_put_into_words_once(tmp_path: Path) -> None:
    """The engine tells of a rules error; where there are many at the same place, it is asked about the first."""
    path = tmp_path / "wrong.gdl"
    path.write_text(
        'game "Wrong"\n\nplayers A, B\n\nstate\n  n: 0..200\n\nmove more(k: 1..2) written "{k}"\n  add k to n\n\n'
        'move break written "break"\n  add 150 to n\n\nplay\n  turns from A\n    me plays more | break\n    if n = 200\n      win me\n',
        encoding="utf-8",
    )
    graph = explore(InterpretedGame(load_program(path)), execution=Execution(native=True))
    described: list[int] = []
    faults = graph.faults
    assert len(faults) > 100
    describe = faults.describe
    object.__setattr__(faults, "describe", lambda state, action: (described.append(state), describe(state, action))[1])
    verdicts = [v for v in check_defaults(StateSpace(graph)) if v.claim == WRONG]
    assert len(described) <= 2
    assert {v.detail for v in verdicts if v.evidence is not None} == {v.detail for v in verdicts}


def _never(*_: object, **__: object) -> object:
    raise AssertionError("this takes too long to compile")
