"""The possible values of a ruleset's options, and the combinations to try."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import Lowered, value_type
from gamedsl.language.syntax import ast

MOST_VALUES = 4  # values tried of a numeric range; of a longer range only its ends and the default


def option_values(rules: Lowered) -> dict[str, tuple[str, ...]]:
    """Returns the values to try for each option, the current one first."""
    env = rules.builder.envs[0]
    now = dict(rules.program.options)
    found: dict[str, tuple[str, ...]] = {}
    for d in env.decls:
        match d:
            case ast.OptionDecl():
                values = _values(value_type(env, d.type))
            case ast.PlayersRange(low=low, high=high):
                values = _ends(low, high)
            case _:
                continue
        name = d.name.id if isinstance(d, ast.OptionDecl) else "players"
        found[name] = tuple(dict.fromkeys((now[name], *values)))
    return found


def _values(t: object) -> tuple[str, ...]:
    match t:
        case n.ElemT(domain):
            return domain.names
        case n.IntT(low, high):
            return _ends(low, high)
        case _:
            return "no", "yes"


def _ends(low: int, high: int) -> tuple[str, ...]:
    few = range(low, high + 1) if high - low < MOST_VALUES else (low, high)
    return tuple(map(str, few))


def choices(values: Mapping[str, tuple[str, ...]], fixed: Mapping[str, object]) -> Iterator[dict[str, str]]:
    """Yields combinations in which a growing number of options differ from their current values: none, one, then two.

    The options named in ``fixed`` stay unchanged.
    """
    free = {name: rest for name, (_, *rest) in values.items() if name not in fixed and rest}
    for count in range(3):
        for names in combinations(free, count):
            for chosen in product(*(free[name] for name in names)):
                yield dict(zip(names, chosen, strict=True))
