"""Retrograde analysis: values of all positions of a graph, from the terminal ones backward. Positions may repeat.

The graph is split into strongly connected components, which are solved in reverse topological order. An acyclic
position takes its value from its successors. A component of choices only is solved by levels: for each exit value,
the positions from which a seat can force an exit of at least that value. A component with chance or secret choices
is solved by value iteration from both sides. An endless game is worth 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from gamedsl.lab.solve.game_graph import CHANCE, CHOICE, CHOOSE, END, JOINT, Number, PlayGraph
from gamedsl.lab.solve.matrix_games import MatrixValue, matrix_value
from gamedsl.language.source import lazy_dataclass

TOLERANCE = 1e-9  # maximum gap between the two bounds of a value
MOST_ROUNDS = 20_000
MOST_LEVELS = 200  # with more distinct exit values than this, a component is solved by iteration instead
LARGEST_DENOMINATOR = 1000

Bounds = tuple[Number, Number]


@lazy_dataclass(frozen=True)
class Values:
    """Bounds of the values of all positions for one seat.

    ``low``: the value that the seat can secure. ``high``: the value to which all others together can hold it.
    """

    low: list[Number]
    high: list[Number]

    def known(self, i: int) -> bool:
        """Whether the two are equal, or within the tolerance."""
        return bool(self.high[i] - self.low[i] <= TOLERANCE)


def values(graph: PlayGraph, seat: int, terminal_value: Callable[[int], Number], limits: Bounds) -> Values:
    """Returns the values of all positions for a seat.

    ``terminal_value``: maps a terminal position to the seat's utility; ``limits``: the least and the greatest
    terminal value, including 0 (unexpanded positions lie between them).
    """
    size = len(graph)
    back = _Back(graph, seat, Values([0] * size, [0] * size))
    for i in range(size):
        if i >= graph.cut:
            back.low[i], back.high[i] = limits
        elif graph.kinds[i] == END:
            back.low[i] = back.high[i] = terminal_value(i)
    for component in components(graph):
        back.solve(component)
    return back.found


class _Back:
    """The computation of values."""

    def __init__(self, graph: PlayGraph, seat: int, found: Values) -> None:
        self.graph = graph
        self.seat = seat
        self.found = found
        self.low, self.high = found.low, found.high

    def solve(self, component: list[int]) -> None:
        """Computes the values of a component whose exits are known."""
        kinds = self.graph.kinds
        if len(component) == 1:
            i = component[0]
            if kinds[i] == END or not self.graph.successors(i):
                return
            if i not in self.graph.successors(i):
                self.low[i], self.high[i] = self.combined(i, self.low), self.combined(i, self.high)
                return
        members = set(component)
        exits = {t for i in component for t in self.graph.successors(i) if t not in members}
        levels = {0} | {self.low[t] for t in exits} | {self.high[t] for t in exits}
        if all(kinds[i] in (CHOICE, CHOOSE) for i in component) and len(levels) <= MOST_LEVELS:
            self._by_levels(component, sorted(levels), exits)
        else:
            self._squeeze(component, levels)

    def combined(self, i: int, known: list[Number]) -> Number:
        """Returns the value of a position from those of its successors."""
        graph = self.graph
        begin, end = graph.starts[i], graph.starts[i + 1]
        after = [known[t] for t in graph.targets[begin:end]]
        if graph.kinds[i] == CHANCE:
            weights = graph.weights[begin:end]
            total = sum(w * v for w, v in zip(weights, after, strict=True))
            return total / sum(weights) if isinstance(total, float) else Fraction(total) / sum(weights)
        if graph.kinds[i] == JOINT:
            return self.matrix(i, after).value
        return max(after) if graph.seats[i] == self.seat else min(after)

    def matrix(self, i: int, after: Sequence[Number]) -> MatrixValue[Any]:
        """Returns the matrix game of a simultaneous choice: the seat against all others."""
        return matrix_value(joint_table(self.graph.joint[i], self.seat, _alike(after)))

    # ---------------------------------------------------------------------------------------------------- levels

    def _by_levels(self, component: list[int], levels: list[Number], exits: set[int]) -> None:
        """Finds where the seat can force at least each level; if nobody can force an exit, the game is endless (0)."""
        mine = {i for i in component if self.graph.seats[i] == self.seat}
        others = set(component) - mine
        members = set(component)
        into = _entries(self.graph, component)
        least, most = levels[0], levels[-1]
        for i in component:
            self.low[i], self.high[i] = min(least, 0), max(most, 0)
        for level in levels:
            above = level > 0
            for known, best in ((self.low, True), (self.high, False)):
                if above:
                    goals = {t for t in exits if known[t] >= level}
                    sure = forced(self.graph, into, members, mine, goals)
                else:
                    goals = {t for t in exits if known[t] < level}
                    sure = members - forced(self.graph, into, members, others, goals)
                self._raise(sure if best else members - sure, level, best, levels)

    def _raise(self, which: Iterable[int], level: Number, best: bool, levels: list[Number]) -> None:
        """Raises the lower bounds (``best``) or lowers the upper bounds of some positions.

        ``best``: these positions secure the level. Otherwise they do not, so the next lower level is their maximum.
        """
        if best:
            for i in which:
                self.low[i] = max(self.low[i], level)
            return
        below = levels.index(level) - 1
        if below >= 0:
            for i in which:
                self.high[i] = min(self.high[i], levels[below])

    # --------------------------------------------------------------------------------------------- value iteration

    def _squeeze(self, component: list[int], levels: set[Number]) -> None:
        """Tightens bounds from both sides, round by round, until they nearly meet or stop changing."""
        bottom, top = float(min(levels)), float(max(levels))
        for i in component:
            self.low[i], self.high[i] = bottom, top
        for _ in range(MOST_ROUNDS):
            moved = 0.0
            for i in component:
                low, high = float(self.combined(i, self.low)), float(self.combined(i, self.high))
                moved = max(moved, low - self.low[i], self.high[i] - high)
                self.low[i], self.high[i] = max(low, self.low[i]), min(high, self.high[i])
            gap = max(self.high[i] - self.low[i] for i in component)
            if gap <= TOLERANCE / 100 or moved < 1e-16:
                break
        if gap <= TOLERANCE:
            self._make_exact(component)

    def _make_exact(self, component: list[int]) -> None:
        """Replaces the bounds with simple fractions if these solve the component's equations exactly."""
        before = [(self.low[i], self.high[i]) for i in component]
        for i in component:
            middle = (self.low[i] + self.high[i]) / 2
            self.low[i] = self.high[i] = Fraction(middle).limit_denominator(LARGEST_DENOMINATOR)
        for i, bounds in zip(component, before, strict=True):
            near = bounds[0] - TOLERANCE <= self.low[i] <= bounds[1] + TOLERANCE
            if not near or self.combined(i, self.low) != self.low[i]:
                break
        else:
            return
        for i, bounds in zip(component, before, strict=True):
            self.low[i], self.high[i] = bounds


