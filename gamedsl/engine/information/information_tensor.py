"""The information state as a tensor: what the seat noticed, row by row."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.engine.errors import play_error
from gamedsl.engine.facts.information_layout import DIGEST_DIGITS, InformationStateLayout
from gamedsl.engine.facts.observation_layout import DIGIT_BITS, Feature, places, stop_kinds
from gamedsl.engine.information.information_state import information_state
from gamedsl.engine.information.observation_tensor import WRITERS, flat_shape
from gamedsl.engine.noticed import Noticed, Seen
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import State

OWN, VALUES, STOP = range(3)


def information_state_tensor(state: State, seat: int | None, length: int | None) -> NDArray[np.float32]:
    """The information state of a seat as one array: the features of the layout, one after the other.

    Raises ``GameDSLError`` as ``information_state_layout`` does, and E0545 if the history needs more rows."""
    layout = state.game.information_state_layout_of(length)
    entries = information_state(state, seat).all_entries
    out = np.zeros(layout.size, np.float32)
    (_Looks if state.game.secrets.hides else _Moves)(state, layout, out).write(entries)
    return out


class _Rows:
    """A tensor being written, with its features as arrays by name."""

    def __init__(self, state: State, layout: InformationStateLayout, out: NDArray[np.float32]) -> None:
        self.state, self.game, self.layout = state, state.game, layout
        self.arrays = layout.split(out)
        self.seen: Seen = [None] * len(state.slots)
        self.row = -1

    def next_row(self) -> None:
        self.row += 1
        if self.row >= self.layout.length:
            help = f"give a greater one: `information_state_tensor(seat, length={max(16, 2 * self.row)})`"
            raise play_error("E0545", f"what the seat noticed has more than {self.layout.length} rows", help=help)

    def write_action(self, name: str, move: Move) -> None:
        action = self.game.action(move)
        if name in self.arrays:
            self.arrays[name][self.row, action] = 1
            return
        kind, *indices = self.game.action_parts(action)
        self.arrays[f"{name} kind"][self.row, kind] = 1
        for place, index in enumerate(indices, 1):
            self.arrays[f"{name} argument {place}"][self.row, index] = 1

    def take(self, fact: tuple[Any, ...]) -> set[int]:
        """Takes over the values of an entry; returns the variables of which something looks different now."""
        for slot, value in fact[1]:
            self.seen[slot] = value
        changed = {slot for slot, _ in fact[1]}
        offsets = self.game.code.offsets
        return {v.index for v in self.game.program.variables if changed & set(range(*offsets[v.index : v.index + 2]))}

    def write_values(self, f: Feature, own: NDArray[np.float32], var: n.Var) -> None:
        offsets = self.game.code.offsets
        slots = self.seen[offsets[var.index] : offsets[var.index + 1]]
        if f.coding == "digest":
            own[:] = np.array([_digits(v) for v in slots], np.float32).T.reshape(own.shape)
        else:
            inner = f if f.axes[:1] != ("row",) else _without_rows(f)
            WRITERS[f.coding](own.reshape(flat_shape(inner, var)), inner, var, slots)

    def write_stop(self, f: Feature, own: NDArray[np.float32], place: tuple[Any, ...]) -> None:
        kind, phase, part, acting, mine, returns, _ = place
        match f.name.removeprefix("start "):
            case "to act":
                own[list(acting)] = 1
            case "kind":
                own[stop_kinds(self.game).index(kind)] = 1
            case "phase":
                own[places(self.game).index((phase, part))] = 1
            case "returns":
                own[:] = returns
            case "won" if kind == "end":  # no stop follows it, so these are the winners of the state itself
                own[sorted(self.state.winners)] = 1
            case "scores" if kind == "end":
                own[:] = self.state.scores or 0
            case "legal":
                _write_flags(own, mine, f)


class _Moves(_Rows):
    """The tensor where the rules hide nothing: the start, and a row for every move."""

    def write(self, entries: list[Noticed]) -> None:
        for entry in entries:
            match entry.fact[0]:
                case "seen":
                    self.take(entry.fact)
                    self.write_start(entry.fact, of_values=True)
                case "place":
                    self.write_start(entry.fact[1], of_values=False)
                case kind:
                    assert entry.move is not None
                    self.write_move(entry.move, kind == "own" and "open" in self.arrays)

    def write_start(self, place: tuple[Any, ...], of_values: bool) -> None:
        for f in self.layout.features:
            if f.axes[:1] != ("row",):
                if of_values and f.variable is not None:
                    self.write_values(f, self.arrays[f.name], self.game.program.variables[f.variable])
                elif not of_values and f.coding == "place":
                    self.write_stop(f, self.arrays[f.name], place)

    def write_move(self, move: Move, is_open: bool) -> None:
        self.next_row()
        self.arrays["who"][self.row, self.game.num_players if move.player is None else move.player] = 1
        self.write_action("action", move)
        if is_open:
            self.arrays["open"][self.row] = 1


class _Looks(_Rows):
    """The tensor where the rules hide something: own actions, looks at the values, and stops."""

    def __init__(self, state: State, layout: InformationStateLayout, out: NDArray[np.float32]) -> None:
        super().__init__(state, layout, out)
        self.last = STOP  # the part written last
        self.looked: int | None = None  # the row of the last look

    def write(self, entries: list[Noticed]) -> None:
        for entry in entries:
            match entry.fact[0]:
                case "own":
                    self.begin(OWN)
                    assert entry.move is not None
                    self.write_action("own action", entry.move)
                case "seen":
                    self.begin(VALUES)
                    self.write_look(self.take(entry.fact))
                case _:
                    self.begin(STOP)
                    for f in self.layout.features:
                        if f.coding == "place" or (f.name == "legal" and f.coding == "row"):
                            self.write_stop(f, self.arrays[f.name][self.row, ...], entry.fact[1])

    def begin(self, part: int) -> None:
        """Continues in this row if this part comes after the last one written, else in the next row."""
        if part <= self.last:
            self.next_row()
        self.last = part
        self.arrays["filled"][self.row, part] = 1

    def write_look(self, changed: set[int]) -> None:
        """Writes what is seen now: the same as in the last look, except for the variables that changed."""
        for f in self.layout.features:
            if f.variable is None:
                continue
            own = self.arrays[f.name]
            if f.variable in changed or self.looked is None:
                self.write_values(f, own[self.row, ...], self.game.program.variables[f.variable])
            else:
                own[self.row] = own[self.looked]
        self.looked = self.row


def _without_rows(f: Feature) -> Feature:
    return Feature(f.name, f.meaning, f.shape[1:], f.axes[1:], f.low, f.high, f.coding, f.variable, f.first, f.base)


def _write_flags(own: NDArray[np.float32], actions: tuple[int, ...], f: Feature) -> None:
    if f.axes[-1] == "action":
        own[list(actions)] = 1
        return
    for action in actions:
        own[action // DIGIT_BITS] += 1 << action % DIGIT_BITS


def _digits(value: tuple[Any] | None) -> list[int]:
    """A digest in digits to the base 2^24."""
    found = blake2b(repr(value).encode(), digest_size=DIGEST_DIGITS * DIGIT_BITS // 8).digest()
    return [int.from_bytes(found[i : i + DIGIT_BITS // 8]) for i in range(0, len(found), DIGIT_BITS // 8)]
