"""Converts states of the engine to blocks of compiled code, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gamedsl.compiler.emit.memory_layout import Cell, Place
from gamedsl.compiler.emit.noted_positions import MASK, from_words, position_size, to_words
from gamedsl.compiler.host.context import Context
from gamedsl.compiler.host.state_memory import KeepsStates
from gamedsl.engine import History, codes_of
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine import Game, State


def pack(native: KeepsStates, state: State, context: Context) -> bytes:
    """A state as a block. Noted positions go into the context's arena."""
    frame = native.frame
    block = bytearray(frame.size)
    block[0:4] = state.block.to_bytes(4, "little")
    at = 0
    for var in native.program.variables:
        place = frame.place(var)
        for slot in range(var.slots):
            _put(native, block, var, place, place.offset + slot * place.stride, state.slots[at], context)
            at += 1
    for mover, number, args in state.pending:
        code = frame.layout.choice(state.block, number, args)
        start = frame.pending + 8 * mover
        block[start : start + 8] = code.to_bytes(8, "little")
    return bytes(block)


def unpack(native: KeepsStates, block: bytes, context: Context, game: Game) -> State:
    """The state of a block."""

    frame = native.frame
    number = int.from_bytes(block[0:4], "little")
    slots: list[Any] = []
    for var in native.program.variables:
        place = frame.place(var)
        slots += [_get(native, block, var, place, place.offset + i * place.stride, context) for i in range(var.slots)]
    pending = []
    if isinstance(native.program.blocks[number].end, n.DecideTogether):
        for mover in range(frame.movers):
            start = frame.pending + 8 * mover
            code = int.from_bytes(block[start : start + 8], "little")
            if code:
                pending.append((mover, *frame.layout.choice_of(number, code - 1)))
    return game.make_state(number, tuple(slots), tuple(pending))


def _write(block: bytearray, at: int, cell: Cell, value: int) -> None:
    block[at : at + cell.size] = (value - cell.low).to_bytes(cell.size, "little")


def _read(block: bytes, at: int, cell: Cell) -> int:
    return int.from_bytes(block[at : at + cell.size], "little") + cell.low


def _put(
    native: KeepsStates, block: bytearray, var: n.Var, place: Place, at: int, value: Any, context: Context
) -> None:
    match var.type:
        case n.StackT():
            size = place.height_bits // 8
            block[at : at + size] = len(value).to_bytes(size, "little")
            for i, item in enumerate(value):
                _write(block, at + place.items + i * place.cell.size, place.cell, item)
        case n.HistoryT():
            block[at : at + 8] = _noted(native, var, value, context).to_bytes(8, "little")
        case n.DrawingT():
            block[at : at + 8] = native.pool.handle(value).to_bytes(8, "little")
            context.see_drawings(native)
        case _:
            _write(block, at, place.cell, value)


def _get(native: KeepsStates, block: bytes, var: n.Var, place: Place, at: int, context: Context) -> Any:
    match var.type:
        case n.StackT():
            size = place.height_bits // 8
            height = int.from_bytes(block[at : at + size], "little")
            items = at + place.items
            return tuple(_read(block, items + i * place.cell.size, place.cell) for i in range(height))
        case n.HistoryT():
            return _history(native, var, int.from_bytes(block[at : at + 8], "little"), context)
        case n.DrawingT():
            return native.pool.drawing(int.from_bytes(block[at : at + 8], "little"))
        case _:
            return _read(block, at, place.cell)


# ---------------------------------------------------------------------------------------------------- histories


def position_types(native: KeepsStates, var: n.Var) -> tuple[n.VarT, ...]:
    """The types of the values in a history's positions."""
    return native.noted_types.get(var.index, ())


