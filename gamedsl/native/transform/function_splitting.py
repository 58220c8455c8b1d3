"""What a function works out of some of its parameters alone becomes a function of its own, given as an argument.

``row(own, cuts)`` goes through the lines that nothing cuts, whoever is on them: it becomes ``row(own, free)`` with
``free = part(cuts)``, which stays the same from candidate to candidate, and from ply to ply.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

from gamedsl.core.fold import can_fail
from gamedsl.core.nodes import CallF, Cond, Expr, Function, Load, Local, Loop, Op2
from gamedsl.core.traverse import children, free_locals, map_children, substitute, walk
from gamedsl.native.analysis.canonical_names import by_use, canonical

NAMES = 4_000_000  # numbers of names made here
DEAR = 2  # a loop counts for one, a call for two: what is worth a parameter


@dataclass(frozen=True)
class _Parts:
    """Of a function: its parameters before, those of them that it still has, and what it gets in place of the others."""

    params: tuple[Local, ...]
    left: tuple[Local, ...]
    given: tuple[Expr, ...]


class Parts:
    """The functions with their parts taken out; ``calls`` rewrites other expressions. A function calls only earlier ones."""

    def __init__(self, functions: tuple[Function, ...]) -> None:
        self.functions = list(functions)
        self._parts: dict[int, _Parts] = {}
        self._shapes: list[tuple[Expr, int]] = []
        self._names = NAMES
        for f in functions:
            self._take_out(f, self.calls(f.body))

    def calls(self, e: Expr) -> Expr:
        """The expression with calls as the functions are now."""
        e = map_children(e, self.calls)
        return self._called(e) if isinstance(e, CallF) else e

    def _called(self, e: CallF) -> CallF:
        if e.function not in self._parts:
            return e
        parts = self._parts[e.function]
        args = {p.id: a for p, a in zip(parts.params, e.args, strict=True)}
        return replace(e, args=(*(args[p.id] for p in parts.left), *(substitute(g, args) for g in parts.given)))

    def _take_out(self, f: Function, body: Expr) -> None:
        names = {p.id: p.name for p in f.params}
        found = dict.fromkeys(x for x in _always(body, names, self.functions) if x != body)
        given: dict[Expr, Local] = {}
        calls = []
        for x in found:
            calls.append(self._call(x, f))
            self._names += 1
            given[x] = Local(self._names, "part", x.type)
        body = _replaced(body, given, frozenset(type(x) for x in given))
        read = free_locals(body)
        left = tuple(p for p in f.params if p.id in read)
        self.functions[f.index] = replace(f, params=(*left, *given.values()), body=body)
        self._parts[f.index] = _Parts(f.params, left, tuple(calls))

    def _call(self, x: Expr, f: Function) -> Expr:
        """A part as a call."""
        if isinstance(x, CallF):
            return x
        params = by_use(x, f.params)
        shape = canonical(x, params)
        index = next((i for known, i in self._shapes if known == shape), None)
        if index is None:
            index = len(self.functions)
            self._shapes.append((shape, index))
            self.functions.append(Function(index, f"part of {f.name}", params, x))
            self._take_out(self.functions[index], x)
        whole = CallF(index, tuple(Load(p) for p in params), x.type)
        return self._called(whole)


def _always(e: Expr, names: dict[int, str], functions: list[Function]) -> Iterator[Expr]:
    """The largest parts that read parameters of few variables and nothing else, where they are always or often asked."""
    read = free_locals(e).keys()
    if _few(read, names) and _weight(e) >= DEAR and not can_fail(e, functions):
        yield e
        return
    asked = children(e)
    if (isinstance(e, Op2) and e.op in ("and", "or")) or isinstance(e, Cond):
        asked = asked[:1]
    for x in asked:
        yield from _always(x, names, functions)


def _few(read: Set[int], names: dict[int, str]) -> bool:
    """Are these parameters, and those of at most half of the variables?"""
    if not read or not read <= names.keys():
        return False
    return 2 * len({names[i] for i in read}) <= len(set(names.values()))


def _weight(e: Expr) -> int:
    return sum(2 if isinstance(x, CallF) else 1 for x in walk(e) if isinstance(x, CallF | Loop))


def _replaced(e: Expr, given: dict[Expr, Local], kinds: frozenset[type]) -> Expr:
    """With the names in place of these; ``kinds`` are the classes of nodes that they are of."""
    if type(e) in kinds and e in given:
        return Load(given[e])
    return map_children(e, lambda x: _replaced(x, given, kinds))
