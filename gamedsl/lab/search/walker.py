"""Walks on compiled, instrumented rules.

All successors of a position are generated at once, each with the goals that the ply met and its distances to
others.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import Context, Frame, pack, walk_code
from gamedsl.engine import InterpretedGame, Move, State, chance_move, choice_move, make_move, pass_move
from gamedsl.lab.base import Ints
from gamedsl.lab.search.branch_distance import FAR
from gamedsl.lab.search.goal_programs import GoalProgram, Question
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

Rows: TypeAlias = npt.NDArray[np.uint8]
MOST_SUCCESSORS = 4096
ARENA = 1 << 22


@lazy_dataclass(eq=False, slots=True)
class SearchNode:
    """A position on a walk: its block, its predecessor, and the number of the action taken from there (-1 at the
    start).
    """

    data: bytes
    depth: int = 0
    before: SearchNode | None = None
    action: int = -1

    def trail(self) -> list[SearchNode]:
        """Returns all nodes from the start to this one."""
        found: list[SearchNode] = [self]
        while found[-1].before is not None:
            found.append(found[-1].before)
        return found[::-1]

    def actions(self) -> list[int]:
        """Returns the numbers of the actions that lead here."""
        return [node.action for node in self.trail()[1:]]


@lazy_dataclass(slots=True)
class SuccessorBatch:
    """All successors of a position, one per row: the state, its block, the goals that the ply met (1; else 0), and whether
    a rule failed on the way.
    """

    rows: Rows
    blocks: Ints
    met: npt.NDArray[np.uint8]
    wrong: npt.NDArray[np.bool_]


class Walker:
    """Compiled, instrumented rules.

    ``begun``: the state where walks begin (None: the first state). ``first_met``: goals met on the way to the first
    state.
    """

    def __init__(self, goals: GoalProgram, begun: State | None = None) -> None:
        self.goals = goals
        self.begun = begun or InterpretedGame(goals.base).initial_state()
        program = self.program = goals.program
        self.frame = Frame(program)
        self._code = walk_code(program, self.frame, {_name(q): q.at for q in goals.questions}, FAR)
        self.size = self.frame.size
        self.asked = 0  # questions so far
        met, near = self.frame.place(goals.met), self.frame.place(goals.near)
        self._met = slice(met.offset, met.offset + goals.met.slots)
        self._near = slice(near.offset, near.offset + 2 * goals.near.slots)
        self._entries = {name: self._entry(name) for name in self._code.addresses}
        self._distances = [self._entries[_name(q)] for q in goals.questions]
        memory = _Memory(program)
        self.context, self.has_history = memory.context, memory.has_history
        self._buffer = np.zeros(MOST_SUCCESSORS * self.size + 64, dtype=np.uint8)
        self._state = np.zeros(self.size + 64, dtype=np.uint8)
        self._at = int(self._state.ctypes.data)
        self.is_end = np.array([b.end.kind == 0 for b in program.blocks])
        self._ends = frozenset(np.flatnonzero(self.is_end).tolist())
        self.first_met = np.zeros(goals.met.slots, dtype=bool)

    def _entry(self, name: str) -> Callable[..., int]:
        more = {"step": 1, "move": 2, "do": 1, "fan": 2}.get(name, 0)
        return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * (2 + more))(self._code.addresses[name])

    # ------------------------------------------------------------------------------------------------- walking

    def start(self) -> SearchNode:
        """Returns the node where walks begin."""
        if self.begun != self.begun.game.initial_state():
            return SearchNode(self._packed(self.begun))
        self._blank(b"\0" * self.size)
        self._entries["initial"](self.context.pointer, self._at)
        self.first_met = self._state[self._met].astype(bool)
        return SearchNode(self._state[: self.size].tobytes())

    def _packed(self, state: State) -> bytes:
        """Packs a state of the uninstrumented game, with nothing recorded."""
        notes = (0,) * (self.goals.met.slots + self.goals.near.slots)
        noted = state.game.make_state(state.block, (*state.slots, *notes), state.pending)
        return pack(self, noted, self.context)  # type: ignore[arg-type]

    def _blank(self, data: bytes) -> None:
        """Loads a packed state, with no goals recorded."""
        ctypes.memmove(self._at, data, self.size)
        ctypes.memset(self._at + self._met.start, 0, self._met.stop - self._met.start)
        ctypes.memset(self._at + self._near.start, 0xFF, self._near.stop - self._near.start)

    def block(self, node: SearchNode) -> int:
        return int.from_bytes(node.data[:4], "little")

    def is_over(self, node: SearchNode) -> bool:
        return self.block(node) in self._ends

    def notes(self, node: SearchNode) -> bytes:
        """Returns the record of the goals that the ply to a node met."""
        return node.data[self._met]

    def used(self, node: SearchNode) -> set[int]:
        """Returns the goals that the ply to a node met: recorded, or at distance 0."""
        near = np.frombuffer(node.data[self._near], np.uint16)
        return {
            *np.flatnonzero(np.frombuffer(node.data[self._met], np.uint8)).tolist(),
            *np.flatnonzero(near == 0).tolist(),
        }

    def fan(self, node: SearchNode) -> SuccessorBatch:
        """Generates all successors, up to ``MOST_SUCCESSORS``."""
        self._blank(node.data)
        with self.context.temporary():
            found = self._entries["fan"](self.context.pointer, self._at, self._buffer.ctypes.data, MOST_SUCCESSORS)
        rows = self._buffer[: min(found, MOST_SUCCESSORS) * self.size].reshape(-1, self.size).copy()
        heads = rows[:, :4].copy().view(np.uint32)[:, 0]
        return SuccessorBatch(rows, (heads & 0x7FFFFFFF).astype(np.int64), rows[:, self._met], heads > 0x7FFFFFFF)

    def passed(self, fan: SuccessorBatch) -> npt.NDArray[np.uint16]:
        """Returns for each successor and goal at which distance its ply passed by."""
        return fan.rows[:, self._near].copy().view(np.uint16)

    def further(self, node: SearchNode, fan: SuccessorBatch, k: int) -> SearchNode:
        """Returns the node after an action that does not end in a rules error."""
        data = self._stepped(node, k) if self.has_history else fan.rows[k].tobytes()
        return SearchNode(data, node.depth + 1, node, k)

    def _stepped(self, node: SearchNode, k: int) -> bytes:
        """Returns the packed state after an action; positions that it notes stay in memory."""
        self._blank(node.data)
        self._entries["step"](self.context.pointer, self._at, k)
        return self._state[: self.size].tobytes()

    def num_actions(self, node: SearchNode) -> int:
        """Counts the actions at a node."""
        self._blank(node.data)
        return int(self._entries["count"](self.context.pointer, self._at))

    def after(self, node: SearchNode, k: int) -> SearchNode | None:
        """Returns the node after an action, without generating the others; None if it ends in a rules error."""
        data = self._stepped(node, k)
        return None if self._entries["error"](self.context.pointer, 0) else SearchNode(data, node.depth + 1, node, k)

    @property
    def nearly_full(self) -> bool:
        """Whether the memory for noted positions is nearly used up."""
        return self.has_history and self.context.nearly_full

    def same(self, a: SearchNode, b: SearchNode) -> bool:
        """Whether both nodes agree in everything that the rules know except noted positions."""
        return a.data[: self._met.start] == b.data[: self._met.start]

    def distances(self, fan: SuccessorBatch, actions: Ints, node: SearchNode) -> Ints:
        """Counts the bytes in which each of these successors differs from a node."""
        there = np.frombuffer(node.data, np.uint8)[: self._met.start]
        distances: Ints = (fan.rows[actions, : self._met.start] != there).sum(axis=1)
        return distances

    def again(self, nodes: Iterable[SearchNode]) -> list[SearchNode]:
        """Replays the walks to these nodes, which frees noted positions that no walk needs anymore."""
        actions = [node.actions() for node in nodes]
        self.context.forget()
        known: dict[tuple[int, ...], SearchNode] = {}
        return [self._walk(tuple(w), known) for w in actions]

    def _walk(self, actions: tuple[int, ...], known: dict[tuple[int, ...], SearchNode]) -> SearchNode:
        done = next((i for i in range(len(actions), -1, -1) if actions[:i] in known), None)
        node = self.start() if done is None else known[actions[:done]]
        for i in range(done or 0, len(actions)):
            node = known[actions[: i + 1]] = SearchNode(
                self._stepped(node, actions[i]), node.depth + 1, node, actions[i]
            )
        return node

    def met_along(self, node: SearchNode) -> set[int]:
        """Returns the goals met by the plies to a node."""
        found = self.first_met.copy()
        for before, after in pairwise(node.trail()):
            self._stepped(before, after.action)
            found |= self._state[self._met] != 0
        return set(map(int, np.flatnonzero(found)))

    def ask(self, question: Question, data: bytes) -> int:
        """Returns a position's distance to a goal."""
        return next(self.ask_each([question], data))[1]

    def ask_each(self, questions: Iterable[Question], data: bytes) -> Iterator[tuple[Question, int]]:
        """Yields each question with a position's distance to its goal. Nothing else may be asked in between."""
        self._blank(data)
        block = int.from_bytes(data[:4], "little")
        for question in questions:
            yield question, self._distance(question, block, self._at)

    def ask_rows(self, question: Question, fan: SuccessorBatch, rows: Ints) -> list[int]:
        """Returns the distances of some successors to a goal. (What their ply has met changes none.)"""
        at = int(fan.rows.ctypes.data)
        return [self._distance(question, int(fan.blocks[k]), at + int(k) * self.size) for k in rows]

    def _distance(self, question: Question, block: int, at: int) -> int:
        """Returns the distance to a goal of the packed state at an address."""
        self.asked += 1
        if question.moves:
            return self._entries["count"](self.context.pointer, at) if block in question.moves else FAR
        found = self._distances[question.number](self.context.pointer, at)
        return FAR if self.context.take_error() else found

    def move(self, node: SearchNode, action: int, state: State) -> Move:
        """Returns an action from a node as a move in this state, which must be the same position."""
        self._blank(node.data)
        record = (ctypes.c_int64 * self.frame.record)()
        count = self._entries["move"](self.context.pointer, self._at, action, ctypes.addressof(record))
        kind, who, *args = record
        end = state.terminator
        if kind >= 0:
            return make_move(state.game, kind, state.to_act[0], tuple(args[:count]))
        if isinstance(end, n.Chance):
            return chance_move(end.what, end.names[who])
        if isinstance(end, n.Decide):
            return pass_move(state.to_act[0])
        return choice_move(state.game, end.names[who], state.to_act[0])  # type: ignore[union-attr]


class _Memory:
    """The context of compiled rules: no drawings, and memory for noted positions."""

    def __init__(self, program: n.Program) -> None:
        self.has_history = any(type(v.type).__name__ == "HistoryT" for v in program.variables)
        self.drawings = (ctypes.c_int64 * 1)()
        self.context = Context(self, ARENA)


def _name(question: Question) -> str:
    return f"far{question.number}"
