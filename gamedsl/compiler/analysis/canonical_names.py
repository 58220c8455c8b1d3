"""Alpha equivalence by canonical names: expressions that differ only in bound names become equal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from gamedsl.language.core import children, map_children, walk, with_children
from gamedsl.language.core import nodes as n

FIRST = -1_000_000  # ids below those of any program
EITHER_WAY = frozenset({"union", "meet", "disjoint", "eq", "ne", "add", "mul", "min", "max"})


def by_use(e: n.Expr, names: Iterable[n.Local]) -> tuple[n.Local, ...]:
    """The given names that the expression uses, in order of first use. The order is the same for alpha-equivalent
    expressions.

    Two operands that commute (``a | b``) do not determine an order, so they come after all other names.
    """
    by_number = {x.id: x for x in names}
    clear: dict[int, None] = {}
    unclear: dict[int, None] = {}
    for x in walk(e):
        if isinstance(x, n.Op2) and _exchangeable(x):
            unclear |= dict.fromkeys((_number(x.left), _number(x.right)))
        elif x is e or not isinstance(x, n.Load):
            clear |= dict.fromkeys(_number(c) for c in (x, *children(x)) if isinstance(c, n.Load))
    return tuple(by_number[i] for i in clear | unclear if i in by_number)


def _exchangeable(e: n.Op2) -> bool:
    return e.op in EITHER_WAY and isinstance(e.left, n.Load) and isinstance(e.right, n.Load)


def canonical(e: n.Expr, params: Iterable[n.Local] = ()) -> n.Expr:
    """Numbers bound names and ``params`` in order. Alpha-equivalent expressions become equal, regardless of the order
    of two names that commute."""
    numbering = _Numbering()
    start = {p.id: numbering.number(p) for p in params}
    return numbering.named(e, start)


class _Numbering:
    def __init__(self) -> None:
        self._next = FIRST

    def number(self, local: n.Local) -> n.Local:
        self._next += 1
        return replace(local, id=self._next, name="")

    def named(self, e: n.Expr, names: Mapping[int, n.Local]) -> n.Expr:
        match e:
            case n.Load(local=local):
                return n.Load(names[local.id]) if local.id in names else e
            case n.Op2() if _exchangeable(e):
                pair = (self.named(e.left, names), self.named(e.right, names))
                return with_children(e, tuple(sorted(pair, key=_number)))
            case n.Binder(local=local):
                new = self.number(local)
                inner = {**names, local.id: new}
                first, *rest = children(e)
                changed = (self.named(first, names), *(self.named(c, inner) for c in rest))
                return with_children(replace(e, local=new), changed)
            case n.SomeMove():
                return replace(
                    e, mover=self.named(e.mover, names), branches=tuple(self._branch(b, names) for b in e.branches)
                )
            case _:
                return map_children(e, lambda c: self.named(c, names))

    def _branch(self, b: n.MoveBranch, names: Mapping[int, n.Local]) -> n.MoveBranch:
        new = [self.number(x) for x in (b.me, *b.params)]
        inner = {**names, **{x.id: number for x, number in zip((b.me, *b.params), new, strict=True)}}
        return replace(b, me=new[0], params=tuple(new[1:]), body=self.named(b.body, inner))


def _number(e: n.Expr) -> int:
    assert isinstance(e, n.Load)
    return e.local.id
