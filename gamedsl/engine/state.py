"""The interfaces of a game and of its states. The interpreter implements them (``interpreted_game.py``,
``interpreted_state.py``), and so does compiled code.

A state is a position of the play at a stop. States are immutable; ``apply`` returns a new one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Self, SupportsIndex, TypeAlias

from gamedsl.engine.errors import play_error
from gamedsl.engine.facts.observation_layout import ObservedPart
from gamedsl.engine.facts.observed_rules import ObservedRules
from gamedsl.engine.facts.translated_rules import Kind
from gamedsl.engine.moves import Move, Refusal
from gamedsl.engine.saved_past import SavedPast
from gamedsl.engine.values import Value
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamedsl.engine.noticed import InformationState

CHANCE, TOGETHER, END = -1, -2, -3

# a secret choice, not yet executed: player of the part, number of the alternative, arguments
Choice: TypeAlias = tuple[int, int, tuple[int, ...]]

# The past of the state before (or that state, if the history begins there), the move from there or the number of its
# action, and the number of moves.
Plies: TypeAlias = "tuple[Plies | SavedPast | State, Move | int, int]"
Past: TypeAlias = "Plies | SavedPast"


@dataclass(frozen=True)
class PartEnd:
    """The end of a part of the play (0: of the whole): its last position, at the block that ends it, before that has cleared
    anything, and who won, as players of the part around it."""

    part: int
    last: State
    winners: tuple[str, ...]


class State(ABC):
    """A position of the play in which somebody, or chance, must act, or its end.

    ``slots`` are the values of the variables, ``block`` is the place in the play, ``pending`` are the secret choices made
    so far.

    Not part of the position, so that equal states may differ in it: ``entered``, the parts that restarted on the way here;
    ``ended``, the parts that ended on the way here, with their last positions;
    ``past``, the moves that led here (None: the history begins here); ``previous``, the state before, as long as it is
    kept (see ``past.link``); and ``cache``, what has been computed of the state.
    """

    __slots__ = ("block", "game", "past", "previous")

    game: Game
    block: int
    past: Past | None
    previous: State | None

    @property
    @abstractmethod
    def slots(self) -> tuple[Value, ...]:
        """The values of the variables, slot by slot."""

    @property
    @abstractmethod
    def pending(self) -> tuple[Choice, ...]:
        """The secret choices made so far."""

    @property
    @abstractmethod
    def entered(self) -> frozenset[int]:
        """The parts that restarted on the way here."""

    @property
    @abstractmethod
    def ended(self) -> tuple[PartEnd, ...]:
        """The parts that ended on the way here."""

    @property
    @abstractmethod
    def cache(self) -> dict[Any, Any]:
        """What has been computed of this state, by names that those who compute it choose."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same_place = self.block == other.block and self.pending == other.pending
        same_game = self.game is other.game or self.game.digest == other.game.digest
        return same_place and self.slots == other.slots and same_game

    def __hash__(self) -> int:
        return hash((self.block, self.slots, self.pending))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        return f"State({self.game.program.name!r}, {self.kind}, block {self.block})"

    # -------------------------------------------------------------------------------------------------- place

    @property
    def terminator(self) -> n.Terminator:
        """The terminator of this stop in the Core: what is to be decided."""
        return self.game.program.blocks[self.block].end

    @property
    def kind(self) -> Kind:
        """What is to be decided here, and by whom: "player", "chance", "together" (several choose at once), "drawing" or
        "end"."""
        return self.game.kinds[self.block]

    @property
    def phase(self) -> str:
        """The name of the phase of the course of play; empty outside the named ones."""
        return self.game.program.blocks[self.block].phase

    @property
    def part(self) -> int:
        """The number of the part being played (in ``Program.parts``)."""
        return self.game.program.blocks[self.block].part

    @property
    def bits(self) -> int:
        """The values and the place packed into one integer: equal exactly for equal states (histories and drawings,
        which have no fixed size, are left out)."""
        return self.game.layout.pack(self.block, self.slots, self.pending)

    # ------------------------------------------------------------------------------------------------ outcome

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over: nobody is to act, and ``returns`` are final."""
        return self.game.kinds[self.block] == "end"

    @property
    @abstractmethod
    def returns(self) -> tuple[int, ...]:
        """Per player the utility: 1 for a win, -1 for a loss, 0 for a draw, or the points where the rules say ``score by``
        (from ``Game.min_utility`` to ``Game.max_utility``). Zeros while the play goes on."""

    @property
    @abstractmethod
    def winners(self) -> frozenset[int]:
        """The players who have won."""

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Per player the points that the play was decided by (``rank by``, ``share by``, ``score by``); empty while it goes
        on, and where it ended otherwise."""

    @property
    @abstractmethod
    def outcome_text(self) -> str:
        """How the play ended, in words; empty while it is in progress."""

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
    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """The seats that must choose now."""

    # ------------------------------------------------------------------------------------------------- moves

    @abstractmethod
    def legal_moves(self, player: int | None = None, mistakes: bool = False) -> list[Move]:
        """The legal moves in order: by kind of move as the ruleset names them, then by parameters.

        If several choose at once: those of ``player``, by default the first to act. Empty for a drawing, which allows
        infinitely many, and for players who are not to act. ``mistakes``: include moves marked as legal by mistake.
        """

    @abstractmethod
    def count_moves(self, player: int | None = None) -> int:
        """The number of legal moves, without building them."""

    @abstractmethod
    def apply(self, move: Move) -> State:
        """The state after a move. An illegal move raises ``GameDSLError`` with the reasons of ``why_not``."""

    @abstractmethod
    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers of the legal moves or outcomes (see ``Game.action``), ascending. ``player`` as in ``legal_moves``.

        Raises ``GameDSLError`` (E0541) where a player draws."""

    @abstractmethod
    def action_mask(self, player: int | None = None) -> NDArray[np.bool_]:
        """Per action of the game: is it legal here? Shape ``(game.num_actions,)``; a new array at every call.

        Raises ``GameDSLError``: E0541 where a player draws, E0542 if the game has too many actions for a mask."""

    @abstractmethod
    def part_mask(self, chosen: tuple[int, ...] = (), player: int | None = None) -> NDArray[np.bool_]:
        """The mask for the next part of an action in factored form (see ``Game.action_parts``), after the parts
        ``chosen``. Shape ``(game.action_factors[len(chosen)],)``, or ``(0,)`` when nothing can follow.

        Raises ``GameDSLError`` (E0541) where a player draws."""

    def apply_action(self, action: SupportsIndex, player: int | None = None) -> State:
        """The state after the action with this number. ``player``: who acts, by default the first to act.

        Raises ``GameDSLError``: E0540 if there is no such action, E0503 with the reasons if it is illegal."""
        return self.apply(self.game.move(action, self, player))

    def apply_joint(self, moves: Mapping[int, Move]) -> State:
        """The state after a simultaneous choice, given the move of every player."""
        state: State = self
        while state.kind == "together" and state.block == self.block and state.to_act:
            player = state.to_act[0]
            if player not in moves:
                raise play_error("E0505", f"{self.game.players[player]} has not chosen yet")
            state = state.apply(moves[player])
            if not state.pending:
                break
        return state

    @abstractmethod
    def chance_outcomes(self) -> list[tuple[Move, Fraction]]:
        """The chance outcomes and their probabilities, which sum to 1; empty if chance is not to act."""

    @abstractmethod
    def why_not(self, move: Move) -> list[Refusal]:
        """The reasons why a move is illegal here; empty if it is legal."""

    @abstractmethod
    def propose(self, rng: Random) -> Move:
        """A random move: uniform over the legal moves, chance by its weights, a drawing from the generator."""

    @property
    @abstractmethod
    def history(self) -> tuple[Move, ...]:
        """The moves, chosen values and outcomes that led here from ``first_state``, in order. Pickles keep it; equal
        states may differ in it."""

    @property
    @abstractmethod
    def action_history(self) -> tuple[int, ...]:
        """``history`` as the numbers of actions (see ``Game.action``). Quicker, because no moves are made."""

    @property
    @abstractmethod
    def first_state(self) -> State:
        """Where the history begins: the initial state, a saved state, or one set up (``Game.position``,
        ``with_values``)."""

    # ------------------------------------------------------------------------------------------------- values

    @abstractmethod
    def ask(self, text: str, player: int | None = None) -> Any:
        """The value here of an expression of the language, such as ``count(mark[X])`` or ``some l in lines(3): l within
        mark[X]``: a bool, an int, the name of an element, None for none, a frozenset for a set. Names are those of the part
        being played; ``me`` is ``player``, by default the player to move. Reads everything, also what is hidden.

        Raises ``GameDSLError`` with the place in ``text`` if it is wrong, E0548 if the game does not come from a file."""

    @abstractmethod
    def value_of(self, name: str) -> Any:
        """The value here of a variable or of the pieces of this name, as ``ask`` gives it; where it has keys, a dict by their
        names; a tuple for a stack, from the bottom.

        Raises ``GameDSLError`` (E0506) if there is none."""

    @abstractmethod
    def with_values(self, changes: Mapping[tuple[str, int], list[Value]]) -> State:
        """The same place in the play with some variables changed, by name and part; for experiments.

        If nobody can act there any more, the play continues as the rules say for that case."""

    # -------------------------------------------------------------------------------------- what a seat may know

    @abstractmethod
    def seen_by(self, seat: int | None) -> State:
        """The state as a seat (None: a spectator) sees it. To ask it for what depends on hidden values raises
        ``NotKnown``."""

    @property
    def whole(self) -> State:
        """The state that a seat's view is a view of; the state itself if it is no view."""
        return self

    def view_of(self, other: State) -> State:
        """Another state, as the seat sees it that this one is a view for."""
        return other

    @property
    def visible_slots(self) -> Sequence[Value]:
        """The values that may be read here: all of them, if this is not a seat's view."""
        return self.slots

    @abstractmethod
    def observation(self, player: int) -> dict[str, Any]:
        """Everything a seat may know, as plain data. All of these methods raise ``GameDSLError`` (E0546) for a seat that the
        game does not have."""

    @abstractmethod
    def observation_tensor(self, player: int | None, part: ObservedPart = "whole") -> NDArray[np.float32]:
        """What a seat (None: a spectator) may know now, as numbers: shape ``(layout.size,)`` with the layout
        ``game.layout_of(part)``, whose ``split`` makes a dict of it. ``part``: "public" is what everybody sees, "private"
        what the seat knows besides. Positions noted and drawings are not in it (``layout.omitted``)."""

    @abstractmethod
    def observation_text(self, player: int | None, part: ObservedPart = "whole") -> str:
        """The same in words, one line per value."""

    @abstractmethod
    def information_state(self, player: int | None) -> InformationState:
        """Everything that a seat (None: a spectator) has seen and done in the history of this state, in order: perfect
        recall, also of what the rules' variables forget. Its ``key`` is equal for two histories exactly when the seat
        could notice no difference; ``text`` says it in words.

        Raises ``GameDSLError`` (E0520) if the state was pickled with a history that does not lead to it."""

    @abstractmethod
    def information_state_tensor(self, player: int | None, length: int | None = None) -> NDArray[np.float32]:
        """The information state as numbers: equal for two histories exactly when their keys are. Shape ``(layout.size,)``
        with the layout ``game.information_state_layout``, or ``game.information_state_layout_of(length)``: rows of what the
        seat noticed, in order, and then zeros. ``length``: the number of rows; None: as many as any play needs.

        Raises ``GameDSLError``: E0543 if no bound on the play is proved and no length given, E0545 if the history has more
        rows, E0544 if the tensor is too large, E0541 where players draw."""

    # ------------------------------------------------------------------------------------------------ as text

    @abstractmethod
    def position_text(self, for_seat: int | None = None, one_line: bool = False, to: str | None = None) -> str:
        """The state as text (YAML, or JSON on ``one_line``) that a person can edit; ``Game.position`` reads it.
        ``for_seat``: only what that seat may know. ``to``: in a notation of the ruleset, which says everything.

        Raises ``GameDSLError`` if there is no such notation (E0658), or it cannot say the position (E0657),
        or writes no positions (E0659)."""

    @abstractmethod
    def move_text(self, move: Move, to: str) -> str:
        """A move of this state in a notation that the ruleset declares. ``str(move)`` is the text that records keep.

        Raises ``GameDSLError`` if there is no such notation (E0658), or it writes no moves (E0659)."""

    @abstractmethod
    def serialize(self, for_seat: int | None = None) -> str:
        """The state as JSON text. ``for_seat``: only what that seat may know."""


