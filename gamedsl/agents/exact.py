"""A short exact search before a tree search: where the rest of the game is short enough, the move is not a guess.

A random game from the position shows whether it is worth trying: with L plies to the end and b actions, alpha-beta looks at
b^(L/2) positions at least (Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975). The search is that of ``gamedsl solve
--method depth``, which tries first what the leaf value likes.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gamedsl.agents import leaf_kernel as k
from gamedsl.agents.position import END, once
from gamedsl.agents.search_findings import Findings, Row
from gamedsl.engine import RulesError
from gamedsl.lab.explore import suits
from gamedsl.lab.solve import NO_ORDER, NativeSearch, Order
from gamedsl.lab.symmetry import kept_seats
from gamedsl.language.source import UsageError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.leaf_value import LeafValue
    from gamedsl.agents.position import Position
    from gamedsl.compiler import Native, Words

SHARE, REFUTING = 0.5, 0.15  # of the time of a move: to solve the position; to refute what another search would play
RATE = 2_500_000  # positions a second, about, as long as those of a ruleset are not measured
MEASURED = 2_000  # positions at least that show the rate of a ruleset
SAMPLE = 32  # random games that show how long the rest is
LARGEST = 1 << 30  # of a weight


@lazy_dataclass(frozen=True)
class Bound:
    """What an exact search may spend: ``positions`` and ``seconds`` of the clock (None: any) to solve the position; more
    ``refuting`` positions afterwards, in ``refuting_seconds``."""

    positions: int
    refuting: int
    seconds: float | None = None
    refuting_seconds: float | None = None

    @classmethod
    def of(cls, seconds: float, clocked: bool = True) -> Bound:
        """The bound of a move for which there are so many seconds. ``clocked``: whether the clock ends it, too."""
        limits = (SHARE * seconds, REFUTING * seconds) if clocked else (None, None)
        return cls(int(RATE * SHARE * seconds), int(RATE * REFUTING * seconds), *limits)


class ExactSearch:
    """An exact search of a position. ``worth``: what the first player has with best play, and ``action``: what keeps it, unless
    all lose (None: not proven). ``value``: what positions seem to be worth (None: unknown)."""

    def __init__(self, position: Position, bound: Bound, value: LeafValue | None) -> None:
        native = position.rules.native
        order = NO_ORDER if value is None else once(value, "order", partial(order_of, value))
        equal = once(native, "kept_seats", partial(kept_seats, native.program))
        self.position, self.seat, self.bound = position, position.ask("seat"), bound
        self.search = NativeSearch(native.game.initial_state(), "result", bound.positions, None, order, equal)
        self.search.compile()
        self.worth: int | None = None
        self.action: int | None = None
        began = time.monotonic()
        self.search.deadline = None if bound.seconds is None else began + bound.seconds
        self._solve()
        if bound.seconds is not None and self.search.positions >= MEASURED:
            vars(native)["exact_rate"] = self.search.positions / (time.monotonic() - began)

    @property
    def wins(self) -> bool:
        """Whether an action is proven after which nothing better can follow."""
        return self.action is not None and self.worth == self.search.range[1 - self.seat]

    def best_of(self, found: Findings, seed: int) -> Findings:
        """Returns the findings of another search without the actions that are proven worse than others."""
        self.search.allow(self.bound.refuting, self.bound.refuting_seconds)
        loss = self.search.range[self.seat]
        while not found.exact and len(found.rows) > 1 and self.worth != loss:
            action = found.pick(seed)
            if self.action is not None:
                return found if self._reaches(action, self.worth) else self.findings()
            if self._reaches(action, loss + (1 if self.seat == 0 else -1)) is not False:
                return found
            found = replace(found, rows=tuple(row for row in found.rows if row.action != action))
        return found

    def findings(self) -> Findings:
        """The proven action as the findings of a search."""
        assert self.worth is not None
        value = self.worth / self.position.rules.most
        own = value if self.seat == 0 else -value
        rows = tuple(
            Row(a, own, 1, float(a == self.action), a == self.action) for a in range(self.position.action_count())
        )
        return Findings(self.seat, False, rows, (value, -value), self.search.positions, exact=True)

    def _solve(self) -> None:
        block = _words(self.position.block)
        if not self.search.solve_block(block):
            return
        self.worth = int(self.search.block_bounds(block)[0])
        if self.worth == self.search.range[self.seat]:
            return
        known = {action: self._known(action, self.worth) for action in range(self.position.action_count())}
        self.action = next((action for action, keeps in known.items() if keeps), None)
        if self.action is None:
            unsure = (action for action, keeps in known.items() if keeps is None)
            self.action = next((action for action in unsure if self._reaches(action, self.worth)), None)

    def _known(self, action: int, worth: int) -> bool | None:
        """Whether the mover has at least what this is worth to the first player after an action; None if that is not known."""
        after, end = _after(self.position, action)
        low, high = (end, end) if end is not None else self.search.block_bounds(after)
        enough, less = (low >= worth, high < worth) if self.seat == 0 else (high <= worth, low > worth)
        return True if enough else False if less else None

    def _reaches(self, action: int, worth: int | None) -> bool | None:
        """The same, found out if it is not known, as far as the bound allows."""
        assert worth is not None
        known = self._known(action, worth)
        if known is None:
            window = (worth - 1, worth) if self.seat == 0 else (worth, worth + 1)
            try:
                self.search.narrow(_after(self.position, action)[0], *window)
            except UsageError:
                return None
            known = self._known(action, worth)
        return known


def search_exactly(position: Position, bound: Bound, value: LeafValue | None) -> ExactSearch | None:
    """Returns an exact search of a position, whether it has proven an action or not; None where the rest of the game seems too
    long to try, or the rules do not allow it. The same bound gives the same result, unless it has seconds."""
    native = position.rules.native
    if not _suits(native) or not _is_short(position, _reach(native, bound)):
        return None
    try:
        return ExactSearch(position, bound, value)
    except (UsageError, RulesError):
        return None


def compile_exact(native: Native) -> None:
    """Compiles the kernel of the exact search for a ruleset that it is for."""
    if _suits(native):
        NativeSearch(native.game.initial_state(), "result", 0, None).compile()


def seconds_left(seconds: float, spent: float, exact: ExactSearch | None) -> float:
    """How many seconds of a move the other search has, once the exact one took so many: a share at least, because its kernel may
    have been compiled then."""
    left = max(seconds - spent, (1.0 - SHARE) * seconds)
    return left if exact is None else left - REFUTING * seconds


def _suits(native: Native) -> bool:
    return once(native, "suits_exact", partial(suits, native.program))


def _reach(native: Native, bound: Bound) -> int:
    """How many positions the bound allows under these rules: with a clock, as many as they were searched before."""
    rate: float = vars(native).get("exact_rate", RATE)
    return bound.positions if bound.seconds is None else min(bound.positions, int(rate * bound.seconds))


def _is_short(position: Position, positions: int) -> bool:
    """Whether the rest of the game seems short enough to search it with so many positions."""
    rules, plies = position.rules, 0
    play, utilities = rules.native.entry("playout"), (ctypes.c_double * rules.players)()
    room = ctypes.create_string_buffer(position.block, len(position.block))
    with rules.context.temporary():
        for game in range(SAMPLE):
            length = play(rules.context.pointer, ctypes.addressof(room), 1, game, ctypes.addressof(utilities))
            if length < 0:
                return False
            plies += int(length)
    return bool(position.action_count() ** min(64.0, plies / SAMPLE / 2) <= positions)


def _after(position: Position, action: int) -> tuple[Words, int | None]:
    """Returns the compiled state after an action, and what the first player has if the game is over."""
    rules = position.rules
    room = ctypes.create_string_buffer(position.block, len(position.block))
    rules.call("step", ctypes.addressof(room), action)
    end = None
    if rules.call("kind", ctypes.addressof(room)) == END:
        found = (ctypes.c_double * rules.players)()
        rules.call("returns", ctypes.addressof(room), ctypes.addressof(found))
        end = round(found[0])
    return _words(bytes(room)), end


def order_of(value: LeafValue) -> Order:
    """Returns the weights of a leaf value by the bytes of a state; what is spread over several bytes counts by its lowest."""
    places, tables = list[int](), list[np.ndarray]()
    bases = [*value.segments[:, k.BASE].tolist(), len(value.weights)]
    for segment, end in zip(value.segments.tolist(), bases[1:], strict=True):
        at, weights = 8 * segment[k.WORD] + segment[k.SHIFT] // 8, value.weights[segment[k.BASE] : end]
        pieces = np.array_split(weights, range(8, len(weights), 8)) if segment[k.BITWISE] else [weights]
        for nth, piece in enumerate(pieces):
            table = np.zeros(256, dtype=np.int64)
            if segment[k.BITWISE]:
                codes = np.arange(256)
                for bit, weight in enumerate(piece.tolist()):
                    table += (codes >> bit & 1) * weight
            else:
                table[: len(piece)] = piece[:256]
            if table.any():
                places.append(at + nth)
                tables.append(np.clip(table, -LARGEST, LARGEST))
    if not places:
        return NO_ORDER
    return Order(np.array(places, dtype=np.int64), np.array(tables, dtype=np.int32))


def _words(block: bytes) -> Words:
    return np.frombuffer(block[: len(block) // 8 * 8], dtype=np.int64)
