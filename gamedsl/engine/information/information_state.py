"""Information states with perfect recall: everything a seat has seen and done, in order.

An information state is a list of entries, one for every difference that the seat could notice:

- what it saw at the beginning;
- its own moves;
- if the rules hide nothing: all other moves, simultaneous ones once all have chosen;
- if they hide something: every change of what the seat sees, right after the effect of a ply and at the next stop, as
  ``known_slots`` decides it, and the actions it may choose from. What a seat is told of a ply follows from these.

A ply that the seat cannot notice adds nothing, because even the number of attempts would reveal something.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.facts.variable_names import variable_names
from gamedsl.engine.information.observation import seats_to_act, visible_values
from gamedsl.engine.information.plies import moves_made, seen_in_passing
from gamedsl.engine.notation import value_names
from gamedsl.engine.noticed import InformationState, Noticed, Seen, extended_key
from gamedsl.engine.play.history import last_move, steps
from gamedsl.engine.state import State
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import Game

Looked: TypeAlias = tuple[
    list[Noticed], Seen, tuple[Any, ...]
]  # the new entries, the values seen now, and the place seen now


def information_state(state: State, seat: int | None) -> InformationState:
    """The information state of a seat: what it has seen and done since the history of a state began."""
    name = "information", seat
    later: list[tuple[State, Move | None]] = []
    at = state
    while name not in at.cache and at.previous is not None:
        later.append((at, last_move(at)))
        at = at.previous
    if name not in at.cache:
        first, *others = steps(at)
        at, later = first[0], [*later, *reversed(others)]
        at.cache.setdefault(name, _known_at_first(at, seat))
    known: InformationState = at.cache[name]
    for after, move in reversed(later):
        assert move is not None
        known = after.cache[name] = _Look(at, move, after, seat).learned(known)
        at = after
    return known


def _known_at_first(state: State, seat: int | None) -> InformationState:
    entries, seen, place = _beginning(state, seat)
    return InformationState(seat, extended_key(state.game.digest, entries), tuple(entries), seen, place, None)


def first_entries(state: State, seat: int | None) -> list[Noticed]:
    """The entries for what a seat sees where a history begins."""
    return _beginning(state, seat)[0]


def new_entries(before: State, move: Move, after: State, seat: int | None) -> list[Noticed]:
    """The entries for what a seat notices of a ply. They depend on these two states and not on the rest of the history,
    because everything that the seat saw at the last stop follows from ``before``. The information state after the ply
    is the one before it with these entries added."""
    watch, hides = _Look(before, move, after, seat), before.game.secrets.hides
    return watch.entries(_seen_at(before, seat) if hides else [], _place_at(before, seat) if hides else ())[0]


def key_after(before: str, entry: Noticed) -> str:
    """The key of an information state with one more entry. ``before``: its key; the game's digest if it has no
    entries."""
    return extended_key(before, [entry])


def _beginning(state: State, seat: int | None) -> Looked:
    return _at_stop(state, seat, [None] * len(state.slots), ())


def _at_stop(state: State, seat: int | None, seen: Seen, place: tuple[Any, ...]) -> Looked:
    """The new entries at a stop for a seat that has seen this much, with the values and the place it sees there."""
    now, here = _seen_at(state, seat), _place_at(state, seat)
    entries = _changes(state.game, seen, now)
    if here != place:
        entries.append(Noticed(("place", here), _place_line(state, here)))
    return entries, now, here


def _seen_at(state: State, seat: int | None) -> Seen:
    """The values that a seat sees at a stop. The state keeps them, since several plies may begin and end there."""
    name = ("seen", seat)
    if name not in state.cache:
        state.cache[name] = visible_values(state, seat)
    found: Seen = state.cache[name]
    return found


def _place_at(state: State, seat: int | None) -> tuple[Any, ...]:
    """What a seat sees of a stop besides values: its kind, phase and part, who acts, its own choices, and the
    outcome."""
    name = ("place", seat)
    if name not in state.cache:
        state.cache[name] = _place(state, seat)
    found: tuple[Any, ...] = state.cache[name]
    return found


def _place(state: State, seat: int | None) -> tuple[Any, ...]:
    acting = tuple(seats_to_act(state, seat))
    mine: tuple[int, ...] = ()
    if seat in acting and state.kind != "drawing" and state.game.secrets.hides:
        mine = tuple(state.legal_actions(seat))
    return state.kind, state.phase, state.part, acting, mine, state.returns, state.outcome_text


def _place_line(state: State, place: tuple[Any, ...]) -> str:
    _, phase, part, acting, mine, returns, outcome = place
    if state.is_terminal:
        return f"the end: {outcome} ({', '.join(map(str, returns))})"
    who = ", ".join(state.game.players[p] for p in acting) or "chance"
    where = "".join(f" ({name})" for name in (phase, state.game.program.parts[part].name if part else "") if name)
    choices = f": {' | '.join(map(state.game.action_text, mine))}" if mine else ""
    return f"to act: {who}{where}{choices}"


def _changes(game: Game, seen: Seen, now: Seen) -> list[Noticed]:
    """The entry for values that look different now; no entry if none do."""
    changed = [i for i, (a, b) in enumerate(zip(seen, now, strict=True)) if a != b]
    if not changed:
        return []
    labels = slot_labels(game)
    words = ", ".join(value_words(*labels[i], now[i]) for i in changed)
    return [Noticed(("seen", tuple((i, now[i]) for i in changed)), f"seen: {words}")]


@lru_cache(maxsize=8)
def slot_labels(game: Game) -> tuple[tuple[str, n.Var], ...]:
    """The name of every slot, with its variable."""
    found: list[tuple[str, n.Var]] = []
    for var, name in zip(game.program.variables, variable_names(game.program), strict=True):
        keys = [""]
        for domain in var.keys:
            keys = [f"{k}, {one}" if k else one for k in keys for one in domain.names]
        found += [(f"{name}[{k}]" if k else name, var) for k in keys]
    return tuple(found)


def value_words(label: str, var: n.Var, value: tuple[Any] | None) -> str:
    return f"{label} = {'?' if value is None else _words(var.type, value[0])}"


def _words(t: n.VarT, value: Any) -> str:
    """A value in words: ``king``, ``3``, ``yes``, ``-`` for none, ``{a1, b2}`` for a set, ``[a, b]`` for a stack."""
    match t:
        case n.SetT(domain):
            return f"{{{', '.join(domain.set_names(value))}}}"
        case n.StackT(inner):
            return f"[{', '.join(_words(inner, v) for v in value)}]"
        case n.HistoryT() | n.DrawingT():
            return str(value)
        case _:
            index: int = value - offset(t)
            return value_names(t)[index]


class _Look:
    """A seat that watches a ply."""

    def __init__(self, before: State, move: Move, after: State, seat: int | None) -> None:
        self.before, self.move, self.after, self.seat = before, move, after, seat
        self.game = before.game

    def learned(self, known: InformationState) -> InformationState:
        """The information state after the ply."""
        return known.plus(*self.entries(known.seen, known.place))

    def entries(self, seen: Seen, place: tuple[Any, ...]) -> Looked:
        """The new entries after the ply for a seat that saw this much before it, with the values and the place it sees
        now."""
        entries: list[Noticed] = []
        if self.move.player is not None and self.move.player == self.seat:
            entries.append(Noticed(("own", self.move.text), f"you: {self.move}", self.move))
        if not self.game.secrets.hides:
            return [*entries, *self._told()], seen, place
        for glimpse in self._glimpses():
            entries += _changes(self.game, seen, glimpse)
            seen = glimpse
        if isinstance(self.before.terminator, n.DecideDrawing) and not entries:
            entries.append(Noticed(("drawn", self.move.text), f"{self._who(self.move)}: {self.move}"))
        found, seen, place = _at_stop(self.after, self.seat, seen, place)
        return [*entries, *found], seen, place

    def _who(self, move: Move) -> str:
        return "chance" if move.player is None else self.game.players[move.player]

    def _told(self) -> Iterator[Noticed]:
        """The moves that become known, if the rules hide nothing except choices that are still open."""
        moves = [] if self.after.pending else moves_made(self.before, self.move)
        for move in moves:
            if len(moves) > 1 or move.player is None or move.player != self.seat:
                yield Noticed(("told", move.player, move.text), f"{self._who(move)}: {move}", move)

    def _glimpses(self) -> list[Seen]:
        """What the seat sees right after the effect of every move, such as cards that lie on the table for a moment."""
        if self.after.pending:
            return []
        stop = self.game.make_state(self.before.block, self.before.slots)
        return seen_in_passing(stop, moves_made(self.before, self.move), self.seat)
