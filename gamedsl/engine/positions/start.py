"""The place of a position and what the rules do from there: the values that it names, those that it must name, and the
state to which they lead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gamedsl.engine.beginning import remember_beginning
from gamedsl.engine.positions.names import unique_names
from gamedsl.engine.positions.noted import this_noted
from gamedsl.engine.positions.places import BEFORE, COMPUTED_BEFORE, Place, places_of, sources
from gamedsl.engine.positions.plain_values import value_text
from gamedsl.engine.positions.refused import refusal, unfit
from gamedsl.engine.positions.setting import Slots, with_slots
from gamedsl.engine.saved_past import Beginning, Turns
from gamedsl.engine.state import State
from gamedsl.engine.stop import codes_of
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import describe
from gamedsl.language.syntax import Datum

if TYPE_CHECKING:
    from gamedsl.engine.state import Game
    from gamedsl.language.core import nodes as n


class Start:
    """The start of a position at a place. ``named``: the variables that it names, by number, each with its place in the
    text. ``drawn``: the ones that its diagram shows."""

    def __init__(self, game: Game, place: Place, named: dict[int, Datum], drawn: frozenset[int] = frozenset()) -> None:
        self.game = game
        self.named = dict(named)
        self.listed = {i: d for i, d in named.items() if i not in drawn}
        standing = places_of(game).standing(place, self.listed)
        if standing is None:
            waiting = places_of(game).waits_for(place.decision)
            first = next(d for i, d in self.listed.items() if i in waiting)
            raise unfit(first, "the turn computes it in several ways", help="name a later place with `at`")
        self.place = standing
        self.missing = {i: why for i, why in standing.missing.items() if i not in named}
        self.noting = places_of(game).noted_on_the_way(standing)

    def with_values(self, slots: Slots) -> State:
        """The position at the decision, before anything is carried out: with the named values, and default values of
        this place for all others."""
        base = self.game.make_state(self.place.decision, tuple(self.place.slots))
        return with_slots(base, slots)

    def take_turn(self, mover: list[int], datum: Datum) -> None:
        """Notes that it is the turn of this player of the part."""
        var = self.place.mover
        if var is None:
            return
        self.missing.pop(var.index, None)
        if list(self.place.values[var.index]) != mover:
            tied = sources(self.game.program, var) & self.place.live
            self.missing |= {i: COMPUTED_BEFORE for i in tied if i not in self.named}
        self.named.setdefault(var.index, datum)

    def check_missing(self, datum: Datum) -> None:
        """Refuses (E0660) a position that leaves out values that the rules do not compute."""
        if not self.missing:
            return
        names = unique_names(self.game.program)
        reason = next(iter(self.missing.values()))
        alike = [i for i, why in self.missing.items() if why == reason]
        if self.place.mover is not None and alike == [self.place.mover.index]:
            cure = f"Name the player to move: `to_move: {self.game.players[0]}`."
            raise refusal("E0660", datum, names="to_move", problem=reason, cure=cure)
        wanted = "; ".join(f"{names[i]}: {_described(self.game.program.variables[i])}" for i in alike)
        cure = f"Give under `set` {wanted}."
        if reason != COMPUTED_BEFORE:
            cure += f" Or begin with the turn: `at: {BEFORE}...`, or no `at`."
        raise refusal("E0660", datum, names=" and ".join(names[i] for i in alike), problem=reason, cure=cure)

    def arrived(self, here: State, this_alone: Iterable[n.Var], turns: Turns) -> State:
        """The state to which the rules lead from a position at this place. ``this_alone``: the histories in which only
        this position is noted; ``turns``: the numbers of turns that players have completed before."""
        state = places_of(self.game).run(self.game, self.place, list(here.slots))
        mover = None
        if state.block == self.place.decision:
            self._check_computed(here, state)
        elif state.is_terminal and self.place.mover is not None:
            mover = int(codes_of(here, self.place.mover)[0])
        for var in this_alone:
            noted = None if var.index in self.noting else this_noted(state, var)
            state = state if noted is None else with_slots(state, {var.index: [noted]})
        remember_beginning(state, Beginning({p: number for p, number in turns.items() if number}, mover))
        return state

    def _check_computed(self, here: State, state: State) -> None:
        """Refuses a value if the rules compute another one on the way to the decision."""
        for index, datum in self.listed.items():
            var = self.game.program.variables[index]
            if index in self.place.live or isinstance(var.type, n.HistoryT):
                continue
            if codes_of(state, var) != codes_of(here, var):
                found = ", ".join(str(_plain(var, x)) for x in codes_of(state, var))
                problem = f"{unique_names(self.game.program)[index]} is {found} there: the rules compute it"
                raise unfit(datum, problem, help="omit it, or name the place after that with `at`")


def _plain(var: n.Var, value: object) -> object:
    try:
        return value_text(var.type, value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return value


def _described(var: n.Var) -> str:
    keys = "".join(f"{k.name} -> " for k in var.keys)
    match var.type:
        case n.StackT(inner):
            return f"{keys}a list of {describe(inner)}, the lowest first"
        case n.DrawingT():
            return "a list of strokes"
        case n.HistoryT():
            raise AssertionError("never missing")
        case t:
            return f"{keys}{describe(t)}"
