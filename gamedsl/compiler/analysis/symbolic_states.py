"""Symbolic states: the current state, a state after some statements, or the state passed to a function.

Reading a symbolic state gives an expression over the state from which it was made: ``after this: count(mark[me]) = 3``
becomes ``count(mark[me] | {c}) = 3`` now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

from gamedsl.compiler import cutoffs
from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n

Known = Mapping[int, int]  # values of some plain variables, by index
Keys = tuple[n.Expr, ...]


class TooLarge(Exception):
    """An expression grows beyond the cut-off, or cannot be expressed symbolically; the message says why."""


class Here:
    """The current state, with known values for some plain variables."""

    def __init__(self, known: Known) -> None:
        self.known = known

    def get(self, var: n.Var, keys: Keys, e: n.Get) -> n.Expr:
        """The value of the slot."""
        if not keys and var.index in self.known:
            return n.Const(self.known[var.index], e.type, span=e.span)
        return n.Get(var, keys, e.type, span=e.span)

    def constants(self) -> dict[int, int]:
        """The plain variables with known values."""
        return dict(self.known)

    def same(self, var: n.Var) -> bool:
        """Whether the variable is unchanged from the current state, so that it can be read there directly."""
        return True


class Given:
    """The state of a function that receives the slots it reads as arguments. ``slots`` are those read so far, with the
    names of their arguments."""

    def __init__(self, known: Known, fresh: Callable[[n.Local], n.Local]) -> None:
        self.known = known
        self.used: dict[int, int] = {}
        self.slots: dict[tuple[int, tuple[int, ...]], tuple[n.Get, n.Local]] = {}
        self.fresh = fresh

    def get(self, var: n.Var, keys: Keys, e: n.Get) -> n.Expr:
        if not keys and var.index in self.known:
            self.used[var.index] = self.known[var.index]
            return n.Const(self.known[var.index], e.type, span=e.span)
        return by_key(var, keys, lambda at: self._slot(var, at, e))

    def _slot(self, var: n.Var, at: Keys, e: n.Get) -> n.Expr:
        name = (var.index, tuple(k.value for k in at if isinstance(k, n.Const)))
        if name not in self.slots:
            self.slots[name] = (n.Get(var, at, e.type), self.fresh(n.Local(0, var.name, e.type)))
        return n.Load(self.slots[name][1])

    def constants(self) -> dict[int, int]:
        return dict(self.known)

    def same(self, var: n.Var) -> bool:
        return False


class After:
    """The state after assignments: for each variable, its keys and values, newest last."""

    def __init__(self, before: State) -> None:
        self.before = before
        self.written: dict[int, list[tuple[Keys, n.Expr]]] = {}
        self.variables: dict[int, n.Var] = {}

    def copy(self) -> After:
        new = After(self.before)
        new.written = {i: list(w) for i, w in self.written.items()}
        new.variables = dict(self.variables)
        return new

    def put(self, var: n.Var, keys: Keys, value: n.Expr) -> None:
        """Assigns the slot."""
        self.variables[var.index] = var
        self.written.setdefault(var.index, []).append((keys, value))

    def join(self, condition: n.Expr, yes: After, no: After) -> None:
        """Merges two copies at the end of a conditional: each slot assigned since gets its value by the condition."""
        self.variables |= yes.variables | no.variables
        for i in sorted(yes.written.keys() | no.written.keys()):
            since = len(self.written.get(i, []))
            new = [w for branch in (yes, no) for w in branch.written.get(i, [])[since:]]
            values = []
            for keys, value in new:
                if not all(isinstance(k, n.Const) for k in keys):
                    raise TooLarge("a move in a look-ahead puts something somewhere on a condition")
                e = n.Get(self.variables[i], keys, value.type)
                one, other = (branch.get(self.variables[i], keys, e) for branch in (yes, no))
                values.append((keys, fold(n.Cond(condition, one, other, value.type))))
            for keys, value in values:
                self.written.setdefault(i, []).append((keys, value))

    def get(self, var: n.Var, keys: Keys, e: n.Get) -> n.Expr:
        written = self.written.get(var.index, [])
        if written and written[-1][0] == keys:
            return written[-1][1]
        if written and var.slots <= cutoffs.UNROLLED:
            return by_key(var, keys, lambda at: self._slot(var, at, e))
        return self._slot(var, keys, e)

    def _slot(self, var: n.Var, keys: Keys, e: n.Get) -> n.Expr:
        found: list[tuple[n.Expr, n.Expr]] = []
        for at, value in reversed(self.written.get(var.index, [])):
            asked = _same_keys(keys, at)
            if asked is None:
                continue
            if isinstance(asked, n.Const):
                return _chosen(found, value, e)
            found.append((asked, value))
        return _chosen(found, self.before.get(var, keys, e), e)

    def constants(self) -> dict[int, int]:
        out = self.before.constants()
        for i, written in self.written.items():
            keys, value = written[-1]
            out.pop(i, None)
            if not keys and isinstance(value, n.Const):
                out[i] = value.value
        return out

    def same(self, var: n.Var) -> bool:
        return var.index not in self.written and self.before.same(var)


State = Here | Given | After


def _chosen(found: list[tuple[n.Expr, n.Expr]], last: n.Expr, e: n.Get) -> n.Expr:
    for asked, value in reversed(found):
        last = n.Cond(asked, value, last, e.type, span=e.span)
    return last


def _same_keys(a: Keys, b: Keys) -> n.Expr | None:
    """The condition under which both keys denote the same slot (a constant 1 if they always do), or None if they
    never do."""
    asked: n.Expr = n.Const(1, n.BoolT())
    for x, y in zip(a, b, strict=True):
        if x == y:
            continue
        if isinstance(x, n.Const) and isinstance(y, n.Const):
            if x.value != y.value:
                return None
            continue
        asked = fold(n.Op2("and", asked, n.Op2("eq", x, y, n.BoolT()), n.BoolT()))
    return asked


def by_key(var: n.Var, keys: Keys, one: Callable[[Keys], n.Expr]) -> n.Expr:
    """The value of a slot by case analysis on its keys; ``one`` gives it for constant keys."""
    if all(isinstance(k, n.Const) for k in keys):
        return one(keys)
    if var.slots > cutoffs.UNROLLED:
        raise TooLarge("a slot of a large map is read at the position after a move")
    result: n.Expr | None = None
    for at in reversed(list(product(*(range(d.size) for d in var.keys)))):
        constant = tuple(n.Const(i, k.type) for i, k in zip(at, keys, strict=True))
        asked = _same_keys(keys, constant)
        if asked is None:
            continue
        value = one(constant)
        result = value if result is None else n.Cond(asked, value, result, value.type)
    assert result is not None
    return result
