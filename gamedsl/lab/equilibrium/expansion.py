"""The graph of states under a game tree, each edge with the facts that every seat notices.

Many histories pass through the same states. Each state is expanded once, by the engine. The tree is then unfolded
by compiled loops (``play_tree``), which no longer need the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field, replace

import numpy as np

from gamedsl.engine import Move, Noticed, State, first_entries, new_entries
from gamedsl.lab.base import Bytes, Clock, Ints, Numbers
from gamedsl.lab.equilibrium.tree_size import estimated_histories
from gamedsl.lab.explore import Progress, Watch
from gamedsl.language.core import nodes as n
from gamedsl.language.core import reached
from gamedsl.language.source import NOWHERE, Diagnostic, ExitCode, GameDSLError, UsageError, lazy_dataclass

END, CHANCE = -2, -1  # in place of a seat
UNKNOWN = -3  # not expanded
LONGEST = 10_000  # plies
LOOK_EVERY = 16  # states between two checks of the clock
MOST_HELD = 200_000_000  # histories, of about 50 bytes each, for which a large machine has memory

Results = Callable[[State], Iterable[int]]  # the utility of each seat in a finished game


def utilities(state: State) -> Iterable[int]:
    """Each seat's utility."""
    return state.returns


def margins(state: State) -> Iterable[int]:
    """The lead in points of each of two seats. Raises ``UsageError`` if there are no points of two players."""
    if len(state.scores) != 2:
        raise UsageError("this game has no scores of two players to compare", help="omit `--score`")
    lead = state.scores[0] - state.scores[1]
    return lead, -lead


@lazy_dataclass(frozen=True)
class StateGraph:
    """States 0, 1, 2 ... in order of discovery; 0 is the start.

    ``seats``: int8, shape (states,): the seat that acts, or ``CHANCE``, or ``END``. ``first``: int64, shape (states
    + 1,): the edges of state s are ``first[s]`` to ``first[s + 1]``, in ascending order of their actions. Shape
    (edges,): ``target`` int32, ``action`` int64 (numbers as ``Game.action``), ``odds`` float64 (1 except for
    chance). ``results``: float64, shape (states, seats): utilities, zeros unless the game is over.

    The facts that seats notice: ``noticed`` are all of them. ``labels``: int32, shape (edges, seats): a number of a
    list of facts, which is ``label_facts[label_first[l]:label_first[l + 1]]``. ``at_first``: for each seat the
    facts known at the start. ``histories``: the number of nodes of the tree.
    """

    seats: Bytes
    first: Ints
    target: Numbers
    action: Ints
    odds: Numbers
    results: Numbers
    labels: Numbers
    label_first: Ints
    label_facts: Numbers
    at_first: tuple[tuple[int, ...], ...]
    noticed: tuple[Noticed, ...]
    histories: int


@lazy_dataclass()
class Facts:
    """Facts and lists of facts by number. ``rows``: the lists in the order of their numbers."""

    noticed: list[Noticed] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    lists: dict[tuple[int, ...], int] = field(default_factory=dict)
    rows: list[tuple[int, ...]] = field(default_factory=list)

    def number_entries(self, entries: list[Noticed]) -> tuple[int, ...]:
        """The numbers of some facts."""
        found = []
        for entry in entries:
            name = repr(entry.fact)
            if name not in self.numbers:
                self.numbers[name] = len(self.noticed)
                self.noticed.append(entry)
            found.append(self.numbers[name])
        return tuple(found)

    def label(self, entries: list[Noticed]) -> int:
        """The number of a list of facts."""
        facts = self.number_entries(entries)
        found = self.lists.setdefault(facts, len(self.rows))
        if found == len(self.rows):
            self.rows.append(facts)
        return found


def state_graph(
    start: State,
    *,
    limit: int,
    seconds: float | None = None,
    results: Results = utilities,
    watch: Watch | None = None,
) -> StateGraph:
    """The graph of all states that can be reached.

    ``limit``: histories in the tree; ``seconds``: time to expand.

    Raises ``UsageError`` if players draw, and ``GameDSLError`` (E0525) as soon as there are more histories, or the
    time runs out.
    """
    return _Search(start, limit, seconds, results, watch).run()


def _refuse_drawings(start: State) -> None:
    program = start.game.program
    if any(isinstance(program.blocks[i].end, n.DecideDrawing) for i in reached(program, [start.block])):
        raise UsageError("there are infinitely many drawings, so there is no finite tree of games")


class TreeTooLarge(GameDSLError):
    """The histories of a game cannot all be held (E0525). ``endless``: they may be infinitely many."""

    endless = False

    def with_samples(self) -> TreeTooLarge:
        """Return the same error with the advice to draw samples, which need no tree."""
        found = self.diagnostics[0]
        other = (found.help or "")[:1].lower() + (found.help or "")[1:]
        help = f"use `--method outcome`, which draws samples and needs no tree; or {other}"
        return self if self.endless else TreeTooLarge(replace(found, help=help), exit_code=self.exit_code)


def too_large(start: State, why: str, more: str = "") -> TreeTooLarge:
    """The error for a game whose histories cannot all be held. ``more``: the argument that allows more."""
    names, help, size = list(start.game.options), [], estimated_histories(start) if more else 0
    if names:
        help.append(f"choose a smaller game with the option{'s' * (len(names) > 1)} {', '.join(names)}")
    if more and size <= MOST_HELD:
        help.append(f"allow more with `{more}`")
    if not help:
        help.append("compare strategies with `gamedsl tournament`")
    about = f" (about {size:,} by an estimate)" if size > MOST_HELD else ""
    found = Diagnostic("E0525", f"{why}{about}: the tree of all games is too large", NOWHERE, help=", or ".join(help))
    error = TreeTooLarge(found, exit_code=ExitCode.BOUND)
    error.endless = not more
    return error


