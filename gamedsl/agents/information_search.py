"""Search trees over what players know: positions to begin in, memory, and merging the roots."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from gamedsl.agents import information_nodes as nodes
from gamedsl.agents import information_tree as kernels
from gamedsl.agents.beliefs import observation_hashes as hashes
from gamedsl.agents.beliefs.particle_filter import Observations, ParticleFilter
from gamedsl.agents.beliefs.particle_kernels import Particles
from gamedsl.agents.findings import Findings, RootStatistics, rows_of
from gamedsl.agents.forest import MEMORY, PATH
from gamedsl.agents.growth import grow_trees, seed_of
from gamedsl.agents.position import FULL, Position

DRAWING = 0.5  # the share of the time that drawing particles may take
# scale the width of upper confidence bounds, in standard deviations of the results: where the searching player chooses, and
# where the others do, who are less certain than they seem, because the search holds only positions that this player believes in
EXPLORE, OTHERS = 2.5, 6.0


class InformationTree:
    """One tree, for one thread."""

    def __init__(
        self,
        position: Position,
        particle_filter: ParticleFilter,
        particles: Particles,
        seat: int,
        seed: int,
        memory: int,
    ) -> None:
        rules, players = position.rules, position.rules.players
        game = rules.native.game
        self.position, self.memory = position, memory
        self.rules = hashes.rules_of(
            game, rules.native, rules.context.pointer, tuple(range(len(game.program.blocks))), True
        )
        self.buffers = particle_filter.buffers
        rows = len(particles.states)
        self.starts = kernels.Starts(
            np.ascontiguousarray(particles.states),
            np.zeros((rows, players), np.uint64),
            np.zeros((rows, players), np.uint64),
        )
        kernels.prepare(self.rules, self.buffers, self.starts, seat)
        self.tree = nodes.Tree(
            used=np.zeros(4, np.int64),
            shape=np.array([seed, 0, seat], np.int64),
            keys=np.zeros(1024, np.uint64),
            table=np.zeros(4096, np.int64),
            node=np.zeros((1024, 5), np.int64),
            edge=np.zeros((8192, 4)),
            totals=np.zeros(1 + players),
        )
        self.descent = nodes.Descent(
            draws=np.array([seed & (1 << 64) - 1], np.uint64),
            path=np.zeros((PATH, 2), np.int64),
            chances=np.zeros(PATH),
            state=np.zeros(self.starts.states.shape[1], np.int64),
            keys=np.zeros(players, np.uint64),
            views=np.zeros(players, np.uint64),
            result=np.zeros(players),
            scale=np.array([float(rules.most), EXPLORE, OTHERS]),
        )

    @property
    def iterations(self) -> int:
        """How many iterations were run."""
        return int(self.tree.used[nodes.DONE])

    def grow(self, iterations: int) -> bool:
        """Runs this many iterations. The result is never final."""
        goal = self.iterations + iterations
        while (missing := goal - self.iterations) > 0:
            status = kernels.run_iterations(self.rules, self.buffers, self.tree, self.starts, self.descent, missing)
            if status == FULL:
                self._widen()
            elif status < 0:
                raise self.position.rules.mistake(status)
        return True

    def _widen(self) -> None:
        """Doubles whichever array is too small, as far as memory allows."""
        lacks_nodes = int(self.tree.used[nodes.LACK]) == nodes.NODES
        names = ("keys", "node", "table") if lacks_nodes else ("edge",)
        more = {name: getattr(self.tree, name) for name in names}
        if sum(a.nbytes for a in (*self.tree, *more.values())) > self.memory:
            self.tree.shape[nodes.CLOSED] = 1
            return
        wider = {name: np.concatenate([array, np.zeros_like(array)]) for name, array in more.items()}
        self.tree = self.tree._replace(**wider)
        if lacks_nodes:
            self.tree.table[:] = 0
            for i in range(int(self.tree.used[nodes.NODES])):
                self.tree.table[nodes.slot_of(self.tree, self.tree.keys[i])] = i + 1

    def root_statistics(self, root: int) -> RootStatistics:
        """The statistics of the actions at a node."""
        first, n = (int(self.tree.node[root, f]) for f in (nodes.FIRST, nodes.ACTION_COUNT))
        tries, sums, _, strategy = self.tree.edge[first : first + n].T
        shares = strategy / max(1e-300, strategy.sum()) if self.tree.node[root, nodes.TOGETHER] else tries.copy()
        means = sums / np.maximum(1.0, tries)
        return RootStatistics(tries.copy(), means, shares, np.zeros(n, bool), np.zeros(n, int))

    def root(self, seat: int) -> int:
        """The node at which the searching player chooses; -1: it was not reached."""
        seats = self.tree.node[: int(self.tree.used[nodes.NODES]), nodes.SEAT]
        mine = np.flatnonzero(seats == seat)
        return int(mine[0]) if len(mine) else -1


def search_information(
    positions: Sequence[Position], seed: int, iterations: int | None = None, seconds: float | None = None
) -> Findings:
    """Grows one tree per given position (copies of one position, one per thread) and merges the roots. Only what the
    player to move has observed is used of the positions.

    The same seed, iterations and number of threads give the same findings. Raises ``NoPosition`` where no position is
    found that fits, and what the rules raise.
    """
    threads = len(positions)
    seat, filters = positions[0].seat(), [ParticleFilter(p.rules.native.game, p.rules) for p in positions]
    began = time.monotonic()
    known = filters[0].observed(positions[0].played(), seat)
    deadline = None if seconds is None else began + seconds
    halfway = None if seconds is None else began + DRAWING * seconds
    drawn = [f.particles(known, halfway) for f in filters]
    parts = zip(positions, filters, drawn, strict=True)
    trees = [InformationTree(p, w, c, seat, seed_of(seed, k), MEMORY // threads) for k, (p, w, c) in enumerate(parts)]
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
    values = np.sum([t.tree.totals[nodes.VALUES :] for t in trees], axis=0) / done
    first, root = roots[0]
    return Findings(
        seat=seat,
        secret=bool(root >= 0 and first.tree.node[root, nodes.TOGETHER]),
        rows=rows_of(told),
        values=tuple(float(v) for v in values),
        nodes=sum(int(t.tree.used[nodes.NODES]) for t in trees),
    )
