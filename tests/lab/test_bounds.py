"""Bounds of time hold for everything that `verify` does, and verdicts are told as they fall."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest

from gamedsl.compiler import compile_program
from gamedsl.compiler.analysis.outcome_bounds import outcome_bounds
from gamedsl.compiler.compile.compiler import ProgramForms, Wanted
from gamedsl.compiler.host import code_cache as store
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.state import State
from gamedsl.lab.base.claim_kinds import read_claim
from gamedsl.lab.base.clock import TICK, Clock, OutOfTime
from gamedsl.lab.base.successor_list import Successor, each_successor
from gamedsl.lab.base.verdict import Status, Verdict
from gamedsl.lab.claims.default_claims import check_defaults
from gamedsl.lab.claims.default_names import ENDING
from gamedsl.lab.claims.graph_verdicts import TIME_IS_UP
from gamedsl.lab.claims.outcome_odds import near_odds
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.claims.verification import Verification, VerifyConfig, verify
from gamedsl.lab.explore.breadth_first import CHUNK, Search
from gamedsl.lab.explore.explorer import Execution, Limits, explore
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.paths import Edges, peel
from gamedsl.lab.search.random_search import Budget
from gamedsl.lab.symmetry.symmetries import find
from gamedsl.language.rules import load_lowered, load_program
from tests.lab.judging import check_claim

CLAIMS = [
    "always count(mark[X]) < 9",
    "never three(O)",
    "reachable empty = {}",
    "used place",
    "ends within 9 plies",
    "balanced within 1%",
    "count(mark[X]) = 1 leads to over",
]


def time_is_up() -> Clock:
    return Clock(until=-inf)


def test_looking_for_endless_plays_stops_when_the_time_is_up() -> None:
    graph = explore(InterpretedGame(load_program("tic-tac-toe")), execution=Execution(native=False))
    with pytest.raises(OutOfTime):
        peel(Edges.of(graph, clock=time_is_up()))


@pytest.mark.parametrize("native", [False, True], ids=["engine", "compiled"])
@pytest.mark.parametrize("text", CLAIMS)
def test_no_kind_of_claim_goes_on_when_the_time_is_up(text: str, native: bool) -> None:
    """What can be told at once may be told; whatever takes long is not begun."""
    rules = load_lowered("tic-tac-toe")
    space = StateSpace(explore(InterpretedGame(rules.program), execution=Execution(native=native)), clock=time_is_up())
    found = check_claim(space, read_claim(rules, text))
    assert found.status == Status.UNKNOWN or text.startswith(("used", "ends"))


def test_default_claims_that_take_long_are_left_open_when_the_time_is_up() -> None:
    graph = explore(InterpretedGame(load_program("rock-paper-scissors")), execution=Execution(native=True))
    found = {v.claim: v for v in check_defaults(StateSpace(graph, clock=time_is_up()))}
    assert found[ENDING].detail == TIME_IS_UP


def test_symmetries_are_not_sought_when_the_time_is_up() -> None:
    found = find(load_program("tic-tac-toe"), clock=time_is_up())
    assert (found.turns, found.why) == ([], "looking for symmetries takes too long")


def test_a_clock_within_another_ends_no_later() -> None:
    clock = time_is_up()
    assert clock.within(60).is_over
    with pytest.raises(OutOfTime):
        clock.check()
    open_end = Clock()
    part = open_end.within(60)
    assert 0 < part.left <= 60
    open_end.stopped.set()
    assert part.is_over


def test_balance_where_plays_go_round(tmp_path: Path) -> None:
    """Each tosses a coin in turn until one has heads: 1/2 + 1/8 + 1/32 + ... = 2/3 for the first."""
    path = tmp_path / "coin.gdl"
    path.write_text(
        'game "Coin"\n\nplayers first, second\n\nplay\n  turns from first\n'
        "    roll d2 -> fell\n    if fell = 1\n      win me\n",
        encoding="utf-8",
    )
    rules = load_lowered(path)
    graph = explore(InterpretedGame(rules.program))
    odds = near_odds(graph, Clock())
    assert odds is not None
    assert odds[0] == pytest.approx([2 / 3, 1 / 3], abs=1e-6)
    for percent, status in ((34, Status.PROVED), (33, Status.VIOLATED)):
        assert check_claim(StateSpace(graph), read_claim(rules, f"balanced within {percent}%")).status == status


def test_a_rules_error_is_told_once(tmp_path: Path) -> None:
    """As `no rule fails`; that plays end in it says nothing about who wins."""
    path = tmp_path / "wrong.gdl"
    path.write_text(
        'game "Wrong"\n\nplayers A, B\n\nstate\n  n: 0..3\n\nmove more(k: 1..2) written "{k}"\n  add k to n\n\n'
        "play\n  turns from A\n    me plays more\n    if n = 0\n      win me\n\nclaim balanced within 5%\n",
        encoding="utf-8",
    )
    found = verify(path, config=VerifyConfig(limits=Limits(seconds=10), budget=Budget(20, 2.0)))
    wrong = [v for v in found.verdicts if v.status == Status.VIOLATED and "range" in v.detail]
    assert [v.claim for v in wrong] == ["no rule fails"]
    (balanced,) = (v for v in found.verdicts if v.claim.startswith("balanced"))
    assert balanced.status == Status.UNKNOWN


def test_verdicts_are_told_as_they_fall() -> None:
    """How far it went first, then every verdict once; in the end all of them."""
    told: list[Verdict | Verification] = []
    found = verify(
        "tic-tac-toe",
        config=VerifyConfig(limits=Limits(states=500), budget=Budget(20, 2.0), claims=["never a1 in mark[X]"]),
        on_verdict=lambda game, v: told.append(v),
        on_explored=told.append,
    )
    assert isinstance(told[0], Verification)
    verdicts = [v for v in told if isinstance(v, Verdict)]
    assert sorted(map(id, verdicts)) == sorted(map(id, found.verdicts))
    assert verdicts[0].status == Status.PROVED or verdicts[0].claim == "never a1 in mark[X]"


def test_whoever_asks_to_stop_gets_what_was_found() -> None:
    clock = Clock()
    told: list[Verdict] = []

    def tell(game: Game, v: Verdict) -> None:
        told.append(v)
        clock.stopped.set()

    found = verify(
        "tic-tac-toe", config=VerifyConfig(claims=["never three(O)"], own=False), clock=clock, on_verdict=tell
    )
    assert told[0].status == Status.VIOLATED
    assert any(v.detail == TIME_IS_UP for v in found.verdicts)


def test_the_clock_is_looked_at_while_one_state_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine moves at first; whoever asks to stop at the first of them does not wait for the others."""
    tried: list[Successor] = []

    def each(state: State) -> Iterator[Successor]:
        for way in each_successor(state):
            tried.append(way)
            clock.stopped.set()
            yield way

    clock = Clock()
    monkeypatch.setattr("gamedsl.lab.explore.reference_search.each_successor", each)
    graph = explore(InterpretedGame(load_program("tic-tac-toe")), execution=Execution(native=False), clock=clock)
    assert (graph.stopped, graph.expanded, len(tried)) == ("stopped", 0, 1)


