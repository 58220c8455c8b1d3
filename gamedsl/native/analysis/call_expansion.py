"""Expands calls and lets: a call becomes the function's body, a let its value, with fresh names for what they bind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from gamedsl.core.fold import fold
from gamedsl.core.nodes import CallF, Expr, LetE, Load, Local, Loop, Program
from gamedsl.core.traverse import map_children, substitute


@dataclass
class CallExpander:
    """Puts in functions and values. What is put in twice gets new names, so that it can stand inside itself."""

    program: Program
    _fresh: count[int] = field(default_factory=lambda: count(1 << 40))

    def expanded(self, e: Expr) -> Expr:
        """A call with the function put in its place, a let with the value; other nodes as they are."""
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
        """The same with new names for what it binds itself."""
        e = map_children(e, self.renamed)
        if not isinstance(e, Loop | LetE):
            return e
        new = self.name(e.local)
        change: Mapping[int, Expr] = {e.local.id: Load(new)}
        if isinstance(e, LetE):
            return replace(e, local=new, body=substitute(e.body, change))
        condition = None if e.condition is None else substitute(e.condition, change)
        return replace(e, local=new, condition=condition, body=substitute(e.body, change))

    def name(self, like: Local) -> Local:
        """A name that is not used elsewhere."""
        return Local(next(self._fresh), like.name, like.type)
