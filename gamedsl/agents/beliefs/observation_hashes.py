"""What the seats see of a block of compiled rules: tables, and the kernels that read a block with them.

A *view* is everything that a seat sees of the values; of a *stop* it sees where the game stands, who acts, and its
own choices. Both are represented by 64-bit hashes. The reference is ``engine/information/information_state.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import GAMMA, MoveCodes, Native, Words, call3, call5, kernel, mix64, peek, peek_half, poke
from gamedsl.engine import Game, HiddenReads
from gamedsl.language.core import nodes as n

# indices into ``entry``: the context and the addresses of the entry points
CONTEXT, LEGAL, STEP, WEIGHT, ACTORS, RETURNS, PLAYOUT, SEAT, COUNT = range(9)
# indices into ``shape``: words of a block, offset of the open choices and their number, most codes, words of a code, players
SIZE, PENDING, MOVERS, CAPACITY, CODE_WORDS, PLAYERS = range(6)
# columns of ``blocks``; ORIGIN is -1 at an observation point
KIND, PLACE, ORIGIN = range(3)
# columns of ``shown``: the place of a slot and its size in bytes; the place of its viewers, and their size in bits; its
# owner
AT, BYTES, VIEWERS, VIEWER_BITS, OWNER = range(5)
# columns of ``stops``; MENU_HASH is 0 if the actions do not follow from the values that a player sees
PLACE_HASH, MENU_HASH = range(2)
# the entry points in this order; those of a program with observation points are the first ones
ENTRIES = ("legal", "step", "weight", "actors", "returns", "playout", "seat", "count")
OBSERVING = ENTRIES[:4]
END_KIND, MOVE_KIND, CHOICE_KIND, CHANCE_KIND, TOGETHER_KIND, DRAWING_KIND = range(6)
CODES = 1 << 14  # maximum number of actions at a stop
Hashes = npt.NDArray[np.uint64]
_GAMMA = np.uint64(GAMMA)
_ZERO, _EIGHT = np.uint64(0), np.uint64(8)


class Rules(NamedTuple):
    """Compiled rules.

    ``entry``, ``shape``, ``blocks``, ``stops``, ``shown``: see the indices above; ``masks``: for each seat and word
    of a block, the bits that the seat always sees.
    """

    entry: Words
    shape: Words
    blocks: Words
    stops: Hashes
    masks: Hashes
    shown: Words


class Buffers(NamedTuple):
    """Working memory of one thread: codes of moves, two spare blocks, the seats to act; ``at``: their addresses."""

    codes: Words
    spare: Words
    actors: Words
    at: Words


AT_CODES, AT_SPARE, AT_ACTORS = range(3)


def why_unobservable(game: Game) -> str | None:
    """Returns why the seats' observations cannot be computed from compiled rules; None if they can."""
    program = game.program
    if any(isinstance(v.type, n.DrawingT) for v in program.variables):
        return "players draw, and there are infinitely many drawings"
    hidden = {v.part for v in program.variables if v.role != "temp" and game.secrets.is_hidden(v)}
    parts = hidden | {b.end.part for b in program.blocks if isinstance(b.end, n.DecideTogether)}
    if not all(_sits(program, part) for part in parts):
        return "a ruleset that it plays hides something, and its players change seats"
    return None


def _sits(program: n.Program, part: int) -> bool:
    """Whether every player of a part is played by the program's player of the same number."""
    seats = program.parts[part].seats
    return all(isinstance(s, n.Const) and s.value == i for i, s in enumerate(seats))


def rules_of(game: Game, native: Native, entry: Sequence[int], origin: tuple[int, ...]) -> Rules:
    """Returns the tables of a game.

    ``native``: its compiled rules, with or without observation points. ``entry``: see the indices above.
    """
    frame = native.frame
    words, codes = native.state_size // 8, MoveCodes(game.program).words
    shape = [words, frame.pending, frame.movers, CODES, codes, game.num_players]
    blocks = _blocks(native.program, origin)
    return Rules(
        np.array(entry, np.int64),
        np.array(shape, np.int64),
        blocks,
        _stops(game, native.program, blocks),
        _masks(game, native, words),
        _shown(game, native),
    )


def buffer_sizes(rules: Rules) -> dict[str, int]:
    """Returns the sizes of working memory, by the names in its shapes."""
    shape = rules.shape
    return {
        "codes": CODES * int(shape[CODE_WORDS]),
        "words": int(shape[SIZE]) + 1,
        "actors": max(1, int(shape[MOVERS]), int(shape[PLAYERS])),
    }


