"""Games that only grow: the same graph as where this is not known, and nothing is taken for such a game that is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.base.claim_kinds import read_claim
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.explore import breadth_first as explore_search
from gamedsl.lab.explore.explorer import Execution, Limits, explore
from gamedsl.lab.explore.state_graph import Graph
from gamedsl.lab.symmetry.symmetries import symmetries
from gamedsl.language.rules import load_lowered, load_program
from tests.lab.judging import check_claim
from tests.lab.test_explore_native import same

HEAD = 'game "Small"\nplayers A, B\n'
COUNTS = f"""{HEAD}state
  one: 0..9
  two: 0..9
  side: 0..3
move first(k: 0..3) written "first {{k}}"
  when one < ONE
  add 1 to one
  set side to k
move second(k: 0..3) written "second {{k}}"
  when SECOND
  add 1 to two
  set side to k
"""
PLAY = "play\n  turns from A\n    me plays MOVES\n    if OVER\n      draw\n"


@pytest.fixture(autouse=True)
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small games, too, are looked at."""
    monkeypatch.setattr(explore_search, "GUESS_AT", 100)


def written(folder: Path, text: str) -> Game:
    file = folder / "small.gdl"
    file.write_text(text, encoding="utf-8")
    return InterpretedGame(load_program(file))


# one counter after the other; both in turns; a counter that is taken back at the end; a way back from the start
PHASES = COUNTS.replace("ONE", "4").replace("SECOND", "one = 4 and two < 5") + PLAY.replace(
    "MOVES", "first | second"
).replace("OVER", "two = 5")
MIXED = COUNTS.replace("ONE", "6").replace("SECOND", "two < 6") + PLAY.replace("MOVES", "first | second").replace(
    "OVER", "one = 6 and two = 6"
)
BACK = (
    COUNTS.replace("ONE", "8").replace("SECOND", "no")
    + 'move back written "back"\n  when one = 8\n  set one to 0\n'
    + PLAY.replace("MOVES", "first | second | back").replace("OVER", "one = 9")
)
UNDO = (
    COUNTS.replace("ONE", "8").replace("SECOND", "no")
    + 'move back written "back"\n  when one = 1\n  set one to 0\n  set side to 0\n'
    + PLAY.replace("MOVES", "first | back").replace("OVER", "one = 8")
)
SKIPS = (
    COUNTS.replace("ONE", "8").replace("SECOND", "no")
    + 'move skip written "skip"\n  when one = 6\n  add 2 to one\n'
    + PLAY.replace("MOVES", "first | skip").replace("OVER", "one = 8")
)
GAMES = [(PHASES, True), (MIXED, True), (BACK, False), (UNDO, False), (SKIPS, False)]


def steps(graph: Graph) -> set[int]:
    """By how many levels ways lead on."""
    depth = np.searchsorted(np.array(graph.levels), np.arange(len(graph)), side="right")
    inside = graph.target >= 0
    return set(np.unique(depth[graph.target[inside]] - depth[graph.edge_sources()[inside]]).tolist())


@pytest.mark.parametrize(("text", "grows"), GAMES)
@pytest.mark.parametrize("guess_at", [2, 6, 20, 10**6])
def test_small_ones(text: str, grows: bool, guess_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore_search, "GUESS_AT", guess_at)
    game = written(tmp_path, text)
    graph = explore(game, execution=Execution(native=True))
    same(explore(game, execution=Execution(native=False)), graph)
    assert (steps(graph) == {1}) == grows
    assert graph.layered == (grows and guess_at < 10**6)
    same(graph, explore(game, execution=Execution(native=True, threads=2)))


@pytest.mark.parametrize("text", [text for text, _ in GAMES])
def test_in_pieces(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore_search, "GUESS_AT", 3)
    game, file = written(tmp_path, text), tmp_path / "kept"
    for states in (2, 9, 14, 21, 30, 33, None):
        graph = explore(game, Limits(states=states), execution=Execution(native=True, checkpoint=file))
    whole = explore(game, execution=Execution(native=True))
    same(whole, graph)
    assert graph.layered == whole.layered


@pytest.mark.parametrize(
    ("name", "options", "grows"),
    [
        ("tic-tac-toe", {}, True),
        ("m-n-k", {"m": 4, "n": 3, "k": 3}, True),
        ("connect-four", {"rows": 4, "columns": 4}, True),
        ("hex", {"n": 3}, True),
        ("hex-swap", {"n": 3}, False),
        ("dots-and-boxes", {"rows": 1, "columns": 3}, True),
        ("nim", {}, False),
        ("pig", {"target": 20}, False),
        ("kalah", {"houses": 3, "seeds_each": 2}, False),
        ("breakthrough", {"rows": 5, "columns": 3}, False),
        ("x-s-and-lines", {"n": 3}, True),
    ],
)
def test_shipped_ones(name: str, options: dict[str, int], grows: bool) -> None:
    game = InterpretedGame(load_program(name, options))
    graph = explore(game, Limits(states=20_000), execution=Execution(native=True))
    assert graph.layered == grows
    assert not graph.layered or steps(graph) == {1}


def test_with_symmetries() -> None:
    program = load_program("tic-tac-toe")
    graph = explore(InterpretedGame(program), execution=Execution(native=True), turns=symmetries(program))
    assert (len(graph), graph.layered, steps(graph)) == (765, True, {1})


@pytest.mark.parametrize("text", ["ends", "ends within 9 plies", "ends within 8 plies", "ends within 3 plies"])
def test_ends_are_judged_alike(text: str) -> None:
    rules = load_lowered("tic-tac-toe")
    game, claim = InterpretedGame(rules.program), read_claim(rules, text)
    graphs = [explore(game, execution=Execution(native=native)) for native in (False, True)]
    assert [g.layered for g in graphs] == [False, True]
    assert check_claim(StateSpace(graphs[0]), claim) == check_claim(StateSpace(graphs[1]), claim)
