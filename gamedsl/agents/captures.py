"""Whether a ruleset has captures, and how a search recognizes them: found by random games."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.agents import captures_kernel as c
from gamedsl.agents.captures_kernel import look, names_any, pieces
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.position import once
from gamedsl.agents.random_positions import random_positions
from gamedsl.compiler import MoveCodes, Words, call2, call4, call5, kernel, peek, poke
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.compiler import Native

PLIES, POSITIONS = 30_000, 400  # of the random games
MOST_CAPTURES = 0.5  # a larger share of moves are not captures, but what every move does
NAMED = 0.9  # of the captures name what they take, and of the moves that name something of the rival's capture
MOST_ACTIONS = 16  # on average, where every move has to be made
ROOM = 1 << 14  # codes of a position
# what is counted: moves, captures, moves that name something of the rival's, captures among these, positions with
# captures and others
MOVES, TAKEN, NAMING, BOTH, MIXED = range(5)


@lazy_dataclass(frozen=True)
class Captures:
    """``how``: see ``captures_kernel``; ``named`` and ``owned``: the fields of moves and the sets that it looks at;
    ``places``: the words that ``look`` needs."""

    how: int
    named: Words
    owned: Words
    places: int


NO_CAPTURES = Captures(c.NEVER, np.zeros((1, c.NAMED_FIELDS), np.int64), np.zeros((1, c.OWNED_FIELDS), np.int64), 1)


def captures_of(native: Native) -> Captures:
    """Returns how captures are recognized. It is counted once for a ruleset and kept in the code cache."""
    return once(native, "captures", partial(_found, native))


def _found(native: Native) -> Captures:
    codes = MoveCodes(native.program)
    looked = _tables(native, codes)
    if looked is None or codes.words > 1:
        return NO_CAPTURES

    def read(found: Any) -> int:
        if found not in range(4):
            raise ValueError
        return int(found)

    how = kept_data(native, "captures", lambda: _how(native, looked), read)
    return Captures(how, looked.named, looked.owned, looked.places)


def _tables(native: Native, codes: MoveCodes) -> Captures | None:
    """The tables for captures by name; None if no set is owned by both players."""
    program, frame = native.program, native.frame
    bases, places = dict[int, int](), 0
    owned = list[tuple[int, ...]]()
    for var in program.variables:
        if not isinstance(var.type, n.SetT) or var.keys != (program.players,) or var.slots != 2:
            continue
        domain, place = var.type.domain, frame.place(var)
        if id(domain) not in bases:
            bases[id(domain)] = places
            places += -(-domain.size // 64)
        for slot in range(2):
            for unit in range(place.cell.count):
                offset, size = place.offset + slot * place.stride + 8 * unit, min(64, domain.size - 64 * unit)
                bits = -1 if size == 64 else (1 << size) - 1
                owned.append((slot, offset // 8, offset % 8 * 8, bits, bases[id(domain)] + unit))
    if not owned:
        return None
    kind = codes.fields[0]
    named = [(0, kind.shift, kind.mask, kind.low, 0)]
    for schema in program.schemas:
        for field, param in zip(codes.fields[2:], schema.params, strict=False):
            t = param.local.type
            if isinstance(t, n.ElemT) and id(t.domain) in bases:
                named.append((schema.index, field.shift, field.mask, field.low, bases[id(t.domain)]))
    return Captures(c.NEVER, np.array(named, dtype=np.int64), np.array(owned, dtype=np.int64), places)


def _how(native: Native, tables: Captures) -> int:
    """Counts captures in positions of random games, and decides."""
    found = random_positions(native, POSITIONS, PLIES)
    blocks = np.vstack([found.room[: found.kept], found.room[:1]])  # the last row is that after a move
    asked = np.array(found.rules.entries("legal", "after", "seat"), dtype=np.int64)
    counts = np.zeros(5, dtype=np.int64)
    codes, rival = np.zeros(ROOM, dtype=np.int64), np.zeros(tables.places, dtype=np.int64)
    count_captures(asked, (tables.named, tables.owned), blocks, codes, rival, counts, found.mark)
    moves, taken, naming, both, mixed = counts.tolist()
    if found.is_faulty or not 0 < taken <= MOST_CAPTURES * moves:
        return c.NEVER
    if both >= NAMED * taken and both >= NAMED * naming:
        return c.BY_NAME
    if mixed == 0:
        return c.ALL_OR_NONE
    return c.BY_MAKING if moves <= MOST_ACTIONS * (len(blocks) - 1) else c.NEVER


@kernel
def count_captures(
    entry: Words, tables: tuple[Words, Words], blocks: Words, codes: Words, rival: Words, counts: Words, mark: int
) -> None:
    """Makes every move from all positions but the last, whose row is overwritten, and fills in ``counts``."""
    named, owned = tables
    last, size = blocks.shape[0] - 1, blocks.shape[1] * 8
    out = blocks.ctypes.data + last * size
    before = peek(mark) if mark != 0 else 0
    for i in range(last):
        s = blocks.ctypes.data + i * size
        other = 1 - call2(entry[3], entry[0], s)
        look(owned, blocks, i, other, rival)
        had, all_taken = pieces(owned, blocks, i, other), 0
        moves = min(call5(entry[1], entry[0], s, -1, codes.ctypes.data, codes.shape[0]), codes.shape[0])
        for j in range(moves):
            if call4(entry[2], entry[0], s, out, codes[j]) < 0:
                continue
            if mark != 0:
                poke(mark, before)
            takes, names = pieces(owned, blocks, last, other) < had, names_any(named, rival, codes[j])
            counts[MOVES] += 1
            counts[TAKEN] += takes
            counts[NAMING] += names
            counts[BOTH] += takes and names
            all_taken += takes
        counts[MIXED] += 0 < all_taken < moves