class Game(ObservedRules, ABC):
    """A game to play: a ruleset with values for its options. Immutable; its positions are ``State``s.

    ``players`` are the names of the seats in order, ``options`` the options with their values as text, ``program`` is the
    meaning of the rules in the Core. Two games with the same ``digest`` are equal in all that can be asked of them.
    """

    @abstractmethod
    def initial_state(self) -> State:
        """The first position in which somebody, or chance, must act."""

    @abstractmethod
    def make_state(
        self,
        block: int,
        slots: tuple[Value, ...],
        pending: tuple[Choice, ...] = (),
        entered: frozenset[int] = frozenset(),
        ended: tuple[PartEnd, ...] = (),
    ) -> State:
        """The state with these values, in the interpreter."""

    def move(self, action: SupportsIndex, state: State, player: int | None = None) -> Move:
        """The move of an action; it need not be legal. ``player``: who makes it, by default the first to act.

        Raises ``GameDSLError`` (E0540) if there is no such action."""
        if player is None and state.to_act:
            player = state.to_act[0]
        return self.action_space.move(action, player)

    @abstractmethod
    def parse_move(self, text: str, state: State, player: int | None = None, notation: str | None = None) -> Move:
        """The move that a text stands for; it need not be legal. ``player``: who makes it, if several are to act.

        A text that means nothing otherwise is read in the notations that the ruleset declares; in those it stands for a
        legal move. ``notation``: the one to read it in first.

        Raises ``GameDSLError`` (E0501) with the closest notations if the text is not a move of this game.
        """

    @abstractmethod
    def play_text(self, text: str, state: State, player: int | None = None) -> list[tuple[Move, State]]:
        """Makes the plies that a text stands for: one, or those of a whole turn that are written as one (``37x28x19``, or
        ``37x19`` for short). Returns each with the state after it.

        Raises ``GameDSLError`` as ``parse_move`` and ``State.apply`` do, and E0502 if the plies are not certain.
        """

    @abstractmethod
    def deserialize(self, text: str) -> State:
        """The saved state. Raises ``GameDSLError`` for damaged text and for saves of other rules."""

    @abstractmethod
    def position(self, text: str, path: str = "<position>") -> State:
        """The state of a position written as text (see ``State.position_text``), or in a notation that the ruleset
        declares. ``path``: what messages show.

        Raises ``GameDSLError`` with the place in the text of what cannot be."""
