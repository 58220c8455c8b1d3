"""A game: a program with everything prepared for playing it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from gamedsl.engine.action_space.space import ActionSpace
from gamedsl.engine.errors import play_error
from gamedsl.engine.information.observation_layout import ObservationLayout, ObservedPart, observation_layout
from gamedsl.engine.information.score_variables import score_variables
from gamedsl.engine.information.secrets import Secrets
from gamedsl.engine.notation import Notation
from gamedsl.engine.play.advance import advance
from gamedsl.engine.play.read_move import parse_move, play_text
from gamedsl.engine.records.save import load_state
from gamedsl.engine.referee import REFEREE
from gamedsl.engine.translate.program import translate_program
from gamedsl.engine.values import Slots, first_value
from gamedsl.language.core import (
    Layout,
    claimed_length,
    digest,
    ending_blocks,
    former_digest,
    free_locals,
    longest_play,
    utility_bounds,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import Lowered, load_lowered

if TYPE_CHECKING:
    from gamedsl.engine.action_space.kinds import ActionKind
    from gamedsl.engine.information.information_layout import InformationStateLayout
    from gamedsl.engine.moves import Move
    from gamedsl.engine.positions.places import Places
    from gamedsl.engine.state import Kind, State


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


@dataclass(frozen=True)
class Origin:
    """What a game was loaded from: the ``name`` as given, the ``file``, and the options that were given, with their values."""

    name: str
    file: Path
    options: tuple[tuple[str, str | int | bool], ...] = ()


@lru_cache(maxsize=8)
def _again(kind: type[Game], pickled: bytes) -> Game:
    """An unpickled game; all states of it share one game."""
    program, origin = pickle.loads(pickled)
    return kind(program, origin)


class Game:
    """A game to play. Immutable; its positions are ``State``s."""

    referee = REFEREE

    def __init__(self, program: n.Program, origin: Origin | None = None) -> None:
        self.program = program
        self.origin = origin
        self.title = program.title
        self.players: tuple[str, ...] = program.players.names
        self.num_players = len(self.players)
        self.options: dict[str, str] = dict(program.options)
        self.code = translate_program(program)
        self.notation = Notation(program)
        self.kinds = tuple(stop_kind(b.end) for b in program.blocks)
        self.move_cache: dict[tuple[int, int | None, tuple[int, ...]], Move] = {}  # moves by kind, player and arguments
        self._layouts: dict[ObservedPart, ObservationLayout] = {}
        self._information_layouts: dict[int | None, InformationStateLayout] = {}
        self._functions: dict[int, tuple[n.Expr, Callable[..., Any], tuple[int, ...]]] = {}

    def __repr__(self) -> str:
        return f"Game({self.program.name!r})"

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self._pickled)

    @cached_property
    def _pickled(self) -> bytes:
        """The program, from which everything else is rebuilt, and where it comes from."""
        return pickle.dumps((self.program, self.origin))

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the rules' meaning. Games with the same digest have the same rules and notation."""
        return digest(self.program)

    @cached_property
    def rules(self) -> Lowered:
        """The ruleset with its names, for reading expressions. Raises ``GameDSLError``: E0548 if the game was not loaded from
        a file, E0549 if the file has changed since."""
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
        """A proved upper bound on the decisions in a play, not always the least; None if no bound is proved. A simultaneous
        choice is one decision, chance makes none. See ``claimed_game_length``."""
        return longest_play(self.program)

    @cached_property
    def claimed_game_length(self) -> int | None:
        """The plies of the ruleset's claim ``ends within N plies``, if it makes one. ``gamedsl verify`` checks it; here it
        is not proved. Chance counts as the claim counts it."""
        return claimed_length(self.program)

    @cached_property
    def max_chance_outcomes(self) -> int:
        """The greatest number of outcomes of any one chance event; 0 without chance."""
        return max((len(b.end.names) for b in self.program.blocks if isinstance(b.end, n.Chance)), default=0)

    # ------------------------------------------------------------------------------------------------ actions

    @cached_property
    def action_space(self) -> ActionSpace:
        """The numbers of all actions. They depend only on the ruleset's digest."""
        return ActionSpace(self)

    @property
    def num_actions(self) -> int:
        """The number of actions: moves, passing, values to choose, and then the outcomes of chance."""
        return self.action_space.size

    @property
    def num_player_actions(self) -> int:
        """The number of actions of players. They come first; the outcomes of chance have the numbers from this one on."""
        return self.action_space.player_size

    @property
    def action_kinds(self) -> tuple[ActionKind, ...]:
        """The kinds of actions, each with its parameters and its first number."""
        return self.action_space.kinds

    @property
    def action_factors(self) -> tuple[int, ...]:
        """The sizes of the factored form: the number of kinds, then for every place the size of the largest parameter."""
        return self.action_space.factors

    def action(self, move: Move) -> int:
        """The number of a move, whoever makes it. Raises ``GameDSLError`` (E0541) for drawings and foreign moves."""
        return self.action_space.number(move)

    def move(self, action: SupportsIndex, state: State, player: int | None = None) -> Move:
        """The move of an action; it need not be legal. ``player``: who makes it, by default the first to act.

        Raises ``GameDSLError`` (E0540) if there is no such action."""
        if player is None and state.to_act:
            player = state.to_act[0]
        return self.action_space.move(action, player)

    def action_text(self, action: SupportsIndex) -> str:
        """The notation of an action. Raises ``GameDSLError`` (E0540) if there is no such action."""
        return self.action_space.move(action, None).text

    def action_parts(self, action: SupportsIndex) -> tuple[int, ...]:
        """The factored form of an action: the number of its kind, then the index of every argument.

        Raises ``GameDSLError`` (E0540) if there is no such action."""
        return self.action_space.parts(action)

    def action_of_parts(self, parts: tuple[int, ...]) -> int:
        """The inverse of ``action_parts``. Raises ``GameDSLError`` (E0540) if the parts are no action."""
        return self.action_space.joined(parts)

    # ------------------------------------------------------------------------------------------- observations

    @property
    def observation_layout(self) -> ObservationLayout:
        """What stands where in ``State.observation_tensor``: features with their shapes, ranges and meanings."""
        return self.layout_of("whole")

    def layout_of(self, part: ObservedPart) -> ObservationLayout:
        """The layout of the whole observation, of its public part, or of its private part (what the seat knows and a
        spectator does not)."""
        if part not in self._layouts:
            self._layouts[part] = observation_layout(self, part)
        return self._layouts[part]

    @property
    def information_state_layout(self) -> InformationStateLayout:
        """What stands where in ``State.information_state_tensor``, with as many rows as any play needs.

        Raises ``GameDSLError``: E0541 where players draw, E0543 if no bound is proved, E0544 if it is too large."""
        return self.information_state_layout_of(None)

    def information_state_layout_of(self, length: int | None) -> InformationStateLayout:
        """The layout with ``length`` rows. Raises ``GameDSLError`` as ``information_state_layout`` does."""
        if length not in self._information_layouts:
            # start-up: few programs learn
            from gamedsl.engine.information.information_layout import information_state_layout

            self._information_layouts[length] = information_state_layout(self, length)
        return self._information_layouts[length]

    # ------------------------------------------------------------------------------------------------- states

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.program)

    @cached_property
    def endings(self) -> dict[int, n.Var | None]:
        """The blocks with which a part, or the play, ends (see ``ending_blocks``)."""
        return ending_blocks(self.program)

    @cached_property
    def scores_shown(self) -> tuple[n.Var, ...]:
        """The numbers by player that the looks show."""
        return score_variables(self.program)

    @cached_property
    def secrets(self) -> Secrets:
        """What the rules hide from players."""
        return Secrets(self.program)

    def initial_state(self) -> State:
        """The first position in which somebody, or chance, must act."""
        return advance(self, self.first_values(), self.program.entry)

    def first_values(self) -> Slots:
        """The initial values of all variables."""
        return [first_value(v.type, i) for v in self.program.variables for i in v.initial]

    @cached_property
    def places(self) -> Places:
        """The places in the course of play at which a position can stand."""
        # start-up
        from gamedsl.engine.positions.places import Places

        return Places(self.program)

    def parse_move(self, text: str, state: State, player: int | None = None, notation: str | None = None) -> Move:
        """The move that a text stands for; it need not be legal. ``player``: who makes it, if several are to act.

        A text that means nothing otherwise is read in the notations that the ruleset declares; in those it stands for a
        legal move. ``notation``: the one to read it in first.

        Raises ``GameDSLError`` (E0501) with the closest notations if the text is not a move of this game.
        """
        return parse_move(self, text, state, player, notation)

    def play_text(self, text: str, state: State, player: int | None = None) -> list[tuple[Move, State]]:
        """Makes the plies that a text stands for: one, or those of a whole turn that are written as one (``37x28x19``, or
        ``37x19`` for short). Returns each with the state after it.

        Raises ``GameDSLError`` as ``parse_move`` and ``State.apply`` do, and E0502 if the plies are not certain.
        """
        return play_text(self, text, state, player)

    def deserialize(self, text: str) -> State:
        """The saved state. Raises ``GameDSLError`` for damaged text and for saves of other rules."""
        return load_state(self, text)

    def position(self, text: str, path: str = "<position>") -> State:
        """The state of a position written as text (see ``State.position_text``), or in a notation that the ruleset
        declares. ``path``: what messages show.

        Raises ``GameDSLError`` with the place in the text of what can't be."""
        # start-up: most plays begin at the beginning
        from gamedsl.engine.positions.reading import read_position

        return read_position(self, text, path)

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