def _noted(native: KeepsStates, var: n.Var, history: History, context: Context) -> int:
    """Appends the positions of a history to the arena. Returns the newest entry."""
    from gamedsl.compiler.emit.position_words import hash_words

    newest = 0
    types = position_types(native, var)
    known = native.known_entries.setdefault(var.index, {})
    for position, times in history.items():
        entry = known.get(position)
        if entry is None:
            if len(known) >= MOST_KNOWN:
                known.clear()
            words = to_words(position, types)
            entry = known[position] = [hash_words(words, types), *words]
        for _ in range(times):
            newest = context.push([newest, *entry])
    return newest


def _position(native: KeepsStates, var: n.Var, words: tuple[int, ...]) -> tuple[int, ...]:
    """A noted position. Positions are cached, because the states of a game share most of them."""
    known = native.known_positions.setdefault(var.index, {})
    found = known.get(words)
    if found is None:
        if len(known) >= MOST_KNOWN:
            known.clear()
        found = known[words] = from_words(words, position_types(native, var))
    return found


def _history(native: KeepsStates, var: n.Var, newest: int, context: Context) -> History:
    types = position_types(native, var)
    found: dict[tuple[int, ...], int] = {}
    for words in _entries(context, newest, 2 + position_size(types)):
        position = _position(native, var, tuple(words[2:]))
        found[position] = found.get(position, 0) + 1
    return History(found)


# ---------------------------------------------------------------------------------------------- states of the API

ENTRIES = 8192  # usual capacity of a context, in noted positions
MOST_WORDS = 1 << 18
MOST_KNOWN = 1 << 14  # positions of a history that are cached


def _entry_sizes(native: KeepsStates) -> dict[n.Var, int]:
    """The size of an entry in words, for every history."""
    found = (v for v in native.program.variables if isinstance(v.type, n.HistoryT))
    return {v: 2 + position_size(position_types(native, v)) for v in found}


def api_context(native: KeepsStates, state: State | None = None, words: int = 0) -> Context:
    """A context for states in Python. Its arena has ample room for ``words`` words of noted positions, or for those of
    a state."""
    sizes = _entry_sizes(native)
    if state is not None:
        words = sum(
            number * sum(times for h in codes_of(state, v) for _, times in h.items()) for v, number in sizes.items()
        )
    usual = min(MOST_WORDS, ENTRIES * max(sizes.values(), default=0))
    return Context(
        native, max(usual if state is None else 0, 4 * words + 64 * max(sizes.values(), default=1)), marks=True
    )


def elsewhere(native: KeepsStates, block: bytes, context: Context) -> tuple[bytes, Context]:
    """The same state in a new context, with a copy of its noted positions only."""
    chains = _chains(native, block, context)
    fresh = api_context(native, words=sum(len(words) for chain in chains.values() for words in chain))
    return _with_chains(block, chains, fresh), fresh


def copy_state(native: KeepsStates, block: bytes, context: Context, other: Context) -> bytes:
    """The same state in another context, which gets a copy of its noted positions."""
    return _with_chains(block, _chains(native, block, context), other)


def _chains(native: KeepsStates, block: bytes, context: Context) -> dict[int, list[list[int]]]:
    """The entries of all histories of a state, newest first, by their places in the block."""
    chains = {}
    for var, size in _entry_sizes(native).items():
        place = native.frame.place(var)
        for at in range(place.offset, place.offset + place.stride * var.slots, place.stride):
            chains[at] = list(_entries(context, int.from_bytes(block[at : at + 8], "little"), size))
    return chains


def _with_chains(block: bytes, chains: dict[int, list[list[int]]], context: Context) -> bytes:
    """The block with histories of these entries, which are appended to the arena."""
    moved = bytearray(block)
    for at, chain in chains.items():
        newest = 0
        for words in reversed(chain):
            newest = context.push([newest, words[1] & MASK, *words[2:]])
        moved[at : at + 8] = newest.to_bytes(8, "little")
    return bytes(moved)


def _entries(context: Context, newest: int, size: int) -> Iterator[list[int]]:
    """The entries of a linked list, newest first."""
    while newest:
        words = context.entry(newest, size)
        yield words
        newest = words[0]
