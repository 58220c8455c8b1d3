"""No module keeps a list of node classes to which a new kind of node would have to be added.

A fact about a class of nodes stands at the class: an attribute, a method or a base class. ``node_lists.yaml`` lists the
places that name more than two classes in one tuple, union, table, condition or ``case``, or in cases that do the same, and
may do so, each with its reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from .source_trees import nodes_of

ROOT = Path(__file__).parents[1]
NODES = {
    "gamedsl.language.syntax.ast": ROOT / "gamedsl" / "language" / "syntax" / "ast.py",
    "gamedsl.language.core.nodes": ROOT / "gamedsl" / "language" / "core" / "nodes.py",
}
ALLOWED = Path(__file__).with_name("node_lists.yaml")
MOST = 2


@dataclass(frozen=True)
class NodeList:
    file: str
    classes: tuple[str, ...]


@dataclass
class Module:
    """A module, and how it names the classes of nodes: by a module's name, or directly."""

    nodes: tuple[ast.AST, ...]
    prefixes: dict[str, frozenset[str]]
    names: dict[str, str]

    def class_of(self, e: ast.expr | None) -> str | None:
        match e:
            case ast.Attribute(value=ast.Name(id=prefix), attr=name) if name in self.prefixes.get(prefix, ()):
                return name
            case ast.Name(id=name):
                return self.names.get(name)
            case _:
                return None


def classes_in(path: Path) -> frozenset[str]:
    return frozenset(x.name for x in ast.parse(path.read_text("utf-8")).body if isinstance(x, ast.ClassDef))


CLASSES = {module: classes_in(path) for module, path in NODES.items()}


def read_module(nodes: tuple[ast.AST, ...], name: str = "") -> Module:
    module = Module(nodes, {}, {c: c for c in CLASSES.get(name, ())})
    for x in nodes:
        if isinstance(x, ast.ImportFrom) and x.module:
            for alias in x.names:
                known, called = CLASSES.get(f"{x.module}.{alias.name}"), alias.asname or alias.name
                if known is not None:
                    module.prefixes[called] = known
                elif alias.name in CLASSES.get(x.module, ()):
                    module.names[called] = alias.name
    return module


def annotations(nodes: tuple[ast.AST, ...]) -> Iterator[ast.AST]:
    """What the type checker reads: it reports where a class is missing. The unions that define what a node is are here."""
    for x in nodes:
        match x:
            case ast.FunctionDef(returns=returns):
                yield from () if returns is None else ast.walk(returns)
            case ast.arg(annotation=annotation):
                yield from () if annotation is None else ast.walk(annotation)
            case ast.AnnAssign(annotation=annotation, value=value):
                yield from ast.walk(annotation)
                if isinstance(annotation, ast.Name) and annotation.id == "TypeAlias" and value is not None:
                    yield from ast.walk(value)
            case _:
                pass


def united(e: ast.expr) -> list[ast.expr]:
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.BitOr):
        return [*united(e.left), *united(e.right)]
    return [e]


def lists_in(module: Module) -> Iterator[tuple[str, ...]]:
    skipped = {id(x) for x in annotations(module.nodes)}
    for x in module.nodes:
        if id(x) in skipped:
            continue
        parts: Sequence[ast.expr | None]
        match x:
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                parts = elements
            case ast.Dict(keys=keys):
                parts = keys
            case ast.BinOp(op=ast.BitOr()):
                parts = united(x)
                skipped |= {id(inner) for inner in ast.walk(x)}
            case ast.MatchOr(patterns=patterns):
                parts = [p.cls for p in patterns if isinstance(p, ast.MatchClass)]
            case ast.Match(cases=cases):
                yield from alike(module, cases)
                continue
            case ast.BoolOp(values=values):
                yield from jointly_checked(module, values)
                continue
            case _:
                continue
        yield from long_lists(module, parts)


