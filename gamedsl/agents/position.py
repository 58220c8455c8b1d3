"""A position as compiled rules hold it: a block of memory, and the calls that query and change it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from gamedsl.engine import RulesError
from gamedsl.language.core import greatest_utility
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, UsageError, lazy_dataclass

T = TypeVar("T")

if TYPE_CHECKING:
    from gamedsl.compiler import Native
    from gamedsl.engine import Game, Move, State
    from gamedsl.language.core import nodes as n

Past: TypeAlias = "tuple[Move | int, ...]"

END, MOVE, CHOICE, CHANCE, TOGETHER, DRAWING = range(6)
# returned by kernels instead of a rules status
NO_ACTION, UNSEARCHABLE, FULL, NOT_ZERO_SUM = -(1 << 40), -(1 << 41), -(1 << 42), -(1 << 43)
USED_AT = 3 * 8  # offset at which a context keeps the amount of its arena in use
ARENA = 1 << 22  # words for noted positions in one search
ROOM = ARENA // 4  # the part of them for one descent and its playout
_compiling = Lock()  # a program may compile in the background while a person asks for a hint
PLIES = 10_000  # a longer playout scores 0 for everybody


def compiled(game: Game) -> Native:
    """Returns the machine code of a game, compiled once."""
    with _compiling:
        known: Native | None = getattr(game, "native", None)
        if known is None:
            from gamedsl.compiler import compile_program

            known = vars(game)["native"] = compile_program(game.program, game)
        return known


def once(owner: object, name: str, make: Callable[[], T]) -> T:
    """Returns a value that is made once for an object and kept by it."""
    kept = vars(owner)
    if name not in kept:
        kept[name] = make()
    found: T = kept[name]
    return found


class Rules:
    """Compiled rules with the working memory of one thread.

    ``pending``: first word and word count of a block's open secret choices (a word is 0 until its player has
    chosen). ``most``: the maximum utility.
    """

    def __init__(self, native: Native) -> None:
        self.native = native
        self.context: Any = native.context(ARENA, PLIES)
        self.players = native.num_players
        self.words = native.state_size // 8
        self.value_words = native.value_size // 8
        self.most, movers = once(native, "utility_and_movers", partial(_utility_and_movers, native.program))
        self.pending = (self.value_words - movers, movers)

    def entries(self, *names: str) -> list[int]:
        """Returns the context and the addresses of entry points, as kernels take them."""
        return [self.context.pointer, *(self.native.address(name) for name in names)]

    def call(self, name: str, block: int, *args: int) -> int:
        """Calls an entry point on the block at an address. Raises the error for a status below 0."""
        found = self.native.entry(name)(self.context.pointer, block, *args)
        if found < 0 and name != "seat":
            raise self.mistake(found)
        return found

    def mistake(self, status: int) -> GameDSLError:
        """Returns the error for a status below 0: a rules error, or the ``UsageError`` for a position that cannot be
        searched.
        """
        match status:
            case int() if status == UNSEARCHABLE:
                return UsageError("a drawing may follow, and there are infinitely many drawings to search")
            case int() if status == NOT_ZERO_SUM:
                return UsageError("alpha-beta needs a zero-sum game, and the results of this one are not")
            case int() if status == NO_ACTION:
                return RulesError("a player must act here but has no legal move")
            case _:
                return self.native.error(self.context)


def _utility_and_movers(program: n.Program) -> tuple[int, int]:
    """Returns the maximum utility, and the maximum number of players who choose at once."""
    ends = [b.end for b in program.blocks]
    movers = max((program.parts[e.part].players.size for e in ends if isinstance(e, n.DecideTogether)), default=0)
    return greatest_utility(program), movers


class NoPosition(UsageError):
    """No position was found that fits what a player has seen."""

    def __init__(self) -> None:
        super().__init__("no position was found that fits what the player has seen")


@lazy_dataclass(frozen=True)
class Position:
    """A position to search: its block, in which nobody has made a secret choice yet, and the chooser who is asked.

    ``nth``: the index of that chooser among those who choose at once, otherwise 0. ``past``: the moves since the
    start of the game, or the numbers of these actions (None: they are not known); used if rules hide something.
    """

    rules: Rules
    block: bytes
    nth: int = 0
    past: Past | None = None

    @classmethod
    def of(cls, state: State, player: int | None = None) -> Position:
        """Returns the position of an engine state for an acting player (None: the first of them)."""
        from gamedsl.engine import mover_of, open_movers

        native = compiled(state.game)
        before, nth = state, 0
        if state.kind == "together":
            before = state.game.make_state(state.block, state.slots)
            mover = mover_of(state, player)
            nth = open_movers(before).index(mover) if mover is not None else 0
        rules = Rules(native)
        block = native.pack(before, rules.context)
        rules.context.reserve(2 * ROOM)
        past = _moves_made(state) if state.game.secrets.hides else None
        return cls(rules, bytes(block), nth, past)

    def beside(self) -> Position:
        """Returns a copy for another thread."""
        native = self.rules.native
        rules, block = Rules(native), self.block
        if native.has_history:
            block = native.copy_state(block, self.rules.context, rules.context)
            rules.context.reserve(2 * ROOM)
        return Position(rules, block, self.nth, self.past)

    @property
    def hides(self) -> bool:
        """Whether the rules hide anything from a player."""
        return self.rules.native.game.secrets.hides

    def played(self) -> Past:
        """Returns the moves since the start of the game. Raises ``UsageError`` if they are not known."""
        if self.past is None:
            raise UsageError(
                "what a player has seen is not known, because the game did not begin at the first position",
                help="with hidden information, a search needs the whole game",
            )
        return self.past

    def seat(self) -> int:
        """Returns the seat of the chooser who is asked."""
        return self._asked_chooser("seat")

    def ask(self, name: str, *args: int) -> int:
        """Calls an entry point on the position's block."""
        room = ctypes.create_string_buffer(self.block, len(self.block))
        return self.rules.call(name, ctypes.addressof(room), *args)

    def action_count(self) -> int:
        """Returns the number of actions of the chooser who is asked."""
        return self._asked_chooser("count")

    def _asked_chooser(self, name: str) -> int:
        """Calls an entry point at the point where the chooser who is asked is next."""
        room = ctypes.create_string_buffer(self.block, len(self.block))
        with self.rules.context.temporary():
            for _ in range(self.nth):
                self.rules.call("step", ctypes.addressof(room), 0)
            return self.rules.call(name, ctypes.addressof(room))

    def returns(self) -> tuple[float, ...]:
        """Returns each player's utility; zeros while the game continues."""
        found = (ctypes.c_double * self.rules.players)()
        self.ask("returns", ctypes.addressof(found))
        return tuple(found)


def _moves_made(state: State) -> Past | None:
    """Returns the moves that led to a state, without simultaneous choices that are still open.

    None if the history does not begin at the first position.
    """
    if state.first_state != once(state.game, "first_position", state.game.initial_state):
        return None
    moves = state.history
    return moves[: len(moves) - len(state.pending)]
