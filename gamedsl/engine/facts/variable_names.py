"""Names of variables that are unique in a whole program."""

from __future__ import annotations

from gamedsl.language.core import nodes as n


def variable_names(program: n.Program) -> list[str]:
    """The names of all variables, prefixed with the names of their parts (except the first) and made unique by
    numbers."""
    names: list[str] = []
    for v in program.variables:
        name = v.name if v.part == 0 else f"{program.parts[v.part].name}.{v.name}"
        names.append(name if name not in names else f"{name}#{v.index}")
    return names