def _alike(numbers: Sequence[Number]) -> list[Number]:
    """Converts all to floats if one is, else all to fractions."""
    if any(isinstance(x, float) for x in numbers):
        return [float(x) for x in numbers]
    return [Fraction(x) for x in numbers]


def joint_table(joint: tuple[tuple[int, int], ...], seat: int, after: Sequence[Number]) -> list[list[Number]]:
    """Arranges the values of joint choices (in the order of the product) as a matrix: rows for the seat, columns for
    all others.
    """
    table: dict[int, list[Number]] = {}
    for number, value in enumerate(after):
        own, rest = 0, number
        for player, count in reversed(joint):
            rest, choice = divmod(rest, count)
            if player == seat:
                own = choice
        table.setdefault(own, []).append(value)
    return [table[k] for k in sorted(table)]


# ------------------------------------------------------------------------------------------------------- the graph


def _entries(graph: PlayGraph, component: Iterable[int]) -> dict[int, list[int]]:
    """Returns for each position its predecessors within the component."""
    into: dict[int, list[int]] = {}
    for i in component:
        for t in set(graph.successors(i)):
            into.setdefault(t, []).append(i)
    return into


def forced(
    graph: PlayGraph, into: dict[int, list[int]], members: set[int], mine: set[int], goals: set[int]
) -> set[int]:
    """Returns the attractor: the members from which the choosers in ``mine`` can force the game into ``goals`` in
    finitely many plies.
    """
    sure: set[int] = set()
    left: dict[int, int] = {}
    todo = list(goals)
    while todo:
        for i in into.get(todo.pop(), ()):
            if i in sure or i not in members:
                continue
            if i not in mine:
                left[i] = left.get(i, len(set(graph.successors(i)))) - 1
                if left[i]:
                    continue
            sure.add(i)
            todo.append(i)
    return sure