class StateExpander:
    """States by number, in order of discovery, and the edges of the expanded ones.

    Per state: ``seats``: the seat that acts; ``worth``: the utilities; ``edges``: target, action and odds;
    ``labels``: for each edge and seat a number of ``facts.lists``. ``waiting``: states found but not expanded.
    Histories are not kept.
    """

    def __init__(self, start: State, results: Results) -> None:
        _refuse_drawings(start)
        self.start, self.results, self.game = start, results, start.game
        self.players = range(self.game.num_players)
        self.numbers: dict[State, int] = {}
        self.waiting: dict[int, State] = {}
        self.facts = Facts()
        self.seats: list[int] = []
        self.worth: list[list[float]] = []
        self.edges: list[list[tuple[int, int, float]]] = []
        self.labels: list[list[list[int]]] = []
        self.number(start)

    def __len__(self) -> int:
        return len(self.numbers)

    def expand(self, number: int) -> None:
        """Expands a waiting state."""
        state = self.waiting.pop(number)
        zeros = [0.0 for _ in self.players]
        self.worth[number] = [float(r) for r in self.results(state)] if state.is_terminal else zeros
        if state.is_terminal:
            self.seats[number] = END
            return
        self.seats[number] = CHANCE if state.kind == "chance" else state.to_act[0]
        for move, action, odds in self._moves(state):
            after = state.apply(move)
            self.labels[number].append([self.facts.label(new_entries(state, move, after, p)) for p in self.players])
            self.edges[number].append((self.number(after), action, odds))

    def _moves(self, state: State) -> Iterable[tuple[Move, int, float]]:
        """The actions of a state in ascending order."""
        if state.kind == "chance":
            found = [(m, self.game.action(m), float(p)) for m, p in state.chance_outcomes()]
        else:
            found = [(m, self.game.action(m), 1.0) for m in state.legal_moves()]
        return sorted(found, key=lambda row: row[1])

    def number(self, state: State) -> int:
        """The number of a state; a new number if it has none."""
        found = self.numbers.setdefault(state, len(self.numbers))
        if found == len(self.seats):
            self.seats.append(UNKNOWN)
            self.worth.append([])
            self.edges.append([])
            self.labels.append([])
            self.waiting[found] = state
            if state is not self.start:
                state.past = state.previous = None  # drop the chain of the moves and states before it
        return found

    def at_first(self) -> tuple[tuple[int, ...], ...]:
        """For each seat the facts known at the start."""
        return tuple(self.facts.number_entries(first_entries(self.start, p)) for p in self.players)


class _Search:
    """A breadth-first search that counts, ply by ply, how many histories lead to each state."""

    def __init__(self, start: State, limit: int, seconds: float | None, results: Results, watch: Watch | None) -> None:
        self.limit, self.watch = limit, watch
        self.clock = Clock().within(seconds)
        self.began = self.clock.now()
        self.found = StateExpander(start, results)
        self.expanded = 0

    def run(self) -> StateGraph:
        level, total = {0: 1}, 1
        for _ in range(LONGEST):
            level = self._next(level, total)
            if not level:
                return self._graph(total)
            total += sum(level.values())
        raise too_large(self.found.start, f"there are games of more than {LONGEST:,} plies")

    def _next(self, level: dict[int, int], total: int) -> dict[int, int]:
        """The number of histories of the next ply, by state."""
        after: dict[int, int] = {}
        for number, count in level.items():
            if number in self.found.waiting:
                self.found.expand(number)
                self.expanded += 1
                if self.expanded % LOOK_EVERY == 0:
                    self._look(total)
            total += count * len(self.found.edges[number])
            if total > self.limit:
                raise too_large(self.found.start, f"there are more than {self.limit:,} histories", "--limit N")
            for target, _, _ in self.found.edges[number]:
                after[target] = after.get(target, 0) + count
        return after

    def _look(self, total: int) -> None:
        if self.watch is not None:
            size = len(self.found)
            self.watch(Progress(size, size - len(self.found.waiting), 0, self.clock.now() - self.began))
        if self.clock.is_over:
            raise too_large(self.found.start, f"time ran out after {total:,} histories were counted", "--time SECONDS")

    def _graph(self, histories: int) -> StateGraph:
        found = self.found
        at_first = found.at_first()
        flat = [e for edges in found.edges for e in edges]
        targets, actions, odds = zip(*flat, strict=True) if flat else ((), (), ())
        degrees = [len(edges) for edges in found.edges]
        lists = found.facts.rows
        labels = [row for rows in found.labels for row in rows]
        players = len(found.players)
        return StateGraph(
            np.array(found.seats, np.int8),
            np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64),
            np.array(targets, np.int32),
            np.array(actions, np.int64),
            np.array(odds, np.float64),
            np.array(found.worth, np.float64).reshape(len(found.seats), players),
            np.array(labels, np.int32).reshape(len(labels), players),
            np.concatenate([[0], np.cumsum([len(x) for x in lists])]).astype(np.int64),
            np.array([f for facts in lists for f in facts], np.int32),
            at_first,
            tuple(found.facts.noticed),
            histories,
        )
