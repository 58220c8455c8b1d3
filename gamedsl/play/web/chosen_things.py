"""Kinds of moves that choose among things by a yes or no for each: which dice are thrown again, which cards are exchanged."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine import codes_of
from gamedsl.engine.picture import holdings
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine import ActionKind, Game, State

Json: TypeAlias = dict[str, Any]
MOST_PLIES = 60  # of a playout that looks for a position in which such a move is legal
MOST_CHANCES = 3  # decisions of chance after a move


def chosen_things(game: Game, kind: ActionKind) -> Json | None:
    """The holding among whose places a kind of move chooses, and per parameter its place. A parameter stands for a place if the
    move that says yes to it alone changes that place and no other; this is tried in one position. None for other kinds."""
    schema = None if kind.schema is None else game.program.schemas[kind.schema]
    types = [p.local.type for p in schema.params] if schema else []
    if len(types) < 2 or not all(_is_yes_or_no(t) for t in types):
        return None
    singles = [kind.first + (1 << i) for i in reversed(range(len(types)))]
    fitting = [(i, h.var) for i, h in enumerate(holdings(game)) if h.form == "one" and h.var.slots == len(types)]
    state = _first_with(game, singles) if fitting else None
    if state is None:
        return None
    for number, var in fitting:
        found = [_changed(state, state.apply_action(single), var) for single in singles]
        if all(len(one) == 1 for one in found) and len(set.union(*found)) == len(found):
            return {"holding": number, "places": [one.pop() for one in found]}
    return None


def _is_yes_or_no(t: n.ValueT) -> bool:
    is_number = isinstance(t, n.ElemT) and t.domain.names == ("0", "1")
    return is_number or isinstance(t, n.BoolT) or t == n.IntT(0, 1)


def _first_with(game: Game, actions: list[int]) -> State | None:
    """A position of a playout in which one player chooses and all these actions are legal."""
    state, rng = game.initial_state(), Random(1)
    for _ in range(MOST_PLIES):
        if state.is_terminal or state.kind == "drawing":
            return None
        if state.kind == "player" and set(actions) <= set(state.legal_actions()):
            return state
        state = state.apply(state.propose(rng))
    return None


def _changed(before: State, after: State, var: n.Var, left: int = MOST_CHANCES) -> set[int]:
    """The places whose value differs, whatever chance decides next."""
    if after.kind == "chance" and left:
        outcomes = (after.apply(move) for move, _ in after.chance_outcomes())
        return set().union(*(_changed(before, one, var, left - 1) for one in outcomes))
    return {i for i, (a, b) in enumerate(zip(codes_of(before, var), codes_of(after, var), strict=True)) if a != b}
