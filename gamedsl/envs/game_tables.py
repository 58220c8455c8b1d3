"""The tables of a game for the lane kernel: how codes of moves become numbers of actions, and where the entries of an
observation are in a block of memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gamedsl.core.nodes import Chance, Choose, Const, DecideTogether, DrawingT, Program, Var
from gamedsl.engine import ActionKind, Feature, chance_text, is_in_digits, places, stop_kinds
from gamedsl.envs import lane_memory as k
from gamedsl.native import KINDS, MoveCodes, NativeGame, Words

MOST_ACTIONS = 1 << 24
MOST_WORDS = 2  # of a code
CODINGS = {
    "number": k.NUMBER, "height": k.NUMBER, "one-hot": k.ONE_HOT, "members": k.MEMBERS, "items": k.ITEMS_ONE_HOT,
    "item numbers": k.ITEM_NUMBERS, "known": k.KNOWN,
}  # fmt: skip
ENTRIES = ("legal", "after", "weight", "payoffs", "actors")


def why_not_vectorized(game: NativeGame) -> str | None:
    """Why a game cannot be played in lanes, or None if it can."""
    program = game.program
    if any(isinstance(v.type, DrawingT) for v in program.variables):
        return "players draw, and drawings have no numbers"
    if game.num_player_actions == 0:
        return "no player decides anything"
    if game.num_actions > MOST_ACTIONS:
        return f"it has {game.num_actions:,} actions, and masks hold up to {MOST_ACTIONS:,}"
    if game.code_words > MOST_WORDS:
        return "its moves have too many parameters"
    if any(is_in_digits(f) for f in game.observation_layout.features):
        return "it has numbers of more than 24 bits"
    if any(not _sits(program, part) for part in _parts_with_secrets(game)):
        return "a ruleset within it hides something, and its players change seats"
    return None


def _parts_with_secrets(game: NativeGame) -> set[int]:
    """The parts with hidden variables or simultaneous choices."""
    ends = [b.end for b in game.program.blocks]
    hidden = {v.part for v in game.program.variables if v.role != "temp" and game.secrets.is_hidden(v)}
    return hidden | {e.part for e in ends if isinstance(e, DecideTogether)}


def _sits(program: Program, part: int) -> bool:
    """Is every player of a part played by the program's player of the same number?"""
    seats = program.parts[part].seats
    return all(isinstance(s, Const) and s.value == i for i, s in enumerate(seats))


def rules_of(game: NativeGame, random: set[int], chance_inside: bool, initial: Words) -> k.Rules:
    """The tables of a game. ``random``: the players that are played inside."""
    codes = MoveCodes(game.program)
    entry = [game.native.address(name) for name in ENTRIES]
    fields = [[f.low, f.word, f.shift, f.mask] for f in codes.fields]
    inside = [int(p in random) for p in range(game.num_players)]
    return k.Rules(
        np.array(entry, np.int64), _shape(game, codes, chance_inside, len(initial)), _kinds(game), _named(game),
        np.array(fields, np.int64), _blocks(game), _slots(game), np.array(inside, np.int64), initial,
    )  # fmt: skip


def _shape(game: NativeGame, codes: MoveCodes, chance_inside: bool, size: int) -> Words:
    frame, layout = game.native.frame, game.observation_layout
    firsts = {f.name: f.first for f in layout.features if f.variable is None}
    passing = next((kind.first for kind in game.action_kinds if kind.kind == "pass"), -1)
    return np.array(
        [
            codes.words, passing, int(chance_inside), game.num_players, frame.pending, frame.movers, size,
            firsts["to act"], firsts["kind"], firsts.get("phase", -1),
        ],
        np.int64,
    )  # fmt: skip


def _kinds(game: NativeGame) -> Words:
    """Per schema: the first number, the number of parameters, then low and stride of each."""
    longest = max((len(kind.parameters) for kind in game.action_kinds), default=0)
    table = np.zeros((max(1, len(game.program.schemas)), 2 + 2 * max(1, longest)), np.int64)
    for kind in game.action_kinds:
        if kind.schema is not None:
            row = [kind.first, len(kind.parameters), *(x for pair in _strides(kind) for x in pair)]
            table[kind.schema, : len(row)] = row
    return table


