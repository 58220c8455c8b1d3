"""Positions in the notations that rulesets declare.

The fields of a notation say how a position is written. To read one, each field is solved for the variables that it
reads: values are tried until the field would be written the way it is in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.errors import play_error
from gamedsl.engine.information.bindings import bindings
from gamedsl.engine.positions.diagram import Diagram, diagram_of
from gamedsl.engine.positions.diagram_reading import Row, read_diagram
from gamedsl.engine.positions.finished import last_mover
from gamedsl.engine.positions.noted import histories
from gamedsl.engine.positions.places import places_of
from gamedsl.engine.positions.plain_values import value_text
from gamedsl.engine.positions.refused import refusal
from gamedsl.engine.positions.setting import Setting, with_slots
from gamedsl.engine.positions.start import Start
from gamedsl.engine.positions.to_move import mover_variable
from gamedsl.engine.positions.turn_counts import turns_completed
from gamedsl.engine.saved_past import MOST_TURNS
from gamedsl.engine.state import State
from gamedsl.engine.stop import evaluate_at
from gamedsl.language.core import limits, variables_read, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, Span
from gamedsl.language.syntax import Datum

if TYPE_CHECKING:
    from gamedsl.engine.state import Game

Known: TypeAlias = Mapping[int, int]  # values of locals, by id
Item: TypeAlias = tuple[tuple[str | n.Local, ...], n.Expr | None]
MOST_TRIED = 1 << 16  # combinations of values for one field
_NUMBER = re.compile("0|[1-9][0-9]{0,5}")
_PIECES = re.compile(r"[0-9]+|[^0-9]")


def notations(program: n.Program) -> dict[str, n.PublicNotation]:
    """The notations of a ruleset, by name."""
    return {name.name: name for name in program.parts[0].notations}


def position_notations(program: n.Program) -> list[n.PublicNotation]:
    """The notations that write positions."""
    return [name for name in notations(program).values() if name.fields]


def notation_named(game: Game, name: str) -> n.PublicNotation:
    """The notation of this name. Raises ``GameDSLError`` (E0658) if there is none."""
    known = notations(game.program)
    if name not in known:
        listed = f"the ruleset declares {', '.join(known)}" if known else "the ruleset declares none (see `notation`)"
        raise play_error("E0658", f"there is no notation called {name}", help=listed, near=tuple(known))
    return known[name]


# ---------------------------------------------------------------------------------------------------------- writing


def written(state: State, notation: n.PublicNotation) -> str:
    """The position in a notation. Raises ``GameDSLError``: E0657 if the notation cannot express this position, E0659 if
    it writes no positions."""
    if not notation.fields:
        others = [name.name for name in position_notations(state.game.program)]
        listed = f"{', '.join(others)} writes positions" if others else "the ruleset declares none that does"
        raise play_error("E0659", f"the notation {notation.name} writes no positions", help=listed)
    me = _mover(state)
    words = []
    for field in notation.fields:
        match field.kind:
            case "board":
                words.append(_board(state, notation, field))
            case "any":
                words.append(field.text)
            case "count":
                words.append(str(int(field.text) + turns_completed(state, field.player)))
            case "text":
                if me is None and _speaks_of(field, notation.me):
                    problem = (
                        "the game is over, and it is unclear whose turn it was"
                        if state.is_terminal
                        else "nobody is to move"
                    )
                    raise _unwritten(notation, problem)
                words.append(field_text(state, field, {} if me is None else {notation.me.id: me}))
    return " ".join(words)


def _unwritten(notation: n.PublicNotation, problem: str) -> GameDSLError:
    message = f"the position cannot be written in the notation {notation.name}: {problem}"
    return play_error("E0657", message, help="print it without `--notation`")


def _mover(state: State) -> int | None:
    """The player of the part who alone is to move, or whose turn ended the game before a decision; None if there is
    none."""
    if state.is_terminal:
        return last_mover(state)
    query = state.game.code.blocks[state.block].queries.get("mover")
    return None if query is None or state.kind != "player" else int(query(state.slots))


def _board(state: State, notation: n.PublicNotation, field: n.NotationField) -> str:
    diagram = diagram_of(state)
    words = None if diagram is None else diagram.cell_words(state)
    if diagram is None or words is None or any(len(w) != 1 or w.isdecimal() for w in words):
        raise _unwritten(notation, "a cell has no symbol of one letter")
    rows = ("".join(words[cell] for cell in row) for row in diagram.rows)
    return field.text.join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)


def field_text(state: State, field: n.NotationField, known: Known) -> str:
    """The texts of a field's items whose conditions hold, with these values for its free names; the field's own text if
    there are none."""
    inner = list(bindings(state, field.binders, known))
    return "".join(_item(state, item, values) for values in inner for item in field.items) or field.text


def item_texts(state: State, field: n.NotationField, known: Known) -> list[str]:
    """The text of every item of a field; empty where its condition does not hold."""
    inner = list(bindings(state, field.binders, known))
    return ["".join(_item(state, item, values) for values in inner) for item in field.items]


def _item(state: State, item: Item, known: Known) -> str:
    template, condition = item
    if condition is not None and not evaluate_at(state, condition, known):
        return ""
    return "".join(p if isinstance(p, str) else str(value_text(p.type, known[p.id])) for p in template)


# ---------------------------------------------------------------------------------------------------------- reading


def read_notation(game: Game, place: Datum) -> State:
    """The state of a position in one of the notations, written in the string at ``place``. Raises ``GameDSLError``
    (E0656, or the error of a diagram or of a value) if no notation can read it."""
    known = position_notations(game.program)
    if not known:
        cure = (
            "write an object with keys such as `board` and `to_move`; this ruleset declares no notation for positions"
        )
        raise refusal("E0656", place, notation="of the ruleset", problem="there is none", cure=cure)
    problems: list[GameDSLError] = []
    for notation in known:
        try:
            return _Reader(game, notation, place).state()
        except GameDSLError as problem:
            problems.append(problem)
    raise problems[0]


class _Reader:
    """Reads one position, field by field. ``solved``: the variables whose values earlier fields have given."""

    def __init__(self, game: Game, notation: n.PublicNotation, place: Datum) -> None:
        self.notation = notation
        self.words = _words(place)
        self.place = place
        self.start = places_of(game).before(places_of(game).first_decision)
        self.state_here = game.make_state(self.start.decision, tuple(self.start.slots))
        self.solved: set[int] = set()
        self.me_is_known = False
        self.turns: dict[int | None, int] = {}

    def state(self) -> State:
        fields = self.notation.fields
        if len(self.words) > len(fields):
            raise self._unfit(self.words[len(fields)], f"a position has only {len(fields)} fields")
        for number, field in enumerate(fields):
            word = self.words[number] if number < len(self.words) else None
            if field.kind == "any" or (field.kind == "count" and word is None):
                continue
            if word is None:
                raise self._unfit(self.place, f"a position has {len(fields)} fields, not {len(self.words)}")
            if field.kind == "board":
                self._lay(field, word)
            elif field.kind == "count":
                self._count(field, word)
            else:
                self._solve(field, word)
        solved = dict.fromkeys(self.solved, self.place)
        start = Start(self.state_here.game, self.start, solved, frozenset(self.solved))
        start.check_missing(self.place)
        return start.arrived(self.state_here, histories(self.state_here), self.turns)

    def _count(self, field: n.NotationField, word: Datum) -> None:
        """Reads a number that counts turns."""
        number = int(str(word.value)) if _NUMBER.fullmatch(str(word.value)) else None
        if number is None:
            cure = f"write a whole number up to {MOST_TURNS:,}, such as {field.text}, or omit it"
            raise self._unfit(word, f"{word.value} is not a number of turns", cure)
        before = number - int(field.text)
        if self.turns.setdefault(field.player, before) != before:
            raise self._unfit(word, f"{word.value} contradicts the number before it")

    def _unfit(self, place: Datum, problem: str, cure: str = "") -> GameDSLError:
        if cure:
            return refusal("E0656", place, notation=self.notation.name, problem=problem, cure=cure)
        try:
            cure = f"the first position is {written(self.state_here.game.initial_state(), self.notation)}"
        except GameDSLError:  # the game begins with chance
            cure = "`gamedsl position` with `--notation` writes positions in it"
        return refusal("E0656", place, notation=self.notation.name, problem=problem, cure=cure)

    def _lay(self, field: n.NotationField, word: Datum) -> None:
        diagram = diagram_of(self.state_here)
        assert diagram is not None
        setting = Setting(self.state_here)
        for var, value, datum in read_diagram(diagram, word, list(self._rows(field, word, diagram))):
            setting.add(var, value, datum)
        setting.check_pieces()
        self.solved |= {v.index for v in diagram.variables}
        self.state_here = setting.state_here()

    def _rows(self, field: n.NotationField, word: Datum, diagram: Diagram) -> Iterator[Row]:
        rows = str(word.value).split(field.text) if field.text else [str(word.value)]
        if len(rows) != len(diagram.rows):
            raise self._unfit(word, f"the board has {len(diagram.rows)} rows, not {len(rows)}")
        start = word.span.start
        for row in rows:
            words: list[tuple[str, Datum]] = []
            for piece in _PIECES.finditer(row):
                span = Span(word.span.source, start + piece.start(), start + piece.end())
                of_empty = min(int(piece[0]), 10_000) if piece[0].isdecimal() else 0
                words += [(".", Datum(".", span))] * of_empty or [(piece[0], Datum(piece[0], span))]
            yield Datum(row, Span(word.span.source, start, start + len(row))), words
            start += len(row) + len(field.text)

    def _solve(self, field: n.NotationField, word: Datum) -> None:
        """Gives the variables that a field reads the first values with which it would be written like this."""
        game = self.state_here.game
        asks_me = _speaks_of(field, self.notation.me)
        mover = mover_variable(self.state_here)
        unknown = [v for v in _variables(game.program, field) if v.index not in self.solved]
        if asks_me and not self.me_is_known and mover is not None and mover not in unknown:
            unknown.append(mover)
        refuted: dict[tuple[int, ...], set[tuple[object, ...]]] = {}
        for values in _trials(unknown):
            slots = _Traced(with_slots(self.state_here, values).slots)
            if any(tuple(map(slots.untraced, read)) in found for read, found in refuted.items()):
                continue
            state = game.make_state(self.state_here.block, slots)
            me = _mover(state)
            if field_text(state, field, {} if me is None else {self.notation.me.id: me}) == word.value:
                self.state_here = with_slots(self.state_here, values)
                self.solved |= {v.index for v in unknown}
                self.me_is_known = self.me_is_known or asks_me
                return
            read = tuple(sorted(slots.read))
            refuted.setdefault(read, set()).add(tuple(map(slots.untraced, read)))
        raise self._unfit(word, f"{word.value} is not allowed here")


class _Traced(tuple[object, ...]):
    """The values of a state, with a record of which were read: the text of a field depends only on these."""

    read: set[int]

    def __new__(cls, values: Iterable[object]) -> _Traced:
        made = super().__new__(cls, values)
        made.read = set()
        return made

    def __getitem__(self, at: Any) -> Any:
        self.read.update(range(*at.indices(len(self))) if isinstance(at, slice) else (at,))
        return super().__getitem__(at)

    def untraced(self, at: int) -> object:
        """A value, without remembering that it was read."""
        return super().__getitem__(at)


def _words(place: Datum) -> list[Datum]:
    """The words of a string, with their places."""
    text = str(place.value)
    at = max(0, place.span.source.text.find(text, place.span.start))
    return [Datum(m[0], Span(place.span.source, at + m.start(), at + m.end())) for m in re.finditer(r"\S+", text)]


def _exprs(field: n.NotationField) -> Iterator[n.Expr]:
    yield from (condition for _, condition in field.items if condition is not None)
    yield from (over for _, over in field.binders)


def _speaks_of(field: n.NotationField, me: n.Local) -> bool:
    named = any(p == me for template, _ in field.items for p in template)
    return named or any(isinstance(e, n.Load) and e.local == me for top in _exprs(field) for e in walk(top))


def _variables(program: n.Program, field: n.NotationField) -> list[n.Var]:
    """The variables that a field reads."""
    read = {index for e in _exprs(field) for index in variables_read(program, e)}
    return [v for v in program.variables if v.index in read]


def _trials(unknown: list[n.Var]) -> Iterator[dict[int, list[int]]]:
    """Combinations of values for variables, small sets and low numbers first; none at all if there are too many."""
    slots = [(v.index, _values(v)) for v in unknown for _ in range(v.slots)]
    total = 1
    for _, values in slots:
        total *= len(values)
    if total > MOST_TRIED or not all(values for _, values in slots):
        return
    for chosen in product(*(values for _, values in slots)):
        found: dict[int, list[int]] = {}
        for (index, _), value in zip(slots, chosen, strict=True):
            found.setdefault(index, []).append(value)
        yield found


def _values(var: n.Var) -> list[int]:
    match var.type:
        case n.StoredT():
            return []
        case n.SetT(domain):
            return sorted(range(1 << domain.size), key=int.bit_count) if domain.size <= 16 else []
        case t:
            low, high = limits(t)
            return list(range(low, high + 1)) if high - low < MOST_TRIED else []
