"""Search trees over players' knowledge: positions to begin in, memory, and merging the roots."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from gamedsl.agents import information_nodes as nodes
from gamedsl.agents import information_tree as kernels
from gamedsl.agents.array_shapes import zeros
from gamedsl.agents.beliefs import observation_hashes as hashes
from gamedsl.agents.beliefs.particle_filter import Belief, Observations, ParticleFilter
from gamedsl.agents.forest import MEMORY
from gamedsl.agents.growth import grow_trees, seed_of
from gamedsl.agents.position import FULL, Position, Rules, compiled, once
from gamedsl.agents.search_findings import Findings, RootStatistics, rows_of

if TYPE_CHECKING:
    from gamedsl.engine import Game

DRAWING = 0.5  # the share of the time that drawing particles may take
EXPLORE = 1.8  # scales the widths of upper confidence bounds, in standard deviations of the results of playouts
VARIED = 100  # playouts from which these deviations are measured
NODES = 1024  # room for nodes, at first
KEPT_BYTES = 1 << 24  # a larger tree is not kept for the next search
KEPT_WORKSPACES = 4  # workspaces kept for a game


class Workspace:
    """What a thread needs for searches of a game, and keeps from one search to the next.

    That is: tables of the rules, working memory, and the arrays of a tree.
    """

    def __init__(self, game: Game) -> None:
        self.rules = Rules(compiled(game))
        self.filter = ParticleFilter(game, self.rules)
        native, players = self.rules.native, self.rules.players
        blocks = tuple(range(len(game.program.blocks)))
        self.tables = hashes.rules_of(game, native, self.rules.entries(*hashes.ENTRIES), blocks)
        self.descent = zeros(nodes.Descent, {"words": self.filter.words, "players": players})
        self.descent.most[0] = self.rules.most
        self.tree = _new_tree(players)
        self.descent.widths[:] = once(game, "widths", self._widths)

    def _widths(self) -> npt.NDArray[np.float64]:
        """Returns the widths of the players' confidence bounds."""
        status = kernels.measure_widths(self.tables, self.tree, self.descent, self.filter.initial, VARIED, EXPLORE)
        if status < 0:
            raise self.rules.mistake(status)
        return self.descent.widths.copy()

    def begin(self) -> None:
        """Discards the last search."""
        self.rules.context.used = self.filter.first_mark
        if _size(self.tree) > KEPT_BYTES:
            self.tree = _new_tree(self.rules.players)
        for array in (self.tree.used, self.tree.table, self.tree.totals):
            array[:] = 0


def _new_tree(players: int) -> nodes.Tree:
    return zeros(nodes.Tree, {"nodes": NODES, "players": players})


def _size(tree: nodes.Tree) -> int:
    return sum(array.nbytes for array in tree)


@contextmanager
def workspace(game: Game) -> Iterator[Workspace]:
    """A workspace that no other thread uses in the meantime."""
    kept: list[Workspace] = vars(game).setdefault("workspaces", [])
    try:
        found = kept.pop()
    except IndexError:  # all of them are in use
        found = Workspace(game)
    found.begin()
    try:
        yield found
    finally:
        found.rules.context.used = found.filter.first_mark
        if len(kept) < KEPT_WORKSPACES:
            kept.append(found)


