"""Functions take at most eight parameters; what belongs together is an object."""

from __future__ import annotations

import ast
from pathlib import Path

import gamedsl

from .source_trees import nodes_of

PACKAGE = Path(gamedsl.__file__).parent
MOST = 8

KERNEL = "compiled by numba: a tuple of unlike arrays has to be taken apart again, and its type compiled"
REASONS = {
    "agents/beliefs/exact_kernels.py try_action": KERNEL,
    "agents/beliefs/particle_kernels.py propagate": KERNEL,
    "agents/beliefs/particle_kernels.py metropolis": KERNEL,
    "agents/beliefs/particle_kernels.py local_search": KERNEL,
    "engine/picture/position_view.py view": "what is shown, each by name with its usual value; no two callers choose the same",
    "play/web/position_data.py describe_position": "the arguments of `view`, handed on",
    "language/rules/program_builder.py variable": "the fields of `Var`, by name, with their usual values",
}


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The number of parameters, without the object of a method."""
    a = function.args
    names = [*a.posonlyargs, *a.args, *a.kwonlyargs, *(x for x in (a.vararg, a.kwarg) if x)]
    return len(names) - (bool(names) and names[0].arg in ("self", "cls"))


def test_parameters_are_counted() -> None:
    function = ast.parse("def f(self, a, /, b, *c, d, **e): ...").body[0]
    assert isinstance(function, ast.FunctionDef) and parameters(function) == 5


def test_functions_have_few_parameters_or_a_reason() -> None:
    found = {
        f"{path.relative_to(PACKAGE).as_posix()} {node.name}"
        for path in PACKAGE.rglob("*.py")
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and parameters(node) > MOST
    }
    assert found == set(REASONS), "put what belongs together into an object, or give the reason here"