def components(graph: PlayGraph) -> Iterable[list[int]]:
    """Returns the strongly connected components in reverse topological order (Tarjan 1972)."""
    order = _last_first(graph)
    if order is not None:
        return ([i] for i in order)
    return _tarjan(graph)


def _last_first(graph: PlayGraph) -> list[int] | None:
    """Returns the positions in reverse topological order; None if the graph has a cycle."""
    size = len(graph)
    entries = [0] * size
    for t in graph.targets:
        entries[t] += 1
    order = [i for i in range(size) if not entries[i]]
    for i in order:
        for t in graph.successors(i):
            entries[t] -= 1
            if not entries[t]:
                order.append(t)
    return order[::-1] if len(order) == size else None


def _tarjan(graph: PlayGraph) -> Iterable[list[int]]:
    size, starts, targets = len(graph), graph.starts, graph.targets
    met, lowest = [0] * size, [0] * size
    waiting = bytearray(size)
    stack: list[int] = []
    clock = 0
    for root in range(size):
        path = [] if met[root] else [root]
        at = [starts[root]]
        while path:
            i = path[-1]
            if not met[i]:
                clock += 1
                met[i] = lowest[i] = clock
                stack.append(i)
                waiting[i] = 1
            if at[-1] < starts[i + 1]:
                t = targets[at[-1]]
                at[-1] += 1
                if not met[t]:
                    path.append(t)
                    at.append(starts[t])
                elif waiting[t]:
                    lowest[i] = min(lowest[i], met[t])
                continue
            path.pop()
            at.pop()
            if path:
                lowest[path[-1]] = min(lowest[path[-1]], lowest[i])
            if lowest[i] == met[i]:
                yield _pop_component(stack, waiting, i)


def _pop_component(stack: list[int], waiting: bytearray, i: int) -> list[int]:
    """Pops the component that ends at i off the stack."""
    found = []
    while True:
        found.append(stack.pop())
        waiting[found[-1]] = 0
        if found[-1] == i:
            return found


# -------------------------------------------------------------------------------------------------------- distances


def distances(graph: PlayGraph, seat: int, found: Values) -> list[int | None]:
    """Returns the number of plies to the end for each position with a nonzero value, if all keep to the value.

    The side that gains hurries, and the other delays. None for other positions, and in games with chance or secret
    choices.
    """
    size = len(graph)
    result: list[int | None] = [None] * size
    if not graph.complete or graph.chancy:
        return result
    low = found.low
    into: list[list[int]] = [[] for _ in range(size)]
    left = [0] * size
    for i in range(size):
        for t in set(graph.successors(i)):
            if low[t] == low[i]:
                into[t].append(i)
                left[i] += 1
    level = [i for i in range(size) if graph.kinds[i] == END and low[i] != 0]
    plies = 0
    for i in level:
        result[i] = 0
    while level:
        plies += 1
        following = []
        for t in level:
            for i in into[t]:
                left[i] -= 1
                hastens = (low[i] > 0) == (graph.seats[i] == seat)
                if result[i] is None and (hastens or not left[i]):
                    result[i] = plies
                    following.append(i)
        level = following
    return result