def long_lists(module: Module, parts: Iterable[ast.expr | None]) -> Iterator[tuple[str, ...]]:
    named = [name for part in parts if (name := module.class_of(part)) is not None]
    if len(named) > MOST:
        yield tuple(sorted(named))


def alike(module: Module, cases: list[ast.match_case]) -> Iterator[tuple[str, ...]]:
    """Classes whose cases, several and without conditions, do the same."""
    by_body: dict[str, list[ast.expr]] = {}
    for case in cases:
        if isinstance(case.pattern, ast.MatchClass) and case.guard is None:
            by_body.setdefault("\n".join(map(ast.unparse, case.body)), []).append(case.pattern.cls)
    for classes in by_body.values():
        yield from long_lists(module, {ast.unparse(c): c for c in classes}.values())


def jointly_checked(module: Module, values: list[ast.expr]) -> Iterator[tuple[str, ...]]:
    """The classes that a condition tests one value for, in several calls of ``isinstance``."""
    by_value: dict[str, list[ast.expr]] = {}
    for value in values:
        match value.operand if isinstance(value, ast.UnaryOp) else value:
            case ast.Call(func=ast.Name(id="isinstance"), args=[tested, classes]):
                by_value.setdefault(ast.unparse(tested), []).append(classes)
    for several in by_value.values():
        if len(several) > 1:  # (one alone is found as a union)
            yield from long_lists(module, [c for classes in several for c in united(classes)])


def all_lists() -> Iterator[NodeList]:
    for path in sorted((ROOT / "gamedsl").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for classes in lists_in(read_module(nodes_of(path), name)):
            yield NodeList(str(path.relative_to(ROOT)), classes)


def allowed() -> dict[NodeList, str]:
    entries = yaml.safe_load(ALLOWED.read_text("utf-8"))
    return {NodeList(x["file"], tuple(sorted(x["classes"].split()))): x["reason"] for x in entries}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("isinstance(x, n.Get | n.Noted | n.StackOp)", [("Get", "Noted", "StackOp")]),
        ("isinstance(x, (n.Get, n.Noted, n.StackOp))", [("Get", "Noted", "StackOp")]),
        ("WORDS = {n.Get: 1, n.Noted: 2, n.StackOp: 3}", [("Get", "Noted", "StackOp")]),
        (
            "match x:\n    case n.Get() | n.Noted(history=v) | n.StackOp(var=v): pass",
            [("Get", "Noted", "StackOp")],
        ),
        ("isinstance(x, n.Get | n.Noted)", []),
        ("isinstance(x, n.Get) or isinstance(x, n.Noted | n.StackOp)", [("Get", "Noted", "StackOp")]),
        ("isinstance(x, n.Get) or isinstance(y, n.Noted | n.StackOp)", []),
        (
            "match x:\n    case n.Get(): f()\n    case n.Noted(): f()\n    case n.StackOp(): f()",
            [("Get", "Noted", "StackOp")],
        ),
        ("match x:\n    case n.Get(): f()\n    case n.Noted(): g()\n    case n.StackOp(): f()", []),
        ("def f(x: n.Get | n.Noted | n.StackOp) -> None: ...", []),
        ("from gamedsl.language.core.nodes import Get, Noted as N, StackOp\nL = [Get, N, StackOp]", [("Get", "Noted", "StackOp")]),
    ],
)  # fmt: skip
def test_lists_are_found(text: str, wanted: list[tuple[str, ...]]) -> None:
    nodes = tuple(ast.walk(ast.parse(f"from gamedsl.language.core import nodes as n\n{text}\n")))
    assert list(lists_in(read_module(nodes))) == wanted


def test_facts_stand_at_the_nodes() -> None:
    """A new list: make it a fact of the classes. An entry that fits nothing any more: delete it."""
    assert set(all_lists()) == set(allowed())


def test_every_exception_has_a_reason() -> None:
    assert all(len(reason.split()) > 4 for reason in allowed().values())
