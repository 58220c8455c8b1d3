"""What a seat may know of a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gamedsl.engine.errors import RulesError
from gamedsl.engine.facts.variable_names import variable_names
from gamedsl.engine.play.drawing_moves import drawing_text
from gamedsl.engine.stop import codes_of, evaluate_at
from gamedsl.engine.values import History, Value, bits
from gamedsl.language.core import nodes as n
from gamedsl.language.core import told_by_results

if TYPE_CHECKING:
    from gamedsl.engine.state import Choice, State


def known_slots(state: State, var: n.Var, seat: int | None, slots: Sequence[Value] | None = None) -> list[bool]:
    """Per slot of a variable, whether the seat may know it. ``None`` is a spectator. ``slots``: the values of a
    position at this stop, if they differ from the state's."""
    if not state.game.secrets.is_hidden(var, state.block):
        return [True] * var.slots
    known = [False] * var.slots
    if var.seen == "owner" and seat is not None:
        known = [o == seat for o in _seats_of_owners(state, var)]
    if var.viewers is not None:
        shown = _viewed(state, var, seat, state.slots if slots is None else slots)
        known = [a or b for a, b in zip(known, shown, strict=True)]
    return known


def _viewed(state: State, var: n.Var, seat: int | None, slots: Sequence[Value]) -> list[bool]:
    """Per slot, whether it is revealed to the seat. It is revealed to a spectator if it is revealed to everybody."""
    assert var.viewers is not None
    viewers = state.game.program.variables[var.viewers]
    part = state.game.program.parts[var.part]
    everybody = part.players.full
    mine = everybody
    if seat is not None:
        mine = sum(1 << i for i, s in enumerate(part.seats) if evaluate_at(state, s) == seat)
    first, each = state.game.code.offsets[viewers.index], var.slots // viewers.slots
    masks = [int(v) for v in slots[first : first + viewers.slots]]
    return [(m & mine != 0 if seat is not None else m == everybody) for m in masks for _ in range(each)]


def told_slots(end: State, var: n.Var, claims: Sequence[n.MayTell]) -> list[bool]:
    """Per slot of a variable, whether one of these claims says that the result of a game that ended in this state may tell it.
    A condition that fails in this state tells nothing."""
    owners = _owners(end.game.program.parts[var.part], var)
    return [any(_is_told(end, claim, owner) for claim in claims) for owner in owners]


def slots_told_by_result(end: State) -> frozenset[int]:
    """The numbers of the slots that the result of a game that ended in this state may tell everybody."""
    program, offsets = end.game.program, end.game.code.offsets
    return frozenset(
        slot
        for index, claims in told_by_results(program).items()
        for slot, is_told in enumerate(told_slots(end, program.variables[index], claims), offsets[index])
        if is_told
    )


def _is_told(end: State, claim: n.MayTell, owner: int | None) -> bool:
    if claim.when is None:
        return True
    known = {claim.owner.id: owner} if claim.owner and owner is not None else None
    try:
        return bool(evaluate_at(end, claim.when, known))
    except RulesError:
        return False


def _seats_of_owners(state: State, var: n.Var) -> list[int | None]:
    """Per slot, the seat it belongs to; None if it belongs to nobody."""
    part = state.game.program.parts[var.part]
    seats = [evaluate_at(state, seat) for seat in part.seats]
    return [None if owner is None else seats[owner] for owner in _owners(part, var)]


def _owners(part: n.Part, var: n.Var) -> list[int | None]:
    """Per slot, the player of the part it belongs to: the one named by the first key that is a player; None if there is no
    such key."""
    at = next((i for i, k in enumerate(var.keys) if k == part.players), None)
    if at is None:
        return [None] * var.slots
    stride = var.slots
    for k in var.keys[: at + 1]:
        stride //= max(1, k.size)
    return [slot // stride % part.players.size for slot in range(var.slots)]


def own_choices(state: State, player: int) -> tuple[Choice, ...]:
    """The pending secret choices of a player."""
    if not isinstance(state.terminator, n.DecideTogether):
        return ()
    seats = state.game.code.blocks[state.block].queries["seats"](state.slots)
    return tuple(c for c in state.pending if seats[c[0]] == player)


def plain_value(var: n.Var, value: Value) -> Any:
    """A slot's value in a form that JSON can hold."""
    match var.type:
        case n.StackT():
            return list(value)
        case n.HistoryT():
            assert isinstance(value, History)
            return [[list(position), count] for position, count in value.items()]
        case n.DrawingT():
            return drawing_text(value)
        case _:
            return int(value)


def visible_values(state: State, seat: int | None, slots: Sequence[Value] | None = None) -> list[tuple[Any] | None]:
    """Per slot of all variables: the value in a tuple, or None if the seat may not know it or it belongs to a helper
    variable. ``slots`` as for ``known_slots``."""
    found: list[tuple[Any] | None] = []
    values = state.slots if slots is None else slots
    for var in state.game.program.variables:
        mine = values[len(found) : len(found) + var.slots]
        known = [False] * var.slots if var.role == "temp" else known_slots(state, var, seat, slots)
        found += [(v,) if ok else None for v, ok in zip(mine, known, strict=True)]
    return found


def observation(state: State, player: int) -> dict[str, Any]:
    """Everything a seat may know: the phase and part, who may act, the visible values (None for hidden ones), the
    outcome, and its own pending choices. Nothing depends on the secret choices of others, not even on whether they have
    been made."""
    seen: dict[str, Any] = {}
    for var, name in zip(state.game.program.variables, variable_names(state.game.program), strict=True):
        if var.role in ("temp", "viewers"):
            continue
        flags = known_slots(state, var, player)
        values = [plain_value(var, v) if ok else None for v, ok in zip(codes_of(state, var), flags, strict=True)]
        seen[name] = values if var.keys else values[0]
    mine = own_choices(state, player)
    end = state.terminator
    choices = []
    if isinstance(end, n.DecideTogether):
        game = state.game
        choices = [game.notation.move_text(end.alternatives[i].schema, args) for _, i, args in mine]
    return {
        "player": player,
        "kind": state.kind,
        "phase": state.phase,
        "part": state.part,
        "to_act": seats_to_act(state, player),
        "own_choice": choices,
        "variables": seen,
        "returns": [str(r) for r in state.returns],
        "outcome": state.outcome_text,
    }


def seats_to_act(state: State, seat: int | None) -> list[int]:
    """The seats that must act, as ``seat`` sees it: at a simultaneous choice, all others count as still choosing."""
    if state.kind != "together":
        return list(state.to_act)
    movers = state.game.code.blocks[state.block].queries
    seats = movers["seats"](state.slots)
    everybody = dict.fromkeys(seats[m] for m in bits(movers["movers"](state.slots)))
    return [p for p in everybody if p != seat or p in state.to_act]
