"""``some l in L: A(l) and B(l)`` goes through those l only for which A holds, where A can be made a set."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.core.fold import can_fail, fold
from gamedsl.core.nodes import BoolT, CallF, Const, Expr, Loop, Op2
from gamedsl.core.plan import conjuncts
from gamedsl.core.traverse import map_children, walk
from gamedsl.native.passes.lift import lifted


def narrowed(e: Expr) -> Expr:
    """The expression with such quantifiers over constant sets narrowed, where what is left to ask is not cheap."""
    match e:
        case Loop(kind="some", over=Const(), condition=None) if not can_fail(e.body):
            first, *rest = conjuncts(e.body)
            found = lifted(e.local, first) if rest and any(_dear(x) for x in rest) else None
            if found is not None and found.type == e.over.type:
                body = rest[0]
                for more in rest[1:]:
                    body = Op2("and", body, more, BoolT())
                return replace(e, over=fold(Op2("meet", e.over, found, found.type)), body=narrowed(body))
            return map_children(e, narrowed)
        case _:
            return map_children(e, narrowed)


def _dear(e: Expr) -> bool:
    return any(isinstance(x, Loop | CallF) for x in walk(e))
