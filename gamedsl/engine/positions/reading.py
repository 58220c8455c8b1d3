"""The text of a position -> the state. Errors are reported at their place in the text."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from gamedsl.core.nodes import DecideTogether, SetT
from gamedsl.engine.errors import RulesError
from gamedsl.engine.positions.diagram import Diagram, diagram_of
from gamedsl.engine.positions.diagram_reading import read_diagram
from gamedsl.engine.positions.names import unique_names
from gamedsl.engine.positions.notations import read_notation
from gamedsl.engine.positions.noted import histories, read_history
from gamedsl.engine.positions.refused import Broken, refusal, unfit
from gamedsl.engine.positions.setting import Setting, settled, with_slots
from gamedsl.engine.positions.stops import stop_names
from gamedsl.engine.positions.to_move import acting_names, mover_variable, movers_for
from gamedsl.engine.state import State
from gamedsl.source import NOWHERE, GameDSLError, Source, Span
from gamedsl.syntax import Datum, data_problem, plain, read_document

if TYPE_CHECKING:
    from gamedsl.core.nodes import Var
    from gamedsl.engine.game import Game

KEYS = ("game", "options", "seat", "to_move", "at", "board", "set", "chosen", "history")
MOST_LISTED = 12  # legal moves in a message
Entries = Mapping[str, Datum]


def read_position(game: Game, text: str, path: str) -> State:
    """The state of a position. ``path``: what messages show. Raises ``GameDSLError`` with the place of what can't be."""
    source = Source(path, text)
    if _is_notation(text):
        return position_from(game, Datum(text.strip(), Span(source, 0, len(text))))
    return position_from(game, read_document(source))


def _is_notation(text: str) -> bool:
    """Is it a single line that is neither an object of JSON nor one of YAML?"""
    line = text.strip()
    return bool(line) and "\n" not in line and ":" not in line and line[0] not in "{["


def position_from(game: Game, document: Datum) -> State:
    """The state of a position that is part of a document: an object, or a text in a notation of the ruleset."""
    try:
        if isinstance(document.value, str):
            return read_notation(game, document)
        return _Reader(game, document).state()
    except Broken as problem:
        raise GameDSLError(*problem.diagnostics) from None


def _entries(document: Datum, keys: tuple[str, ...]) -> Entries:
    if not isinstance(document.value, dict):
        wanted = "a position: an object with keys such as `board` and `to_move`"
        raise GameDSLError(data_problem("E0642", document.span, document.pointer, wanted=wanted, got="another value"))
    for key in document.value:
        if key not in keys:
            near, span = tuple(get_close_matches(key, keys, n=1)), document.key_span(key)
            raise GameDSLError(data_problem("E0640", span, document.pointer, key=key, near=near, keys=", ".join(keys)))
    return document.value


