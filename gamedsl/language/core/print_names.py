"""Names for the parts of a printed program. Numbers distinguish equal names of locals within one definition only."""

from __future__ import annotations

import re
from dataclasses import field

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

MOST_NAMES = 12  # larger constant sets are written as bits


def kind_text(node: n.CoreExpr | n.CoreStatement | n.BlockEnd) -> str:
    """Returns the class of a node in words, for messages: ``decide together``."""
    return " ".join(re.findall(r"[A-Z][a-z]+", type(node).__name__)).lower()


@lazy_dataclass()
class Names:
    """Names for domains, tables, variables and (within one definition) locals, made unique by numbers."""

    program: n.Program
    meaning: bool = False  # without names of files, messages and clauses
    former: bool = False  # as earlier versions printed it
    domains: list[tuple[str, Domain]] = field(default_factory=list)
    tables: list[tuple[str, n.TableData]] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)  # in order of their first calls
    _variables: list[str] = field(default_factory=list)
    _locals: dict[int, str] = field(default_factory=dict)
    _tables: dict[int, str] = field(default_factory=dict)
    _domains: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for v in self.program.variables:
            self._variables.append(_unused(v.name, self._variables))

    def variable(self, var: n.Var) -> str:
        return self._variables[var.index]

    def function(self, index: int) -> str:
        """Returns the name of a function. In a ``meaning``, functions are numbered in order of their first calls, so
        that those used only by the look do not shift the numbers.
        """
        if index not in self.functions:
            self.functions.append(index)
        number = self.functions.index(index) if self.meaning else index
        return f"{self.program.functions[index].name}#{number}"

    def begin(self) -> None:
        """Starts a new definition, with its own numbering of locals."""
        self._locals.clear()

    def local(self, local: n.Local) -> str:
        if local.id not in self._locals:
            self._locals[local.id] = _unused(local.name, self._locals.values())
        return self._locals[local.id]

    def domain(self, domain: Domain) -> str:
        if id(domain) not in self._domains:
            name = next((number for number, d in self.domains if d == domain), None)
            if name is None:
                name = _unused(domain.name, [number for number, _ in self.domains])
                self.domains.append((name, domain))
            self._domains[id(domain)] = name
        return self._domains[id(domain)]

    def table(self, table: n.TableData) -> str:
        if id(table) not in self._tables:
            name = next((number for number, t in self.tables if t == table), None)
            if name is None:
                name = _unused(table.name, [number for number, _ in self.tables])
                self.tables.append((name, table))
            self._tables[id(table)] = name
        return self._tables[id(table)]

    def explained(self, message: str, clauses: tuple[str, ...] = ()) -> str:
        """Returns the message and the clauses that follow a line."""
        if self.meaning:
            return ""
        return (f" {message!r}" if message else "") + "".join(f" @{c}" for c in clauses)

    def type(self, t: n.VarT) -> str:
        match t:
            case n.BoolT():
                return "bool"
            case n.IntT(low, high):
                return f"{low}..{high}"
            case n.ElemT(domain):
                return self.domain(domain)
            case n.OptT(inner):
                return f"{self.type(inner)}?"
            case n.SetT(domain):
                return f"set of {self.domain(domain)}"
            case n.StackT(inner, limit):
                return f"stack of {self.type(inner)} up to {limit}"
            case n.DrawingT():
                return "drawing"
            case n.HistoryT():
                return "history"

    def constant(self, c: n.Const) -> str:
        match c.type:
            case n.BoolT():
                return "yes" if c.value else "no"
            case n.IntT():
                return str(c.value)
            case n.ElemT(domain):
                return f"{self.domain(domain)}.{domain.names[c.value]}"
            case n.OptT(inner):
                if c.value == 0:
                    return "none"
                low = inner.low if isinstance(inner, n.IntT) else 0
                return self.constant(n.Const(c.value - 1 + low, inner))
            case n.SetT(domain):
                return self._set(c.value, domain)

    def _set(self, bits: int, domain: Domain) -> str:
        name = self.domain(domain)
        if bits == domain.full and bits:
            return f"{{all {name}}}"
        if bits.bit_count() <= MOST_NAMES:
            return f"{name}{{{', '.join(domain.set_names(bits))}}}"
        return f"{name}:{bits:#x}"


def _unused(name: str, taken: object) -> str:
    used = set(taken)  # type: ignore[call-overload]
    if name not in used:
        return name
    number = 2
    while f"{name}'{number}" in used:
        number += 1
    return f"{name}'{number}"
