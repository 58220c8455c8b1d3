"""The shape of the data form, derived once from the dataclasses of ``ast``: the keys and values of every node's object.

Reader, writer and JSON Schema are all driven by these shapes, so they cannot disagree. Type hints give nearly all of
it; the tables here add what hints cannot express: strings that are not names, lists that must not be empty, bounds.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from functools import cache
from typing import Any, Literal, TypeAlias

from gamedsl.language.source import UNFIT, lazy_dataclass
from gamedsl.language.syntax import ast

# ------------------------------------------------------------------------------------------------- kinds of texts

NAME = "[A-Za-z_][A-Za-z0-9_]*"
CLAUSE = "[A-Za-z0-9](?:[A-Za-z0-9._()\\-]*[A-Za-z0-9_)])?"
LINE = f"[^{UNFIT}]*"
COMMENT = f"(?:[^{UNFIT}]*[^ {UNFIT}])?"  # spaces at the end would be lost
PATTERNS = {"name": NAME, "clause": CLAUSE, "text": LINE, "comment": COMMENT}

TextKind: TypeAlias = Literal["name", "clause", "text", "comment"]

# Every string field that is not a name.
TEXTS: dict[tuple[str, str], TextKind] = {
    ("HeaderItem", "text"): "text",
    ("GameDecl", "title"): "text",
    ("UseDecl", "file"): "text",
    ("OptionDecl", "text"): "text",
    ("ShapeDecl", "rows"): "text",
    ("Guard", "message"): "text",
    ("MoveDecl", "written"): "text",
    ("MoveDecl", "also"): "text",
    ("ElementWords", "text"): "text",
    ("TokenKind", "words"): "text",
    ("ForbidDecl", "message"): "text",
    ("Verdict", "reason"): "text",
    ("DrawGame", "reason"): "text",
    ("ClaimDecl", "name"): "text",
    ("LookShow", "glyph"): "text",
    ("LookShow", "called"): "text",
    ("LookStroke", "called"): "text",
    ("LookLine", "called"): "text",
    ("LookTint", "called"): "text",
    ("LookBorder", "glyph"): "text",
    ("LookBorder", "called"): "text",
    ("LookBeside", "text"): "text",
    ("LookLeave", "called"): "text",
    ("LookLeave", "text"): "text",
    ("LookSay", "text"): "text",
    ("NotationBoard", "separator"): "text",
    ("NotationItem", "text"): "text",
    ("NotationText", "otherwise"): "text",
    ("NotationAny", "text"): "text",
    ("NotationCount", "first"): "text",
    ("InfoItem", "text"): "text",
    ("VariantDecl", "file"): "text",
    ("Cite", "clause"): "clause",
    ("RemoveDecl", "name"): "text",  # a claim's name is one
    ("Notes", "before"): "comment",
    ("Notes", "behind"): "comment",
    ("Ruleset", "after"): "comment",
}

# Lists with a minimum number of entries (all others may be empty, and are then omitted).
LEAST: dict[tuple[str, str], int] = {
    ("EnumType", "names"): 1,
    ("Index", "keys"): 1,
    ("TupleDisplay", "items"): 2,
    ("Binder", "names"): 1,
    ("Quantified", "binders"): 1,
    ("Fold", "binders"): 1,
    ("FoldOr", "binders"): 1,
    ("MovesOf", "moves"): 1,
    ("If", "branches"): 1,
    ("Branch", "body"): 1,
    ("Else", "body"): 1,
    ("For", "body"): 1,
    ("Repeat", "body"): 1,
    ("Phase", "body"): 1,
    ("Turns", "body"): 1,
    ("Stuck", "body"): 1,
    ("Plays", "moves"): 1,
    ("Everyone", "moves"): 1,
    ("Draws", "strokes"): 1,
    ("PlayersNamed", "names"): 1,
    ("BoardShape", "sizes"): 1,
    ("BoardDecl", "shapes"): 1,
    ("GraphNodes", "names"): 1,
    ("GraphLinks", "targets"): 1,
    ("StrokeDecl", "names"): 1,
    ("PieceDecl", "names"): 1,
    ("Variable", "names"): 1,
    ("TokenDecl", "kinds"): 1,
    ("Used", "moves"): 1,
    ("MayTell", "hidden"): 1,
    ("ProductType", "parts"): 2,
    ("TableRow", "values"): 1,
    ("NotationDecl", "fields"): 1,
    ("NotationText", "items"): 1,
    ("NotationMoves", "moves"): 1,
    ("NotationMoves", "parts"): 1,
    ("NotationApart", "items"): 1,
    ("NotationAfter", "items"): 1,
}

MOST_NUMBER = 10**9

# Numbers with bounds other than 0 .. MOST_NUMBER.
BOUNDS: dict[tuple[str, str], tuple[int, int]] = {
    ("Roll", "dice"): (1, MOST_NUMBER),
}

# --------------------------------------------------------------------------------------------------------- shapes


@lazy_dataclass(frozen=True, slots=True)
class TextShape:
    text: TextKind


# a name is written as a plain string, a citation as the clause's number
@lazy_dataclass(frozen=True, slots=True)
class WrappedShape:
    cls: type
    field: str
    text: TextKind


@lazy_dataclass(frozen=True, slots=True)
class NumberShape:
    low: int
    high: int


@lazy_dataclass(frozen=True, slots=True)
class BoolShape:
    pass


@lazy_dataclass(frozen=True, slots=True)
class ChoiceShape:
    words: tuple[str, ...]


@lazy_dataclass(frozen=True, slots=True)
class ListShape:
    item: Shape
    least: int


# an object of one of these classes, distinguished by "kind"
@lazy_dataclass(frozen=True, slots=True)
class ObjectShape:
    classes: tuple[type, ...]


# the object "notes", which has no kind
@lazy_dataclass(frozen=True, slots=True)
class NotesShape:
    pass


Shape: TypeAlias = (
    TextShape | WrappedShape | NumberShape | BoolShape | ChoiceShape | ListShape | ObjectShape | NotesShape
)


@lazy_dataclass(frozen=True, slots=True)
class FieldShape:
    """One key of an object. ``name`` is the dataclass field; a key with the value ``default`` is
    not written.
    """

    name: str
    key: str
    shape: Shape
    required: bool
    default: Any


# A node's own field "kind" would collide with the kind of object.
_KEYS = {"kind": "form"}
_NO_DEFAULT = object()


def kind_of(cls: type) -> str:
    """Returns the kind of a class: ``MoveDecl`` -> ``move_decl``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


