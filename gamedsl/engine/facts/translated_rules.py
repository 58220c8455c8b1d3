"""A program prepared for playing: with its Python code, its notation, and the facts that follow from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias

from gamedsl.engine.errors import play_error
from gamedsl.engine.facts.named_takings import named_takings
from gamedsl.engine.facts.score_variables import score_variables
from gamedsl.engine.facts.secrets import Secrets
from gamedsl.engine.notation import Notation
from gamedsl.engine.translate.program import Code, translate_program
from gamedsl.engine.values import Slots, first_value
from gamedsl.language.core import (
    Layout,
    claimed_length,
    digest,
    ending_blocks,
    former_digest,
    free_locals,
    longest_play,
    parts_after,
    parts_played,
    utility_bounds,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import Lowered, load_lowered
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move

Kind: TypeAlias = Literal["player", "together", "chance", "drawing", "end"]


def stop_kind(end: n.Terminator) -> Kind:
    """The kind of the state at the end of a block."""
    match end:
        case n.Decide() | n.Choose():
            return "player"
        case n.DecideTogether():
            return "together"
        case n.Chance():
            return "chance"
        case n.DecideDrawing():
            return "drawing"
        case _:
            return "end"


@lazy_dataclass(frozen=True)
class Origin:
    """The source of a game: the ``name`` it was loaded by, the ``file``, and the options that were given, with their
    values."""

    name: str
    file: Path
    options: tuple[tuple[str, str | int | bool], ...] = ()


class TranslatedRules:
    """The rules of a game. Immutable, apart from caches."""

    def __init__(self, program: n.Program, origin: Origin | None = None) -> None:
        self.program = program
        self.origin = origin
        self.title = program.title
        self.players: tuple[str, ...] = program.players.names
        self.num_players = len(self.players)
        self.options: dict[str, str] = dict(program.options)
        self.notation = Notation(program)
        self.kinds = tuple(stop_kind(b.end) for b in program.blocks)
        self.move_cache: dict[tuple[int, int | None, tuple[int, ...]], Move] = {}  # moves by kind, player and arguments
        self._functions: dict[int, tuple[n.Expr, Callable[..., Any], tuple[int, ...]]] = {}

    @cached_property
    def code(self) -> Code:
        """The rules as Python functions, which the interpreter calls; made when they are first needed."""
        return translate_program(self.program)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the rules' meaning. Games with the same digest have the same rules and notation."""
        return digest(self.program)

    @cached_property
    def rules(self) -> Lowered:
        """The ruleset with its names, for reading expressions. Raises ``GameDSLError``: E0548 if the game was not
        loaded from a file, E0549 if the file has changed since."""
        if self.origin is None:
            raise play_error(
                "E0548",
                "this game was not loaded from a ruleset, so its names are not known",
                help="`gamedsl.load` remembers where a game comes from.",
            )
        lowered = load_lowered(self.origin.file, dict(self.origin.options))
        if digest(lowered.program) != self.digest:
            raise play_error(
                "E0549",
                f"{self.origin.name} has changed since the game was loaded",
                help="Load the game again with `gamedsl.load`.",
            )
        return lowered

    def has_digest(self, beginning: str) -> bool:
        """Whether a digest, or a prefix of one, is this game's. Digests of earlier versions are recognized too."""
        return self.digest.startswith(beginning) or former_digest(self.program).startswith(beginning)

    def check_seat(self, seat: SupportsIndex | None) -> None:
        """Raises ``GameDSLError`` (E0546) if this game has no such seat. None, a spectator, is fine."""
        if seat is not None and not 0 <= index(seat) < self.num_players:
            raise play_error(
                "E0546", f"there is no seat {index(seat)}", help=f"The seats are 0 to {self.num_players - 1}."
            )

    @property
    def min_utility(self) -> int:
        """A lower bound on every player's utility, from the ranges in the rules."""
        return self._utilities[0]

    @property
    def max_utility(self) -> int:
        """An upper bound on every player's utility."""
        return self._utilities[1]

    @cached_property
    def _utilities(self) -> tuple[int, int]:
        return utility_bounds(self.program)

    @cached_property
    def max_game_length(self) -> int | None:
        """A proved upper bound on the decisions in a game, not always the least one; None if no bound is proved. A
        simultaneous choice is one decision; chance makes none. See ``claimed_game_length``."""
        return longest_play(self.program)

    @cached_property
    def claimed_game_length(self) -> int | None:
        """The N of the ruleset's claim ``ends within N plies``, if it makes one. It is not proved here: ``gamedsl
        verify`` checks it. Chance counts as the claim counts it."""
        return claimed_length(self.program)

    @cached_property
    def max_chance_outcomes(self) -> int:
        """The greatest number of outcomes of any chance event; 0 without chance."""
        return max((len(b.end.names) for b in self.program.blocks if isinstance(b.end, n.Chance)), default=0)

    @cached_property
    def layout(self) -> Layout:
        """The layout of a state's values when they are packed into one block of bits."""
        return Layout(self.program)

    @cached_property
    def endings(self) -> dict[int, n.Var | None]:
        """The blocks with which a part, or the game, ends (see ``ending_blocks``)."""
        return ending_blocks(self.program)

    @cached_property
    def parts_played(self) -> tuple[frozenset[int], ...]:
        """For each part, the parts of which a game is being played then (see ``parts_played``)."""
        return parts_played(self.program)

    @cached_property
    def parts_after(self) -> tuple[frozenset[int], ...]:
        """For each block, the parts whose game goes on after it (see ``parts_after``)."""
        return parts_after(self.program)

    @cached_property
    def scores_shown(self) -> tuple[n.Var, ...]:
        """The numbers by player that the looks show."""
        return score_variables(self.program)

    @cached_property
    def named_takings(self) -> dict[int, dict[int, int]]:
        """What kinds of moves remove themselves of the kinds of pieces that the rules remove, too."""
        return named_takings(self.program)

    @cached_property
    def secrets(self) -> Secrets:
        """What the rules hide from players."""
        return Secrets(self.program)

    def first_values(self) -> Slots:
        """The initial values of all variables."""
        return [first_value(v.type, i) for v in self.program.variables for i in v.initial]

    def variable(self, name: str, part: int = 0) -> n.Var | None:
        """The variable of this name in a part; None if there is none."""
        return next((v for v in self.program.variables if v.name == name and v.part == part), None)

    def function_of(self, e: n.Expr) -> tuple[Callable[..., Any], tuple[int, ...]]:
        """An expression compiled to a function of a state's values and its free locals, and the ids of those locals."""
        known = self._functions.get(id(e))
        if known is None:
            order = tuple(free_locals(e).values())
            known = (e, self.code.compile(e, order), tuple(x.id for x in order))
            self._functions[id(e)] = known
        return known[1], known[2]
