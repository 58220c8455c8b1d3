"""Breadth-first exploration of all distinct reachable states: small games on the engine, others on compiled rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gamedsl.compiler import compile_program
from gamedsl.engine import Game, State
from gamedsl.lab.base import Clock, exploring_seconds
from gamedsl.lab.explore.breadth_first import Search
from gamedsl.lab.explore.explore_limits import Execution, Limits, Progress, Watch
from gamedsl.lab.explore.kernels.records import ENTRIES
from gamedsl.lab.explore.owned_search import OwnedSearch
from gamedsl.lab.explore.reference_search import ReferenceSearch
from gamedsl.lab.explore.state_graph import Graph
from gamedsl.lab.explore.support import explores, suits
from gamedsl.lab.shards import ShardStore
from gamedsl.lab.symmetry import Symmetry
from gamedsl.language.source import UsageError

__all__ = ["Execution", "Limits", "Progress", "Watch", "explore"]

FEW = 6000  # states explored on the engine before the rules are compiled
FEW_SECONDS = 1.5
LEAST_SECONDS = 0.5  # least seconds left to explore on compiled rules; with less time they are not compiled


def explore(
    game: Game,
    limits: Limits | None = None,
    *,
    start: State | None = None,
    turns: Sequence[Symmetry] = (),
    execution: Execution | None = None,
    watch: Watch | None = None,
    clock: Clock | None = None,
    pause: Callable[[], None] = lambda: None,
) -> Graph:
    """Returns the graph of the states reachable from ``start`` (the first state if None), within the limits.

    ``turns`` are symmetries (see ``symmetry.symmetries``): one state represents its orbit. ``watch`` receives progress.
    ``pause`` is called if there are more than the first few states, before anything expensive is done; its
    time does not count. ``clock`` bounds the time, including compilation, and carries stop
    requests.

    Raises ``GameDSLError`` if there is no first state because the rules fail before it.
    """
    limits, start, clock = limits or Limits(), start or game.initial_state(), clock or Clock()
    clock = clock.within(limits.seconds)
    execution = execution or Execution()
    native, checkpoint = execution.native, execution.checkpoint
    can = explores(game.program, turns)
    owners = execution.owners if suits(game.program, turns) else None
    if checkpoint is not None and (native is False or not suits(game.program, turns)):
        raise UsageError("checkpoints need compiled rules without noted positions", code="E0001")
    if execution.owners is not None and native is False:
        raise UsageError("states can only be owned with compiled rules", help="Omit `--backend`.", code="E0001")
    first = None
    if not (can and (native or (checkpoint and owners is None))):
        search = ReferenceSearch(game, start, list(turns), limits.drawings, limits.seed, watch)
        if native is False or not can:
            small = replace(limits, states=min(FEW, limits.states or FEW))
            if search.run(small, clock.within(min(FEW_SECONDS, clock.left))) in ("states", "time"):
                clock = _paused(clock, pause)
                search.run(limits, clock)
            return search.graph()
        if not _first_states(search, limits, clock):
            clock = _paused(clock, pause)
            search.run(limits, clock)
            return search.graph()
        if search.stopped not in ("states", "time"):
            return search.graph()
        first = search
    clock = _paused(clock, pause)
    clock.say("compiling the rules")
    rules = compile_program(game.program, game)
    for name in ENTRIES:
        rules.address(name)
    if first is not None and clock.left < LEAST_SECONDS / 2:  # compiling took longer than expected
        return replace(first.graph(), stopped="time")
    clock.say("preparing the search")
    clock = clock.at_least(LEAST_SECONDS)
    if owners is None:
        return Search(game, rules, limits, watch, list(turns), execution.threads, checkpoint, clock).run(start)
    with owners.with_sticky_workers(None if checkpoint is None else ShardStore(checkpoint)) as runner:
        return Search(game, rules, limits, watch, list(turns), clock=clock, owned=OwnedSearch(runner)).run(start)


def _paused(clock: Clock, pause: Callable[[], None]) -> Clock:
    """Calls ``pause`` and returns the clock with its deadline moved by the time this took."""
    began = clock.now()
    pause()
    return replace(clock, until=clock.until + clock.now() - began)


def _first_states(search: ReferenceSearch, limits: Limits, clock: Clock) -> bool:
    """Explores the first states on the engine, where small games are finished before their rules could be compiled.

    Returns False if compiling is not worthwhile.
    """
    if limits.states is not None and limits.states <= FEW:
        return False
    spare = clock.left - exploring_seconds(search.game.program) - LEAST_SECONDS
    if spare <= 0:
        return False
    watch, search.watch = search.watch, None
    stopped = search.run(replace(limits, states=FEW), clock.within(min(FEW_SECONDS, spare)))
    search.watch = watch
    return stopped not in ("states", "time") or clock.left >= exploring_seconds(search.game.program)