def _blocks(program: n.Program, origin: tuple[int, ...]) -> Words:
    places: dict[tuple[int, str, int], int] = {}
    rows = []
    for block, before in zip(program.blocks, origin, strict=True):
        kind = block.end.kind
        place = places.setdefault((kind, block.phase, block.part), len(places))
        rows.append([kind, place, before])
    return np.array(rows, np.int64)


def _stops(game: Game, program: n.Program, blocks: Words) -> Hashes:
    """Returns the hashes of what everybody sees of a stop whatever the values are, and of the actions that may be open
    there.
    """
    known, menus = _knows_actions(game), dict[tuple[object, ...], int]()
    found = np.zeros((len(program.blocks), 2), np.uint64)
    for block in program.blocks:
        found[block.index, PLACE_HASH] = _mixed(int(blocks[block.index, PLACE]))
        menu = _menu(block.end)
        if known and menu is not None:
            found[block.index, MENU_HASH] = _mixed(menus.setdefault(menu, len(menus)))
    return found


def _mixed(number: int) -> Any:
    return mix64(np.uint64(number) + _GAMMA)


def _menu(end: n.Terminator) -> tuple[object, ...] | None:
    """Returns the actions that may be open at a decision, without what follows them; None at other stops."""
    match end:
        case n.Decide():
            return ("move", end.part, *(a.schema for a in end.alternatives), end.may_pass is not None)
        case n.DecideTogether():
            return ("together", end.part, *(a.schema for a in end.alternatives))
        case n.Choose():
            return ("choice", end.part, end.var.index, end.source, end.names)
        case _:
            return None


def _knows_actions(game: Game) -> bool:
    """Whether the legal moves read only values that their player sees."""
    program = game.program
    if HiddenReads(game.secrets).of_moves():
        return False
    read = game.secrets.reads(_conditions(program))
    read |= {i for s in program.schemas if s.forbids for i in game.secrets.read_by(s.effect)}
    return not any(
        v.role == "temp" or isinstance(v.type, n.HistoryT | n.DrawingT) for v in (program.variables[i] for i in read)
    )


def _conditions(program: n.Program) -> Iterator[n.Expr]:
    """Yields the expressions that determine which actions are open."""
    for schema in program.schemas:
        yield from (p.over for p in schema.params)
        yield from (g.condition for g in (*schema.guards, *schema.forbids))
    yield from (b.end.source for b in program.blocks if isinstance(b.end, n.Choose))


def _masks(game: Game, native: Native, words: int) -> Hashes:
    seen = np.zeros((game.num_players, words * 8), np.uint8)
    for var in game.program.variables:
        if var.role == "temp":
            continue
        place = native.frame.place(var)
        for slot in range(var.slots):
            at = place.offset + slot * place.stride
            owner = _owner(game.program, var, slot)
            for seat in range(game.num_players):
                if not game.secrets.is_hidden(var) or owner == seat:
                    seen[seat, at : at + place.stride] = 255
    return seen.view(np.uint64)


def _owner(program: n.Program, var: n.Var, slot: int) -> int:
    """Returns the player in the first key that is a player, if owners see the variable; otherwise -1."""
    players, stride = program.parts[var.part].players, var.slots
    for key in var.keys if var.seen == "owner" else ():
        stride //= max(1, key.size)
        if key == players:
            return slot // stride % players.size
    return -1


def _shown(game: Game, native: Native) -> Words:
    """Returns the slots that are revealed to more than their owners; for the columns see ``AT``."""
    rows = []
    for var in game.program.variables:
        if var.role == "temp" or var.viewers is None or not game.secrets.is_hidden(var):
            continue
        viewers = game.program.variables[var.viewers]
        place, who = native.frame.place(var), native.frame.place(viewers)
        for slot in range(var.slots):
            at = who.offset + slot // (var.slots // viewers.slots) * who.stride
            owner = _owner(game.program, var, slot)
            rows.append([place.offset + slot * place.stride, place.stride, at, who.cell.bits, owner])
    return np.array(rows, np.int64).reshape(len(rows), 5)


# ------------------------------------------------------------------------------------------------------ kernels


@kernel
def view_hash(rules: Rules, state: int, seat: int) -> np.uint64:
    """Returns the hash of all values that the seat sees of a block."""
    return words_hash(rules, state, seat) ^ shown_hash(rules, state, seat)


@kernel
def word_hash(word: int, mask: np.uint64, w: int) -> Any:
    """Returns the hash of some bits of the w-th word of a block."""
    return mix64((np.uint64(word) & mask) + _GAMMA * np.uint64(w + 1))


