"""The program under construction, shared by all the rulesets in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.core import value_bits
from gamedsl.language.rules.basic_blocks import OpenBlock, endless, number_blocks
from gamedsl.language.rules.citations import citations_in
from gamedsl.language.rules.error_report import Bail, Report
from gamedsl.language.source import NOWHERE, Span, lazy_dataclass
from gamedsl.language.syntax import ast

if TYPE_CHECKING:
    from gamedsl.language.rules.files import Files
    from gamedsl.language.rules.symbols import DefineSym


MOST_PERFORMED = 5000
MOST_STORED = 2**19  # bytes of a position: a game keeps every position that it has passed
MOST_PARTS = 100


@lazy_dataclass()
class ProgramBuilder:
    """The lowered parts of all rulesets so far. Names are in an ``Env`` for each ruleset."""

    report: Report
    files: Files
    variables: list[n.Var] = field(default_factory=list)
    functions: list[n.Function] = field(default_factory=list)
    moves: list[object] = field(default_factory=list)  # MoveSym, by schema index
    blocks: list[OpenBlock] = field(default_factory=list)
    parts: list[n.Part | None] = field(default_factory=list)
    claims: list[n.CoreClaim] = field(default_factory=list)
    cited: list[tuple[tuple[ast.Decl, ...], str]] = field(default_factory=list)
    optional: dict[Domain, n.ElemT | n.IntT | n.BoolT] = field(default_factory=dict)
    tables: dict[object, n.TableData] = field(default_factory=dict)
    fields: dict[tuple[int, str], dict[str, n.Var]] = field(default_factory=dict)
    open_files: list[str] = field(default_factory=list)
    over: n.Var | None = None
    winners: n.Var | None = None
    stopping: dict[int, bool] = field(
        default_factory=dict
    )  # actions that need blocks, by the identity of their declaration
    performed: int = 0
    stored: int = 0  # the approximate number of bytes of the variables in every position
    defining: list[DefineSym] = field(default_factory=list)  # being lowered, each needed by the previous one
    depths: list[int] = field(default_factory=list)  # by function, its depth of nesting with definitions expanded
    _locals: int = 0
    _performing: list[ast.ActionDecl] = field(default_factory=list)

    def cite(self, tree: tuple[ast.Decl, ...], path: str) -> None:
        """Records the declarations of a file as part of the program, only once."""
        if all(known is not tree for known, _ in self.cited):
            self.cited.append((tree, path))

    @cached_property
    def citations(self) -> tuple[n.Citation, ...]:
        """The citations of all files. Only a ruleset without errors needs them, so they are looked for when all files are known."""
        return tuple(one for tree, _ in self.cited for decl in tree for one in citations_in(decl))

    def local(self, name: str, t: n.ValueT) -> n.Local:
        self._locals += 1
        return n.Local(self._locals, name, t)

    def variable(
        self,
        part: int,
        name: str,
        t: n.VarT,
        *,
        keys: tuple[Domain, ...] = (),
        initial: int = 0,
        seen: str = "all",
        role: str = "temp",
        span: Span = NOWHERE,
        viewers: int | None = None,
        has_first_value: bool = True,
    ) -> n.Var:
        slots = 1
        for k in keys:
            slots *= k.size
        self._store(name, slots * (8 + value_bits(t) // 8), span)
        if isinstance(t, n.IntT):
            initial = min(max(initial, t.low), t.high)
        var = n.Var(
            len(self.variables), name, t, keys, (initial,) * slots, seen, role, part, span, viewers, has_first_value  # type: ignore[arg-type]
        )  # fmt: skip
        self.variables.append(var)
        return var

    def _store(self, name: str, size: int, span: Span) -> None:
        """Adds the size of a variable in every position, before it is created. Reports the first that exceeds the
        limit.
        """
        if self.stored + size <= MOST_STORED:
            self.stored += size
            return
        if not any(d.code == "E0463" for d in self.report.found.values()):
            self.report.add("E0463", span, most=f"{MOST_STORED:,}", name=name)
        raise Bail

    # ------------------------------------------------------------------------------------------------- blocks

    def new_block(self, phase: str, part: int) -> int:
        self.blocks.append(OpenBlock(phase, part))
        return len(self.blocks) - 1

    # ----------------------------------------------------------------------------------------------- actions

    def count_performed(self, span: Span) -> None:
        self.performed += 1
        if self.performed > MOST_PERFORMED:
            self.report.fail("E0446", span, most=MOST_PERFORMED)

    def performing(self, decl: ast.ActionDecl) -> bool:
        return any(d is decl for d in self._performing)

    @contextmanager
    def inside(self, decl: ast.ActionDecl) -> Iterator[None]:
        self._performing.append(decl)
        try:
            yield
        finally:
            self._performing.pop()

    # -------------------------------------------------------------------------------------------------- finish

    def finished_blocks(self, entry: int) -> tuple[tuple[n.Block, ...], int]:
        """Returns the reachable blocks, renumbered, and the number of the entry; reports a loop without a decision."""
        blocks, first = number_blocks(self.blocks, entry)
        round_for_ever = endless(blocks)
        if round_for_ever is not None:
            self.report.fail("E0423", round_for_ever.end.span)
        return blocks, first
