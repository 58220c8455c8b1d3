"""Iterative deepening: memory, budget, findings."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from random import Random

import numpy as np

from gamedsl.agents import deepen as d
from gamedsl.agents.findings import Findings, Row
from gamedsl.agents.position import Position

MEMORY = 3 << 26  # bytes of the transposition table, at most
PLAYOUTS = 8  # random playouts whose mean is the value at the horizon
MOST_DEPTH = 300
USED_AT = 3 * 8  # offset at which a context keeps how much of its arena is in use


class Search:
    """A search from one position where a player chooses."""

    def __init__(self, position: Position, seed: int) -> None:
        rules = position.rules
        has_history = rules.native.has_history
        self.rules = rules
        self.seat = position.ask("seat")
        names = ("kind", "seat", "count", "weight", "step", "returns", "playout", "move")
        self.entry = np.array(rules.entries(*names), dtype=np.int64)
        mark = rules.context.pointer + USED_AT if has_history else 0
        self.shape = np.array(
            [rules.words, rules.value_words, PLAYOUTS, not has_history, mark, rules.most], dtype=np.int64
        )
        self.blocks = np.zeros((MOST_DEPTH + 4, rules.words), dtype=np.int64)
        self.blocks[0] = np.frombuffer(position.block, dtype=np.int64)
        self.solid = np.zeros(MOST_DEPTH + 4, dtype=np.int64)
        room = MEMORY // (8 * (rules.value_words + d.TABLE_FIELDS))
        slots = 1 << min(21, room.bit_length() - 1)
        self.keys = np.zeros((slots, rules.value_words), dtype=np.int64)
        self.table = np.zeros((slots, d.TABLE_FIELDS), dtype=np.int64)
        self.past = np.zeros(1 << 15, dtype=np.int64)
        self.order = np.zeros((1 << 14, 3), dtype=np.int64)
        self.frame = np.zeros((MOST_DEPTH + 4, d.FRAME_FIELDS), dtype=np.int64)
        self.marks = np.zeros(MOST_DEPTH + 4, dtype=np.int64)
        self.record = np.zeros(rules.native.move_size + 2, dtype=np.int64)
        self.result = np.zeros(2)
        self.signal = np.zeros(4, dtype=np.int64)
        ways = list(range(position.ask("count")))
        Random(seed).shuffle(ways)
        self.ways = np.array(ways, dtype=np.int64)
        self.scores, self.sure, self.spent = (np.zeros(len(ways), dtype=np.int64) for _ in range(3))

    def compile(self) -> None:
        """Compiles the kernel, which may take a while and is not timed."""
        ways, self.ways = self.ways, self.ways[:0]
        self.level(0, False)
        self.ways = ways

    def level(self, depth: int, whole: bool) -> int:
        """Searches to a depth. Returns how many actions were completed before the search was stopped."""
        while True:
            got = d.at_root(
                self.entry, self.shape, self.blocks, self.solid, self.keys, self.table, self.past, self.order,
                self.record, self.result, self.signal, self.frame, self.marks, depth, self.seat, self.ways, self.scores, self.sure,
                self.spent, whole,
            )  # fmt: skip
            if self.signal[d.CRAMPED]:
                self.order = np.zeros((2 * len(self.order) + int(self.signal[d.CRAMPED]), 3), dtype=np.int64)
                self.signal[d.CRAMPED] = self.signal[d.ERROR] = 0
                continue
            if self.signal[d.ERROR]:
                raise self.rules.mistake(int(self.signal[d.ERROR]))
            return int(got)

    def settle(self, got: int, whole: bool) -> None:
        """Moves the best of the first ``got`` actions to the front. Sorts all of them if each has an exact score."""
        order = np.argsort(-self.scores[:got], kind="stable")
        if not whole:
            best = int(order[0])
            order = np.array([best, *(k for k in range(got) if k != best)])
        for array in (self.ways, self.scores, self.sure, self.spent):
            array[:got] = array[:got][order]

    @property
    def is_solved(self) -> bool:
        """Could no deeper search change the result?"""
        return bool(self.sure.all()) or bool(self.sure[0] and self.scores[0] > d.SURE)

    def findings(self, whole: bool) -> Findings:
        """The findings so far, best action first."""
        worth = [utility(int(s)) for s in self.scores]
        rows = [
            Row(int(way), u, int(n), float(k == 0), bool(sure) and (whole or k == 0), plies)
            for k, (way, (u, plies), n, sure) in enumerate(zip(self.ways, worth, self.spent, self.sure, strict=True))
        ]
        value, plies = worth[0]
        values = (value, 0.0 - value) if self.seat == 0 else (0.0 - value, value)
        nodes = int(self.signal[d.NODES])
        return Findings(self.seat, False, tuple(rows), values, nodes, self.is_solved, plies if self.is_solved else 0)


def utility(score: int) -> tuple[float, int]:
    """Splits a score into a share of the maximum utility and, if it counts them, the plies to the end."""
    size = abs(score)
    millionths = -(-size // d.GRAIN)
    value = millionths / d.MILLION
    return (value if score >= 0 else -value), millionths * d.GRAIN - size


def search(position: Position, seed: int, depth: int | None, seconds: float | None, whole: bool = False) -> Findings:
    """Deepens until a depth, a time limit, or a final result. ``whole``: evaluates every action by itself.

    The same seed and depth give the same findings. When time runs out, the unfinished level counts if it has
    completed the previously best action. Raises what the rules raise, and ``UsageError`` if they don't fit.
    """
    found = Search(position.beside(), seed)
    found.compile()
    deadline = None if seconds is None else time.monotonic() + seconds
    with ThreadPoolExecutor(1) as pool:
        for level in range(1, min(depth or MOST_DEPTH, MOST_DEPTH) + 1):
            run = pool.submit(found.level, level, whole)
            try:
                got = run.result(None if deadline is None else max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                found.signal[d.STOP] = 1
                got = run.result()
                if got and (level == 1 or not whole):
                    found.settle(got, whole)
                break
            except BaseException:
                found.signal[d.STOP] = 1
                raise
            found.settle(got, whole)
            if found.is_solved or (len(found.ways) == 1 and not whole):
                break
    return found.findings(whole)
