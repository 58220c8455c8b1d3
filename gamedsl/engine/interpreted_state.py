"""States in the interpreter: the reference engine's answers about any state, states that hold their values, and a
seat's view of a state."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn

from gamedsl.engine import result
from gamedsl.engine.errors import play_error
from gamedsl.engine.facts.observation_layout import ObservedPart
from gamedsl.engine.information.observation import observation, own_choices, seats_to_act, slots_told_by_result
from gamedsl.engine.information.seat_view import hidden_from
from gamedsl.engine.information.unknown_values import SeenSlots
from gamedsl.engine.moves import Move, Refusal
from gamedsl.engine.past import link
from gamedsl.engine.play import history
from gamedsl.engine.play.actions import apply, chance_outcomes, count_moves, legal_moves, propose, to_act
from gamedsl.engine.records.save import changed_values, save_state
from gamedsl.engine.saved_past import SavedPast
from gamedsl.engine.state import Choice, Game, PartEnd, State
from gamedsl.engine.values import Value
from gamedsl.engine.why_not import why_not

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamedsl.engine.noticed import InformationState


def _again(game: Game, saved: str, entered: frozenset[int], past: SavedPast | None = None) -> State:
    """An unpickled state; see ``history.unpickled``."""
    return history.unpickled(game, saved, entered, past)


class ReferenceState(State):
    """The reference engine's answers about a state, wherever its values are stored."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.game, self.serialize(), self.entered, history.saved_past(self))

    # ------------------------------------------------------------------------------------------------ outcome

    @property
    def returns(self) -> tuple[int, ...]:
        return result.returns(self)

    @property
    def winners(self) -> frozenset[int]:
        return result.winners(self)

    @property
    def scores(self) -> tuple[int, ...]:
        return result.scores(self)

    @property
    def outcome_text(self) -> str:
        return result.outcome_text(self)

    # ------------------------------------------------------------------------------------------------- moves

    @property
    def to_act(self) -> tuple[int, ...]:
        if "to_act" not in self.cache:
            self.cache["to_act"] = to_act(self)
        found: tuple[int, ...] = self.cache["to_act"]
        return found

    def legal_moves(self, player: int | None = None, mistakes: bool = False) -> list[Move]:
        key = (player, mistakes)
        if key not in self.cache:
            self.cache[key] = legal_moves(self, player, mistakes)
        return list(self.cache[key])

    def count_moves(self, player: int | None = None) -> int:
        return count_moves(self, player)

    def apply(self, move: Move) -> State:
        after = apply(self, move)
        link(after, self, move)
        return after

    def legal_actions(self, player: int | None = None) -> list[int]:
        # start-up: people play without numbers of actions, and numpy takes long to import
        from gamedsl.engine.play.legal_actions import legal_actions

        return legal_actions(self, player)

    def action_mask(self, player: int | None = None) -> NDArray[np.bool_]:
        # start-up
        from gamedsl.engine.play.legal_actions import action_mask

        return action_mask(self, player)

    def part_mask(self, chosen: tuple[int, ...] = (), player: int | None = None) -> NDArray[np.bool_]:
        # start-up
        from gamedsl.engine.play.legal_actions import part_mask

        return part_mask(self, chosen, player)

    def chance_outcomes(self) -> list[tuple[Move, Fraction]]:
        return chance_outcomes(self)

    def why_not(self, move: Move) -> list[Refusal]:
        return why_not(self, move)

    def propose(self, rng: Random) -> Move:
        return propose(self, rng)

    @property
    def history(self) -> tuple[Move, ...]:
        return history.history(self)

    @property
    def action_history(self) -> tuple[int, ...]:
        return history.action_history(self)

    @property
    def first_state(self) -> State:
        return history.first_state(self)

    # ------------------------------------------------------------------------------------------------- values

    def ask(self, text: str, player: int | None = None) -> Any:
        # start-up: people at the table do not ask in expressions
        from gamedsl.engine.positions.questions import answer

        self.game.check_seat(player)
        return answer(self, text, player)

    def value(self, name: str) -> Any:
        # start-up
        from gamedsl.engine.positions.questions import value_named

        return value_named(self, name)

    def with_values(self, changes: Mapping[tuple[str, int], list[Value]]) -> State:
        return changed_values(self, changes)

    # -------------------------------------------------------------------------------------- what a seat may know

    def seen_by(self, seat: int | None) -> State:
        return SeenState(self, seat) if self.game.secrets.hides or self.pending else self

    def revealed_to(self, seat: int | None, end: State | None = None) -> State:
        seen = self.seen_by(seat)
        if isinstance(seen, SeenState):
            seen.reveal(end or self)
        return seen

    def observation(self, player: int) -> dict[str, Any]:
        self.game.check_seat(player)
        return observation(self, player)

    def observation_tensor(self, player: int | None, part: ObservedPart = "whole") -> NDArray[np.float32]:
        # start-up: numpy takes long to import
        from gamedsl.engine.information.observation_tensor import observation_tensor

        self.game.check_seat(player)
        return observation_tensor(self, player, part)

    def observation_text(self, player: int | None, part: ObservedPart = "whole") -> str:
        # start-up
        from gamedsl.engine.information.observation_tensor import observation_text

        self.game.check_seat(player)
        return observation_text(self, player, part)

    def information_state(self, player: int | None) -> InformationState:
        # start-up: people remember what they saw themselves
        from gamedsl.engine.information.information_state import information_state

        self.game.check_seat(player)
        return information_state(self, player)

    def information_state_tensor(self, player: int | None, length: int | None = None) -> NDArray[np.float32]:
        # start-up: numpy takes long to import
        from gamedsl.engine.information.information_tensor import information_state_tensor

        self.game.check_seat(player)
        return information_state_tensor(self, player, length)

    # ------------------------------------------------------------------------------------------------ as text

    def position_text(self, for_seat: int | None = None, one_line: bool = False, to: str | None = None) -> str:
        # start-up: few programs write positions
        from gamedsl.engine.positions.notations import notation_named, written
        from gamedsl.engine.positions.writing import position_line, position_text

        self.game.check_seat(for_seat)
        if to is not None:
            return written(self, notation_named(self.game, to))
        return (position_line if one_line else position_text)(self, for_seat)

    def move_text(self, move: Move, to: str) -> str:
        # start-up: most programs write moves in the usual notation
        from gamedsl.engine.positions.move_notations import move_text

        return move_text(self, move, to)

    def serialize(self, for_seat: int | None = None) -> str:
        self.game.check_seat(for_seat)
        return save_state(self, for_seat)


