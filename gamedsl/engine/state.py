"""A state: a position of the play at a stop. States are immutable; ``apply`` returns a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, SupportsIndex

from gamedsl.engine.errors import play_error
from gamedsl.engine.moves import Move, Refusal
from gamedsl.engine.past import Past, SavedPast, link
from gamedsl.engine.stop import Choice, Kind, Stop
from gamedsl.engine.values import Value, bits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamedsl.engine.game import Game
    from gamedsl.engine.information.information_state import InformationState
    from gamedsl.engine.information.observation_layout import ObservedPart

CHANCE, TOGETHER, END = -1, -2, -3


@dataclass(frozen=True)
class PartEnd:
    """The end of a part of the play (0: of the whole): its last position, at the block that ends it, before that has cleared
    anything, and who won, as players of the part around it."""

    part: int
    last: State
    winners: tuple[str, ...]


def _again(game: Game, saved: str, entered: frozenset[int], past: SavedPast | None = None) -> State:
    """An unpickled state; see ``history.unpickled``."""
    return game.referee.unpickled(game, saved, entered, past)


class State(Stop):
    """A position of the play in which somebody, or chance, must act, or its end.

    Not part of the position, so that equal states may differ in it: ``entered``, the parts that restarted on the way here;
    ``ended``, the parts that ended on the way here, with their last positions;
    ``past``, the moves that led here (None: the history begins here); and ``previous``, the state before, as long as it is
    kept (see ``past.link``).
    """

    __slots__ = ("ended", "entered", "past", "previous")

    def __init__(
        self,
        game: Game,
        block: int,
        slots: tuple[Value, ...],
        pending: tuple[Choice, ...] = (),
        entered: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(game, block, slots, pending)
        self.entered = entered
        self.ended: tuple[PartEnd, ...] = ()
        self.past: Past | None = None
        self.previous: State | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.game, self.serialize(), self.entered, self.game.referee.saved_past(self))

    # -------------------------------------------------------------------------------------------- whose turn

    @property
    def current_player(self) -> int:
        """The seat to act; -1: chance, -2: several at once (see ``to_act``), -3: the play is over."""
        match self.kind:
            case "player" | "drawing":
                return self.to_act[0]
            case "chance":
                return CHANCE
            case "together":
                return TOGETHER
            case _:
                return END

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must choose now."""
        if "to_act" not in self._cache:
            self._cache["to_act"] = self.game.referee.to_act(self)
        found: tuple[int, ...] = self._cache["to_act"]
        return found

    # ------------------------------------------------------------------------------------------------- moves

    def legal_moves(self, player: int | None = None, mistakes: bool = False) -> list[Move]:
        """The legal moves in order: by kind of move as the ruleset names them, then by parameters.

        If several choose at once: those of ``player``, by default the first to act. Empty for a drawing, which allows
        infinitely many, and for players who are not to act. ``mistakes``: include moves marked as legal by mistake.
        """
        key = (player, mistakes)
        if key not in self._cache:
            self._cache[key] = self.game.referee.legal_moves(self, player, mistakes)
        return list(self._cache[key])

    def count_moves(self, player: int | None = None) -> int:
        """The number of legal moves, without building them."""
        return self.game.referee.count_moves(self, player)

    def apply(self, move: Move) -> State:
        """The state after a move. An illegal move raises ``GameDSLError`` with the reasons of ``why_not``."""
        after = self.game.referee.apply(self, move)
        link(after, self, move)
        return after

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers of the legal moves or outcomes (see ``Game.action``), ascending. ``player`` as in ``legal_moves``.

        Raises ``GameDSLError`` (E0541) where a player draws."""
        return self.game.referee.legal_actions(self, player)

    def action_mask(self, player: int | None = None) -> NDArray[np.bool_]:
        """Per action of the game: is it legal here? Shape ``(game.num_actions,)``; a new array at every call.

        Raises ``GameDSLError``: E0541 where a player draws, E0542 if the game has too many actions for a mask."""
        return self.game.referee.action_mask(self, player)

    def part_mask(self, chosen: tuple[int, ...] = (), player: int | None = None) -> NDArray[np.bool_]:
        """The mask for the next part of an action in factored form (see ``Game.action_parts``), after the parts
        ``chosen``. Shape ``(game.action_factors[len(chosen)],)``, or ``(0,)`` when nothing can follow.

        Raises ``GameDSLError`` (E0541) where a player draws."""
        return self.game.referee.part_mask(self, chosen, player)

    def apply_action(self, action: SupportsIndex, player: int | None = None) -> State:
        """The state after the action with this number. ``player``: who acts, by default the first to act.

        Raises ``GameDSLError``: E0540 if there is no such action, E0503 with the reasons if it is illegal."""
        return self.apply(self.game.move(action, self, player))

    def apply_joint(self, moves: Mapping[int, Move]) -> State:
        """The state after a simultaneous choice, given the move of every player."""
        state = self
        while state.kind == "together" and state.block == self.block and state.to_act:
            player = state.to_act[0]
            if player not in moves:
                raise play_error("E0505", f"{self.game.players[player]} has not chosen yet")
            state = state.apply(moves[player])
            if not state.pending:
                break
        return state

    def chance_outcomes(self) -> list[tuple[Move, Fraction]]:
        """The chance outcomes and their probabilities, which sum to 1; empty if chance is not to act."""
        return self.game.referee.chance_outcomes(self)

    def why_not(self, move: Move) -> list[Refusal]:
        """The reasons why a move is illegal here; empty if it is legal."""
        return self.game.referee.why_not(self, move)

    def propose(self, rng: Random) -> Move:
        """A random move: uniform over the legal moves, chance by its weights, a drawing from the generator."""
        return self.game.referee.propose(self, rng)

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves, chosen values and outcomes that led here from ``first_state``, in order. Pickles keep it; equal
        states may differ in it."""
        return self.game.referee.history(self)

    @property
    def action_history(self) -> tuple[int, ...]:
        """``history`` as the numbers of actions (see ``Game.action``). Quicker, because no moves are made."""
        return self.game.referee.action_history(self)

    @property
    def first_state(self) -> State:
        """Where the history begins: the initial state, a saved state, or one set up (``Game.position``,
        ``with_values``)."""
        return self.game.referee.first_state(self)

    # ------------------------------------------------------------------------------------------------- values

    def ask(self, text: str, player: int | None = None) -> Any:
        """The value here of an expression of the language, such as ``count(mark[X])`` or ``some l in lines(3): l within
        mark[X]``: a bool, an int, the name of an element, None for none, a frozenset for a set. Names are those of the part
        being played; ``me`` is ``player``, by default the player to move. Reads everything, also what is hidden.

        Raises ``GameDSLError`` with the place in ``text`` if it is wrong, E0548 if the game does not come from a file."""
        self.game.check_seat(player)
        return self.game.referee.answer(self, text, player)

    def value_of(self, name: str) -> Any:
        """The value here of a variable or of the pieces of this name, as ``ask`` gives it; where it has keys, a dict by their
        names; a tuple for a stack, from the bottom.

        Raises ``GameDSLError`` (E0506) if there is none."""
        return self.game.referee.value_named(self, name)

    def with_values(self, changes: Mapping[tuple[str, int], list[Value]]) -> State:
        """The same place in the play with some variables changed, by name and part; for experiments.

        If nobody can act there any more, the play continues as the rules say for that case."""
        return self.game.referee.changed_values(self, changes)

    def observation(self, player: int) -> dict[str, Any]:
        """Everything a seat may know, as plain data. All of these methods raise ``GameDSLError`` (E0546) for a seat that the
        game does not have."""
        self.game.check_seat(player)
        return self.game.referee.observation(self, player)

    def observation_tensor(self, player: int | None, part: ObservedPart = "whole") -> NDArray[np.float32]:
        """What a seat (None: a spectator) may know now, as numbers: shape ``(layout.size,)`` with the layout
        ``game.layout_of(part)``, whose ``split`` makes a dict of it. ``part``: "public" is what everybody sees, "private"
        what the seat knows besides. Positions noted and drawings are not in it (``layout.omitted``)."""
        self.game.check_seat(player)
        return self.game.referee.observation_tensor(self, player, part)

    def observation_text(self, player: int | None, part: ObservedPart = "whole") -> str:
        """The same in words, one line per value."""
        self.game.check_seat(player)
        return self.game.referee.observation_text(self, player, part)

    def information_state(self, player: int | None) -> InformationState:
        """Everything that a seat (None: a spectator) has seen and done in the history of this state, in order: perfect
        recall, also of what the rules' variables forget. Its ``key`` is equal for two histories exactly when the seat
        could notice no difference; ``text`` says it in words.

        Raises ``GameDSLError`` (E0520) if the state was pickled with a history that does not lead to it."""
        self.game.check_seat(player)
        return self.game.referee.information_state(self, player)

    def information_state_tensor(self, player: int | None, length: int | None = None) -> NDArray[np.float32]:
        """The information state as numbers: equal for two histories exactly when their keys are. Shape ``(layout.size,)``
        with the layout ``game.information_state_layout``, or ``game.information_state_layout_of(length)``: rows of what the
        seat noticed, in order, and then zeros. ``length``: the number of rows; None: as many as any play needs.

        Raises ``GameDSLError``: E0543 if no bound on the play is proved and no length given, E0545 if the history has more
        rows, E0544 if the tensor is too large, E0541 where players draw."""
        self.game.check_seat(player)
        return self.game.referee.information_state_tensor(self, player, length)

    def position_text(self, for_seat: int | None = None, one_line: bool = False, to: str | None = None) -> str:
        """The state as text (YAML, or JSON on ``one_line``) that a person can edit; ``Game.position`` reads it.
        ``for_seat``: only what that seat may know. ``to``: in a notation of the ruleset, which says everything.

        Raises ``GameDSLError`` if there is no such notation (E0658), or it can't say the position (E0657),
        or writes no positions (E0659)."""
        self.game.check_seat(for_seat)
        return self.game.referee.position_text(self, for_seat, one_line, to)

    def move_text(self, move: Move, to: str) -> str:
        """A move of this state in a notation that the ruleset declares. ``str(move)`` is the text that records keep.

        Raises ``GameDSLError`` if there is no such notation (E0658), or it writes no moves (E0659)."""
        return self.game.referee.move_text(self, move, to)

    def serialize(self, for_seat: int | None = None) -> str:
        """The state as JSON text. ``for_seat``: only what that seat may know."""
        self.game.check_seat(for_seat)
        return self.game.referee.save_state(self, for_seat)


__all__ = ["CHANCE", "END", "TOGETHER", "Choice", "Kind", "State", "bits"]
