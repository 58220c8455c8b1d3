"""Scopes: the meaning of names in one ruleset, and the context of an expression."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias

from gamedsl.language.boards import Board, Domain
from gamedsl.language.core import memoized
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.error_report import Report
from gamedsl.language.rules.program_builder import ProgramBuilder
from gamedsl.language.rules.symbols import Carried, DomainSym, MoveSym, PieceSym, Symbol
from gamedsl.language.source import Label, Span, lazy_dataclass, node
from gamedsl.language.syntax import ast, walk


@node()
class MoveValue:
    """A move bound by ``some m in moves(...)``: the schema and its arguments (me first)."""

    sym: MoveSym
    args: tuple[n.Expr, ...]


@node()
class OutcomeValue:
    """The result of a played part: ``winners`` is a set over the players of the ruleset that played it."""

    winners: n.Var


@node()
class MapValue:
    """A map or a table with only some of its keys given."""

    var: n.Var | n.TableData
    keys: tuple[n.Expr, ...]
    span: Span


Scoped: TypeAlias = n.Expr | MoveValue | OutcomeValue


Where: TypeAlias = Literal["option", "define", "guard", "forbid", "effect", "play", "claim", "look"]


@node()
class Ctx:
    """The context of an expression: names in scope, the mover, the move that ``this`` refers to."""

    where: Where
    scope: dict[str, Scoped] = field(default_factory=dict)
    me: n.Expr | None = None
    this: MoveValue | None = None
    depth: int = 0  # of look-ahead
    comparing: bool = False  # inside a comparison that has `turn` on one side

    def bind(self, **names: Scoped) -> Ctx:
        scope = {**self.scope, **names}
        return Ctx(
            self.where, scope, self.me, self.this, self.depth, self.comparing
        )  # (`replace` takes thrice the time)

    def deeper(self) -> Ctx:
        return replace(self, depth=self.depth + 1)

    def with_me(self, me: n.Expr | None) -> Ctx:
        return replace(self, me=me)


@lazy_dataclass()
class Env:
    """One ruleset inside the program while it is lowered."""

    program: Lowering
    report: Report
    index: int
    name: str
    decls: tuple[ast.Decl, ...]
    players: Domain
    seats: tuple[n.Expr, ...]  # by player, the player of the surrounding ruleset (empty for the whole)
    outer: Env | None
    board: Board | None = None
    place: Domain | None = None
    symbols: dict[str, Symbol] = field(default_factory=dict)
    elements: dict[str, list[tuple[Domain, int]]] = field(default_factory=dict)
    drawing: n.Var | None = None
    plan: object = None
    countdowns: list[n.Var] = field(default_factory=list)
    ticks: tuple[n.CoreStmt, ...] | None = None  # the statements that lower the countdowns by one; cached
    history: n.Var | None = None
    noting: str = ""  # "position" or "board"
    positions: dict[bool, Span] = field(default_factory=dict)  # the first place, by whether the mover is part of it
    noted: list[n.Var] = field(default_factory=list)  # part of a position besides pieces and mover
    turn: n.Var | None = None
    turn_cycle: int = 1  # the period of `turn` above the numbers with which it is compared
    phases: dict[str, n.Var] = field(default_factory=dict)  # whether a phase is active, for phases in claims
    seat_var: n.Var | None = None
    used: set[str] = field(default_factory=set)
    carried: dict[str, Carried] = field(default_factory=dict)  # by name: the attributes of pieces
    revealed: frozenset[str] = frozenset()  # names that some line reveals
    broken: set[str] = field(default_factory=set)  # names with wrong declarations, whose uses are not reported
    used_bindings: set[str] = field(default_factory=set)
    path: str = ""
    failed: bool = False
    options: list[tuple[str, str]] = field(default_factory=list)
    give: Callable[[Env, str, n.ValueT], n.Expr | None] | None = None  # returns an option's value from outside
    forbids: list[ast.ForbidDecl] = field(default_factory=list)
    occupied: tuple[Span, n.Expr] | None = None  # the cells with a piece, for the place that asked last
    _nodes: dict[bool, dict[type, list[object]]] = field(default_factory=dict)  # by class; cached

    def nodes_of(self, *kinds: type, parts: bool = False) -> list[object]:
        """Returns all nodes of these classes in the ruleset's declarations, those of one class in the order of the text. ``parts``: in
        parts inside the file too.
        """
        if not self._nodes:
            own = [d for d in self.decls if not isinstance(d, ast.PartDecl | ast.InPartDecl)]
            self._nodes[False] = _by_class(own)
            self._nodes[True] = self._nodes[False] if len(own) == len(self.decls) else _by_class(self.decls)
        return [node for kind, nodes in self._nodes[parts].items() if issubclass(kind, kinds) for node in nodes]

    def elements_domain(self, name: str) -> Domain:
        """Returns the domain of this name, which the ruleset's board must have."""
        symbol = self.symbols[f"${name}"] if f"${name}" in self.symbols else self.symbols[name]
        assert isinstance(symbol, DomainSym)
        return symbol.domain

    def pieces(self) -> list[PieceSym]:
        return [s for s in self.symbols.values() if isinstance(s, PieceSym)]

    def moves(self) -> list[MoveSym]:
        return [s for s in self.symbols.values() if isinstance(s, MoveSym)]

    def add_elements(self, domain: Domain) -> None:
        for i, name in enumerate(domain.names):
            known = self.elements.setdefault(name, [])
            if all(d != domain for d, _ in known):
                known.append((domain, i))

    def declare(self, name: ast.Name, symbol: Symbol) -> None:
        old = self.symbols.get(name.id)
        if old is not None:
            self.report.add("E0202", name.span, labels=(Label(old.span, "first declared here"),), name=name.id)
            return
        self.symbols[name.id] = symbol


def _by_class(decls: Sequence[ast.Decl]) -> dict[type, list[object]]:
    """Returns all nodes of declarations by their class, in the order of the text."""
    found = defaultdict[type, list[object]](list)
    for decl in decls:
        for kind, nodes in _nodes_of(decl).items():
            found[kind] += nodes
    return found


@memoized  # an editor's declarations stay from check to check
def _nodes_of(decl: ast.Decl) -> Mapping[type, list[object]]:
    found = defaultdict[type, list[object]](list)
    for one in walk(decl):
        found[one.__class__].append(one)
    return found


@memoized
def statements_in(s: ast.Stmt) -> list[ast.Statement]:
    """Returns a statement and those inside it, in the order of the text."""
    return [node for node in walk(s) if isinstance(node, ast.Statement)]


@lazy_dataclass(kw_only=True)
class Lowering(ProgramBuilder):
    """A program being lowered, with the environments of its rulesets. ``lower_node`` lowers any expression,
    ``lower_part`` the play of another ruleset. Both are passed in, because their modules call them
    recursively.
    """

    lower_node: Callable[[Env, Ctx, ast.Expr, n.ValueT | None], Any]
    lower_part: Callable[[Any, Ctx, ast.PlayGame], Ctx]
    envs: list[Env] = field(default_factory=list)
