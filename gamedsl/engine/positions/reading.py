"""The text of a position -> the state. Errors are reported at their place in the text."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from gamedsl.engine.errors import RulesError
from gamedsl.engine.positions.diagram import Diagram, diagram_of
from gamedsl.engine.positions.diagram_reading import read_diagram
from gamedsl.engine.positions.names import unique_names
from gamedsl.engine.positions.notations import read_notation
from gamedsl.engine.positions.noted import THIS, histories, read_history, this_noted
from gamedsl.engine.positions.places import Place, places_of
from gamedsl.engine.positions.refused import Broken, refusal, unfit
from gamedsl.engine.positions.setting import Setting, with_slots
from gamedsl.engine.positions.start import Start
from gamedsl.engine.positions.to_move import acting_names, mover_variable, movers_for, seat_of
from gamedsl.engine.positions.turn_counts import read_turns
from gamedsl.engine.state import State
from gamedsl.engine.stop import codes_of
from gamedsl.language.core import nodes as n
from gamedsl.language.source import NOWHERE, GameDSLError, Source, Span
from gamedsl.language.syntax import Datum, data_problem, plain, read_document

if TYPE_CHECKING:
    from gamedsl.engine.state import Game
    from gamedsl.language.core import nodes as n

CHANCE = "chance"
KEYS = ("game", "options", "seat", "to_move", "turns", "at", "board", "set", "chosen", "history")
MOST_LISTED = 12  # legal moves in a message
Entries = Mapping[str, Datum]


def read_position(game: Game, text: str, path: str) -> State:
    """The state of a position. ``path``: the name of the file in messages. Raises ``GameDSLError`` with the place of
    the fault."""
    source = Source(path, text)
    if _is_notation(text):
        return position_from(game, Datum(text.strip(), Span(source, 0, len(text))))
    return position_from(game, read_document(source))


def _is_notation(text: str) -> bool:
    """Whether a text is a single line that is not an object in JSON or YAML."""
    line = text.strip()
    return bool(line) and "\n" not in line and ":" not in line and line[0] not in "{["


def position_from(game: Game, document: Datum) -> State:
    """The state of a position that is part of a document: an object, or a string in a notation of the ruleset. Raises
    ``GameDSLError`` with the place of the fault."""
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
    """Reads one position. What it leaves out has its default value at the place of the position."""

    def __init__(self, game: Game, document: Datum) -> None:
        self.game = game
        self.document = document
        self.entries = _entries(document, KEYS)
        self.this_alone: list[n.Var] = []  # the histories for which the position says ``this``

    def state(self) -> State:
        self._check_rules()
        place = self._place()
        base = self.game.make_state(place.decision, tuple(place.slots))
        setting = Setting(base)
        diagram = diagram_of(base)
        drawn = self._board(setting, diagram)
        self._set(setting, drawn)
        setting.check_pieces()
        start = Start(self.game, place, setting.named, frozenset(v.index for v in drawn))
        try:
            here = self._moved(start.with_values(setting.slots), start)
            start.check_missing(self.entries.get("set", self.document))
            turns = read_turns(self.game, self.entries.get("turns"))
            state = self._chosen(start.arrived(self._noted(here, start), self.this_alone, turns))
        except RulesError as problem:
            raise self._failing(problem) from None
        if state.block == place.decision:
            self._check_mover(state)
        return state

    def _failing(self, problem: RulesError) -> Broken:
        """The error for a position in which the rules fail, for example because a piece that they need is missing."""
        (found, *_) = problem.diagnostics
        where = "" if found.span is NOWHERE else f" ({found.span})"
        place = self.entries.get("board") or self.entries.get("set") or self.document
        cure = "find out which values the rules need there, and set them"
        return unfit(place, f"the rules cannot continue from there{where}: {found.message}", help=cure)

    # ------------------------------------------------------------------------------------------- whose, and where

    def _check_rules(self) -> None:
        game, options = self.entries.get("game"), self.entries.get("options")
        if game is not None and game.value != self.game.program.name:
            problem = f"it is a position of {plain(game)}, not of {self.game.program.name}"
            raise refusal(
                "E0654", game, problem=problem, cure=f"name that game, or write `game: {self.game.program.name}`"
            )
        given = options.value if options is not None and isinstance(options.value, dict) else {}
        for name, value in given.items():
            self._check_option(name, value)
        seat = self.entries.get("seat")
        if seat is not None and self.game.secrets.hides:
            cure = "replace every hidden value (`?`) by a value, and remove the line `seat`"
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

    def _place(self) -> Place:
        """The place of the position: by default, the beginning of the turn that leads to the first decision."""
        places, at = places_of(self.game), self.entries.get("at")
        if at is None:
            acting = self.entries.get("to_move")
            begins = self.game.initial_state()
            if begins.kind == "chance" and acting is not None and plain(acting) == CHANCE:
                return places.exactly(begins.block)
            return places.before(places.first_decision)
        name = str(plain(at))
        if name not in places.by_name:
            near = tuple(get_close_matches(name, places.by_name, n=3))
            raise refusal("E0652", at, near=near, name=name, places="; ".join(places.names.values()))
        return places.named(name)

    # --------------------------------------------------------------------------------------------------- values

    def _board(self, setting: Setting, diagram: Diagram | None) -> tuple[n.Var, ...]:
        """Sets up the board of the diagram; returns the variables that the diagram gives."""
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
        """An example of how pieces are named, with a kind of piece of the ruleset."""
        pieces = self.game.program.parts[0].pieces
        if not pieces or not isinstance(pieces[0].var.type, n.SetT):
            return ""
        var, cells = pieces[0].var, pieces[0].var.type.domain.names
        where = f"[{', '.join(cells[:2])}]"
        return f", as in `set: {{ {var.name}: {f'{{ {var.keys[0].names[0]}: {where} }}' if var.keys else where} }}`"

    def _set(self, setting: Setting, drawn: tuple[n.Var, ...]) -> None:
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
                raise unfit(at, f"`board` already gives {name}", help="give it in one of the two")
            setting.add(var, plain(datum), datum)

    def _noted(self, state: State, start: Start) -> State:
        place = self.entries.get("history")
        if place is None:
            return state
        known = histories(state)
        if len(known) == 1 and not isinstance(place.value, dict):
            return self._with_history(state, known[0], place, start)
        if not isinstance(place.value, dict):
            problem = (
                "write an object: the name of each history with its positions"
                if known
                else "nothing is noted in this game"
            )
            raise unfit(place, problem, help="" if known else "omit `history`")
        names = unique_names(self.game.program)
        by_name = {names[v.index]: v for v in known}
        for name, datum in place.value.items():
            at = Datum(name, place.key_span(name), place.pointer)
            if name not in by_name:
                raise unfit(at, f"there is no history called {name}", near=tuple(get_close_matches(name, by_name, n=3)))
            state = self._with_history(state, by_name[name], datum, start)
        return state

    def _with_history(self, state: State, var: n.Var, place: Datum, start: Start) -> State:
        if place.value != THIS:
            return with_slots(state, {var.index: [read_history(state, var, place)]})
        if var.index not in start.noting and this_noted(state, var) is None:
            raise unfit(place, "this position is never noted here", help="omit `history`")
        self.this_alone.append(var)
        return state

    # ------------------------------------------------------------------------------------------------ who acts

    def _moved(self, state: State, start: Start) -> State:
        """The state with the turn given to the player that the position names."""
        place = self.entries.get("to_move")
        if place is None or state.kind in ("together", "end") or plain(place) == CHANCE == state.kind:
            return state
        name = self._name(place)
        seat, var = self._seat(name, place), mover_variable(state)
        if seat in state.to_act:
            values = [] if var is None else [int(codes_of(state, var)[0])]
        elif var is None or not (values := movers_for(state, seat)[:1]):
            raise self._not_to_move(place, name, state)
        start.take_turn(values, place)
        return state if var is None else with_slots(state, {var.index: values})

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
                f"name {', '.join(players)}, or another place of the game with `at`",
            )
        raise refusal("E0653", place, near=near, name=name, problem=problem, cure=cure)

    def _check_mover(self, state: State) -> None:
        place = self.entries.get("to_move")
        if place is None:
            return
        told = plain(place) if isinstance(place.value, list) else [plain(place)]
        var = mover_variable(state)
        if state.kind == "chance" and var is not None and told == [self.game.players[seat_of(state, var)]]:
            return  # it is this player's turn, and chance acts first
        if set(map(str, told)) != set(acting_names(state)):
            raise self._not_to_move(place, ", ".join(map(str, told)), state)

    def _not_to_move(self, place: Datum, name: str, state: State) -> GameDSLError:
        acting = ", ".join(acting_names(state))
        cure = f"write `to_move: {acting}`, or name another place of the game with `at`"
        return refusal("E0653", place, name=name, problem=f"here it is {acting}", cure=cure)

    def _chosen(self, state: State) -> State:
        """The state with the secret choices that were already made."""
        place = self.entries.get("chosen")
        if place is None:
            return state
        if not isinstance(place.value, dict) or not isinstance(state.terminator, n.DecideTogether):
            raise unfit(place, "nobody chooses in secret here", help="omit `chosen`")
        for name, datum in place.value.items():
            seat = self._seat(name, Datum(name, place.key_span(name), place.pointer))
            try:
                after = state.apply(self.game.parse_move(str(plain(datum)), state, seat))
            except GameDSLError as problem:
                (found, *_) = problem.diagnostics
                legal = ", ".join(str(m) for m in state.legal_moves(seat)[:MOST_LISTED])
                raise unfit(datum, found.message, near=found.near, help=f"legal here: {legal}") from None
            if not after.pending:
                raise unfit(datum, "then all players would have chosen", help="omit one of the choices")
            state = after
        return state