class InterpretedState(ReferenceState):
    """A state that holds its values."""

    __slots__ = ("cache", "ended", "entered", "pending", "slots")

    slots: tuple[Value, ...]
    pending: tuple[Choice, ...]
    entered: frozenset[int]
    ended: tuple[PartEnd, ...]
    cache: dict[Any, Any]

    def __init__(
        self,
        game: Game,
        block: int,
        slots: tuple[Value, ...],
        pending: tuple[Choice, ...] = (),
        entered: frozenset[int] = frozenset(),
        ended: tuple[PartEnd, ...] = (),
    ) -> None:
        self.game = game
        self.block = block
        self.slots = slots
        self.pending = pending
        self.entered = entered
        self.ended = ended
        self.past = None
        self.previous = None
        self.cache = {}


class SeenState(InterpretedState):
    """A state (``whole``) as a seat sees it. The phase and part, who is to act and the outcome are public; asking for
    anything that depends on hidden values raises ``NotKnown``."""

    __slots__ = ("seat", "whole")

    whole: State

    def __init__(self, whole: State, seat: int | None) -> None:
        pending = () if seat is None else own_choices(whole, seat)
        slots = tuple(hidden_from(whole, seat, list(whole.slots)))
        super().__init__(whole.game, whole.block, slots, pending, whole.entered, whole.ended)
        self.whole = whole
        self.seat = seat

    def reveal(self, end: State) -> None:
        """Shows the seat what the result of the game, which ended in a position, may tell."""
        told = slots_told_by_result(end)
        self.slots = tuple(self.whole.slots[i] if i in told else seen for i, seen in enumerate(self.slots))

    def view_of(self, other: State) -> State:
        return other.seen_by(self.seat)

    @property
    def to_act(self) -> tuple[int, ...]:
        return tuple(seats_to_act(self.whole, self.seat))

    @property
    def returns(self) -> tuple[int, ...]:
        return self.whole.returns

    @property
    def winners(self) -> frozenset[int]:
        return self.whole.winners

    @property
    def scores(self) -> tuple[int, ...]:
        return self.whole.scores

    @property
    def outcome_text(self) -> str:
        return self.whole.outcome_text

    def __reduce__(self) -> NoReturn:
        help = "pickle the state itself, or store `serialize(for_seat=...)`"
        raise play_error("E0522", "one seat's view of a state cannot be pickled", help=help)

    @property
    def visible_slots(self) -> SeenSlots:
        return SeenSlots(self.slots)
