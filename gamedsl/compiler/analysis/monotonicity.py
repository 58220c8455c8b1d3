"""Monotonicity of functions in their set parameters.

1: more elements can only make the condition true, or the set larger. -1: the opposite. 0: the parameter is not read.
None: not monotone.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.language.core import children, free_locals
from gamedsl.language.core import nodes as n

Way = int | None  # None: not monotone
Found = dict[int, Way]  # by the id of each name that the expression reads


class Monotonicity:
    """The monotonicity of each function in each of its parameters, computed on demand. The sequence of functions may
    grow."""

    def __init__(self, functions: Sequence[n.Function]) -> None:
        self.functions = functions
        self._known: dict[int, tuple[Way, ...]] = {}

    def of(self, index: int) -> tuple[Way, ...]:
        """The monotonicity of a function in each parameter, in order."""
        if index not in self._known:
            function = self.functions[index]
            found = self.expr(function.body)
            self._known[index] = tuple(found.get(p.id, 0) for p in function.params)
        return self._known[index]

    def expr(self, e: n.Expr) -> Found:
        """The monotonicity of the expression in each name that it reads."""
        match e:
            case n.Const():
                return {}
            case n.Load(local=local):
                return {local.id: 1}
            case n.Op1(op="not" | "complement" | "is_empty", operand=a):
                return _turned(self.expr(a))
            case n.Op2(op="and" | "or" | "union" | "meet", left=a, right=b):
                return _both(self.expr(a), self.expr(b))
            case n.Op2(op="minus", left=a, right=b):
                return _both(self.expr(a), _turned(self.expr(b)))
            case n.Op2(op="within", left=a, right=b):
                return _both(_turned(self.expr(a)), self.expr(b))
            case n.Op2(op="disjoint", left=a, right=b):
                return _turned(_both(self.expr(a), self.expr(b)))
            case n.Op2(op="in", left=a, right=b):
                return _both(_neither(a), self.expr(b))
            case n.Op2(op="ne" | "eq", left=a, right=n.Const(value=0)):
                return self.expr(a) if e.op == "ne" else _turned(self.expr(a))
            case n.Loop():
                return self._loop(e)
            case n.Closure(local=local):
                step = self.expr(e.step)
                step.pop(local.id, None)
                return _both(self.expr(e.start), step)
            case n.LetE(local=local, value=v, body=b):
                inner = self.expr(b)
                through = inner.pop(local.id, 0)
                return _both(_after(self.expr(v), through), inner)
            case n.Cond(condition=c, then=a, otherwise=b):
                return _both(_neither(c), _both(self.expr(a), self.expr(b)))
            case n.CallF(function=index, args=args):
                total: Found = {}
                for a, d in zip(args, self.of(index), strict=True):
                    total = _both(total, _after(self.expr(a), d))
                return total
            case _:
                return _both({}, *(_neither(c) for c in children(e)))

    def _loop(self, e: n.Loop) -> Found:
        over, body = self.expr(e.over), self.expr(e.body)
        asked: Found = {} if e.condition is None else _neither(e.condition)
        if e.kind == "every":
            over = _turned(over)
        elif e.kind not in ("some", "union", "filter"):
            over, body = _neither(e.over), _neither(e.body)
        body.pop(e.local.id, None)
        asked.pop(e.local.id, None)
        return _both(asked, over, body)


def _neither(e: n.Expr) -> Found:
    return dict.fromkeys(free_locals(e), None)


def _turned(found: Found) -> Found:
    return {i: None if a is None else -a for i, a in found.items()}


def _both(*parts: Found) -> Found:
    total: Found = {}
    for part in parts:
        for i, a in part.items():
            b = total.get(i, 0)
            total[i] = a if b == 0 else b if a in (0, b) else None
    return total


def _after(found: Found, then: Way) -> Found:
    """The monotonicity of a composition."""
    return {i: 0 if then == 0 or a == 0 else None if then is None or a is None else a * then for i, a in found.items()}
