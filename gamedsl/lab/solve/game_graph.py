"""The graph of all positions reachable from a state: players to move, actions, terminal positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gamedsl.engine import Move, State, open_movers
from gamedsl.lab.base import TOGETHER, Ints
from gamedsl.lab.explore import Execution, Graph, Limits, NativeStore, Watch, explore
from gamedsl.language.core import nodes as n
from gamedsl.language.core import reached
from gamedsl.language.source import UsageError, lazy_dataclass

END, CHOICE, CHOOSE, CHANCE, JOINT = range(5)
LARGE = 20_000  # positions; a larger graph is stored in numpy arrays and solved by compiled loops

WIDEST = 10**9  # exceeds every score in magnitude

By = Literal["result", "score"]
Ordered: TypeAlias = Sequence[int] | npt.NDArray[Any]
Number = Any  # int, Fraction or float: a value is exact unless it is a float


@lazy_dataclass(frozen=True)
class Utilities:
    """The utilities of terminal positions.

    ``ends``: the terminal positions; ``values[p, k]``: the utility of the k-th of them for player p.
    """

    ends: Ints
    values: Ints

    def of(self, seat: int) -> dict[int, Number]:
        """Returns the utilities of one seat, by position."""
        return dict(zip(self.ends.tolist(), self.values[seat].tolist(), strict=True))


@lazy_dataclass(frozen=True)
class PlayGraph:
    """Positions 0, 1, 2 ... in order of discovery; 0 is the start.

    ``kinds``: END, CHOICE or CHOOSE (by the player in ``seats``), CHANCE or JOINT (a simultaneous secret choice).
    The successors of position i are ``starts[i]`` to ``starts[i + 1]`` of ``targets``; ``weights`` are those of
    chance (empty in games without). ``joint``: for each JOINT position the choosers, each as (seat, number of
    options); its successors are in the order of the product. ``cut``: from this number on, positions were found but
    not expanded. ``state(i)`` is position i itself.
    """

    players: int
    kinds: Ordered
    seats: Ordered
    starts: Ordered
    targets: Ordered
    weights: Ordered
    joint: dict[int, tuple[tuple[int, int], ...]]
    cut: int
    found: Graph

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def complete(self) -> bool:
        return self.cut == len(self)

    @property
    def chancy(self) -> bool:
        """Whether chance or simultaneous choices matter."""
        return bool(self.joint) or CHANCE in self.kinds

    def state(self, i: int) -> State:
        return self.found.state(i)

    def successors(self, i: int) -> Sequence[int]:
        """Returns the successors of position i, one per action."""
        part = self.targets[self.starts[i] : self.starts[i + 1]]
        return [int(t) for t in part] if isinstance(part, np.ndarray) else part

    @property
    def ends(self) -> Ints:
        """The terminal positions."""
        return np.flatnonzero(np.asarray(self.kinds[: self.cut]) == END)


def explored(
    start: State,
    limit: int,
    seconds: float | None = None,
    watch: Watch | None = None,
    execution: Execution | None = None,
) -> PlayGraph:
    """Returns all reachable positions, breadth first, up to ``limit`` of them or for this many seconds.

    Raises the rules error that some game runs into, and ``UsageError`` if a drawing may have to be made.
    """
    refuse_drawings(start)
    if start.pending:
        raise UsageError("a player has already chosen in secret", help="start from the position before the choice")
    found = explore(
        start.game, Limits(states=max(1, limit), seconds=seconds), start=start, execution=execution, watch=watch
    )
    if found.faults:
        raise found.faults[0].error
    size, expanded = len(found), found.expanded
    rows = np.concatenate([found.first, np.full(size - expanded, len(found.target), dtype=np.int64)])
    weights = np.ones(0, dtype=np.int64) if found.weight is None else found.weight
    players = start.game.num_players
    kinds, seats = found.kinds(), found.seats()
    if size > LARGE and TOGETHER not in kinds:
        return PlayGraph(players, kinds, seats, rows, found.target, weights, {}, expanded, found)
    graph = PlayGraph(
        players,
        kinds.tolist(),
        seats.tolist(),
        rows.tolist(),
        found.target.tolist(),
        weights.tolist(),
        {},
        expanded,
        found,
    )
    return _with_joint(graph) if JOINT in graph.kinds else graph


def utilities(graph: PlayGraph, by: By) -> Utilities:
    """Returns the terminal utilities: by the result, or by the score (a seat's points minus the other's).

    Raises ``UsageError`` if there are no points of two players.
    """
    ends = graph.ends
    if by == "score":
        scores = [graph.state(int(i)).scores for i in ends]
        if any(len(s) != 2 for s in scores):
            raise UsageError("this game has no scores of two players to compare", help="omit `--score`")
        net = np.array([a - b for a, b in scores], dtype=np.int64)
        return Utilities(ends, np.stack([net, -net]))
    found = graph.found.store
    if isinstance(found, NativeStore):
        return Utilities(ends, _native_returns(found, ends))
    rows = [graph.state(int(i)).returns for i in ends]
    return Utilities(ends, np.array(rows, dtype=np.int64).reshape(-1, graph.players).T)


def _native_returns(store: NativeStore, ends: Ints) -> Ints:
    """Returns the utilities of terminal positions from the compiled rules, shape (players, positions)."""
    return np.rint(store.utilities(ends)).astype(np.int64).T


# -------------------------------------------------------------------------------------------- simultaneous choices


def _with_joint(graph: PlayGraph) -> PlayGraph:
    """Replaces sequences of secret choices by one edge for each combination.

    Positions in the middle of a choice remain, without successors; nothing leads to them.
    """
    joint: dict[int, tuple[tuple[int, int], ...]] = {}
    starts, ends, weights = [0], list[int](), list[int]()
    kinds, cut = list(graph.kinds), graph.cut
    for i in range(len(graph)):
        successors: Sequence[int] = graph.successors(i)
        if kinds[i] == JOINT and i < graph.cut:
            if graph.state(i).pending:
                successors = ()
            else:
                joint[i], successors, whole = _combined(graph, i)
                cut = cut if whole else min(cut, i)
        ends.extend(successors)
        own = graph.weights[graph.starts[i] : graph.starts[i + 1]] if kinds[i] != JOINT else ()
        weights.extend(own or [1] * len(successors))
        starts.append(len(ends))
    return PlayGraph(
        graph.players, kinds, graph.seats, starts, ends, weights, joint, cut, graph.found
    )  # fmt: skip


def _combined(graph: PlayGraph, i: int) -> tuple[tuple[tuple[int, int], ...], list[int], bool]:
    """Returns the choosers (seat, number of options), the successor of each combination, and whether all were found."""
    state = graph.state(i)
    asks = state.game.code.blocks[state.block].queries
    who = [asks["seats"](state.slots)[m] for m in open_movers(state)]
    if len(set(who)) < len(who):
        raise UsageError("a player makes two choices at once, which cannot be solved")
    level, shape = [i], []
    for seat in who:
        if level[-1] >= graph.cut or any(number >= graph.cut for number in level):
            return (), [], False
        shape.append((seat, len(graph.successors(level[0]))))
        level = [t for number in level for t in graph.successors(number)]
    return tuple(shape), level, True


def choosers(state: State) -> tuple[list[int], list[list[Move]]]:
    """Returns the players who choose simultaneously in a state, and the options of each."""
    seats = state.game.code.blocks[state.block].queries["seats"](state.slots)
    who = [seats[m] for m in open_movers(state)]
    return who, [state.legal_moves(p) for p in who]


def action_texts(state: State) -> Iterator[str]:
    """Yields the actions of a state as text, in the graph's order."""
    if state.kind == "together":
        seats, offered = choosers(state)
        names = state.game.players
        for moves in product(*offered):
            yield ", ".join(f"{names[p]}: {m}" for p, m in zip(seats, moves, strict=True))
    elif state.kind == "chance":
        yield from (str(m) for m, _ in state.chance_outcomes())
    else:
        yield from (str(m) for m in state.legal_moves())


# ------------------------------------------------------------------------------------------------------- drawings


def refuse_drawings(start: State) -> None:
    """Raises ``UsageError`` if a drawing may have to be made at or after this state."""
    program = start.game.program
    if any(isinstance(program.blocks[i].end, n.DecideDrawing) for i in reached(program, [start.block])):
        raise UsageError(
            "there are infinitely many drawings, so a position before the drawing cannot be solved",
            help="start from a position after it, with `--from`",
        )
