"""Iterative deepening: memory, budget, findings."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from random import Random

import numpy as np

from gamedsl.agents import alphabeta_memory as d
from gamedsl.agents.alphabeta_kernel import at_root
from gamedsl.agents.captures import captures_of
from gamedsl.agents.leaf_kernel import SEGMENT_FIELDS
from gamedsl.agents.leaf_value import LeafValue
from gamedsl.agents.position import USED_AT, Position
from gamedsl.agents.search_findings import Findings, Row
from gamedsl.compiler import MoveCodes, Words
from gamedsl.language.source import lazy_dataclass

MEMORY = 3 << 26  # maximum bytes of the transposition table
LEAST_SLOTS, ROOMY = 1 << 12, 8  # of the table: at first; for each entry in use
PLAYOUTS = 8  # playouts whose mean is the value at the horizon
MOST_DEPTH = 300
ENDLESS = 1 << 62  # effort


@lazy_dataclass(frozen=True)
class Budget:
    """What a search may spend: plies of depth, seconds, effort (see ``alphabeta_memory``). None: any amount."""

    depth: int | None = None
    seconds: float | None = None
    effort: int | None = None


class Search:
    """A search from one position in which a player chooses. ``value``: that at the horizon (None: by playouts)."""

    def __init__(self, position: Position, seed: int, effort: int | None, value: LeafValue | None) -> None:
        rules = position.rules
        has_history = rules.native.has_history
        self.rules = rules
        self.seat = position.ask("seat")
        entry = np.array(rules.entries(*d.ENTRIES), dtype=np.int64)
        mark = rules.context.pointer + USED_AT if has_history else 0
        playouts = PLAYOUTS if value is None else 0
        captures, coded = captures_of(rules.native), MoveCodes(rules.native.program).words == 1
        shape = np.array(
            [rules.words, rules.value_words, playouts, not has_history, mark, rules.most, coded, captures.how, 1],
            dtype=np.int64,
        )
        segments, weights = (_words(1, SEGMENT_FIELDS), _words(1)) if value is None else (value.segments, value.weights)
        plies = MOST_DEPTH + 4
        path = d.Path(_words(plies, rules.words), _words(plies, d.FRAME_FIELDS), _words(plies), _words(plies))
        path.blocks[0] = np.frombuffer(position.block, dtype=np.int64)
        self.most_slots = 1 << min(21, (MEMORY // (8 * (rules.value_words + d.TABLE_FIELDS))).bit_length() - 1)
        self.bounded = effort is not None
        slots = min(self.most_slots, 1 << max(4, (effort // d.NODE).bit_length())) if effort else LEAST_SLOTS
        table = d.Table(_words(slots, rules.value_words), _words(slots, d.TABLE_FIELDS))
        killers = np.full((plies, 2), -1, dtype=np.int64)
        rival = _words(captures.places)
        moves = d.Moves(
            _words(1 << 14, d.ORDER_FIELDS),
            _words(1 << 10),
            _words(1 << 15),
            killers,
            _words(rules.native.move_size + 2),
            rival,
        )
        self.signal = _words(d.SIGNALS)
        self.signal[d.LIMIT] = effort or ENDLESS
        self.memory = d.Search(
            d.Rules(entry, shape, segments, weights, captures.named, captures.owned),
            table,
            path,
            moves,
            np.zeros(2),
            self.signal,
        )
        order = list(range(position.ask("count")))
        Random(seed).shuffle(order)
        self.actions = d.RootActions(np.array(order, dtype=np.int64), *(_words(len(order)) for _ in range(3)))

    def compile(self) -> None:
        """Compiles the kernel, which may take a while and does not count as search time."""
        actions, self.actions = self.actions, self.actions._replace(order=self.actions.order[:0])
        self.level(0, False)
        self.actions = actions

    def level(self, depth: int, whole: bool) -> int:
        """Searches to a depth. Returns how many actions were completed before the search was stopped."""
        self.widen_table()
        while True:
            got = at_root(self.memory, self.actions, depth, self.seat, whole)
            if self.widen():
                continue
            if self.signal[d.ERROR]:
                raise self.rules.mistake(int(self.signal[d.ERROR]))
            return int(got)

    def widen(self) -> bool:
        """Makes room for more actions if there was too little. Returns whether the search is to be repeated."""
        if not self.signal[d.CRAMPED]:
            return False
        moves = self.memory.moves
        more = int(self.signal[d.CRAMPED])
        order = _words(2 * len(moves.order) + more, d.ORDER_FIELDS)
        codes = _words(max(len(moves.codes), 2 * more))
        self.memory = self.memory._replace(moves=moves._replace(order=order, codes=codes))
        self.signal[d.CRAMPED] = self.signal[d.ERROR] = 0
        return True

    def widen_table(self) -> None:
        """Makes the table wide enough for the next level, if its size is not fixed. A table that is wider than
        needed takes time to clear."""
        filled, slots = int(self.signal[d.FILLED]), len(self.memory.table.slots)
        if self.bounded or ROOMY * filled <= slots or slots >= self.most_slots:
            return
        size, words = min(self.most_slots, 1 << (ROOMY * filled).bit_length()), self.rules.value_words
        wider = d.Table(_words(size, words), _words(size, d.TABLE_FIELDS))
        self.signal[d.FILLED] = d.rehash(self.memory.table, wider, words)
        self.memory = self.memory._replace(table=wider)

    def sort_best_first(self, got: int, whole: bool) -> None:
        """Moves the best of the first ``got`` actions to the front. Sorts all of them if each has an exact score."""
        order = np.argsort(-self.actions.scores[:got], kind="stable")
        if not whole:
            best = int(order[0])
            others = np.argsort(-self.actions.spent[:got], kind="stable")
            order = np.array([best, *(k for k in others.tolist() if k != best)])
        for array in self.actions:
            array[:got] = array[:got][order]

    @property
    def is_solved(self) -> bool:
        """Whether no deeper search could change the result."""
        return bool(self.actions.sure.all()) or bool(self.actions.sure[0] and self.actions.scores[0] > d.SURE)

    def findings(self, whole: bool) -> Findings:
        """Returns the findings so far, best action first."""
        order, scores, sure_of, spent = self.actions
        utilities = [utility(int(s)) for s in scores]
        rows = [
            Row(int(action), u, int(n), float(k == 0), bool(sure) and (whole or k == 0), plies)
            for k, (action, (u, plies), n, sure) in enumerate(zip(order, utilities, spent, sure_of, strict=True))
        ]
        value, plies = utilities[0]
        values = (value, 0.0 - value) if self.seat == 0 else (0.0 - value, value)
        nodes = int(self.signal[d.NODES])
        return Findings(self.seat, False, tuple(rows), values, nodes, self.is_solved, plies if self.is_solved else 0)


def _words(*shape: int) -> Words:
    return np.zeros(shape, dtype=np.int64)


def utility(score: int) -> tuple[float, int]:
    """Splits a score into a share of the maximum utility and, if it counts them, the plies to the end."""
    size = abs(score)
    millionths = -(-size // d.GRAIN)
    value = millionths / d.MILLION
    return (value if score >= 0 else -value), millionths * d.GRAIN - size


def search(position: Position, seed: int, budget: Budget, whole: bool, value: LeafValue | None) -> Findings:
    """Deepens until the budget is spent, or the result is final. ``whole``: evaluates every action by itself.
    ``value``: see ``Search``.

    The same seed and budget give the same findings, unless it is a time. When time or effort runs out, the unfinished
    level counts if it has completed the previously best action. Raises the errors of the rules, and ``UsageError`` if
    the search does not support the rules.
    """
    found = Search(position.beside(), seed, budget.effort, value)
    found.compile()
    deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
    with ThreadPoolExecutor(1) as pool:
        for level in range(1, min(budget.depth or MOST_DEPTH, MOST_DEPTH) + 1):
            run = pool.submit(found.level, level, whole)
            try:
                got = run.result(None if deadline is None else max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                found.signal[d.STOP] = 1
                got = run.result()
            except BaseException:
                found.signal[d.STOP] = 1
                raise
            stopped = bool(found.signal[d.STOP])
            if got and (not stopped or level == 1 or not whole):
                found.sort_best_first(got, whole)
            if stopped or found.is_solved or (len(found.actions.order) == 1 and not whole):
                break
    return found.findings(whole)
