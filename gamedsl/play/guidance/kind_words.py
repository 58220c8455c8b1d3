"""The words for a kind of move: what a person touches for each of its steps, and what that is for. They come from the
names, notations and effects in the ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamedsl.engine.picture import (
    PieceChange,
    PieceChanges,
    base_of,
    board_kind,
    cell_style,
    covered_change,
    piece_changes,
)
from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.core import words, words_of_move
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import ActionKind, Game

_CELLS = {"squares": "square", "crossings": "point", "dots": "dot"}
PIECE = "piece"  # of any kind


@lazy_dataclass(frozen=True)
class StepWords:
    """One step of a move. ``thing``: what is touched, ``a square``; ``things``: several of them; ``use``: what for, ``for a
    stone``, or empty where only the name of the move could say so; ``theirs``: what for, where somebody chooses for another
    seat, or empty if that is the same."""

    thing: str
    things: str
    use: str = ""
    theirs: str = ""


@lazy_dataclass(frozen=True)
class KindWords:
    """A kind of move. ``name``: its name in quotation marks; ``steps``: one for each parameter, None where a parameter names
    no places; ``covered``: the step of a move that is touched where it puts pieces; ``ending``: what ending the move here
    is for."""

    name: str
    steps: tuple[StepWords | None, ...]
    covered: StepWords | None
    ending: str


def words_of_kinds(game: Game) -> list[KindWords]:
    """The words for every kind of action, in the order of their numbers."""
    return [_words_of_kind(game, kind) for kind in game.action_kinds]


def _words_of_kind(game: Game, kind: ActionKind) -> KindWords:
    if kind.schema is None:
        return KindWords(f"“{words(kind.name)}”", tuple(None for _ in kind.parameters), None, "")
    schema = game.program.schemas[kind.schema]
    name = f"“{words_of_move(schema)}”"
    part, changes = game.program.parts[schema.part], piece_changes(schema)
    steps = tuple(_step(part, schema, changes, i) for i in range(len(schema.params)))
    edges = covered_change(schema, changes)
    covered = None if edges is None else _step_to_put(part, edges.var, base_of(edges.var.type))
    return KindWords(name, steps, covered, _ending(part, schema, changes))


def _step(part: n.Part, schema: n.Schema, changes: PieceChanges, index: int) -> StepWords | None:
    param = schema.params[index]
    domain = base_of(param.local.type)
    if domain is None:
        return None
    is_turned = any(c.depends_on(param) and not c.is_at(param) for c in changes.put)  # pieces change places there
    taken = [c for c in _of_param(changes.taken, schema, param) if c.is_at(param) or not is_turned]
    put = _of_param(changes.put, schema, param)
    if taken and not put:
        use = "to move" if any(changes.moves(c) for c in taken) else "to take off"
        piece = _piece_of(taken)
        return StepWords(_with_article(piece), f"{piece}s", use)
    if put:
        return _to_put(part, schema, changes, index, put, domain)
    place = place_word(part, domain)
    return StepWords(_with_article(place), f"{place}s")


def _of_param(changes: Sequence[PieceChange], schema: n.Schema, param: n.CoreParam) -> list[PieceChange]:
    """The changes at the places that a parameter names; else those that several parameters name together."""
    named = {c.var for c in changes if any(c.is_at(p) for p in schema.params)}
    return [c for c in changes if c.is_at(param)] or [c for c in changes if c.depends_on(param) and c.var not in named]


def _to_put(
    part: n.Part, schema: n.Schema, changes: PieceChanges, index: int, put: list[PieceChange], domain: Domain
) -> StepWords:
    """The step in which a piece comes to a place: from another step, from where it is, or from outside."""
    place = place_word(part, domain)
    moved = [t for t in changes.taken for p in put if t.slot == p.slot]
    before = [t for t in moved if any(t.is_at(param) for param in schema.params[:index])]
    if before:
        return StepWords(_with_article(place), f"{place}s", "to move it to")
    if moved and len(put) == 1 and _is_fixed(schema, moved) and _follows(schema, put[0], moved):
        piece = words(put[0].var.name)
        return StepWords(_with_article(place), f"{place}s", f"for your {piece}", f"for their {piece}")
    return _step_to_put(part, put[0].var, domain, several=len({p.var for p in put}) > 1)


def _step_to_put(part: n.Part, var: n.Var, domain: Domain | None, several: bool = False) -> StepWords:
    place = place_word(part, domain)
    piece = PIECE if several else words(var.name)
    return StepWords(_with_article(place), f"{place}s", _for(piece, place))


def _for(piece: str, place: str) -> str:
    """What a place is for; empty where the piece is called as the place is."""
    return "" if piece == place else f"for {_with_article(piece)}"


def _is_fixed(schema: n.Schema, changes: list[PieceChange]) -> bool:
    return not any(c.depends_on(param) for c in changes for param in schema.params)


def _follows(schema: n.Schema, put: PieceChange, taken: list[PieceChange]) -> bool:
    """Whether a piece is put directly after one of the same slot is taken from a single place: it is moved."""
    changed = [s for s in schema.effect if isinstance(s, n.Assign)]
    at = next((i for i, s in enumerate(changed) if s.var == put.var and s.value.right == put.places), 0)  # type: ignore[union-attr]
    before = changed[at - 1] if at else None
    return before is not None and any(
        before.var == t.var and isinstance(t.places, n.Op1) and t.places.op == "single" for t in taken
    )


def _ending(part: n.Part, schema: n.Schema, changes: PieceChanges) -> str:
    """What a move is for whose places have all been touched."""
    if changes.put and not any(changes.moves(c) and any(c.is_at(p) for p in schema.params) for c in changes.taken):
        pieces = {c.var for c in changes.put if any(c.is_at(p) for p in schema.params)}
        if len(pieces) != 1:
            return ""
        (var,) = pieces
        return _for(words(var.name), place_word(part, base_of(var.type)))
    taken = [c for c in changes.taken if any(c.is_at(p) for p in schema.params)]
    return "to take it off" if taken and not changes.put else ""


def _piece_of(changes: list[PieceChange]) -> str:
    names = {c.var.name for c in changes}
    return words(names.pop()) if len(names) == 1 else PIECE


def place_word(part: n.Part, domain: Domain | None) -> str:
    """The word for a place, as people say it: ``square``, ``cell``, ``edge``."""
    if domain is None or part.board is None or domain.name != part.board.place:
        return domain.name if domain is not None and domain.name in ("edge", "point", "space") else "place"
    match board_kind(part):
        case "grid":
            return _CELLS[cell_style(part)]
        case "hex":
            return "cell"
        case _:
            return "place"


def _with_article(noun: str) -> str:
    vowels = "aeiou" if len(noun) > 1 else "aefhilmnorsx"
    return f"{'an' if noun[0].casefold() in vowels else 'a'} {noun}"
