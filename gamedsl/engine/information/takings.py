"""The pieces of others that plies have taken from the board, read from the positions before and after."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from gamedsl.engine.play.actions import mover_of
from gamedsl.engine.stop import codes_of
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import State


@lazy_dataclass(frozen=True)
class Taking:
    """Pieces that a player has taken: the ``variable`` and ``slot`` that held them, and the player of the part (``taker``)."""

    variable: int
    slot: int
    taker: int
    count: int = 1


def takings_after(taken: Iterable[Taking], before: State, move: Move, after: State) -> tuple[Taking, ...]:
    """What has been taken after a ply. Pieces that change their owner where they stand are not taken. Of pieces that are
    on the board from the start, those that come back to it are taken off again. Of kinds of pieces that the rules remove, too,
    only those are taken that the move removes itself. Empty where the rules hide anything."""
    program = before.game.program
    entered = {v.index for v in program.variables if v.part in after.entered}
    found = {(t.variable, t.slot, t.taker): t for t in taken if t.variable not in entered}
    if before.game.secrets.hides or move.kind == "chance" or before.kind != "player":
        return tuple(found.values())
    mover = mover_of(before.whole, move.player)
    end = next((one.last for one in after.ended if one.part == before.part), None)
    part = program.parts[before.part]
    if mover is None or (end is None and before.part in after.entered):
        return tuple(found.values())
    for var in piece_kinds(program, part):
        named = before.game.named_takings.get(var.index)
        changes = _changes(before, end or after, var, mover) if named is None else _named(named, move, mover)
        for slot, change in enumerate(changes):
            key = (var.index, slot, mover)
            if change > 0:
                found[key] = (
                    replace(found[key], count=found[key].count + change) if key in found else Taking(*key, change)
                )
            elif change < 0:
                _give_back(found, var.index, slot, -change)
    return tuple(t for t in found.values() if t.count)


def piece_kinds(program: n.Program, part: n.Part) -> list[n.Var]:
    """The kinds of pieces of a part that players own and can take from each other. None where stacks keep what is covered:
    a piece that disappears may be under another."""
    own = [v for v in program.variables if v.part == part.index]
    places = () if part.board is None else part.board.domains.values()
    if any(isinstance(v.type, n.StackT) and v.keys and v.keys[-1] in places for v in own):
        return []
    return [v for v in own if v.role == "piece" and v.keys == (part.players,)]


def _named(named: dict[int, int], move: Move, mover: int) -> list[int]:
    count = named.get(move.schema, 0) if move.kind == "move" and move.schema is not None else 0
    return [0 if slot == mover else count for slot in range(2)]


def _changes(before: State, after: State, var: n.Var, mover: int) -> list[int]:
    """Per owner how many pieces the ply has taken; negative: how many have come back to the board."""
    old, new = _sets(before, var), _sets(after, var)
    counts = [b - a for a, b in zip(_counts(before, var, old), _counts(after, var, new), strict=True)]
    own = max(0, counts[mover])
    returning = max(counts) > 0 and any(_sets(before.game.initial_state(), var))
    found = []
    for slot, change in enumerate(counts):
        if slot == mover or change >= 0:
            found.append(-change if returning and change > 0 else 0)
            continue
        turned = min(own, (old[slot] & ~new[slot] & new[mover]).bit_count())
        found.append(max(0, -change - turned))
    return found


def _sets(state: State, var: n.Var) -> list[int]:
    return [int(code) for code in codes_of(state, var)]


def _counts(state: State, var: n.Var, sets: list[int]) -> list[int]:
    """Per owner the number of pieces on these places, those in stacks included."""
    above = state.game.variable(f"{var.name} above", var.part)
    if above is None:
        return [places.bit_count() for places in sets]
    size, heights = above.slots // var.slots, codes_of(state, above)
    return [
        sum(int(heights[slot * size + i]) + 1 for i in range(size) if places >> i & 1)
        for slot, places in enumerate(sets)
    ]


def _give_back(found: dict[tuple[int, int, int], Taking], variable: int, slot: int, count: int) -> None:
    """Takes pieces of a kind that came back from what has been taken: first of the same owner, then of others."""
    keys = sorted((k for k in found if k[0] == variable), key=lambda k: k[1] != slot)
    for key in keys:
        less = min(count, found[key].count)
        found[key] = replace(found[key], count=found[key].count - less)
        count -= less
