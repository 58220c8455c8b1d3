"""Symbols: the meanings of declared names."""

from __future__ import annotations

from typing import Literal, TypeAlias

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span, lazy_dataclass, node
from gamedsl.language.syntax import ast


@node()
class ValueSym:
    """An option: a constant, or in a part also a value known at run time."""

    expr: n.Expr
    span: Span


@node()
class VarSym:
    var: n.Var
    span: Span


@node()
class PieceSym:
    """A kind of piece: ``var`` holds the sets of its places; ``extra`` the number of pieces beyond the first (stacking
    only).
    """

    name: str
    var: n.Var
    extra: n.Var | None
    each: int | None
    owned: bool
    place: Domain
    span: Span
    carries: tuple[str, ...] = ()


@lazy_dataclass()
class Carried:
    """An attribute of pieces: ``var`` holds its value by the place of the piece. ``type`` is the type of its values,
    ``stored`` that of the variable, which may be none where there is no piece. ``viewers`` holds the players who see
    it. ``defaults``: by kind of piece, the value if ``put`` gives none (None: it must give one).
    """

    name: str
    type: n.ValueT
    stored: n.ValueT
    var: n.Var
    viewers: n.Var | None
    owner_sees: bool
    defaults: dict[str, n.Const | None]
    span: Span


@node()
class DomainSym:
    """The name of a type; as a value, the set of all its elements."""

    domain: Domain
    span: Span


@node()
class TypeSym:
    """The name of a type that is not a plain domain (a range, an optional ...)."""

    type: ast.Type
    span: Span


@node()
class TokenKindSym:
    """A kind of token, such as ``flag`` in "flag of player": the elements first .. first + key.size - 1 of the domain."""

    domain: Domain
    first: int
    key: Domain | None
    span: Span


@lazy_dataclass()
class Nesting:
    """The recursive calls of a definition being lowered: the function that they call (None: they fail, because they
    are nested more than ``most`` deep), and whether there has been one.
    """

    most: int
    function: n.Function | None = None
    used: bool = False


@lazy_dataclass()
class DefineSym:
    decl: ast.DefineDecl
    span: Span
    function: n.Function | None = None
    needs_me: bool = False
    params: tuple[tuple[str, n.VarT], ...] = ()
    constant: n.Expr | None = None
    nesting: Nesting | None = None
    state: Literal["new", "busy", "done", "broken"] = "new"


@lazy_dataclass()
class TableSym:
    decl: ast.TableDecl
    span: Span
    data: n.TableData | None = None
    state: Literal["new", "busy", "done", "broken"] = "new"


@node()
class ActionSym:
    decl: ast.ActionDecl
    span: Span


@lazy_dataclass()
class MoveSym:
    """A move and its head; ``schema`` is set when the guards and effect have been lowered."""

    decl: ast.MoveDecl
    span: Span
    index: int
    me: n.Local
    params: tuple[n.Local, ...] = ()
    overs: tuple[n.Expr, ...] = ()
    has_chance: bool = False
    schema: n.Schema | None = None
    registers: tuple[n.Var, ...] = ()
    broken: bool = False


@node()
class GameSym:
    """Another ruleset: ``tree`` holds its declarations, ``path`` is its file, beside which its own files are searched."""

    name: str
    tree: tuple[ast.Decl, ...]
    path: str
    inner: bool  # a part inside the file
    span: Span


@node()
class StrokeSym:
    name: str
    span: Span


Symbol: TypeAlias = (
    ValueSym
    | VarSym
    | PieceSym
    | DomainSym
    | TypeSym
    | TokenKindSym
    | DefineSym
    | TableSym
    | ActionSym
    | MoveSym
    | GameSym
    | StrokeSym
)


WORDS: dict[type, str] = {
    ValueSym: "an option",
    VarSym: "a state variable",
    PieceSym: "a piece",
    DomainSym: "a type",
    TypeSym: "a type",
    TokenKindSym: "a token",
    DefineSym: "a definition",
    TableSym: "a table",
    ActionSym: "an action",
    MoveSym: "a move",
    GameSym: "a ruleset",
    StrokeSym: "a stroke",
}
