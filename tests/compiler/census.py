"""How often each form of the Core occurs in a program: a check on what random rulesets reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from gamedsl.language.core.nodes import CoreNode, Loop, Op1, Op2, Program, SomeMove, StackOp

PARTS = ("functions", "schemas", "blocks")
UNSEEN = ("type", "table", "local", "me", "span")


def nodes(program: Program) -> Iterator[CoreNode]:
    """Every node that stands in functions, moves and blocks."""
    for part in PARTS:
        yield from _below(getattr(program, part))


def _below(x: object) -> Iterator[CoreNode]:
    if isinstance(x, CoreNode):
        yield x
    if isinstance(x, tuple):
        for item in x:
            yield from _below(item)
    elif is_dataclass(x) and not isinstance(x, type):
        for f in fields(x):
            if f.name not in UNSEEN:
                value = getattr(x, f.name)
                if isinstance(value, tuple) or is_dataclass(value):
                    yield from _below(value)


def name_of(node: CoreNode) -> str:
    """The class, with the operator or kind where there is one."""
    match node:
        case Op1() | Op2() | StackOp():
            return f"{type(node).__name__} {node.op}"
        case Loop(kind=kind, condition=condition):
            return f"Loop {kind}{' where' if condition is not None else ''}"
        case SomeMove(kind=kind, legal=legal):
            return f"SomeMove {kind}{' legal' if legal else ''}"
    return type(node).__name__


def census(program: Program) -> Counter[str]:
    return Counter(name_of(n) for n in nodes(program))
