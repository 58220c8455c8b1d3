"""The lines that decided a part: the witnesses of the condition by which it ended, such as three in a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from gamedsl.boards import Family, elements
from gamedsl.core.nodes import BranchT, CallF, ElemT, Expr, Loop, Op2
from gamedsl.engine import NotKnown, evaluate_at
from gamedsl.picture.picture import Trail

if TYPE_CHECKING:
    from gamedsl.engine import State

Bound = Mapping[int, int]


def deciding_lines(last: State, place: str) -> tuple[Trail, ...]:
    """Lines over the places that fulfill what ended a part. ``last``: its last position, at the block that ends it."""
    found: dict[tuple[int, ...], None] = {}
    for block in last.game.program.blocks:
        match block.end:
            case BranchT(condition=condition, yes=yes) if yes == last.block:
                with suppress(NotKnown):
                    if evaluate_at(last, condition):
                        found |= dict.fromkeys(_witnesses(last, condition, {}, place))
    return tuple(Trail(cells, last=True) for cells in found)


def _witnesses(state: State, e: Expr, bound: Bound, place: str) -> Iterator[tuple[int, ...]]:
    """The sets of places for which a condition that some set of a family has to fulfill holds."""
    match e:
        case CallF(function=index, args=args):
            function = state.game.program.functions[index]
            given = {p.id: evaluate_at(state, a, bound) for p, a in zip(function.params, args, strict=True)}
            yield from _witnesses(state, function.body, given, place)
        case Op2(op="and" | "or", left=left, right=right):
            yield from _witnesses(state, left, bound, place)
            yield from _witnesses(state, right, bound, place)
        case Loop(kind="some", local=local, over=over, condition=condition, body=body):
            if not isinstance(local.type, ElemT) or not isinstance(local.type.domain, Family):
                return
            family = local.type.domain
            for i in elements(evaluate_at(state, over, bound)) if family.base.name == place else ():
                known = {**bound, local.id: i}
                if (condition is None or evaluate_at(state, condition, known)) and evaluate_at(state, body, known):
                    yield tuple(elements(family.members[i]))
