"""The interfaces of a game and of its states. Both the interpreter (``interpreted_game.py``, ``interpreted_state.py``)
and compiled code implement them.

A state is a position of a game at a stop. States are immutable; ``apply`` returns a new one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
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
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamedsl.engine.noticed import InformationState

CHANCE, TOGETHER, END = -1, -2, -3

# a secret choice, not yet executed: player of the part, number of the alternative, arguments
Choice: TypeAlias = tuple[int, int, tuple[int, ...]]

# The past of the previous state (or that state, if the history begins there), the move made there or the number of its
# action, and the number of moves so far.
Plies: TypeAlias = "tuple[Plies | SavedPast | State, Move | int, int]"
Past: TypeAlias = "Plies | SavedPast"


@lazy_dataclass(frozen=True)
class PartEnd:
    """The end of a part of the game (0: of the whole game): its last position, at the block that ends it and before
    that block clears anything, and the names of the winners in the part around it."""

    part: int
    last: State
    winners: tuple[str, ...]


class State(ABC):
    """A position of a game in which a player, or chance, must act, or which ends the game.

    ``slots`` are the values of the variables, ``block`` is the stop in the rules, ``pending`` are the secret choices
    made so far.

    The following are not part of the position, and equal states may differ in them: ``entered``, the parts that
    restarted on the way here; ``ended``, the parts that ended on the way here, with their last positions; ``past``, the
    moves that led here (None: the history begins here); ``previous``, the previous state, as long as it is kept (see
    ``past.link``); and ``cache``, facts computed about the state.
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
        """Facts computed about this state, under keys chosen by the code that computes them."""

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
        """The terminator of this stop in the Core, which says what is to be decided."""
        return self.game.program.blocks[self.block].end

    @property
    def kind(self) -> Kind:
        """The kind of the decision here: "player", "chance", "together" (several choose at once), "drawing" or
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
        """The stop, the values and the pending choices packed into one integer. Two states of a game are equal exactly
        when their integers are, apart from histories and drawings, which have no fixed size and are left out."""
        return self.game.layout.pack(self.block, self.slots, self.pending)

    # ------------------------------------------------------------------------------------------------ outcome

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over: nobody is to act, and ``returns`` are final."""
        return self.game.kinds[self.block] == "end"

    @property
    @abstractmethod
    def returns(self) -> tuple[int, ...]:
        """The utility of every player: 1 for a win, -1 for a loss, 0 for a draw, or the points where the rules say
        ``score by`` (from ``Game.min_utility`` to ``Game.max_utility``). Zeros while the game is in progress."""

    @property
    @abstractmethod
    def winners(self) -> frozenset[int]:
        """The seats of the players who have won; empty while the game is in progress."""

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The points of every player that decided the game (``rank by``, ``share by``, ``score by``); empty while it is
        in progress, and if points did not decide it."""

    @property
    @abstractmethod
    def outcome_text(self) -> str:
        """The outcome of the game in words; empty while it is in progress."""

    # -------------------------------------------------------------------------------------------- whose turn

    @property
    def current_player(self) -> int:
        """The seat to act; -1: chance, -2: several at once (see ``to_act``), -3: the game is over."""
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

        If several players choose at once: those of ``player``, by default the first to act. Empty for a drawing, which
        allows infinitely many, and for players who are not to act. ``mistakes``: include moves that the ruleset marks
        as mistakes.
        """

    @abstractmethod
    def count_moves(self, player: int | None = None) -> int:
        """The number of legal moves; faster than ``len(legal_moves(player))``."""

    @abstractmethod
    def apply(self, move: Move) -> State:
        """The state after a move. An illegal move raises ``GameDSLError`` with the reasons of ``why_not``."""

    @abstractmethod
    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers of the legal moves or outcomes (see ``Game.action``), in ascending order. ``player`` as in
        ``legal_moves``.

        Raises ``GameDSLError`` (E0541) where a player draws."""

    @abstractmethod
    def action_mask(self, player: int | None = None) -> NDArray[np.bool_]:
        """Per action of the game, whether it is legal here. Shape ``(game.num_actions,)``; a new array at every call.

        Raises ``GameDSLError``: E0541 where a player draws, E0542 if the game has too many actions for a mask."""

    @abstractmethod
    def part_mask(self, chosen: tuple[int, ...] = (), player: int | None = None) -> NDArray[np.bool_]:
        """The mask for the next part of an action in factored form (see ``Game.action_parts``), after the parts
        ``chosen``. Shape ``(game.action_factors[len(chosen)],)``, or ``(0,)`` if no part can follow.

        Raises ``GameDSLError`` (E0541) where a player draws."""

    def apply_action(self, action: SupportsIndex, player: int | None = None) -> State:
        """The state after the action with this number. ``player``: the seat that acts, by default the first to act.

        Raises ``GameDSLError``: E0540 if there is no such action, E0503 with the reasons if it is illegal."""
        return self.apply(self.game.move(action, self, player))

    def apply_joint(self, moves: Mapping[int, Move]) -> State:
        """The state after a simultaneous choice, given the moves of all seats that choose. Raises ``GameDSLError``:
        E0505 if one is missing, E0503 if one is illegal."""
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
        """A random move: uniform over the legal moves; an outcome of chance by its weight; a drawing from the
        generator. Raises ``RulesError`` if the game is over."""

    @property
    @abstractmethod
    def history(self) -> tuple[Move, ...]:
        """The moves, chosen values and outcomes that led here from ``first_state``, in order. Pickles keep it; equal
        states may differ in it."""

    @property
    @abstractmethod
    def action_history(self) -> tuple[int, ...]:
        """``history`` as the numbers of actions (see ``Game.action``). Faster, because it builds no moves."""

    @property
    @abstractmethod
    def first_state(self) -> State:
        """The state at which the history begins: the initial state, a saved state, or one that was set up
        (``Game.position``, ``with_values``)."""

    # ------------------------------------------------------------------------------------------------- values

    @abstractmethod
    def ask(self, text: str, player: int | None = None) -> Any:
        """The value here of an expression of the language, such as ``count(mark[X])`` or ``some l in lines(3): l within
        mark[X]``: a bool, an int, the name of an element, None for none, a frozenset for a set. Names are those of the
        part being played; ``me`` is ``player``, by default the player to move. It can read hidden values too.

        Raises ``GameDSLError`` with the place in ``text`` of an error, E0548 if the game was not loaded from a file."""

    @abstractmethod
    def value(self, name: str) -> Any:
        """The value here of the variable or the pieces of this name, in the form that ``ask`` gives it; a tuple for a
        stack, from the bottom; a dict by the names of its keys if it has keys.

        Raises ``GameDSLError`` (E0506) if there is none."""

    @abstractmethod
    def with_values(self, changes: Mapping[tuple[str, int], list[Value]]) -> State:
        """The state at the same stop with some variables changed, by name and part; for experiments. If nobody can act
        there, the game continues as the rules say for that case.

        Raises ``GameDSLError`` (E0506) if there is no such variable, or the values do not fit."""

    # -------------------------------------------------------------------------------------- what a seat may know

    @abstractmethod
    def seen_by(self, seat: int | None) -> State:
        """The state as a seat (None: a spectator) sees it. Asking it for anything that depends on hidden values raises
        ``NotKnown``."""

    @abstractmethod
    def revealed_to(self, seat: int | None, end: State | None = None) -> State:
        """The state as a seat (None: a spectator) may see it once the game is over: also the hidden variables that its results
        may tell, by a claim of the rules (``claim results may tell``). ``end``: the position in which the game ended, about
        which conditions of such claims are; this state if None."""

    @property
    def whole(self) -> State:
        """The state that this one is a seat's view of; the state itself if it is not a view."""
        return self

    def view_of(self, other: State) -> State:
        """Another state, seen by the same seat as this view; the state itself if this one is not a view."""
        return other

    @property
    def visible_slots(self) -> Sequence[Value]:
        """The values that may be read here: all of them unless this is a seat's view."""
        return self.slots

    @abstractmethod
    def observation(self, player: int) -> dict[str, Any]:
        """Everything a seat may know, as plain data. This method and the following ones raise ``GameDSLError`` (E0546)
        for a seat that the game does not have."""

    @abstractmethod
    def observation_tensor(self, player: int | None, part: ObservedPart = "whole") -> NDArray[np.float32]:
        """What a seat (None: a spectator) may know now, as numbers: an array of shape ``(layout.size,)`` with the
        layout ``game.layout_of(part)``, whose ``split`` makes a dict of it. ``part``: "public" is what everybody sees,
        "private" what the seat knows in addition. Noted positions and drawings are not in it (``layout.omitted``)."""

    @abstractmethod
    def observation_text(self, player: int | None, part: ObservedPart = "whole") -> str:
        """The contents of ``observation_tensor`` in words, one line per value."""

    @abstractmethod
    def information_state(self, player: int | None) -> InformationState:
        """Everything that a seat (None: a spectator) has seen and done in the history of this state, in order: perfect
        recall, even of what the variables of the rules no longer hold. Its ``key`` is equal for two histories exactly
        when the seat could notice no difference; ``text`` is the same in words.

        Raises ``GameDSLError`` (E0520) if the state was pickled with a history that does not lead to it."""

    @abstractmethod
    def information_state_tensor(self, player: int | None, length: int | None = None) -> NDArray[np.float32]:
        """The information state as numbers: equal for two histories exactly when their keys are. Shape
        ``(layout.size,)`` with the layout ``game.information_state_layout``, or
        ``game.information_state_layout_of(length)``: rows of what the seat noticed, in order, and then zeros.
        ``length``: the number of rows; None: as many as any game needs.

        Raises ``GameDSLError``: E0543 if no length is given and no bound on the length of a game is proved, E0545 if
        the history has more rows, E0544 if the tensor is too large, E0541 where players draw."""

    # ------------------------------------------------------------------------------------------------ as text

    @abstractmethod
    def position_text(self, for_seat: int | None = None, one_line: bool = False, to: str | None = None) -> str:
        """The state as text (YAML, or JSON on ``one_line``) that a person can edit; ``Game.position`` reads it.
        ``for_seat``: only what that seat may know. ``to``: in a notation of the ruleset, which shows hidden values too.

        Raises ``GameDSLError`` if there is no such notation (E0658), it cannot express the position (E0657), or it
        writes no positions (E0659)."""

    @abstractmethod
    def move_text(self, move: Move, to: str) -> str:
        """A move at this state in a notation that the ruleset declares. Records use ``str(move)`` instead.

        Raises ``GameDSLError`` if there is no such notation (E0658), or it writes no moves (E0659)."""

    @abstractmethod
    def serialize(self, for_seat: int | None = None) -> str:
        """The state as JSON text, for ``Game.deserialize``. ``for_seat``: only what that seat may know; the result
        cannot be loaded again if the rules hide something."""


