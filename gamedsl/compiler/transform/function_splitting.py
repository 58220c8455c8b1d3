"""Function splitting: values that a function computes from few of its parameters are hoisted into its arguments.

    row(own, cuts) = some l in lines disjoint from cuts: l within own
    →
    row(own, part) = some l in part: l within own
    part(cuts) = lines disjoint from cuts               call: row(mark[X], part(cuts))

``part(cuts)`` does not change from candidate to candidate (loop-invariant code motion across a call), and rarely from
ply to ply (``ply_cache.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.canonical_names import by_use, canonical
from gamedsl.language.core import can_fail, children, free_locals, map_children, substitute, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

NAMES = 4_000_000  # ids of the names made here


@lazy_dataclass(frozen=True)
class _Split:
    """A split function: its original parameters, those that remain, and the arguments that replace the others."""

    params: tuple[n.Local, ...]
    left: tuple[n.Local, ...]
    args: tuple[n.Expr, ...]


class FunctionSplitter:
    """Splits functions; ``rewrite_calls`` adapts other expressions. A function calls only earlier ones."""

    def __init__(self, functions: tuple[n.Function, ...]) -> None:
        self.functions = list(functions)
        self._splits: dict[int, _Split] = {}
        self._shapes: list[tuple[n.Expr, int]] = []
        self._names = NAMES
        for f in functions:
            self._split(f, self.rewrite_calls(f.body))

    def rewrite_calls(self, e: n.Expr) -> n.Expr:
        """Rewrites calls for the split functions."""
        e = map_children(e, self.rewrite_calls)
        return self._called(e) if isinstance(e, n.CallF) else e

    def _called(self, e: n.CallF) -> n.CallF:
        if e.function not in self._splits:
            return e
        parts = self._splits[e.function]
        args = {p.id: a for p, a in zip(parts.params, e.args, strict=True)}
        return replace(e, args=(*(args[p.id] for p in parts.left), *(substitute(g, args) for g in parts.args)))

    def _split(self, f: n.Function, body: n.Expr) -> None:
        names = {p.id: p.name for p in f.params}
        found = dict.fromkeys(x for x in _hoistable(body, names, self.functions) if x != body)
        args: dict[n.Expr, n.Local] = {}
        rewrite_calls = []
        for x in found:
            rewrite_calls.append(self._call(x, f))
            self._names += 1
            args[x] = n.Local(self._names, "part", x.type)
        body = _replaced(body, args, frozenset(type(x) for x in args))
        read = free_locals(body)
        left = tuple(p for p in f.params if p.id in read)
        self.functions[f.index] = replace(f, params=(*left, *args.values()), body=body)
        self._splits[f.index] = _Split(f.params, left, tuple(rewrite_calls))

    def _call(self, x: n.Expr, f: n.Function) -> n.Expr:
        """A hoisted part as a call."""
        if isinstance(x, n.CallF):
            return x
        params = by_use(x, f.params)
        shape = canonical(x, params)
        index = next((i for known, i in self._shapes if known == shape), None)
        if index is None:
            index = len(self.functions)
            self._shapes.append((shape, index))
            self.functions.append(n.Function(index, f"part of {f.name}", params, x))
            self._split(self.functions[index], x)
        whole = n.CallF(index, tuple(n.Load(p) for p in params), x.type)
        return self._called(whole)


def _hoistable(e: n.Expr, names: dict[int, str], functions: list[n.Function]) -> Iterator[n.Expr]:
    """The largest expensive subexpressions that read only parameters, and those of few variables. Operands that are
    evaluated only conditionally are skipped."""
    read = free_locals(e).keys()
    if _reads_few_variables(read, names) and _cost(e) >= cutoffs.HOISTED_COST and not can_fail(e, functions):
        yield e
        return
    asked = children(e)
    if (isinstance(e, n.Op2) and e.op in ("and", "or")) or isinstance(e, n.Cond):
        asked = asked[:1]
    for x in asked:
        yield from _hoistable(x, names, functions)


def _reads_few_variables(read: Set[int], names: dict[int, str]) -> bool:
    """Whether these names are all parameters, and hold at most half of the variables."""
    if not read or not read <= names.keys():
        return False
    return 2 * len({names[i] for i in read}) <= len(set(names.values()))


def _cost(e: n.Expr) -> int:
    return sum(2 if isinstance(x, n.CallF) else 1 for x in walk(e) if isinstance(x, n.CallF | n.Loop))


def _replaced(e: n.Expr, args: dict[n.Expr, n.Local], kinds: frozenset[type]) -> n.Expr:
    """Replaces these subexpressions with names. ``kinds`` are the node classes of the subexpressions."""
    if type(e) in kinds and e in args:
        return n.Load(args[e])
    return map_children(e, lambda x: _replaced(x, args, kinds))
