"""Noted positions on compiled rules: collections of them make states, in whatever order they were noted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gamedsl.compiler.host import binding
from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.explore import histories as explore_chains
from gamedsl.lab.explore.explorer import Execution, Limits, explore
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.language.rules import load_program
from gamedsl.language.source.diagnostic import UsageError
from tests.lab.judging import judge
from tests.lab.test_explore_native import same

WALK = """game "Walk"
players A, B
board grid 1 by PLACES
piece man
move go(to: cell) written "{to}"
  when to in empty
  move man from the(man) to to
play
  put man on a1
  turns from A
    me plays go
    note position
    if repetition(TIMES)
      draw
"""


def walk(folder: Path, places: int, times: int) -> Game:
    file = folder / "walk.gdl"
    file.write_text(WALK.replace("PLACES", str(places)).replace("TIMES", str(times)), encoding="utf-8")
    return InterpretedGame(load_program(file))


def walks(places: int, times: int) -> int:
    """States of the walk, counted by themselves: place, whose turn, and how often each place was come to by whom."""
    first = (0, 0, frozenset[tuple[tuple[int, int], int]]())
    seen, todo = {first}, [first]
    for at, mover, noted in todo:
        if any(n >= times for _, n in noted):
            continue
        for to in {*range(places)} - {at}:
            counts = Counter(dict(noted))
            counts[(to, mover)] += 1
            state = (to, 1 - mover, frozenset(counts.items()))
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return len(seen)


@pytest.mark.parametrize(("places", "times"), [(2, 3), (3, 2), (3, 4), (4, 2)])
def test_as_many_states_as_counted_by_hand(places: int, times: int, tmp_path: Path) -> None:
    game = walk(tmp_path, places, times)
    graph = explore(game, execution=Execution(native=True))
    assert isinstance(graph.store, NativeStore)
    assert (len(graph), graph.whole) == (walks(places, times), True)
    same(explore(game, execution=Execution(native=False)), graph)


def test_little_room_at_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena and the table of collections grow on the way."""
    monkeypatch.setattr(binding.Context.__init__, "__defaults__", (64, binding.MOST_PLIES))
    monkeypatch.setattr(explore_chains, "PLACES", 1 << 13)
    game = walk(tmp_path, 5, 2)
    graph = explore(game, execution=Execution(native=True))
    assert isinstance(graph.store, NativeStore)
    assert len(graph.store.chains.table) > 1 << 13
    assert len(graph) == walks(5, 2)


@pytest.mark.parametrize("name", ["oware", "nine-mens-morris"])
def test_the_same_graph(name: str) -> None:
    game = InterpretedGame(load_program(name))
    graphs = [explore(game, Limits(states=1500), execution=Execution(native=native)) for native in (False, True)]
    same(*graphs)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["atreso", "chess", "english-draughts", "go", "international-draughts"])
def test_the_same_graph_of_larger_games(name: str) -> None:
    game = InterpretedGame(load_program(name))
    same(*(explore(game, Limits(states=4000), execution=Execution(native=native)) for native in (False, True)))


def test_the_same_verdicts(tmp_path: Path) -> None:
    """Also by one thread when more are asked for; a checkpoint can't be written."""
    game = walk(tmp_path, 4, 2)
    claims = list(game.program.claims)
    found = [judge(explore(game, execution=Execution(native=native, threads=2)), claims) for native in (False, True)]
    assert found[0] == found[1]
    with pytest.raises(UsageError):
        explore(game, execution=Execution(checkpoint=tmp_path / "it"))
