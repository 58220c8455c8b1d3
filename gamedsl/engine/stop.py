"""A stop of a play: the place in the rules and the values of the variables. ``State`` adds what can be done there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

from gamedsl.engine import result
from gamedsl.engine.values import Value
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine.game import Game

Kind = Literal["player", "together", "chance", "drawing", "end"]

# a secret choice, not yet executed: player of the part, number of the alternative, arguments
Choice = tuple[int, int, tuple[int, ...]]


class Stop:
    """``slots`` are the values of the variables, ``block`` the place in the play, ``pending`` the secret choices made so far."""

    __slots__ = ("_cache", "block", "game", "pending", "slots")

    def __init__(self, game: Game, block: int, slots: tuple[Value, ...], pending: tuple[Choice, ...]) -> None:
        self.game = game
        self.block = block
        self.slots = slots
        self.pending = pending
        self._cache: dict[Any, Any] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stop):
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
        return self.game.kinds[self.block]

    @property
    def phase(self) -> str:
        return self.game.program.blocks[self.block].phase

    @property
    def part(self) -> int:
        """The number of the part being played (in ``Program.parts``)."""
        return self.game.program.blocks[self.block].part

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

    @property
    def visible_slots(self) -> Sequence[Value]:
        """The values that may be read here: all of them, if this is not a seat's view."""
        return self.slots

    @property
    def bits(self) -> int:
        """The values and the place packed into one integer: equal exactly for equal states (histories and drawings,
        which have no fixed size, are left out)."""
        return self.game.layout.pack(self.block, self.slots, self.pending)


def codes_of(stop: Stop, var: n.Var) -> list[Value]:
    """The values of a variable as codes of the Core, one per slot."""
    offsets = stop.game.code.offsets
    return list(stop.slots[offsets[var.index] : offsets[var.index + 1]])


def evaluate_at(stop: Stop, e: n.Expr, locals: Mapping[int, int] | None = None) -> int:
    """The value of a Core expression at a stop, with these values for its free locals (by id).

    What the owner of a view may not know is unknown there; to need it raises ``NotKnown``."""
    function, order = stop.game.function_of(e)
    known = locals or {}
    return int(function(stop.visible_slots, *(known[i] for i in order)))
