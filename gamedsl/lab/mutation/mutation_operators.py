"""The mutation operators, named as in the literature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any, TypeAlias

from gamedsl.lab.mutation.tree_places import Place
from gamedsl.language.source import lazy_dataclass
from gamedsl.language.syntax import ast

# The replacement at a place: a node; in a list, several nodes or none; in an optional field, None.
New: TypeAlias = "ast.Node | tuple[ast.Node, ...] | None"
Changes: TypeAlias = Iterator[tuple[str, New]]

OPERATORS = {
    "SDL": "statement deletion",
    "GDL": "guard deletion",
    "FDL": "forbid deletion",
    "BDL": "branch deletion",
    "ADL": "alternative deletion",
    "CDL": "condition deletion",
    "LDL": "look-ahead deletion",
    "DDL": "declaration deletion",
    "COI": "condition negation",
    "ROR": "relational operator replacement",
    "LCR": "logical connector replacement",
    "AOR": "arithmetic operator replacement",
    "SOR": "set operator replacement",
    "QOR": "quantifier replacement",
    "BOD": "binary operator deletion",
    "UOD": "unary operator deletion",
    "EDL": "element deletion",
    "CRP": "constant replacement",
    "PLR": "player replacement",
    "ENR": "enumerator replacement",
    "RNR": "relation replacement",
    "VRP": "verdict replacement",
}

RELATIONS: dict[str, ast.BinaryOp] = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "=",
    "in": "not in", "not in": "in", "within": "meets", "meets": "within", "disjoint": "meets",
}  # fmt: skip
NEGATED: dict[str, ast.BinaryOp] = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "=",
    "in": "not in", "not in": "in", "meets": "disjoint", "disjoint": "meets",
}  # fmt: skip
CONNECTORS: dict[str, ast.BinaryOp] = {"and": "or", "or": "and"}
ARITHMETIC: dict[str, ast.BinaryOp] = {"+": "-", "-": "+", "*": "+", "div": "*", "mod": "div"}
SETS: dict[str, ast.BinaryOp] = {"|": "&", "&": "|", "-": "&"}
QUANTIFIERS: dict[str, Any] = {"some": "every", "every": "some", "no": "some"}
CONDITIONS = {  # fields that hold a condition
    (ast.Guard, "condition"), (ast.ForbidDecl, "condition"), (ast.Branch, "condition"), (ast.Until, "condition"),
    (ast.IfExpr, "condition"), (ast.Filter, "condition"), (ast.Fold, "condition"), (ast.FoldOr, "condition"),
    (ast.Reach, "condition"), (ast.Quantified, "body"), (ast.Turns, "until"),
}  # fmt: skip
BODIES = {"body", "effect"}


@lazy_dataclass(frozen=True)
class Vocabulary:
    """The interchangeable names of a ruleset: players, elements of the same type, constants of the board, and
    relations of the board (by name and number of arguments).
    """

    players: Mapping[str, str] = field(default_factory=dict)
    enumerators: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    relations: Mapping[tuple[str, int], str] = field(default_factory=dict)


def changes(place: Place, words: Vocabulary) -> Changes:
    """Yields all changes at one place, each as the operator and the replacement."""
    for make in (_deletions, _negations, _expressions, _numbers, _names, _verdicts):
        yield from make(place, words)


# -------------------------------------------------------------------------------------------------------- deletions


def _deletions(place: Place, words: Vocabulary) -> Changes:
    parent = place.parent
    match place.node:
        case ast.Guard():
            yield "GDL", ()
        case ast.ForbidDecl():
            yield "FDL", ()
        case ast.Reveal():
            return  # changes what players see, not what they do: no example could notice it
        case _ if isinstance(place.node, ast.Stmt) and place.field in BODIES:
            yield "SDL", ()
        case _ if _is_variant(parent) and not isinstance(place.node, ast.VariantDecl):
            yield "DDL", ()
        case ast.MayPass() | ast.Stuck():
            yield "ADL", None
        case ast.StrokeCondition() | ast.Binding():
            yield "ADL", ()
        case ast.Name() if _is_alternative(place):
            yield "ADL", ()
        case _ if isinstance(parent, ast.BoardDecl) and place.field == "without":
            yield "ADL", ()
        case ast.Else():
            yield "BDL", None
        case ast.Branch() if (place.siblings or 0) > 1:
            yield "BDL", ()
        case _ if isinstance(parent, ast.SetDisplay) and len(parent.items) > 1:
            yield "EDL", ()
        case _ if isinstance(parent, ast.TableRow) and place.field == "values" and len(parent.values) > 1:
            yield "EDL", ()
    match place.node:
        case ast.If((_,), ast.Else(body)):
            yield "BDL", body
        case ast.Collecting() if (unfiltered := place.node.unfiltered()) is not None:
            yield "CDL", unfiltered


def _is_variant(node: ast.Node | None) -> bool:
    return isinstance(node, ast.Ruleset) and any(isinstance(d, ast.VariantDecl) for d in node.decls)


def _is_alternative(place: Place) -> bool:
    """Whether a name is one of several that may be removed."""
    parent = place.parent
    return parent is not None and place.field == parent.alternatives and (place.siblings or 0) > 1


# -------------------------------------------------------------------------------------------------------- conditions


def _negations(place: Place, words: Vocabulary) -> Changes:
    parent = place.parent
    is_operand = isinstance(parent, ast.Binary) and parent.op in CONNECTORS
    if isinstance(place.node, ast.Expr) and (is_operand or (type(parent), place.field) in CONDITIONS):
        yield "COI", negated(place.node)


def negated(e: ast.Expr) -> ast.Expr:
    """Returns the negation of a condition, in the form a person would write."""
    match e:
        case ast.Unary("not", operand):
            return operand
        case ast.Bool(value):
            return replace(e, value=not value)
        case ast.Binary(op) if op in NEGATED:
            return replace(e, op=NEGATED[op])
        case ast.IsNone():
            return replace(e, negated=not e.negated)
        case ast.Quantified("some"):
            return replace(e, kind="no")
        case ast.Quantified("no"):
            return replace(e, kind="some")
        case _:
            return ast.Unary("not", e, span=e.span)


# -------------------------------------------------------------------------------------------------------- operators


def _expressions(place: Place, words: Vocabulary) -> Changes:
    match place.node:
        case ast.Binary() as e:
            yield from _binary(e)
        case ast.Unary(_, operand):
            yield "UOD", operand
        case ast.IsNone() as e:
            yield "ROR", replace(e, negated=not e.negated)
        case ast.Quantified(kind) as e if kind in QUANTIFIERS:
            yield "QOR", replace(e, kind=QUANTIFIERS[kind])
        case ast.Fold("max" | "min") | ast.FoldOr() as e:
            yield "QOR", replace(e, kind="min" if e.kind == "max" else "max")
        case ast.Reach(value, binder, condition) as e:  # one step only
            yield "QOR", ast.Fold("union", value, (binder,), condition, span=e.span)
        case ast.Filter(binder):
            yield "CDL", binder.source
        case ast.ItemAt(stack):  # any level
            yield "BOD", ast.Call("top", (stack,), span=place.node.span)
        case ast.IfExpr(_, then, otherwise):
            yield "BDL", then
            yield "BDL", otherwise
        case ast.After(_, body):
            yield "LDL", body
        case ast.Add() as s:
            yield "AOR", ast.Take(s.value, s.target, span=s.span, notes=s.notes)
        case ast.Take() as s:
            yield "AOR", ast.Add(s.value, s.target, span=s.span, notes=s.notes)
        case ast.Remove() as s if s.piece is not None:
            yield "QOR", replace(s, everything=not s.everything)


def _binary(e: ast.Binary) -> Changes:
    tables = (("ROR", RELATIONS), ("LCR", CONNECTORS), ("AOR", ARITHMETIC), ("SOR", SETS))
    for operator, table in tables:
        if e.op in table:
            yield operator, replace(e, op=table[e.op])
    if e.op in CONNECTORS or e.op in ARITHMETIC or e.op in SETS:
        yield "BOD", e.left
        if e.op not in ("-", "div", "mod"):
            yield "BOD", e.right


# ------------------------------------------------------------------------------------------------- numbers and names


def _numbers(place: Place, words: Vocabulary) -> Changes:
    match place.node:
        case ast.Int(value):
            yield "CRP", replace(place.node, value=value + 1)
            if value > 0:
                yield "CRP", replace(place.node, value=value - 1)
        case ast.Bool(value):
            yield "CRP", replace(place.node, value=not value)
        case ast.Roll(dice, faces):
            yield "CRP", replace(place.node, faces=faces + 1)
            yield "CRP", replace(place.node, faces=faces - 1)
            yield "CRP", replace(place.node, dice=dice + 1)
            if dice > 1:
                yield "CRP", replace(place.node, dice=dice - 1)
        case ast.StrokeCondition(_, degrees) if degrees is not None:
            yield "CRP", replace(place.node, degrees=degrees + 1)
            yield "CRP", replace(place.node, degrees=degrees - 1)
        case ast.PlayersRange(low, high, default):
            usual = low if default is None else default
            yield from (("CRP", replace(place.node, default=n)) for n in (usual + 1, usual - 1) if low <= n <= high)


def _names(place: Place, words: Vocabulary) -> Changes:
    match place.node:
        case ast.Ref(name):
            if name in words.players:
                yield "PLR", replace(place.node, name=words.players[name])
            for other in words.enumerators.get(name, ()):
                yield "ENR", replace(place.node, name=other)
        case ast.Call(name, args) if (name, len(args)) in words.relations:
            yield "RNR", replace(place.node, name=words.relations[name, len(args)])
        case ast.NotePosition(what):
            yield "ENR", replace(place.node, what="board" if what == "position" else "position")


def _verdicts(place: Place, words: Vocabulary) -> Changes:
    match place.node:
        case ast.Verdict(kind):
            yield "VRP", replace(place.node, kind="lose" if kind == "win" else "win")
