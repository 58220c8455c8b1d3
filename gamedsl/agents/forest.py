"""Search trees over positions: memory, and merging the roots of several trees."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from gamedsl.agents import tree_arrays as arrays
from gamedsl.agents.array_shapes import zeros
from gamedsl.agents.growth import grow_trees, seed_of
from gamedsl.agents.leaf_value import LeafValue
from gamedsl.agents.position import CHOICE, FULL, MOVE, ROOM, TOGETHER, Position, Rules
from gamedsl.agents.search_findings import Findings, RootStatistics, rows_of
from gamedsl.agents.search_tree import PROOF, run_iterations
from gamedsl.language.source import lazy_dataclass

MEMORY = 1 << 29  # bytes of one search, for all trees together; when they are used up, trees stop growing
ROOM_FIRST = {"nodes": 1024, "edges": 8192, "reals": 1024}  # room at first
EXPLORE = 1.0  # scales the width of upper confidence bounds; the best value from 0.4 to 2 in tournaments of a few kinds of games
EXPLORE_JUDGED = 0.3  # the same where a learned value judges new nodes, whose values differ less than results do


@lazy_dataclass(frozen=True)
class TreeStyle:
    """How a tree is searched. ``value``: judges new nodes in a zero-sum game of two players (None: playouts);
    ``explore``: scales the width of upper confidence bounds."""

    value: LeafValue | None = None
    explore: float = EXPLORE


PLAIN = TreeStyle()


def judged(value: LeafValue) -> TreeStyle:
    """Returns how a tree is searched with a learned value."""
    return TreeStyle(value, EXPLORE_JUDGED)


def open_rules(rules: Rules, entry: Sequence[int], seed: int, value: LeafValue | None = None) -> arrays.Rules:
    """Returns the tables of a search. ``entry``: the context and the addresses of the entry points; ``value``: judges new
    nodes (None: playouts)."""
    noting = ROOM if rules.native.has_history else -1
    shape = [rules.words, *rules.pending, seed, 0, rules.most, noting, value is not None]
    given: dict[str, object] = {"entry": np.array(entry, np.int64), "shape": np.array(shape, np.int64)}
    if value is not None:
        given |= {"segments": value.segments, "weights": value.weights}
    return zeros(arrays.Rules, {"segments": 1, "weights": 1}, given)


class Tree:
    """One tree, for one thread."""

    def __init__(self, position: Position, seed: int, memory: int = MEMORY, style: TreeStyle = PLAIN) -> None:
        rules = position.rules
        self.position = position
        self.memory = memory
        self.rules = open_rules(rules, rules.entries(*arrays.ENTRIES), seed, style.value)
        sizes = {**ROOM_FIRST, "words": rules.words, "players": rules.players}
        self.arrays = zeros(arrays.Tree, sizes)
        self.descent = zeros(arrays.Descent, sizes)
        self.descent.draws[0] = seed & (1 << 64) - 1
        self.descent.explore[0] = style.explore
        self.arrays.blocks[0] = np.frombuffer(position.block, dtype=np.int64)

    @property
    def iterations(self) -> int:
        """The number of iterations run."""
        return int(self.arrays.used[arrays.DONE])

    def grow(self, iterations: int) -> bool:
        """Runs this many iterations. Returns False when the result is final."""
        goal = self.iterations + iterations
        while (missing := goal - self.iterations) > 0:
            status = run_iterations(self.rules, self.arrays, self.descent, missing)
            if status == PROOF:
                return False
            if status == FULL:
                self._widen()
            elif status < 0:
                raise self.position.rules.mistake(status)
        return True

    def _widen(self) -> None:
        """Doubles whichever array is too small, as far as memory allows."""
        kept = {arrays.NODES: ("blocks", "node", "value"), arrays.EDGES: ("edge",), arrays.REALS: ("reals",)}
        names = kept[int(self.arrays.used[arrays.LACK])]
        more = {name: getattr(self.arrays, name) for name in names}
        if sum(a.nbytes for a in (*self.arrays[1:], *more.values())) > self.memory:
            self.rules.shape[arrays.CLOSED] = 1
            return
        self.arrays = self.arrays._replace(
            **{name: np.concatenate([array, np.zeros_like(array)]) for name, array in more.items()}
        )

    # --------------------------------------------------------------------------------------------- findings

    def chooser(self) -> int:
        """Returns the node in question: the root, or below it the node of a later secret choice; -1 if it is not
        reached yet.
        """
        node, i = self.arrays.node, 0
        for _ in range(self.position.nth):
            first, action_count = node[i, arrays.FIRST], node[i, arrays.ACTION_COUNT]
            made = (
                [int(c) for c in self.arrays.edge[first : first + action_count, arrays.CHILD] if c >= 0]
                if first >= 0
                else []
            )
            if not made:
                return -1
            i = made[0]
        return i if node[i, arrays.FIRST] >= 0 else -1

    def root_statistics(self) -> RootStatistics | None:
        """Returns the statistics of the actions, or None if the tree has not reached them yet."""
        i = self.chooser()
        if i < 0:
            return None
        node = self.arrays.node
        action_count = int(node[i, arrays.ACTION_COUNT])
        if node[i, arrays.KIND] == TOGETHER:
            table = self.arrays.reals[node[i, arrays.TABLE] :][: 4 * action_count].reshape(4, action_count)
            means = table[2] / np.maximum(1, table[3])
            return RootStatistics(
                table[3],
                means,
                table[1] / max(1e-300, float(np.cumsum(table[1])[-1])),  # one after another, as the page adds them
                np.zeros(action_count, bool),
                np.zeros(action_count, int),
            )
        found = RootStatistics(
            np.zeros(action_count),
            np.zeros(action_count),
            np.zeros(action_count),
            np.zeros(action_count, bool),
            np.zeros(action_count, int),
        )
        first, seat = node[i, arrays.FIRST], node[i, arrays.SEAT]
        for action, child in self.arrays.edge[first : first + action_count]:
            if child >= 0:
                visits, exact = node[child, arrays.VISITS], node[child, arrays.PROVEN]
                found.visits[action] = found.weights[action] = visits
                found.means[action] = self.arrays.value[child, seat] / (1 if exact else max(1, visits))
                found.exact[action], found.plies[action] = exact, node[child, arrays.FAR] + 1
        return found


def search(
    positions: Sequence[Position],
    seed: int,
    iterations: int | None = None,
    seconds: float | None = None,
    style: TreeStyle = PLAIN,
) -> Findings:
    """Grows one tree for each of the given positions and merges the roots (root parallelization).

    ``positions``: copies of one position, one for each thread. The same seed, iterations and number of threads give
    the same findings. Raises the errors of the rules.
    """
    threads = len(positions)
    trees = [Tree(p, seed_of(seed, k), MEMORY // threads, style) for k, p in enumerate(positions)]
    if seconds is not None:
        trees[0].grow(1)  # may compile the kernel first, which is not timed
    grow_trees(trees, iterations, None if seconds is None else time.monotonic() + seconds)
    return _together(trees)


def _together(trees: Sequence[Tree]) -> Findings:
    root = trees[0].arrays.node[0]
    proof = next((x for x in trees if x.arrays.node[0, arrays.PROVEN]), None)
    visits = sum(int(x.arrays.node[0, arrays.VISITS]) for x in trees)
    values = proof.arrays.value[0] if proof else sum(x.arrays.value[0] for x in trees) / max(1, visits)
    told = [x for x in (tree.root_statistics() for tree in ([proof] if proof else trees)) if x is not None]
    i = trees[0].chooser()
    return Findings(
        seat=int(trees[0].arrays.node[max(i, 0), arrays.SEAT]) if root[arrays.KIND] in (MOVE, CHOICE, TOGETHER) else -1,
        secret=bool(root[arrays.KIND] == TOGETHER),
        rows=rows_of(told) if told else (),
        values=tuple(float(v) for v in values),
        nodes=sum(int(x.arrays.used[arrays.NODES]) for x in trees),
        exact=proof is not None,
        plies=int(proof.arrays.node[0, arrays.FAR]) if proof else 0,
    )