class InformationTree:
    """One tree over players' knowledge, for one thread."""

    def __init__(self, space: Workspace, belief: Belief, seat: int, seed: int, memory: int) -> None:
        self.space, self.memory = space, memory
        self.rules, self.buffers, self.tree, self.descent = (
            space.tables,
            space.filter.buffers,
            space.tree,
            space.descent,
        )
        states, players = belief.particles.states, space.rules.players
        given = {"states": np.ascontiguousarray(states), "until": belief.until}
        self.starts = zeros(kernels.Starts, {"rows": len(states), "players": players}, given)
        kernels.prepare(self.rules, self.buffers, self.starts, seat)
        self.tree.shape[:] = seed, 0, seat
        self.descent.draws[0] = seed & (1 << 64) - 1

    @property
    def iterations(self) -> int:
        """The number of iterations run."""
        return int(self.tree.used[nodes.DONE])

    def grow(self, iterations: int) -> bool:
        """Runs this many iterations. The result is never final."""
        goal = self.iterations + iterations
        while (missing := goal - self.iterations) > 0:
            status = kernels.run_iterations(self.rules, self.buffers, self.tree, self.starts, self.descent, missing)
            if status == FULL:
                self._widen()
            elif status < 0:
                raise self.space.rules.mistake(status)
        return True

    def _widen(self) -> None:
        """Doubles whichever array is too small, as far as memory allows."""
        lacks_nodes = int(self.tree.used[nodes.LACK]) == nodes.NODES
        names = ("keys", "node", "table") if lacks_nodes else ("edge", "events")
        more = {name: getattr(self.tree, name) for name in names}
        if _size(self.tree) + sum(a.nbytes for a in more.values()) > self.memory:
            self.tree.shape[nodes.CLOSED] = 1
            return
        wider = {name: np.concatenate([array, np.zeros_like(array)]) for name, array in more.items()}
        self.tree = self.space.tree = self.tree._replace(**wider)
        if lacks_nodes:
            nodes.fill_table(self.tree)

    def root_statistics(self, root: int) -> RootStatistics:
        """Returns the statistics of the actions at a node."""
        first, n = (int(self.tree.node[root, f]) for f in (nodes.FIRST, nodes.ACTION_COUNT))
        tries, sums, _, strategy = self.tree.edge[first : first + n].T
        shares = (
            strategy / max(1e-300, float(np.cumsum(strategy)[-1]))
            if self.tree.node[root, nodes.TOGETHER]
            else tries.copy()
        )
        means = sums / np.maximum(1.0, tries)
        return RootStatistics(tries.copy(), means, shares, np.zeros(n, bool), np.zeros(n, int))

    def root(self, seat: int) -> int:
        """Returns the node at which the searching player chooses; -1 if it was not reached."""
        seats = self.tree.node[: int(self.tree.used[nodes.NODES]), nodes.SEAT]
        mine = np.flatnonzero(seats == seat)
        return int(mine[0]) if len(mine) else -1


def search_information(
    position: Position, threads: int, seed: int, iterations: int | None = None, seconds: float | None = None
) -> Findings:
    """Grows a tree for each thread from the belief of the player to move, and merges the roots.

    Only what this player has observed of the position is used. The same seed, iterations and number of threads give
    the same findings. Raises ``NoPosition`` if no position is found that fits, and the errors of the rules.
    """
    began, seat, game = time.monotonic(), position.seat(), position.rules.native.game
    deadline = None if seconds is None else began + seconds
    halfway = None if seconds is None else began + DRAWING * seconds
    with ExitStack() as stack:
        spaces = [stack.enter_context(workspace(game)) for _ in range(threads)]
        known = spaces[0].filter.observed(position.played(), seat)
        trees = [
            InformationTree(space, space.filter.belief(known, halfway), seat, seed_of(seed, k), MEMORY // threads)
            for k, space in enumerate(spaces)
        ]
        if deadline is not None:
            loading = time.monotonic()
            trees[0].grow(1)  # may compile the kernel first, which is not timed
            deadline += time.monotonic() - loading
        grow_trees(trees, iterations, deadline)
        return _together(trees, known)


def _together(trees: Sequence[InformationTree], known: Observations) -> Findings:
    seat = known.seat
    roots = [(tree, tree.root(seat)) for tree in trees]
    told = [tree.root_statistics(root) for tree, root in roots if root >= 0]
    done = max(1, sum(t.iterations for t in trees))
    values = np.sum([t.tree.totals for t in trees], axis=0) / done
    first, root = roots[0]
    return Findings(
        seat=seat,
        secret=bool(root >= 0 and first.tree.node[root, nodes.TOGETHER]),
        rows=rows_of(told),
        values=tuple(float(v) for v in values),
        nodes=sum(int(t.tree.used[nodes.NODES]) for t in trees),
    )
