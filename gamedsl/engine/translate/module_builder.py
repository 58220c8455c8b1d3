"""Builds the Python module that a program is translated to: names, constants, functions, state slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

from gamedsl.engine.values import Table, bits_from
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span, lazy_dataclass


def slot_offsets(variables: Iterable[n.Var]) -> tuple[int, ...]:
    """The index of each variable's first slot in the list of a state's values; the last number is the length of the
    list."""
    offsets = [0]
    for var in variables:
        offsets.append(offsets[-1] + var.slots)
    return tuple(offsets)


def plain_name(name: str) -> str:
    """The name in a form that a Python identifier can contain."""
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "x"


def local_name(local: n.Local) -> str:
    return f"{plain_name(local.name)}_{local.id}".replace("-", "_")


@lazy_dataclass()
class ModuleBuilder:
    """Collects the text of the module. ``values`` are the constants that cannot be written down in it (places, tables,
    plans). ``translators`` translate the classes of expressions that contain statements; they are passed in to avoid a
    cycle of imports, because statements contain expressions in turn."""

    program: n.Program
    offsets: tuple[int, ...]
    translators: Mapping[type[Any], Callable[[ModuleBuilder, Any, int], str]]
    lines: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    _known: dict[object, str] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)
    _count: int = 0

    def fresh(self, stem: str) -> str:
        """A name that is used nowhere else."""
        self._count += 1
        return f"{stem}_{self._count}"

    def constant(self, stem: str, key: object, value: object) -> str:
        """The name of a constant; the same key gives the same name."""
        if key not in self._known:
            self._known[key] = self.fresh(stem)
            self.values[self._known[key]] = value
        return self._known[key]

    def keep(self, thing: object) -> int:
        """The identity of an object, which is kept alive so that no other object can get the same one."""
        self._kept.append(thing)
        return id(thing)

    def place(self, span: Span) -> str:
        """The constant for a place in a ruleset."""
        return self.constant("at", ("place", span.source.path, span.start, span.end), span)

    def table(self, table: n.TableData) -> str:
        # values that count how often they are read are not tuples, and stay as they are
        values = Table(table.values) if self.hides and isinstance(table.values, tuple) else table.values
        return self.constant(f"t_{plain_name(table.name)}", ("table", self.keep(table.values)), values)

    def entries(self, table: n.TableData, bits: int) -> str:
        """The name of a constant tuple with the entries of a table at the members of a constant set."""
        if bits + 1 == 1 << len(table.values):
            return self.table(table)
        values = tuple(table.values[i] for i in bits_from(bits, 0))
        return self.constant(f"t_{plain_name(table.name)}", ("entries", self.keep(table.values), bits), values)

    @property
    def hides(self) -> bool:
        """Whether the translated rules are also run on values that a seat may not know."""
        return any(v.seen != "all" for v in self.program.variables)

    def members(self, bits: int, low: int) -> str:
        """The name of a constant tuple with the members of a constant set."""
        values = tuple(bits_from(bits, low))
        return self.constant("each", ("members", values), values)

    def once(self, kind: str, key: object) -> tuple[str, bool]:
        """The name of something that is translated only once for this object, and whether it is new."""
        k = (kind, self.keep(key))
        if k in self._known:
            return self._known[k], False
        self._known[k] = self.fresh(kind)
        return self._known[k], True

    def function(self, name: str, params: Iterable[str], body: list[str]) -> None:
        """Adds ``def name(s, params): body``."""
        self.lines.append(f"def {name}({', '.join(['s', *params])}):")
        self.lines.extend("    " + line for line in (body or ["pass"]))
        self.lines.append("")

    def slot(self, var: n.Var, keys: tuple[n.Expr, ...], key_texts: tuple[str, ...]) -> str:
        """``s[7 + c]``: the slot of a variable for these keys."""
        fixed = self.offsets[var.index]
        terms: list[str] = []
        stride = var.slots
        for domain, key, text in zip(var.keys, keys, key_texts, strict=True):
            stride //= max(1, domain.size)
            if isinstance(key, n.Const):
                fixed += key.value * stride
            else:
                terms.append(text if stride == 1 else f"{text} * {stride}")
        if fixed or not terms:
            terms.insert(0, str(fixed))
        return f"s[{' + '.join(terms)}]"
