"""Expands calls and lets: a call becomes the function's body, a let its value, with fresh names for what they bind."""

from __future__ import annotations

from dataclasses import field, replace
from itertools import count

from gamedsl.language.core import children, fold, map_children, substitute, with_children
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass()
class CallExpander:
    """Expands calls and lets. Each copy gets fresh bound names, so that copies can nest."""

    program: n.Program
    _fresh: count[int] = field(default_factory=lambda: count(1 << 40))

    def expanded(self, e: n.Expr) -> n.Expr:
        """Expands a call to the function's body, or a let to its body with the value substituted. Returns other
        nodes unchanged."""
        match e:
            case n.CallF(function=index, args=args):
                f = self.program.functions[index]
                values = {p.id: a for p, a in zip(f.params, args, strict=True)}
                return fold(substitute(self.renamed(f.body), values))
            case n.LetE(local=local, value=value, body=body):
                return fold(substitute(body, {local.id: value}))
            case _:
                return e

    def renamed(self, e: n.Expr) -> n.Expr:
        """The expression with fresh bound names."""
        e = map_children(e, self.renamed)
        if not isinstance(e, n.Binder):
            return e
        new = self.name(e.local)
        first, *inside = children(e)
        changed = [substitute(c, {e.local.id: n.Load(new)}) for c in inside]
        return with_children(replace(e, local=new), (first, *changed))

    def name(self, like: n.Local) -> n.Local:
        """A fresh name."""
        return n.Local(next(self._fresh), like.name, like.type)
