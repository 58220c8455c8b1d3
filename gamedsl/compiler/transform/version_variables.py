"""The variables of several versions of a program as one list: those that are equal are one variable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span


class Unmergeable(Exception):
    """A version differs too much: in its kinds of moves, or in who sees a variable."""


class VersionVariables:
    """``all``: the variables of the first version, and those of others that it does not have. Only one version is played,
    so these share a variable if they have equal ones."""

    def __init__(self, variables: tuple[n.Var, ...]) -> None:
        self.all = variables

    def places(self, program: n.Program) -> tuple[int, ...]:
        """Returns for each variable of a version its number among all of them. Adds those that are new. Raises
        ``Unmergeable``."""
        found, new = list[int](), list[n.Var]()
        for var in program.variables:
            alike = (v.index for v in self.all if v.index not in found and _alone(v) == _alone(var))
            found.append(next(alike, len(self.all) + len(new)))
            new += [var] if found[-1] >= len(self.all) else []
        for k, var in enumerate(program.variables):
            viewers = None if var.viewers is None else found[var.viewers]
            if found[k] >= len(self.all):
                new[found[k] - len(self.all)] = replace(var, index=found[k], viewers=viewers)
            elif self.all[found[k]].viewers != viewers:
                raise Unmergeable
        self.all = (*self.all, *new)
        return tuple(found)

    def renumbered(self, program: n.Program, places: tuple[int, ...]) -> n.Program:
        """Returns the version with these variables, as far as its parts, functions, moves and blocks use them."""
        if places == tuple(range(len(places))):
            return program
        variables = {k: self.all[place] for k, place in enumerate(places)}
        names = ("functions", "schemas", "blocks")
        parts = tuple(replace(p, seats=_with_variables(p.seats, variables)) for p in program.parts)
        return replace(
            program, variables=self.all, parts=parts,
            **{name: _with_variables(getattr(program, name), variables) for name in names},
        )  # fmt: skip


def _alone(var: n.Var) -> n.Var:
    """Returns a variable without the numbers of variables in it."""
    return replace(var, index=0, viewers=None if var.viewers is None else 0)


def _with_variables(x: Any, variables: Mapping[int, n.Var]) -> Any:
    if isinstance(x, n.Var):
        return variables[x.index]
    if isinstance(x, tuple):
        new = tuple(_with_variables(item, variables) for item in x)
        return x if all(a is b for a, b in zip(x, new, strict=True)) else new
    if not is_dataclass(x) or isinstance(x, n.Local | n.TableData | Domain | Span):
        return x
    changed = {}
    for f in fields(x):
        if f.compare and (new := _with_variables(old := getattr(x, f.name), variables)) is not old:
            changed[f.name] = new
    return replace(x, **changed) if changed else x  # type: ignore[type-var]
