"""A game in progress on compiled rules, from whose positions playouts are made."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from gamedsl.compiler.host.result_tally import Tally, read
from gamedsl.compiler.playouts.generic import QUICK
from gamedsl.compiler.playouts.results import tally_size

if TYPE_CHECKING:
    from gamedsl.compiler.host.binding import Native
    from gamedsl.engine import State

END = 0  # the kind of a final position


class PlayoutCursor:
    """A position with its own memory. It follows a game action by action, so noted positions are never copied."""

    def __init__(self, native: Native, plies: int) -> None:
        """Begins at the first position. ``plies``: a longer playout is left unfinished. Raises ``RulesError``."""
        self.native, self.plies = native, plies
        self._context = native.context(plies=plies)
        self._block = native.initial(self._context)

    def place(self, state: State) -> None:
        """Goes to a position, such as one after a drawing."""
        self._context = self.native.context(plies=self.plies)
        self._block = self.native.pack(state, self._context)

    def step(self, action: int) -> None:
        """Takes an action, by its index among the legal moves or the possible outcomes. Raises ``RulesError``."""
        self._call("step", ctypes.addressof(self._block), action)
        if self._context.nearly_full:
            self._context.widen()

    def means(self, number: int, seed: int, action: int | None = None) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Returns the means and the standard deviations of the players' utilities in playouts from the position, or
        from that after an action. In a final position the means are its utilities. Raises ``RulesError``.
        """
        block = self.native.new_block()
        block.raw = self._block.raw
        at = ctypes.addressof(block)
        with self._context.temporary():
            if action is not None:
                self._call("step", at, action)
            if self._call("kind", at) == END:
                found = (ctypes.c_double * self.native.num_players)()
                self._call("returns", at, ctypes.addressof(found))
                return tuple(found), (0.0,) * len(found)
            tally = self._playouts(at, number, seed)
        means = tuple(total / number for total in tally.sums)
        squares = zip(tally.squares, means, strict=True)
        return means, tuple(max(0.0, total / number - mean * mean) ** 0.5 for total, mean in squares)

    def _playouts(self, at: int, number: int, seed: int) -> Tally:
        out = (ctypes.c_int64 * tally_size(self.native.num_players))()
        words = at, number, seed & (1 << 63) - 1, 0, ctypes.addressof(out)
        if self.native.entry(QUICK)(self._context.pointer, *words) < 0:
            self._context.take_error()  # it cannot start here; or the rules fail, as the other entry point then reports
            ctypes.memset(out, 0, ctypes.sizeof(out))
            self._call("batch", *words)
        return read([out[:]], self.native.num_players)

    def _call(self, name: str, *words: int) -> int:
        found = self.native.entry(name)(self._context.pointer, *words)
        if found < 0:
            raise self.native.error(self._context)
        return found
