"""The names bound around a rule of a look, a mark on the paper or a notation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from gamedsl.engine.information.unknown_values import NotKnown
from gamedsl.engine.stop import evaluate_at
from gamedsl.language.boards import elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset

if TYPE_CHECKING:
    from gamedsl.engine.state import State

Binders = tuple[tuple[n.Local, n.Expr], ...]


def bindings(
    state: State, binders: Binders, known: Mapping[int, int], *, skip_unknown: bool = False
) -> Iterator[Mapping[int, int]]:
    """Yields every way to bind the names, outermost first: values of locals by id, with those of ``known``.

    Raises ``NotKnown`` where a set to choose from is hidden in this state; with ``skip_unknown`` it yields nothing for it.
    """
    if not binders:
        yield known
        return
    (local, over), *inner = binders
    members: Iterator[int] = iter(())
    with suppress(*((NotKnown,) if skip_unknown else ())):
        members = iter(list(elements(evaluate_at(state, over, known))))
    for member in members:
        bound = {**known, local.id: member + offset(local.type)}
        yield from bindings(state, tuple(inner), bound, skip_unknown=skip_unknown)