@cache
def node_classes() -> tuple[type, ...]:
    """Returns all classes that are written as objects with a kind, in the order of ``ast``."""
    found = [
        c for c in vars(ast).values() if isinstance(c, type) and issubclass(c, ast.Node) and not c.__subclasses__()
    ]
    return tuple(c for c in dict.fromkeys(found) if c not in (ast.Name, ast.Cite))


@cache
def class_of_kind() -> dict[str, type]:
    return {kind_of(c): c for c in node_classes()}


def kinds_with_keys(keys: frozenset[str]) -> list[str]:
    """Returns the kinds of object that can have these keys and require no others, besides ``kind``."""
    found = []
    for kind, cls in class_of_kind().items():
        fields = fields_of(cls)
        if keys <= {f.key for f in fields} and {f.key for f in fields if f.required} <= keys:
            found.append(kind)
    return found


def fields_of(cls: Any) -> tuple[FieldShape, ...]:
    """Returns the keys of a class's object, in the order in which they are written; ``notes`` is last."""
    return _fields_of(cls)


@cache
def _fields_of(cls: Any) -> tuple[FieldShape, ...]:
    hints = typing.get_type_hints(cls, vars(ast))
    shapes = [_field(cls, f, hints[f.name]) for f in dataclasses.fields(cls) if f.name != "span"]
    return tuple(sorted(shapes, key=lambda f: f.name == "notes"))


def _field(cls: type, f: dataclasses.Field[Any], hint: Any) -> FieldShape:
    shape, optional = _shape(cls.__name__, f.name, hint)
    default: Any = _NO_DEFAULT
    if f.default is not dataclasses.MISSING:
        default = f.default
    elif f.default_factory is not dataclasses.MISSING:
        default = f.default_factory()
    elif optional:
        default = None
    elif isinstance(shape, ListShape) and shape.least == 0:
        default = ()
    return FieldShape(f.name, _KEYS.get(f.name, f.name), shape, default is _NO_DEFAULT, default)


def _shape(cls: str, name: str, hint: Any) -> tuple[Shape, bool]:
    """Returns the shape of a field, and whether it can be None."""
    arguments = _union(hint)
    optional = type(None) in arguments
    rest = tuple(a for a in arguments if a is not type(None))
    if len(rest) == 1:
        return _single(cls, name, rest[0]), optional
    return ObjectShape(rest), optional


def _union(hint: Any) -> tuple[Any, ...]:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return tuple(x for a in typing.get_args(hint) for x in _union(a))
    return (hint,)


def _single(cls: str, name: str, hint: Any) -> Shape:
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)[0]
        return ListShape(_shape(cls, name, inner)[0], LEAST.get((cls, name), 0))
    if typing.get_origin(hint) is Literal:
        return ChoiceShape(typing.get_args(hint))
    if hint is str:
        return TextShape(TEXTS.get((cls, name), "name"))
    if hint is bool:
        return BoolShape()
    if hint is int:
        return NumberShape(*BOUNDS.get((cls, name), (0, MOST_NUMBER)))
    if hint is ast.Notes:
        return NotesShape()
    if hint is ast.Name:
        return WrappedShape(ast.Name, "id", TEXTS.get((cls, name), "name"))
    if hint is ast.Cite:
        return WrappedShape(ast.Cite, "clause", "clause")
    assert isinstance(hint, type) and dataclasses.is_dataclass(hint), f"{cls}.{name}: {hint}"
    return ObjectShape((hint,))