class _Reader:
    """Reads one position. What it leaves out is as in the initial position."""

    def __init__(self, game: Game, document: Datum) -> None:
        self.game = game
        self.document = document
        self.entries = _entries(document, KEYS)

    def state(self) -> State:
        self._check_rules()
        base = State(self.game, self._block(), tuple(self.game.first_values()))
        setting = Setting(base)
        diagram = diagram_of(base)
        drawn = self._board(setting, diagram)
        self._set(setting, drawn)
        setting.check_pieces()
        here = self._moved(setting.state_here())
        try:
            here = self._noted(here)
            state = self._chosen(settled(here))
        except RulesError as problem:
            raise self._failing(problem) from None
        if state.block == here.block:
            self._check_mover(state)
        return state

    def _failing(self, problem: RulesError) -> Broken:
        """The rules fail in this position, for example because a piece that they need is missing."""
        (found, *_) = problem.diagnostics
        where = "" if found.span is NOWHERE else f" ({found.span})"
        place = self.entries.get("board") or self.entries.get("set") or self.document
        cure = "look what the rules ask for there, and set it"
        return unfit(place, f"the rules can't go on from there{where}: {found.message}", help=cure)

    # ------------------------------------------------------------------------------------------- whose, and where

    def _check_rules(self) -> None:
        game, options = self.entries.get("game"), self.entries.get("options")
        if game is not None and game.value != self.game.program.name:
            problem = f"of {plain(game)}, not of {self.game.program.name}"
            raise refusal(
                "E0654", game, problem=problem, cure=f"name that game, or write `game: {self.game.program.name}`"
            )
        given = options.value if options is not None and isinstance(options.value, dict) else {}
        for name, value in given.items():
            self._check_option(name, value)
        seat = self.entries.get("seat")
        if seat is not None and self.game.secrets.hides:
            cure = "give every hidden value (`?`) a value of your own, and take the line `seat` out"
            raise refusal("E0655", seat, seat=plain(seat), cure=cure)

    def _check_option(self, name: str, datum: Datum) -> None:
        own = self.game.options
        value = plain(datum)
        text = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
        if name not in own:
            problem, cure = f"there is no option {name}", f"the options are: {', '.join(own) or 'none'}"
            raise refusal("E0654", datum, near=tuple(get_close_matches(name, own, n=1)), problem=problem, cure=cure)
        if str(text) != own[name]:
            problem, cure = f"{name} is {text}, not {own[name]}", f"load the game with it: `--set {name}={text}`"
            raise refusal("E0654", datum, problem=problem, cure=cure)

    def _block(self) -> int:
        """The block at whose end the position is: by default, where the play begins."""
        place = self.entries.get("at")
        if place is None:
            return self.game.initial_state().block
        names = {name: block for block, name in stop_names(self.game.program).items()}
        name = str(plain(place))
        if name not in names:
            near = tuple(get_close_matches(name, names, n=3))
            raise refusal("E0652", place, near=near, name=name, places="; ".join(names))
        return names[name]

    # --------------------------------------------------------------------------------------------------- values

    def _board(self, setting: Setting, diagram: Diagram | None) -> tuple[Var, ...]:
        """Lays out the diagram; the variables that it tells."""
        place = self.entries.get("board")
        if place is None:
            return ()
        if diagram is None:
            problem = "this board has no rows of cells"
            raise refusal("E0650", place, problem=problem, cure=f"name cells under `set`{self._example()}")
        for var, value, datum in read_diagram(diagram, place):
            setting.add(var, value, datum)
        return diagram.variables

    def _example(self) -> str:
        """The form in which pieces are named, with a kind of piece of the ruleset."""
        pieces = self.game.program.parts[0].pieces
        if not pieces or not isinstance(pieces[0].var.type, SetT):
            return ""
        var, cells = pieces[0].var, pieces[0].var.type.domain.names
        where = f"[{', '.join(cells[:2])}]"
        return f", as in `set: {{ {var.name}: {f'{{ {var.keys[0].names[0]}: {where} }}' if var.keys else where} }}`"

    def _set(self, setting: Setting, drawn: tuple[Var, ...]) -> None:
        place = self.entries.get("set")
        if place is None:
            return
        if not isinstance(place.value, dict):
            raise refusal("E0642", place, wanted="an object with a value for each variable", got="another value")
        names = dict(zip(unique_names(self.game.program), self.game.program.variables, strict=True))
        for name, datum in place.value.items():
            at = Datum(name, place.key_span(name), place.pointer)
            var = names.get(name)
            if var is None:
                near = tuple(get_close_matches(name, names, n=3))
                raise unfit(at, f"there is no variable or piece called {name}", near=near)
            if var in drawn:
                raise unfit(at, f"{name} is told by `board` already", help="tell it in one of the two")
            setting.add(var, plain(datum), datum)

    def _noted(self, state: State) -> State:
        place = self.entries.get("history")
        if place is None:
            return state
        known = histories(state)
        if len(known) == 1 and not isinstance(place.value, dict):
            return with_slots(state, {known[0].index: [read_history(state, known[0], place)]})
        if not isinstance(place.value, dict):
            problem = "its positions are told by the name of the history" if known else "nothing is noted in this game"
            raise unfit(place, problem, help="" if known else "leave `history` out")
        names = unique_names(self.game.program)
        by_name = {names[v.index]: v for v in known}
        for name, datum in place.value.items():
            at = Datum(name, place.key_span(name), place.pointer)
            if name not in by_name:
                raise unfit(at, f"there is no history called {name}", near=tuple(get_close_matches(name, by_name, n=3)))
            state = with_slots(state, {by_name[name].index: [read_history(state, by_name[name], datum)]})
        return state

    # ------------------------------------------------------------------------------------------------ who acts

    def _moved(self, state: State) -> State:
        """The state with the given player to move."""
        place = self.entries.get("to_move")
        if place is None or state.kind in ("together", "chance", "end"):
            return state
        name = self._name(place)
        seat, var = self._seat(name, place), mover_variable(state)
        if seat in state.to_act:
            return state
        values = movers_for(state, seat)
        if var is None or not values:
            raise self._not_to_move(place, name, state)
        return with_slots(state, {var.index: [values[0]]})

    def _name(self, place: Datum) -> str:
        names = plain(place)
        name = names[0] if isinstance(names, list) and len(names) == 1 else names
        if not isinstance(name, str):
            raise refusal("E0642", place, wanted="the name of a player", got="another value")
        return name

    def _seat(self, name: str, place: Datum) -> int:
        players = self.game.players
        if name in players:
            return players.index(name)
        near = tuple(get_close_matches(name, players, n=3))
        problem, cure = "there is no such player", f"the players are: {', '.join(players)}"
        if name in ("chance", "end"):
            problem, cure = (
                "a player is to move here",
                f"name {', '.join(players)}, or another place of the play with `at`",
            )
        raise refusal("E0653", place, near=near, name=name, problem=problem, cure=cure)

    def _check_mover(self, state: State) -> None:
        place = self.entries.get("to_move")
        if place is None:
            return
        told = plain(place) if isinstance(place.value, list) else [plain(place)]
        if set(map(str, told)) != set(acting_names(state)):
            raise self._not_to_move(place, ", ".join(map(str, told)), state)

    def _not_to_move(self, place: Datum, name: str, state: State) -> GameDSLError:
        acting = ", ".join(acting_names(state))
        cure = f"write `to_move: {acting}`, or name another place of the play with `at`"
        return refusal("E0653", place, name=name, problem=f"here it is {acting}", cure=cure)

    def _chosen(self, state: State) -> State:
        """The state with the secret choices that were already made."""
        place = self.entries.get("chosen")
        if place is None:
            return state
        if not isinstance(place.value, dict) or not isinstance(state.terminator, DecideTogether):
            raise unfit(place, "nobody chooses in secret here", help="leave `chosen` out")
        for name, datum in place.value.items():
            seat = self._seat(name, Datum(name, place.key_span(name), place.pointer))
            try:
                after = state.apply(self.game.parse_move(str(plain(datum)), state, seat))
            except GameDSLError as problem:
                (found, *_) = problem.diagnostics
                legal = ", ".join(str(m) for m in state.legal_moves(seat)[:MOST_LISTED])
                raise unfit(datum, found.message, near=found.near, help=f"legal is: {legal}") from None
            if not after.pending:
                raise unfit(datum, "all would have chosen then", help="leave one choice out")
            state = after
        return state
