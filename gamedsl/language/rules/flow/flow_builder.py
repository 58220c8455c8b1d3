"""A builder of basic blocks: the current block, and the targets of jumps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import field

from gamedsl.language.core import nodes as n
from gamedsl.language.core import targets
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.flow import endings
from gamedsl.language.rules.passing_time import tick
from gamedsl.language.rules.scope import Ctx, Env, Lowering
from gamedsl.language.source import NOWHERE, Span, lazy_dataclass
from gamedsl.language.syntax import ast

NO_REASON = n.Reason("", ())


@lazy_dataclass()
class Turn:
    """The enclosing ``turns`` loop: the targets of ``skip`` and ``again``."""

    skip: int
    again: int
    ticked: n.Var | None


@lazy_dataclass()
class FlowBuilder(ABC):
    """Builds the blocks of one ruleset. ``ControlFlow`` implements ``statement`` for all kinds of statements; the
    functions for one kind call it for nested statements. ``finish`` is called with the ending wherever the ruleset's
    game ends.
    """

    env: Env
    finish: Callable[[FlowBuilder, endings.Ending], None]
    current: int | None = None
    phase: str = ""
    turn: Turn | None = None
    phase_end: int | None = None
    phases: tuple[str, ...] = ()  # the enclosing phases, the innermost last
    stop: int | None = None  # the target of "stop" inside the effect of a move with chance
    temps: dict[str, n.Var] = field(default_factory=dict)
    why: n.Reason = NO_REASON  # the enclosing condition: its name, and the clauses cited with it

    @property
    def program(self) -> Lowering:
        return self.env.program

    def new(self) -> int:
        return self.program.new_block(self.phase, self.env.index)

    def begin(self, block: int) -> None:
        self.current = block

    def emit(self, *stmts: n.CoreStmt) -> None:
        assert self.current is not None
        self.program.blocks[self.current].statements.extend(stmts)

    def close(self, end: n.Terminator, clauses: tuple[str, ...] = ()) -> None:
        assert self.current is not None
        block = self.program.blocks[self.current]
        block.end, block.clauses = end, clauses
        self.current = None

    def go(self, block: int, span: Span = NOWHERE) -> None:
        if self.current is not None:
            self.close(n.Goto(block, span=span))

    def temp(self, name: str, t: object, keys: tuple[object, ...] = ()) -> n.Var:
        return self.program.variable(self.env.index, name, t, keys=keys)  # type: ignore[arg-type]

    @contextmanager
    def within(self, **changes: object):  # type: ignore[no-untyped-def]
        old = {name: getattr(self, name) for name in changes}
        for name, value in changes.items():
            setattr(self, name, value)
        try:
            yield
        finally:
            for name, value in old.items():
                setattr(self, name, value)

    @abstractmethod
    def statement(self, ctx: Ctx, s: ast.Stmt) -> Ctx:
        """Lowers a statement; returns the context of the next one."""

    def body(self, ctx: Ctx, stmts: ast.Body) -> Ctx:
        failed = False
        for s in stmts:
            if self.current is None:
                self.env.report.add("E0421", s.span)
                self.begin(self.new())
            try:
                ctx = self.statement(ctx, s)
            except Bail:
                failed = True
                if s.binds() is not None:
                    break
        if failed:
            raise Bail
        return ctx

    def keep(self, ctx: Ctx, name: ast.Name, value: n.Expr) -> Ctx:
        """Binds a name to a value that is kept across decisions in a temporary, which is reset when it is dead."""
        if isinstance(value, n.Const):
            return ctx.bind(**{name.id: value})
        var = self.temp(name.id, value.type)
        self.emit(n.Assign(var, (), value, span=name.span))
        return ctx.bind(**{name.id: n.Get(var, (), value.type, span=name.span)})

    def join(self, after: int) -> None:
        """Continues in a block if it has predecessors; otherwise the next statement is unreachable."""
        if self.leads_to(after):
            self.begin(after)

    def leads_to(self, block: int) -> bool:
        return any(b.end is not None and block in targets(b.end) for b in self.program.blocks)

    def tick(self) -> tuple[n.CoreStmt, ...]:
        """Returns the statements for the passing of time at a decision here, which run once per turn."""
        ticks = tick(self.env)
        if not ticks or self.turn is None or self.turn.ticked is None:
            return ticks
        flag = self.turn.ticked
        return (n.IfS(n.Op1("not", n.Get(flag, (), ty.BOOL), ty.BOOL), (*ticks, n.Assign(flag, (), ty.YES)), ()),)
