"""The laws of symmetries, on random rulesets and on all shipped ones: turned positions have turned ways on and turned results,
and verdicts are the same with and without."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.state import State
from gamedsl.lab.base.successor_list import successors
from gamedsl.lab.claims.verification import VerifyConfig, verify
from gamedsl.lab.explore.explorer import Execution, Limits, explore
from gamedsl.lab.explore.state_graph import Graph
from gamedsl.lab.search.random_search import Budget
from gamedsl.lab.symmetry.canonical_states import SymmetryAction
from gamedsl.lab.symmetry.symmetries import symmetries
from gamedsl.language.rules import load_program
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import GameDSLError
from tests.compiler.generate import random_text
from tests.lab.judging import judge

MOST_TURNS = 24
QUICK = [
    "tic-tac-toe",
    "nim",
    "hex-swap",
    "konane",
    "x-s-and-lines",
    "kayles",
    "ultimate-tic-tac-toe",
    "rock-paper-scissors",
]
SMALL_ENOUGH: dict[str, dict[str, int]] = {"konane": {"half": 2}}


def next_states(state: State, turned: SymmetryAction | None) -> set[tuple[int, object] | str] | str:
    """Where the ways on lead, turned if there is a turn, with their weights; an error stands for itself."""
    found: set[tuple[int, object] | str] = set()
    try:
        for way in successors(state):
            if way.after is None:
                found.add("error")
            else:
                found.add((way.weight, way.after if turned is None else turned.state(way.after)))
    except GameDSLError:
        return "error"
    return found


def commutes(state: State, turned: SymmetryAction) -> bool:
    """The law for one state."""
    other = turned.state(state)
    if next_states(other, None) != next_states(state, turned):
        return False
    if state.is_terminal:
        seats = turned.turn.seats
        return all(other.returns[seats[p]] == state.returns[p] for p in range(len(seats)))
    return True


def positions(game: Game, seed: int, plays: int, plies: int) -> list[State]:
    """States of random plays."""
    found: list[State] = []
    for number in range(plays):
        rng = Random(f"{seed} {number}")
        try:
            state = game.initial_state()
            for _ in range(plies):
                found.append(state)
                if state.is_terminal:
                    break
                state = state.apply(state.propose(rng))
        except GameDSLError:
            continue
    return found


def law(game: Game, seed: int, plays: int, plies: int, most: int) -> int:
    """How many times the law was asked; it fails where it does not hold."""
    asked = 0
    turns = symmetries(game.program)
    chosen = turns if len(turns) <= MOST_TURNS else Random(seed).sample(turns, MOST_TURNS)
    states = [s for s in positions(game, seed, plays, plies) if s.kind != "drawing"]
    for turn in chosen:
        turned = SymmetryAction(game.program, turn)
        there = [s for s in states if s.block in turn.stops]
        for state in Random(seed).sample(there, min(most, len(there))):
            assert commutes(state, turned), (str(turn), state, seed)
            asked += 1
    return asked


@pytest.mark.parametrize("name", QUICK)
def test_turned_positions_have_turned_ways_on(name: str) -> None:
    assert law(InterpretedGame(load_program(name, SMALL_ENOUGH.get(name, {}))), 1, 4, 30, 8) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_turned_positions_have_turned_ways_on_in_every_ruleset(name: str) -> None:
    law(InterpretedGame(load_program(name)), 2, 4, 40, 10)


def random_games(seeds: range, folder: Path) -> list[tuple[int, Path]]:
    """Without those that the checker refuses: a number may be written that a range does not hold."""
    found = []
    for seed in seeds:
        path = folder / f"r{seed}.gdl"
        path.write_text(random_text(seed), encoding="utf-8")
        with suppress(GameDSLError):
            load_program(path)
            found.append((seed, path))
    return found


def law_on_random(seeds: range, folder: Path) -> int:
    asked = 0
    for seed, path in random_games(seeds, folder):
        try:
            game = InterpretedGame(load_program(path))
        except GameDSLError:
            continue
        asked += law(game, seed, 2, 12, 4) > 0
    return asked


def test_random_rulesets(tmp_path: Path) -> None:
    assert law_on_random(range(10), tmp_path) > 1


@pytest.mark.slow
def test_many_random_rulesets(tmp_path: Path) -> None:
    assert law_on_random(range(1000, 1400), tmp_path) > 25


# --------------------------------------------------------------------------------------------------------- verdicts


def same_verdicts(name: str | Path, options: dict[str, int], states: int, native: bool) -> bool:
    """Whether a game was small enough to be explored wholly; then all verdicts are the same."""
    limits = Limits(states=states)
    none = Budget(0, 0, 0)
    plain = verify(name, options, config=VerifyConfig(execution=Execution(native=native), limits=limits, budget=none))
    if plain.graph is not None and not plain.graph.whole:
        return False
    spared = verify(
        name,
        options,
        config=VerifyConfig(execution=Execution(native=native), limits=limits, budget=none, symmetry=True),
    )
    assert spared.graph is None or len(spared.graph) <= len(graph_of(plain.graph))
    assert kinds(plain.verdicts) == kinds(spared.verdicts), name
    for v in spared.verdicts:
        if v.evidence is not None:
            assert len(list(v.evidence.states())) == len(v.evidence.moves) + 1
    return True


def graph_of(graph: Graph | None) -> Graph:
    assert graph is not None
    return graph


def kinds(verdicts: object) -> list[tuple[str, str]]:
    """Claims and statuses; faults at several places that are alike may be told once."""
    return sorted({(v.claim, str(v.status)) for v in verdicts})  # type: ignore[attr-defined]


def test_the_same_verdicts_on_random_rulesets(tmp_path: Path) -> None:
    whole = [same_verdicts(path, {}, 100, False) for _, path in random_games(range(3), tmp_path)]
    assert sum(whole) > 0


def test_a_state_not_yet_expanded_may_break_a_rule() -> None:
    """One of this ruleset's moves breaks a rule where it is tried; `verify` asks states of the frontier for it."""
    assert not same_verdicts(Path(__file__).with_name("frontier.gdl"), {}, 100, False)


