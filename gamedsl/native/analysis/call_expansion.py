"""Expands calls and lets: a call becomes the function's body, a let its value, with fresh names for what they bind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from gamedsl.core import fold, map_children, substitute
from gamedsl.core.nodes import CallF, Closure, Expr, LetE, Load, Local, Loop, Program


@dataclass
class CallExpander:
    """Expands calls and lets. Each copy gets fresh bound names, so that copies can nest."""

    program: Program
    _fresh: count[int] = field(default_factory=lambda: count(1 << 40))

    def expanded(self, e: Expr) -> Expr:
        """Expands a call to the function's body, or a let to its body with the value substituted. Returns other
        nodes unchanged."""
        match e:
            case CallF(function=index, args=args):
                f = self.program.functions[index]
                values = {p.id: a for p, a in zip(f.params, args, strict=True)}
                return fold(substitute(self.renamed(f.body), values))
            case LetE(local=local, value=value, body=body):
                return fold(substitute(body, {local.id: value}))
            case _:
                return e

    def renamed(self, e: Expr) -> Expr:
        """The expression with fresh bound names."""
        e = map_children(e, self.renamed)
        if not isinstance(e, Loop | LetE | Closure):
            return e
        new = self.name(e.local)
        change: Mapping[int, Expr] = {e.local.id: Load(new)}
        if isinstance(e, LetE):
            return replace(e, local=new, body=substitute(e.body, change))
        if isinstance(e, Closure):
            return replace(e, local=new, step=substitute(e.step, change))
        condition = None if e.condition is None else substitute(e.condition, change)
        return replace(e, local=new, condition=condition, body=substitute(e.body, change))

    def name(self, like: Local) -> Local:
        """A fresh name."""
        return Local(next(self._fresh), like.name, like.type)
