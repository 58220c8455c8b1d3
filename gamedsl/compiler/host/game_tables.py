"""The tables of a game for code that writes observations and steps lanes: the numbers of actions, and the places of the
entries of an observation in the memory of a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gamedsl.compiler.emit.lanes.lane_tables import MOST_BITS, NOBODY, LaneTables, SlotCoding, Slots
from gamedsl.compiler.host.action_numbers import action_numbers
from gamedsl.engine import Feature, is_in_digits, places, stop_kinds
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.compiler.host.compiled_game import CompiledGame


def why_not_observed(game: CompiledGame) -> str | None:
    """The reason why compiled code cannot write the observations of a game, or None if it can."""
    if any(isinstance(v.type, n.DrawingT) for v in game.program.variables):
        return "players draw, and drawings have no numbers"
    if any(is_in_digits(f) for f in game.observation_layout.features):
        return "it has numbers of more than 24 bits"
    if any(not _sits(game.program, part) for part in _parts_with_secrets(game)):
        return "a ruleset that it plays hides something, and its players change seats"
    return None


def _parts_with_secrets(game: CompiledGame) -> set[int]:
    """The parts with hidden variables or simultaneous choices."""
    ends = [b.end for b in game.program.blocks]
    hidden = {v.part for v in game.program.variables if v.role != "temp" and game.secrets.is_hidden(v)}
    return hidden | {e.part for e in ends if isinstance(e, n.DecideTogether)}


def _sits(program: n.Program, part: int) -> bool:
    """Whether every player of a part is played by the program's player of the same number."""
    seats = program.parts[part].seats
    return all(isinstance(s, n.Const) and s.value == i for i, s in enumerate(seats))


def tables_of(game: CompiledGame) -> LaneTables:
    """The tables of a game."""
    layout = game.observation_layout
    firsts = {f.name: f.first for f in layout.features if f.variable is None}
    kinds, where = stop_kinds(game), places(game)
    blocks = zip(game.program.blocks, game.kinds, strict=True)
    return LaneTables(
        players=game.num_players,
        actions=game.num_actions,
        observed=layout.size,
        numbers=action_numbers(game, -(-game.num_actions // 64) if game.num_actions <= MOST_BITS else 0),
        stops=tuple((kinds.index(kind), where.index((b.phase, b.part))) for b, kind in blocks),
        slots=tuple(_of_feature(game, f) for f in layout.features if f.variable is not None),
        to_act=firsts["to act"],
        kind=firsts["kind"],
        phase=firsts.get("phase", -1),
        won=firsts["won"],
        returns=firsts["returns"],
        scores=firsts.get("scores", -1),
    )


# ---------------------------------------------------------------------------------------------------- observations


def _of_feature(game: CompiledGame, f: Feature) -> Slots:
    """The slots of a feature's variable, for writing them."""
    assert f.variable is not None
    var = game.program.variables[f.variable]
    place, size = game.native.frame.place(var), f.shape[-1] if f.coding == "members" else 0
    cell, owners, viewers = place.cell, _owners(game, var), _viewers(game, var)
    stacked = f.coding in ("items", "item numbers")
    return Slots(
        coding=cast(SlotCoding, "number" if f.coding == "height" else f.coding),
        count=var.slots,
        at=place.offset,
        at_step=place.stride,
        first=f.first,
        first_step=size or 1,
        bits=place.height_bits if stacked or f.coding == "height" else cell.bits,
        low=0 if f.coding == "height" else cell.low,
        stride=var.slots,
        size=f.shape[1] if f.coding == "items" else size,
        items=place.items,
        item_bits=cell.bits,
        owners=owners,
        viewers=viewers,
        viewer_bits=0
        if var.viewers is None
        else game.native.frame.place(game.program.variables[var.viewers]).cell.bits,
        everybody=game.program.parts[var.part].players.full,
    )


def _owners(game: CompiledGame, var: n.Var) -> tuple[int, ...]:
    """Per slot, the player who always sees it; empty if everybody does."""
    if not game.secrets.is_hidden(var):
        return ()
    return tuple(_owner(var, slot, game.program) if var.seen == "owner" else NOBODY for slot in range(var.slots))


def _owner(var: n.Var, slot: int, program: n.Program) -> int:
    """The player of a slot's first key that is a player; ``NOBODY`` if there is none."""
    players, stride = program.parts[var.part].players, var.slots
    for key in var.keys:
        stride //= max(1, key.size)
        if key == players:
            return slot // stride % players.size
    return NOBODY


def _viewers(game: CompiledGame, var: n.Var) -> tuple[int, ...]:
    """Per slot, the offset of the set of its viewers, or -1."""
    if var.viewers is None:
        return (-1,) * var.slots
    viewers = game.program.variables[var.viewers]
    place, share = game.native.frame.place(viewers), var.slots // viewers.slots
    return tuple(place.offset + slot // share * place.stride for slot in range(var.slots))
