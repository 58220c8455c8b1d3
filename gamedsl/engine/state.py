"""A state: a position of the play at a stop. States are immutable; ``apply`` returns a new one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

from gamedsl.core.nodes import Expr, Terminator, Var
from gamedsl.engine import result
from gamedsl.engine.errors import play_error
from gamedsl.engine.moves import Move, Refusal
from gamedsl.engine.values import Value, bits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamedsl.engine.game import Game
    from gamedsl.engine.information.information_state import InformationState
    from gamedsl.engine.information.observation_layout import ObservedPart
    from gamedsl.engine.play.history import SavedPast

Kind = Literal["player", "together", "chance", "drawing", "end"]
CHANCE, TOGETHER, END = -1, -2, -3

# a secret choice, not yet executed: player of the part, number of the alternative, arguments
Choice = tuple[int, int, tuple[int, ...]]


def _again(game: Game, saved: str, entered: frozenset[int], past: SavedPast | None = None) -> State:
    """An unpickled state; see ``history.unpickled``."""
    return game.referee.unpickled(game, saved, entered, past)


class State:
    """``slots`` are the values of the variables, ``block`` the place in the play, ``pending`` the secret choices made so far.

    ``entered``: the parts that restarted on the way here (not part of the position: equal states may differ in it).
    ``before``: the state before and the move from there, or the number of its action (None: the history begins here;
    not part of the position either).
    """

    __slots__ = ("_cache", "before", "block", "entered", "game", "pending", "slots")

    def __init__(
        self,
        game: Game,
        block: int,
        slots: tuple[Value, ...],
        pending: tuple[Choice, ...] = (),
        entered: frozenset[int] = frozenset(),
    ) -> None:
        self.game = game
        self.block = block
        self.slots = slots
        self.pending = pending
        self.entered = entered
        self.before: tuple[State, Move | int] | SavedPast | None = None
        self._cache: dict[Any, Any] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same_place = self.block == other.block and self.pending == other.pending
        same_game = self.game is other.game or self.game.digest == other.game.digest
        return same_place and self.slots == other.slots and same_game

    def __hash__(self) -> int:
        return hash((self.block, self.slots, self.pending))

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.game, self.serialize(), self.entered, self.game.referee.saved_past(self))

    def __repr__(self) -> str:
        return f"State({self.game.program.name!r}, {self.kind}, block {self.block})"

    # -------------------------------------------------------------------------------------------- whose turn

    @property
    def terminator(self) -> Terminator:
        """The terminator of this stop in the Core: what is to be decided."""
        return self.game.program.blocks[self.block].end

    @property
    def kind(self) -> Kind:
        return self.game.kinds[self.block]

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

    @property
    def phase(self) -> str:
        return self.game.program.blocks[self.block].phase

    @property
    def part(self) -> int:
        """The number of the part being played (in ``Program.parts``)."""
        return self.game.program.blocks[self.block].part

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
        after.before = self, move
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
    def first_state(self) -> State:
        """Where the history begins: the initial state, a saved state, or one set up (``Game.position``,
        ``with_values``)."""
        return self.game.referee.first_state(self)

    # ------------------------------------------------------------------------------------------------ outcome

    @property
    def is_terminal(self) -> bool:
        return self.game.kinds[self.block] == "end"

    @property
    def returns(self) -> tuple[int, ...]:
        """Per player the utility: 1 for a win, -1 for a loss, 0 for a draw, or the points where the rules say ``score by``
        (from ``Game.min_utility`` to ``Game.max_utility``). Zeros while the play goes on."""
        return result.returns(self)

    @property
    def winners(self) -> frozenset[int]:
        return result.winners(self)

    @property
    def scores(self) -> tuple[int, ...]:
        """Per player the points that the play was decided by (``rank by``, ``share by``, ``score by``); empty while it goes
        on, and where it ended otherwise."""
        return result.scores(self)

    @property
    def outcome_text(self) -> str:
        """How the play ended, in words; empty while it is in progress."""
        return result.outcome_text(self)

    # ------------------------------------------------------------------------------------------------- values

    def value(self, var: Var) -> list[Value]:
        """The values of a variable, one per slot."""
        offsets = self.game.code.offsets
        return list(self.slots[offsets[var.index] : offsets[var.index + 1]])

    def values(self, name: str, part: int = 0) -> list[Value]:
        """The values of the variable of this name in a part."""
        var = self.game.variable(name, part)
        if var is None:
            raise play_error("E0506", f"there is no variable {name!r}")
        return self.value(var)

    def with_values(self, changes: Mapping[tuple[str, int], list[Value]]) -> State:
        """The same place in the play with some variables changed, by name and part; for experiments.

        If nobody can act there any more, the play continues as the rules say for that case."""
        return self.game.referee.changed_values(self, changes)

    def evaluate(self, e: Expr, locals: Mapping[int, int] | None = None) -> int:
        """The value of a Core expression in this state, with these values for its free locals (by id)."""
        function, order = self.game.function_of(e)
        known = locals or {}
        return int(function(self.slots, *(known[i] for i in order)))

    @property
    def bits(self) -> int:
        """The values and the place packed into one integer: equal exactly for equal states (histories and drawings,
        which have no fixed size, are left out)."""
        return self.game.layout.pack(self.block, self.slots, self.pending)

    def observation(self, player: int) -> dict[str, Any]:
        """Everything a seat may know, as plain data."""
        return self.game.referee.observation(self, player)

    def observation_tensor(self, player: int | None, part: ObservedPart = "whole") -> NDArray[np.float32]:
        """What a seat (None: a spectator) may know now, as numbers: shape ``(layout.size,)`` with the layout
        ``game.layout_of(part)``, whose ``split`` makes a dict of it. ``part``: "public" is what everybody sees, "private"
        what the seat knows besides. Positions noted and drawings are not in it (``layout.omitted``)."""
        return self.game.referee.observation_tensor(self, player, part)

    def observation_text(self, player: int | None, part: ObservedPart = "whole") -> str:
        """The same in words, one line per value."""
        return self.game.referee.observation_text(self, player, part)

    def information_state(self, player: int | None) -> InformationState:
        """Everything that a seat (None: a spectator) has seen and done in the history of this state, in order: perfect
        recall, also of what the rules' variables forget. Its ``key`` is equal for two histories exactly when the seat
        could notice no difference; ``text`` says it in words.

        Raises ``GameDSLError`` (E0520) if the state was pickled with a history that does not lead to it."""
        return self.game.referee.information_state(self, player)

    def position_text(self, for_seat: int | None = None, one_line: bool = False, to: str | None = None) -> str:
        """The state as text (YAML, or JSON on ``one_line``) that a person can edit; ``Game.position`` reads it.
        ``for_seat``: only what that seat may know. ``to``: in a notation of the ruleset, which says everything.

        Raises ``GameDSLError`` if there is no such notation (E0658), or it can't say the position (E0657),
        or writes no positions (E0659)."""
        return self.game.referee.position_text(self, for_seat, one_line, to)

    def move_text(self, move: Move, to: str) -> str:
        """A move of this state in a notation that the ruleset declares. ``str(move)`` is the text that records keep.

        Raises ``GameDSLError`` if there is no such notation (E0658), or it writes no moves (E0659)."""
        return self.game.referee.move_text(self, move, to)

    def serialize(self, for_seat: int | None = None) -> str:
        """The state as JSON text. ``for_seat``: only what that seat may know."""
        return self.game.referee.save_state(self, for_seat)


__all__ = ["CHANCE", "END", "TOGETHER", "Choice", "Kind", "State", "bits"]