@pytest.mark.slow
def test_the_same_verdicts_on_many_random_rulesets(tmp_path: Path) -> None:
    assert sum(same_verdicts(path, {}, 1500, False) for _, path in random_games(range(3000, 3120), tmp_path)) > 20


SMALL: list[tuple[str, dict[str, int]]] = [
    ("nim", {}),
    ("misere-nim", {}),
    ("kayles", {"pins": 6}),
    ("rock-paper-scissors", {}),
    ("hex", {"n": 2}),
    ("hex-swap", {"n": 2}),
    ("dots-and-boxes", {"rows": 1, "columns": 2}),
    ("domineering", {"rows": 3, "columns": 3}),
    ("clobber", {"rows": 2, "columns": 4}),
    ("x-s-and-lines", {"n": 3}),
    ("tic-tac-toe", {}),
]


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_the_same_verdicts_on_small_games(name: str, options: dict[str, int]) -> None:
    assert same_verdicts(name, options, 6000, False)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), [*SMALL, ("breakthrough", {"rows": 5, "columns": 2})])
def test_the_same_verdicts_on_small_games_compiled(name: str, options: dict[str, int]) -> None:
    assert same_verdicts(name, options, 60_000, True)


def test_states_are_merged_across_seats() -> None:
    """Nim with heaps of 3, 4 and 5: a position is the sizes of the heaps in any order, whoever is to move."""
    sizes = {tuple(sorted((a, b, c))) for a in range(4) for b in range(5) for c in range(6)}
    program = load_program("nim")
    graph = explore(InterpretedGame(program), turns=symmetries(program))
    assert graph.whole
    assert len(graph) == len(sizes)


def test_no_player_is_said_to_win_who_does_not(tmp_path: Path) -> None:
    """Only the first position tells the players apart: by the rules of every move they are alike."""
    path = tmp_path / "odd.gdl"
    path.write_text(
        'game "Odd"\nplayers A, B\nstate\n  left: 0..3 = 3\n'
        'move pick written "pick"\n  when left > 0 "nothing left"\n  take 1 from left\n'
        "play\n  turns from A\n    me plays pick\n    if left = 0\n      win me\n"
    )
    found = verify(path, config=VerifyConfig(symmetry=True))
    assert found.graph is not None
    assert any(turn.seats == (1, 0) for turn in symmetries(found.game.program))
    assert kinds(found.verdicts) == kinds(verify(path).verdicts)
    assert ("no player always wins", "violated") in kinds(found.verdicts)
    forced = explore(found.game, turns=symmetries(found.game.program))
    assert kinds(judge(forced, [])) == kinds(found.verdicts)


def test_symmetries_count_for_seats_only_where_they_have_a_meaning(tmp_path: Path) -> None:
    """Of three players one wins every game; exchanges of players that hold only after the last decision change nothing."""
    assert same_verdicts(random_games(range(3035, 3036), tmp_path)[0][1], {}, 300, False)