def test_the_compiled_explorer_looks_at_the_clock_the_more_often_the_longer_a_state_takes() -> None:
    game = InterpretedGame(load_program("tic-tac-toe"))
    search = Search(game, compile_program(game.program, game), Limits(), None)
    for _ in range(20):
        search._adapt(0.0)
    assert search.at_once == CHUNK
    for _ in range(20):
        search._adapt(10.0)
    assert search.at_once == 1


def test_exploring_compiles_no_random_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take most of the time to compile, and nothing that explores asks for them."""
    compiled: set[str] = set()
    real = store.compiled

    def noting(forms: ProgramForms, keep: bool, wanted: Wanted) -> tuple[bytes, list[store.KeptPlace]]:
        compiled.add(wanted.module)
        return real(forms, keep, wanted)

    monkeypatch.setattr(store, "compiled", noting)
    game = InterpretedGame(load_program("tic-tac-toe"))
    graph = explore(game, execution=Execution(native=True))
    assert isinstance(graph.store, NativeStore)
    assert compiled == {"rules", "successors"}
    assert compile_program(game.program, game).perft(None, 3) == graph.store.native.perft(None, 3) == 9 * 8 * 7
    assert compiled == {"rules", "successors", "perft"}


def test_outcome_bounds_are_given_up_where_they_grow_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load_program("tic-tac-toe")
    assert outcome_bounds(program, by_score=False) is not None
    monkeypatch.setattr("gamedsl.compiler.cutoffs.VISITED_NODES", 10)
    assert outcome_bounds(program, by_score=False) is None


def test_a_counted_clock_goes_by_questions() -> None:
    """Two seconds are 500 questions, whatever time they take, and for every clock within it; a stop request ends it at once."""
    clock = Clock().within(0.0).counted()
    part = clock.within(2.0)
    assert sum(1 for _ in iter(lambda: part.is_over, True)) == round(2.0 / TICK) - 1
    assert not clock.is_over and clock.within(1.0).left > 0
    clock.stopped.set()
    assert clock.is_over