def _strides(kind: ActionKind) -> Iterator[tuple[int, int]]:
    stride = kind.size
    for p in kind.parameters:
        stride //= max(1, p.size)
        yield p.low, stride


def _named(game: NativeGame) -> Words:
    """Per block: the numbers of the values or outcomes of its stop."""
    ends = [b.end for b in game.program.blocks]
    longest = max((len(e.names) for e in ends if isinstance(e, Choose | Chance)), default=1)
    table = np.zeros((len(ends), max(1, longest)), np.int64)
    for i, end in enumerate(ends):
        match end:
            case Choose(names=names):
                table[i, : len(names)] = _numbers(game, "choose", [game.notation.choice_text(n) for n in names])
            case Chance(names=names, what=what):
                table[i, : len(names)] = _numbers(game, "chance", [chance_text(what, n) for n in names])
            case _:
                pass
    return table


def _numbers(game: NativeGame, kind: str, texts: list[str]) -> list[int]:
    of_text = {t: a.first + i for a in game.action_kinds if a.kind == kind for i, t in enumerate(a.parameters[0].names)}
    return [of_text[t] for t in texts]


def _blocks(game: NativeGame) -> Words:
    kinds, where = stop_kinds(game), places(game)
    rows = [
        [KINDS.get(type(b.end), 0), kinds.index(kind), where.index((b.phase, b.part))]
        for b, kind in zip(game.program.blocks, game.kinds, strict=True)
    ]
    return np.array(rows, np.int64)


# ---------------------------------------------------------------------------------------------------- observations


def _slots(game: NativeGame) -> Words:
    rows = [row for f in game.observation_layout.features if f.variable is not None for row in _of_feature(game, f)]
    return np.array(rows, np.int64).reshape(len(rows), k.SEEN + 1)


def _of_feature(game: NativeGame, f: Feature) -> Iterator[list[int]]:
    """A row for every slot of the variable of a feature."""
    assert f.variable is not None
    var = game.program.variables[f.variable]
    place, cell = game.native.frame.place(var), game.native.frame.place(var).cell
    for slot, sight in zip(range(var.slots), _sights(game, var), strict=True):
        at, coding = place.offset + slot * place.stride, CODINGS[f.coding]
        bits, units, low, first, values = cell.bits, cell.count, cell.low, f.first + slot, 0
        match f.coding:
            case "members":
                first = f.first + slot * f.shape[-1]
            case "height":
                bits, low = place.height_bits, 0
            case "items" | "item numbers":
                bits, units, values = place.height_bits, cell.bits, f.shape[1] if f.coding == "items" else 0
            case _:
                pass
        yield [coding, at, bits, units, low, first, var.slots, values, *sight[:4], place.items, sight[4]]


def _sights(game: NativeGame, var: Var) -> Iterator[tuple[int, int, int, int, int]]:
    """Per slot: the owner, where its viewers are, all viewers, and whether everybody sees it."""
    if not game.secrets.is_hidden(var):
        yield from [(-2, -1, 0, 0, 1)] * var.slots
        return
    players = game.program.parts[var.part].players
    for slot in range(var.slots):
        owner = _owner(var, slot, game.program) if var.seen == "owner" else -2
        if var.viewers is None:
            yield owner, -1, 0, 0, 0
            continue
        viewers = game.program.variables[var.viewers]
        place = game.native.frame.place(viewers)
        at = place.offset + slot // (var.slots // viewers.slots) * place.stride
        yield owner, at, place.cell.bits, players.full, 0


def _owner(var: Var, slot: int, program: Program) -> int:
    """The player of the first key that is a player; -2 if there is none."""
    players, stride = program.parts[var.part].players, var.slots
    for key in var.keys:
        stride //= max(1, key.size)
        if key == players:
            return slot // stride % players.size
    return -2
