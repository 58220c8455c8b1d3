"""The kinds of actions of a program, each with its parameters and the range of its numbers.

The numbering depends only on what the digest covers. In order:

1. one kind for every schema that some decision offers, in the order of the program;
2. passing, if some decision allows it;
3. the values to choose where a player chooses a value;
4. the outcomes of chance, one kind for every word (roll, draw ...).

Values and outcomes with the same text are the same action wherever they occur, just as they are the same move.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from gamedsl.engine.moves import MoveKind
from gamedsl.engine.notation import PASS, Notation, chance_text, value_words
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class ActionParameter:
    """A parameter. ``names`` are the names of its values; ``low`` is the code of the first one in ``Move.args``."""

    name: str
    names: tuple[str, ...]
    low: int = 0

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.names)


@lazy_dataclass(frozen=True)
class ActionKind:
    """A kind of action with the numbers ``first`` to ``first + size - 1``.

    ``schema`` is the number of its schema (None for passing, values and outcomes). The number of an action is ``first``
    plus the indices of its arguments as digits, the last parameter varying fastest.
    """

    kind: MoveKind
    name: str
    first: int
    parameters: tuple[ActionParameter, ...] = ()
    schema: int | None = None

    @property
    def size(self) -> int:
        """The number of actions of this kind: the product of the sizes of its parameters."""
        return prod(p.size for p in self.parameters)

    def number(self, indices: tuple[int, ...]) -> int:
        """The number of the action whose arguments have these indices."""
        at = 0
        for parameter, index in zip(self.parameters, indices, strict=True):
            at = at * parameter.size + index
        return self.first + at

    def indices(self, action: int) -> tuple[int, ...]:
        """The indices of an action's arguments: the inverse of ``number``."""
        rest, found = action - self.first, []
        for parameter in reversed(self.parameters):
            rest, index = divmod(rest, parameter.size)
            found.append(index)
        return tuple(reversed(found))


def action_kinds(program: n.Program, notation: Notation) -> tuple[ActionKind, ...]:
    """All kinds of actions of a program, in the order of their numbers."""
    found: list[ActionKind] = []
    for kind, name, parameters, schema in _unnumbered(program, notation):
        first = found[-1].first + found[-1].size if found else 0
        found.append(ActionKind(kind, name, first, parameters, schema))
    return tuple(found)


_Unnumbered = tuple[MoveKind, str, tuple[ActionParameter, ...], int | None]


def _unnumbered(program: n.Program, notation: Notation) -> Iterator[_Unnumbered]:
    ends = [b.end for b in program.blocks]
    decisions = [e for e in ends if isinstance(e, n.Decide | n.DecideTogether)]
    offered = {alt.schema for end in decisions for alt in end.alternatives}
    for schema in program.schemas:
        if schema.index in offered:
            yield "move", schema.name, tuple(_parameter(p) for p in schema.params), schema.index
    if any(isinstance(e, n.Decide) and e.may_pass is not None for e in decisions):
        yield "pass", PASS, (), None
    values = dict.fromkeys(notation.choice_text(name) for e in ends if isinstance(e, n.Choose) for name in e.names)
    if values:
        yield "choose", "choose", (ActionParameter("value", tuple(values)),), None
    outcomes: dict[str, dict[str, None]] = {}
    for end in ends:
        if isinstance(end, n.Chance):
            outcomes.setdefault(end.what, {}).update(dict.fromkeys(chance_text(end.what, name) for name in end.names))
    for what, texts in outcomes.items():
        yield "chance", what, (ActionParameter("outcome", tuple(texts)),), None


def _parameter(param: n.CoreParam) -> ActionParameter:
    return ActionParameter(param.local.name, value_words(param.local.type), limits(param.local.type)[0])
