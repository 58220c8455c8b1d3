"""Functions that act are verbs: those that return nothing, and those that change what they are given."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import gamedsl

from .source_trees import nodes_of

PACKAGE = Path(gamedsl.__file__).parent
# participles that do not end in "ed"; those that are verbs as well ("read", "put", "set") are no fault
PARTICIPLES = {
    *(
        "begun",
        "brought",
        "built",
        "caught",
        "chosen",
        "come",
        "drawn",
        "found",
        "given",
        "gone",
        "held",
        "kept",
        "known",
    ),
    *("lost", "made", "said", "seen", "sent", "shown", "taken", "thrown", "told", "won", "written"),
}
VERBS = frozenset({"bleed", "embed", "exceed", "feed", "heed", "need", "proceed", "seed", "shed", "speed"})


def _is_participle(name: str) -> bool:
    word = name.strip("_").partition("_")[0]
    return word in PARTICIPLES or (word.endswith("ed") and word not in VERBS)


CHANGING = frozenset(
    [
        "append",
        "appendleft",
        "add",
        "update",
        "extend",
        "extendleft",
        "pop",
        "popitem",
        "popleft",
        "insert",
        "remove",
        "clear",
        "discard",
        "setdefault",
        "sort",
        "reverse",
        "intersection_update",
        "difference_update",
    ]
)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def _owner(e: ast.expr) -> str | None:
    """The name at the beginning of ``a.b[c].d``."""
    while isinstance(e, ast.Attribute | ast.Subscript):
        e = e.value
    return e.id if isinstance(e, ast.Name) else None


def _is_entry(e: ast.expr) -> bool:
    """Whether an entry of a table of an object is meant: ``self.found[key]``, ``state.cache[key]``. What a function has
    found out may be kept there for the next time."""
    return isinstance(e, ast.Subscript) and isinstance(e.value, ast.Attribute)


def _written(function: Function) -> Iterator[str]:
    """The parameters that a function writes to. A table in which an object, or a cache, keeps what was found does not
    count, nor an instruction that a builder adds from operands: ``builder.add(a, b)``."""
    a = function.args
    own = {x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs)}
    own -= {x.id for x in ast.walk(function) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
    for node in ast.walk(function):
        at: ast.expr | None = None
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            at = node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            at = None if node.func.attr == "add" and len(node.args) != 1 else node.func
            if node.func.attr == "setdefault" and isinstance(node.func.value, ast.Attribute):
                at = None
        if at is not None and (name := _owner(at)) in own:
            is_kept = _is_entry(at) and (name == "self" or "cache" in ast.unparse(at))
            if not is_kept:
                yield str(name)


def _acts(function: Function) -> bool:
    returns_nothing = isinstance(function.returns, ast.Constant) and function.returns.value is None
    return returns_nothing or any(_written(function))


def test_what_functions_write_to_is_found() -> None:
    text = """
def a(x, y): y.found.append(x)
def b(x): x[0] = 1; return x
def c(x): x.n += 1; return x.n
def d(x): del x.n; return 0
def e(x): x = list(x); x.append(1); return x
def f(self, key): self.found[key] = 1; return self.found[key]
def g(state, key): state.cache[key] = 1; return 1
def h(f, a, b): return f.builder.add(a, b)
def i(x): y = []; y.append(x); return y
def j(self, x): self.left.add(x); return x
def k(x) -> None: ...
"""
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert [f.name for f in functions if _acts(f)] == ["a", "b", "c", "d", "j", "k"]


def test_functions_that_act_are_verbs() -> None:
    """What is asked is a noun, and participles are for what comes back."""
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if _is_participle(node.name) and _acts(node)
        if not any(isinstance(d, ast.Attribute) and d.attr == "setter" for d in node.decorator_list)
    ]
    assert found == []
