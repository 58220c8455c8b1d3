"""Loops over few members of a large domain become loops over their numbers.

    some (a, b, c) in lines: a in S and b in S and c in S       lines: 16 of 13,824 triples of points
    →
    some i in 0..15: a(i) in S and b(i) in S and c(i) in S

Tables of 16 entries stay in the cache, conditions on all of them fit into one vector, and a set such as {a(i), b(i), c(i)}
becomes a table of its own.

Not done where the member itself is used and not only what tables say about it.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.compiler.analysis.constant_tables import tabulate
from gamedsl.language.boards import Domain
from gamedsl.language.core import free_locals, map_children
from gamedsl.language.core import nodes as n

MEMBERS = 64  # that fit into a word


def number_members(e: n.Loop) -> n.Loop:
    """The loop over the numbers of the members, or as it is if there are too many or they are needed themselves."""
    t = e.local.type
    if not isinstance(e.over, n.Const) or not isinstance(t, n.ElemT) or e.kind == "filter":
        return e
    bits, size = e.over.value, t.domain.size
    if size <= MEMBERS or not 1 < bits.bit_count() <= MEMBERS:
        return e
    members = [i for i in range(size) if bits >> i & 1]
    few = Domain(f"some of {t.domain.name}", tuple(t.domain.names[i] for i in members))
    numbered = _Numbered(e.local, replace(e.local, type=n.ElemT(few)), members)
    body, condition = numbered.of(e.body), None if e.condition is None else numbered.of(e.condition)
    if numbered.bare:
        return e
    over = n.Const(few.full, n.SetT(few), span=e.over.span)
    return replace(
        e,
        local=numbered.new,
        over=over,
        body=tabulate(body, 1),
        condition=None if condition is None else tabulate(condition, 1),
    )


class _Numbered:
    """Rewrites what depends on a member. ``bare``: whether the member was met outside of a table's keys."""

    def __init__(self, old: n.Local, new: n.Local, members: list[int]) -> None:
        self.old, self.new, self.members = old, new, members
        self.bare = False

    def of(self, e: n.Expr) -> n.Expr:
        match e:
            case n.Load(local=local) if local.id == self.old.id:
                self.bare = True
                return e
            case n.Lookup(table=table, keys=(n.Load(local=local),)) if local.id == self.old.id:
                (domain,), values = (self.new.type.domain,), tuple(table.values[i] for i in self.members)  # type: ignore[union-attr]
                return replace(
                    e, table=n.TableData(table.name, (domain,), table.type, values), keys=(n.Load(self.new),)
                )
            case _ if self.old.id in free_locals(e):
                return map_children(e, self.of)
            case _:
                return e
