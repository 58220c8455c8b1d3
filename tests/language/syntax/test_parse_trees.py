"""What texts mean as trees: precedence, words that are names, spans."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings

from gamedsl.language.source.diagnostic import GameDSLError
from gamedsl.language.source.resources import resource_path
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.ast import (
    Binary,
    Binder,
    Bool,
    Call,
    Filter,
    Fold,
    Int,
    Name,
    Quantified,
    Ref,
    SetDisplay,
    Unary,
)
from gamedsl.language.syntax.parser import parse_expression, parse_text
from tests.strategies import expressions

A, B, C = Ref("a"), Ref("b"), Ref("c")
FILES = [*sorted(resource_path("rulesets").glob("*.gdl")), *sorted((Path(__file__).parent / "golden").glob("*.gdl"))]


def one(name: str, source: ast.Expr) -> Binder:
    return Binder((Name(name),), False, source)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a or b and c", Binary("or", A, Binary("and", B, C))),
        ("(a or b) and c", Binary("and", Binary("or", A, B), C)),
        ("a and b and c", Binary("and", Binary("and", A, B), C)),
        ("not a and b", Binary("and", Unary("not", A), B)),
        ("not a = b", Unary("not", Binary("=", A, B))),
        ("a = b | c", Binary("=", A, Binary("|", B, C))),
        ("a | b & c", Binary("|", A, Binary("&", B, C))),
        ("a & b + c", Binary("&", A, Binary("+", B, C))),
        ("a - b - c", Binary("-", Binary("-", A, B), C)),
        ("a + b * c", Binary("+", A, Binary("*", B, C))),
        ("-a * b", Binary("*", Unary("-", A), B)),
        ("-a.b", Unary("-", ast.FieldOf(A, "b"))),
        ("a in 1..b + 2", Binary("in", A, ast.RangeSet(Int(1), Binary("+", B, Int(2))))),
        ("a not in b", Binary("not in", A, B)),
        ("a is none", ast.IsNone(A, False)),
        ("a is someone", ast.IsNone(A, True)),
        ("f(a)[b, c].d", ast.FieldOf(ast.Index(Call("f", (A,)), (B, C)), "d")),
        ("some x in a: b or c", Quantified("some", (one("x", A),), Binary("or", B, C))),
        ("a and some x in b: c or a", Binary("and", A, Quantified("some", (one("x", B),), Binary("or", C, A)))),
        ("no x in a: yes", Quantified("no", (one("x", A),), Bool(True))),
        ("a = no", Binary("=", A, Bool(False))),
        ("count x, y in a, z in b: c", Quantified("count", (Binder((Name("x"), Name("y")), False, A), one("z", B)), C)),
        ("count(a)", Call("count", (A,))),
        ("max(a, b)", Call("max", (A, B))),
        ("max of a for x in b", Fold("max", A, (one("x", B),), None)),
        ("max of a for x in b: (a or c)", Fold("max", A, (one("x", B),), Binary("or", A, C))),
        ("union of a for x in b: a or c", Fold("union", A, (one("x", B),), Binary("or", A, C))),
        ("max of a for x in b or 0", ast.FoldOr("max", A, (one("x", B),), None, Int(0))),
        ("min of a for x in b: c and a or b + 1", ast.FoldOr(
            "min", A, (one("x", B),), Binary("and", C, A), Binary("+", B, Int(1))
        )),
        ("max of a for x in b or min of b for x in a or c", ast.FoldOr(
            "max", A, (one("x", B),), None, ast.FoldOr("min", B, (one("x", A),), None, C)
        )),
        ("every (x, y) in f(a): b", Quantified("every", (Binder((Name("x"), Name("y")), True, Call("f", (A,))),), B)),
        ("{}", SetDisplay(())),
        ("{a, b}", SetDisplay((A, B))),
        ("{x in a: b}", Filter(one("x", A), B)),
        ("{x in a}", SetDisplay((Binary("in", Ref("x"), A),))),
        ("{(x, y) in a: b}", Filter(Binder((Name("x"), Name("y")), True, A), B)),
        ("{b for x in a}", Fold("set", B, (one("x", A),), None)),
        ("(a, b) in {(b, c)}", Binary("in", ast.TupleDisplay((A, B)), SetDisplay((ast.TupleDisplay((B, C)),)))),
        ("after this: not a", ast.After("this", Unary("not", A))),
        ("some m in moves(a, b | c): after m: a", Quantified(
            "some", (one("m", ast.MovesOf("moves", A, (Name("b"), Name("c")))),), ast.After("m", A)
        )),
        ("if a then b else if b then c else a", ast.IfExpr(A, B, ast.IfExpr(B, C, A))),
        ("(if a then b else c) + a", Binary("+", ast.IfExpr(A, B, C), A)),
    ],
)  # fmt: skip
def test_expressions(text: str, tree: ast.Expr) -> None:
    assert parse_expression(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("cell", ast.NamedType("cell")),
        ("0..n - 1", ast.RangeType(Int(0), Binary("-", Ref("n"), Int(1)))),
        ("n..9?", ast.OptionalType(ast.RangeType(Ref("n"), Int(9)))),
        ("{a, b}", ast.EnumType((Name("a"), Name("b")))),
        ("set of cell?", ast.SetType(ast.OptionalType(ast.NamedType("cell")))),
        ("(set of cell)?", ast.OptionalType(ast.SetType(ast.NamedType("cell")))),
        ("a -> b -> c", ast.MapType(ast.NamedType("a"), ast.MapType(ast.NamedType("b"), ast.NamedType("c")))),
        ("set of a -> b", ast.MapType(ast.SetType(ast.NamedType("a")), ast.NamedType("b"))),
        ("countdown", ast.CountdownType(None)),
        ("countdown up to 8", ast.CountdownType(Int(8))),
        ("stack of a up to n", ast.StackType(ast.NamedType("a"), Ref("n"))),
    ],
)
def test_types(text: str, tree: ast.Type) -> None:
    [decl] = parse_text(f"type t = {text}\n").decls
    assert isinstance(decl, ast.TypeDecl) and decl.type == tree


def test_words_are_names_where_no_keyword_can_stand() -> None:
    text = "move draw\nmove set(to: play)\n  put put[me] on to\nplay\n  turns from from\n    turns plays draw | set\n"
    draw, move, play = parse_text(text.replace("turns plays", "me plays")).decls
    assert isinstance(draw, ast.MoveDecl) and draw.name == Name("draw")
    assert isinstance(move, ast.MoveDecl)
    assert move.params == (ast.Param(Name("to"), ast.NamedType("play"), None),)
    assert move.effect == (ast.Put(ast.Index(Ref("put"), (Ref("me"),)), Ref("to")),)
    assert isinstance(play, ast.PlayDecl)
    [turns] = play.body
    assert isinstance(turns, ast.Turns) and turns.start == Ref("from")
    assert isinstance(turns.body[0], ast.Plays) and turns.body[0].moves == (Name("draw"), Name("set"))


def test_who_decides_may_be_any_expression_in_brackets() -> None:
    [play] = parse_text("play\n  (draw) passes\n  next(me) passes\n  x[1].y passes\n  settle\n  f(a)\n").decls
    assert isinstance(play, ast.PlayDecl)
    draw, following, field, settle, f = play.body
    assert draw == ast.Passes(Ref("draw"))
    assert following == ast.Passes(Call("next", (Ref("me"),)))
    assert field == ast.Passes(ast.FieldOf(ast.Index(Ref("x"), (Int(1),)), "y"))
    assert settle == ast.Perform("settle", ())
    assert f == ast.Perform("f", (A,))


def nodes(value: object) -> Iterator[ast.Node]:
    """All nodes of a tree."""
    if isinstance(value, ast.Node):
        yield value
    if isinstance(value, ast.Node | ast.Notes):
        for field in dataclasses.fields(value):
            yield from nodes(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from nodes(item)


EXPRESSION_TYPES = ast.Expr.__args__  # type: ignore[attr-defined]


def read_again(node: ast.Expr) -> ast.Expr:
    """The expression that the text at the span of ``node`` is. A leg is one only as an argument."""
    if not isinstance(node, ast.Leg):
        return parse_expression(node.span.text)
    call = parse_expression(f"f({node.span.text})")
    assert isinstance(call, Call)
    return call.args[0]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_the_span_of_an_expression_is_the_text_of_it(path: Path) -> None:
    """Read again on its own, the text at an expression's span is the same expression."""
    tree = parse_text(path.read_text(encoding="utf-8"), path.name)
    found = [n for n in nodes(tree) if isinstance(n, EXPRESSION_TYPES)]
    assert found
    for node in found:
        assert read_again(node) == node


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_spans_of_names_lines_and_citations(path: Path) -> None:
    tree = parse_text(path.read_text(encoding="utf-8"), path.name)
    for node in nodes(tree):
        match node:
            case ast.Name(id):
                assert node.span.text in (id, f'"{id}"')
            case ast.Cite(clause):
                assert node.span.text == f"@{clause}"
            case ast.Line():
                assert node.span.text == node.span.text.strip() != ""
                before = node.span.source.text[: node.span.start].rpartition("\n")[2]
                assert before.strip() == ""


@settings(max_examples=60, deadline=None)
@given(expressions())
@example(Call("f", (ast.Leg(ast.NoneValue(), Ref("X")), ast.Leg(Int(2), Ref("n")))))
@example(Call("f", (ast.Leg(Bool(False), Ref("X")), A)))
def test_every_node_of_an_expression_has_its_span(tree: ast.Expr) -> None:
    from gamedsl.language.syntax.print.printer import format_expression

    for node in nodes(parse_expression(format_expression(tree))):
        if isinstance(node, EXPRESSION_TYPES):
            assert read_again(node) == node


@pytest.mark.parametrize("text", ["", "a b", "a\nb", "# a", "a +", "(a", "a @1.", "if a then b", "put a on b"])
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(GameDSLError):
        parse_expression(text)
