"""Playouts that together use as many lines of a ruleset as possible: the far end of what the strategies generate.

``covering_playouts`` plays at random with counted rules and keeps the playouts that used something new (test suite
reduction by greedy novelty). ``directed_playouts`` searches with compiled rules for what random playouts seldom reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from random import Random
from weakref import WeakKeyDictionary

from gamedsl.engine import Game, Move, State
from gamedsl.lab.coverage import InstrumentedGame, covering_nodes, replayed
from gamedsl.lab.search import GoalProgram, GuidedSearch, Walker
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, UsageError
from gamedsl.testing.play import Play

MOST_PLAYOUTS = 200
MOST_PLIES = 2_000  # of all playouts together; a playout that has begun is finished
MOST_IDLE = 15  # playouts in a row that use nothing new
LONGEST = 3_000  # plies of one playout
PER_LINE = 2  # playouts kept for every line
WALKS = 400  # of a directed search

_known: WeakKeyDictionary[Game, tuple[Play, ...]] = WeakKeyDictionary()


def covering_playouts(game: Game, start: State | None = None) -> tuple[Play, ...]:
    """A few random playouts that use every line that a couple of hundred do, each of the seldom used ones twice.

    They are the same on every machine. Those from the first position are kept for as long as the game is. A playout ends
    early where a rule fails; generating it again reports that.
    """
    if start is not None:
        return _covering(game, start)
    if game not in _known:
        _known[game] = _covering(game, game.initial_state())
    return _known[game]


@dataclass
class _Candidate:
    """A playout with the probes that it hit."""

    moves: tuple[Move, ...]
    used: frozenset[int]


def _covering(game: Game, start: State) -> tuple[Play, ...]:
    found = list(_candidates(game, start))
    rarity: dict[int, int] = {}
    for candidate in found:
        for probe in candidate.used:
            rarity[probe] = rarity.get(probe, 0) + 1
    wanted = {probe: min(PER_LINE, times) for probe, times in rarity.items()}
    kept: list[Play] = []
    while found and any(wanted.values()):
        best = max(found, key=lambda c: (sum(wanted[p] > 0 for p in c.used), -len(c.moves)))
        found.remove(best)
        for probe in best.used:
            wanted[probe] = max(0, wanted[probe] - 1)
        kept.append(Play.of(start, best.moves))
    return tuple(kept)


def _candidates(game: Game, start: State) -> Iterator[_Candidate]:
    """Random playouts on counted rules."""
    probed = InstrumentedGame(game.program)
    plies = idle = 0
    for number in range(MOST_PLAYOUTS):
        if plies >= MOST_PLIES or idle >= MOST_IDLE:
            break
        rng = Random(f"covering {number}")
        before = list(probed.counts.hits)
        state = State(probed.game, start.block, start.slots, start.pending)
        moves: list[Move] = []
        while not state.is_terminal and len(moves) < LONGEST:
            move = state.propose(rng)
            try:
                state = state.apply(move)
            except GameDSLError:
                break
            moves.append(move)
        plies += len(moves)
        idle = 0 if any(new > 0 == old for old, new in zip(before, probed.counts.hits, strict=True)) else idle + 1
        used = (i for i, (old, new) in enumerate(zip(before, probed.counts.hits, strict=True)) if new > old)
        yield _Candidate(tuple(moves), frozenset(used))


def directed_playouts(game: Game, walks: int = WALKS, seed: int = 0) -> tuple[Play, ...]:
    """Playouts that a search with compiled rules found for what random playouts seldom reach: every line, both answers of
    every condition, every guard as the only reason against a move (see ``gamedsl coverage --from search``).

    ``walks``: how many walks the search makes; the result is the same on every machine. Needs the compiler. Raises
    ``UsageError`` (E0001) where players draw.
    """
    if any(isinstance(b.end, n.DecideDrawing) for b in game.program.blocks):
        raise UsageError("a directed search is not possible where players draw: use `covering_playouts`", code="E0001")
    goals = GoalProgram(game.program)
    guided = GuidedSearch(goals, Walker(goals), seed)
    guided.run(inf, walks)
    probed = InstrumentedGame(game.program)
    start = game.initial_state()
    return tuple(Play.of(start, replayed(guided.walker, node, probed)) for node in covering_nodes(guided))