class Game(ObservedRules, ABC):
    """A game to play: a ruleset with values for its options. Immutable; its positions are ``State``s.

    ``players`` are the names of the seats in order, ``options`` are the options with their values as text, ``program``
    is the meaning of the rules in the Core. Two games with the same ``digest`` give the same answers to every question.
    """

    @abstractmethod
    def initial_state(self) -> State:
        """The first position in which a player, or chance, must act."""

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
        """The move of an action; it need not be legal. ``player``: the seat that makes it, by default the first to act.

        Raises ``GameDSLError`` (E0540) if there is no such action."""
        if player is None and state.to_act:
            player = state.to_act[0]
        return self.action_space.move(action, player)

    @abstractmethod
    def parse_move(self, text: str, state: State, player: int | None = None, notation: str | None = None) -> Move:
        """The move that ``text`` stands for; it need not be legal. ``player``: the seat that makes it, if several are
        to act.

        A text without any other meaning is read in the notations that the ruleset declares; in those it stands for a
        legal move. ``notation``: the declared notation to try first.

        Raises ``GameDSLError``: E0501 with similar moves if the text is not a move of this game, E0502 if it can mean
        several moves.
        """

    @abstractmethod
    def play_text(self, text: str, state: State, player: int | None = None) -> list[tuple[Move, State]]:
        """Makes the plies that ``text`` stands for: one, or those of a whole turn that are written as one
        (``37x28x19``, or ``37x19`` for short). Returns each with the state after it.

        Raises ``GameDSLError`` as ``parse_move`` and ``State.apply`` do, and E0502 if the text can mean different
        plies.
        """

    @abstractmethod
    def deserialize(self, text: str) -> State:
        """The saved state. Raises ``GameDSLError``: E0520 for damaged text, E0521 for saves of other rules, E0522 for
        saves that leave out what one seat may not know."""

    @abstractmethod
    def position(self, text: str, path: str = "<position>") -> State:
        """The state of a position written as text (see ``State.position_text``), or in a notation that the ruleset
        declares. ``path``: the name of the file in messages.

        Raises ``GameDSLError`` with the place of the fault in the text."""
