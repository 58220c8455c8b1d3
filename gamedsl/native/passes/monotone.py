"""Whether more in a set can only make a condition true, or a set larger (1), or only the opposite (-1); 0: it reads none of it."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.core.nodes import CallF, Cond, Const, Expr, Function, LetE, Load, Loop, Op1, Op2
from gamedsl.core.traverse import free_locals

Way = int | None  # None: neither


def directions(function: Function, functions: Sequence[Function]) -> dict[int, Way]:
    """Of every parameter of a function, by its id."""
    return {p.id: way(function.body, p.id, functions) for p in function.params}


def way(e: Expr, name: int, functions: Sequence[Function]) -> Way:
    """What more in the set of this name does to the expression."""
    if name not in free_locals(e):
        return 0
    match e:
        case Load():
            return 1
        case Op1(op="not" | "complement" | "is_empty", operand=a):
            return _turned(way(a, name, functions))
        case Op2(op="and" | "or" | "union" | "meet", left=a, right=b):
            return _both(way(a, name, functions), way(b, name, functions))
        case Op2(op="minus", left=a, right=b):
            return _both(way(a, name, functions), _turned(way(b, name, functions)))
        case Op2(op="within", left=a, right=b):
            return _both(_turned(way(a, name, functions)), way(b, name, functions))
        case Op2(op="disjoint", left=a, right=b):
            return _turned(_both(way(a, name, functions), way(b, name, functions)))
        case Op2(op="in", left=a, right=b) if name not in free_locals(a):
            return way(b, name, functions)
        case Op2(op="ne" | "eq", left=a, right=Const(value=0)):
            found = way(a, name, functions)
            return found if e.op == "ne" else _turned(found)
        case Loop():
            return _loop(e, name, functions)
        case LetE(local=local, value=v, body=b):
            inner = way(v, name, functions)
            return _both(_after(inner, way(b, local.id, functions)), way(b, name, functions))
        case Cond(condition=c, then=a, otherwise=b) if name not in free_locals(c):
            return _both(way(a, name, functions), way(b, name, functions))
        case CallF(function=index, args=args):
            ways = directions(functions[index], functions).values()
            total: Way = 0
            for a, d in zip(args, ways, strict=True):
                total = _both(total, _after(way(a, name, functions), d))
            return total
        case _:
            return None


def _loop(e: Loop, name: int, functions: Sequence[Function]) -> Way:
    over, body = way(e.over, name, functions), way(e.body, name, functions)
    if e.condition is not None and name in free_locals(e.condition):
        return None
    if e.kind in ("some", "union", "filter"):
        return _both(over, body)
    return _both(_turned(over), body) if e.kind == "every" else None


def _turned(a: Way) -> Way:
    return None if a is None else -a


def _both(a: Way, b: Way) -> Way:
    if a == 0:
        return b
    return a if b in (0, a) else None


def _after(a: Way, b: Way) -> Way:
    """One thing done to what the other gives."""
    if a == 0 or b == 0:
        return 0
    return None if a is None or b is None else a * b
