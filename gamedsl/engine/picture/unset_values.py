"""The rules of a look that read a variable without a value: they show nothing as long as it has none."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from gamedsl.engine import look_at
from gamedsl.language.core import is_stop, unset_variables, variables_read

if TYPE_CHECKING:
    from gamedsl.engine import Game, State
    from gamedsl.language.core import nodes as n

Vars = frozenset[int]


@lru_cache(maxsize=64)
def unset_by_block(game: Game) -> list[Vars]:
    """For each block of the program, the variables without a value at its stop. Where something is hidden, they have none at any
    stop that looks the same: what is shown does not tell at which of them the game stands."""
    found = unset_variables(game.program)
    if not game.secrets.hides:
        return found
    alike: dict[object, list[Vars]] = {}
    for block in game.program.blocks:
        if is_stop(block):
            alike.setdefault(look_at(block), []).append(found[block.index])
    return [Vars.intersection(*alike[look_at(b)]) if is_stop(b) else found[b.index] for b in game.program.blocks]


@lru_cache(maxsize=64)
def _read_by_part(game: Game) -> list[list[Vars]]:
    return [[unset_reads(game, mark) for mark in part.looks] for part in game.program.parts]


def unset_reads(game: Game, mark: n.Mark) -> Vars:
    """The variables that a rule of a look reads and that have no value at one stop or another."""
    sometimes = frozenset().union(*unset_by_block(game))
    if not sometimes:
        return frozenset()
    found: Vars = frozenset()
    for e in (*mark.reads, *(over for _, over in mark.binders)):
        found |= variables_read(game.program, e)
    return found & sometimes


def marks_with_values(state: State, part: int) -> list[n.Mark]:
    """The rules of a part's look that read no variable without a value."""
    unset = unset_by_block(state.game)[state.block]
    marks = state.game.program.parts[part].looks
    if not unset:
        return list(marks)
    return [mark for mark, read in zip(marks, _read_by_part(state.game)[part], strict=True) if not read & unset]
