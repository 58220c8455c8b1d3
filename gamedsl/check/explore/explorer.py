"""The explorer: every distinct state that can be reached, breadth first; small games on the engine, others compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gamedsl.check.base.clock import Clock
from gamedsl.check.base.compile_cost import exploring_seconds
from gamedsl.check.explore.breadth_first import Search
from gamedsl.check.explore.graph import Graph
from gamedsl.check.explore.limits import Limits, Progress, Watch
from gamedsl.check.explore.reference_search import ReferenceSearch
from gamedsl.check.explore.support import explores, suits
from gamedsl.check.symmetry.symmetries import Symmetry
from gamedsl.engine.game import Game
from gamedsl.engine.state import State
from gamedsl.native import compile_program
from gamedsl.source.diagnostic import UsageError

__all__ = ["Limits", "Progress", "Watch", "explore"]

FEW = 6000  # states that the engine has explored before rules are compiled
FEW_SECONDS = 1.5
LEAST_SECONDS = 0.5  # for compiled rules to explore: for less they are not compiled


def explore(
    game: Game,
    limits: Limits | None = None,
    *,
    start: State | None = None,
    turns: Sequence[Symmetry] = (),
    native: bool | None = None,
    threads: int = 1,
    checkpoint: Path | None = None,
    watch: Watch | None = None,
    clock: Clock | None = None,
) -> Graph:
    """The graph of the states that can be reached from ``start`` (the first state if None), as far as the limits allow.

    ``turns`` are symmetries (see ``symmetry.symmetries``): one state stands for all that are alike. ``native``: on compiled
    rules, on the engine, or (None) compiled when there are many states and the rules suit; the graph is the same, but
    for which state stands for its likes. ``threads`` share the work on compiled rules; ``checkpoint`` is a file to go on
    from if it is there, and to write at the end and now and then (compiled rules only). ``watch`` is told now and then
    how far it is. ``clock`` bounds the time as well: what is compiled is counted, and somebody may ask to stop.

    Raises ``GameDSLError`` when there is no first state, as the rules go wrong before it.
    """
    limits, start, clock = limits or Limits(), start or game.initial_state(), clock or Clock()
    clock = clock.within(limits.seconds)
    can = explores(game.program, turns)
    if checkpoint is not None and (native is False or not suits(game.program, turns)):
        raise UsageError(
            "a checkpoint is only for rules that are explored compiled and note no positions", code="E0001"
        )
    first = None
    if not (can and (native or checkpoint)):
        search = ReferenceSearch(game, start, list(turns), limits.drawings, limits.seed, watch)
        if native is False or not can or not _first_states(search, limits, clock):
            search.run(limits, clock)
            return search.graph()
        if search.stopped not in ("states", "time"):
            return search.graph()
        first = search
    clock.say("compiling the rules")
    rules = compile_program(game.program, game, plays=False)
    if first is not None and clock.left < LEAST_SECONDS / 2:  # it took longer than expected
        return replace(first.graph(), stopped="time")
    clock.say("preparing the search")
    clock = clock.at_least(LEAST_SECONDS)
    return Search(game, rules, limits, watch, list(turns), threads, checkpoint, clock).run(start)


def _first_states(search: ReferenceSearch, limits: Limits, clock: Clock) -> bool:
    """Explores the first states: small games are known whole before their rules could be compiled. Is it worth while, or
    was it not needed, to compile them then?"""
    if limits.states is not None and limits.states <= FEW:
        return False
    spare = clock.left - exploring_seconds(search.game.program) - LEAST_SECONDS
    if spare <= 0:
        return False
    watch, search.watch = search.watch, None
    stopped = search.run(replace(limits, states=FEW), clock.within(min(FEW_SECONDS, spare)))
    search.watch = watch
    return stopped not in ("states", "time") or clock.left >= exploring_seconds(search.game.program)