@kernel
def words_hash(rules: Rules, state: int, seat: int) -> np.uint64:
    """Returns the hash of the values that the seat always sees of a block."""
    found = _GAMMA
    for w in range(rules.shape[SIZE]):
        mask = rules.masks[seat, w]
        if mask != _ZERO:
            found ^= word_hash(peek(state + 8 * w), mask, w)
    return found


@kernel
def update_words_hashes(rules: Rules, states: Words, found: Hashes) -> int:
    """Updates ``found``, the ``words_hash`` of every seat, from the second of two blocks to the first.

    Copies the first block to the second. Returns the set of the seats whose hash has changed.
    """
    changed = 0
    for w in range(rules.shape[SIZE]):
        new, old = states[0, w], states[1, w]
        if new != old:
            states[1, w] = new
            for p in range(rules.shape[PLAYERS]):
                mask = rules.masks[p, w]
                if np.uint64(new ^ old) & mask != _ZERO:
                    found[p] ^= word_hash(old, mask, w) ^ word_hash(new, mask, w)
                    changed |= 1 << p
    return changed


@kernel
def shown_hash(rules: Rules, state: int, seat: int) -> np.uint64:
    """Returns the hash of the values that were revealed to the seat; 0 if there are none."""
    found, place = _ZERO, _ZERO
    for i in range(len(rules.shown)):
        row = rules.shown[i]
        if row[OWNER] == seat or (peek(state + row[VIEWERS]) >> seat) & 1 == 0:
            continue
        left, at = row[BYTES], state + row[AT]
        while left > 0:
            word = np.uint64(peek(at))
            if left < 8:
                word &= (np.uint64(1) << (_EIGHT * np.uint64(left))) - np.uint64(1)
            place += _GAMMA
            found ^= mix64(mix64(word + np.uint64(i)) + place)
            left -= 8
            at += 8
        found = mix64(found + np.uint64(i))
    return found


@kernel
def code_hash(rules: Rules, buffers: Buffers, k: int) -> np.uint64:
    """Returns the hash of the k-th code."""
    found, words = _GAMMA, rules.shape[CODE_WORDS]
    for w in range(words):
        found = mix64(found ^ np.uint64(buffers.codes[k * words + w]))
    return found


@kernel
def actions(rules: Rules, buffers: Buffers, state: int, seat: int) -> int:
    """Writes the codes of the actions of a seat (-1: of the seat that acts first).

    Returns their number, at most the capacity; a negative number after a rules error.
    """
    number = call5(rules.entry[LEGAL], rules.entry[CONTEXT], state, seat, buffers.at[AT_CODES], rules.shape[CAPACITY])
    return int(min(number, rules.shape[CAPACITY]))


@kernel
def acting(rules: Rules, buffers: Buffers, state: int) -> int:
    """Returns the set of the seats that have still to choose."""
    found = 0
    for i in range(call3(rules.entry[ACTORS], rules.entry[CONTEXT], state, buffers.at[AT_ACTORS])):
        found |= 1 << buffers.actors[i]
    return found


@kernel
def is_open(rules: Rules, state: int) -> bool:
    """Whether some, but not all, players have made their simultaneous choice."""
    made = 0
    for m in range(rules.shape[MOVERS]):
        made |= peek(state + rules.shape[PENDING] + 8 * m)
    return made != 0


@kernel
def who_acts(rules: Rules, buffers: Buffers, state: int) -> int:
    """Returns the set of the seats to act; at simultaneous choices all of them, including those that have already
    chosen.
    """
    if not is_open(rules, state):
        return acting(rules, buffers, state)
    spare = buffers.at[AT_SPARE]
    for w in range(rules.shape[SIZE]):
        poke(spare + 8 * w, peek(state + 8 * w))
    for m in range(rules.shape[MOVERS]):
        poke(spare + rules.shape[PENDING] + 8 * m, 0)
    return acting(rules, buffers, spare)


@kernel
def stop_hash(rules: Rules, buffers: Buffers, state: int, seat: int) -> Any:
    """Returns the hash of what a seat sees of a stop besides values."""
    block = peek_half(state)
    kind = rules.blocks[block, KIND]
    seats = who_acts(rules, buffers, state)
    if kind == TOGETHER_KIND and (seats >> seat) & 1 and not (acting(rules, buffers, state) >> seat) & 1:
        seats ^= 1 << seat
    found = mix64(np.uint64(rules.blocks[block, PLACE]) + _GAMMA) ^ mix64(np.uint64(seats))
    if (seats >> seat) & 1 and kind != DRAWING_KIND:
        mine = _ZERO
        for k in range(actions(rules, buffers, state, seat)):
            mine += mix64(code_hash(rules, buffers, k))
        found ^= mix64(mine)
    return found
