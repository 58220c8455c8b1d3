"""The program under construction, shared by all the rulesets in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gamedsl.boards import Domain
from gamedsl.core import fold, value_bits
from gamedsl.core.nodes import (
    Assign,
    Block,
    BoolT,
    Citation,
    Cond,
    Const,
    CoreClaim,
    CoreStmt,
    ElemT,
    Expr,
    ForS,
    Function,
    Get,
    IntT,
    Load,
    Local,
    Lookup,
    Op2,
    Part,
    Reason,
    SetT,
    TableData,
    Terminator,
    ValueT,
    Var,
    VarT,
)
from gamedsl.rules import conversions
from gamedsl.rules import types as ty
from gamedsl.rules.clauses import citations_in
from gamedsl.rules.flow.basic_blocks import endless, number_blocks
from gamedsl.rules.report import Bail, Report
from gamedsl.rules.scope import Ctx, Env
from gamedsl.source import NOWHERE, Span
from gamedsl.syntax import ast

if TYPE_CHECKING:
    from gamedsl.rules.files import Files
    from gamedsl.rules.symbols import DefineSym


MOST_PERFORMED = 5000
MOST_STORED = 2**19  # bytes of a position: a game keeps every position that it has passed
MOST_PARTS = 100


@dataclass
class OpenBlock:
    """A block under construction; ``end`` is set last."""

    phase: str
    part: int
    statements: list[CoreStmt] = field(default_factory=list)
    end: Terminator | None = None
    clauses: tuple[str, ...] = ()
    reason: Reason | None = None


@dataclass
class ProgramBuilder:
    """``lower_node`` lowers any expression, ``lower_part`` the play of another ruleset. Both are passed in, because the
    modules they are made of call them recursively."""

    report: Report
    files: Files
    lower_node: Callable[[Env, Ctx, ast.Expr, ValueT | None], Any]
    lower_part: Callable[[Any, Ctx, ast.PlayGame], Ctx]
    variables: list[Var] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    moves: list[object] = field(default_factory=list)  # MoveSym, by schema index
    blocks: list[OpenBlock] = field(default_factory=list)
    parts: list[Part | None] = field(default_factory=list)
    claims: list[CoreClaim] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    cited: list[tuple[tuple[ast.Decl, ...], str]] = field(default_factory=list)
    optional: dict[Domain, ElemT | IntT | BoolT] = field(default_factory=dict)
    tables: dict[object, TableData] = field(default_factory=dict)
    fields: dict[tuple[int, str], dict[str, Var]] = field(default_factory=dict)
    open_files: list[str] = field(default_factory=list)
    envs: list[Env] = field(default_factory=list)
    over: Var | None = None
    winners: Var | None = None
    stopping: dict[int, bool] = field(
        default_factory=dict
    )  # actions that need blocks, by the identity of their declaration
    performed: int = 0
    stored: int = 0  # bytes that the variables take in every position, about
    defining: list[DefineSym] = field(default_factory=list)  # that wait for one another
    depths: list[int] = field(default_factory=list)  # by function, how deep it is nested, definitions looked into
    _locals: int = 0
    _performing: list[ast.ActionDecl] = field(default_factory=list)
    _ticks: dict[int, tuple[CoreStmt, ...]] = field(default_factory=dict)

    def cite(self, tree: tuple[ast.Decl, ...], path: str) -> None:
        """Records the citations of the declarations of a file, once."""
        if all(known is not tree for known, _ in self.cited):
            self.cited.append((tree, path))
            self.citations.extend(citations_in(tree))

    def local(self, name: str, t: ValueT) -> Local:
        self._locals += 1
        return Local(self._locals, name, t)

    def variable(
        self,
        env: Env,
        name: str,
        t: VarT,
        *,
        keys: tuple[Domain, ...] = (),
        initial: int = 0,
        seen: str = "all",
        role: str = "temp",
        span: Span = NOWHERE,
        viewers: int | None = None,
        has_first_value: bool = True,
    ) -> Var:
        slots = 1
        for k in keys:
            slots *= k.size
        self._store(name, slots * (8 + value_bits(t) // 8), span)
        if isinstance(t, IntT):
            initial = min(max(initial, t.low), t.high)
        var = Var(
            len(self.variables), name, t, keys, (initial,) * slots, seen, role, env.index, span, viewers, has_first_value  # type: ignore[arg-type]
        )  # fmt: skip
        self.variables.append(var)
        return var

    def _store(self, name: str, size: int, span: Span) -> None:
        """Counts what a variable takes in every position, before it takes it. The first that is too large is reported."""
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

    # --------------------------------------------------------------------------------------------------- time

    def tick(self, env: Env) -> tuple[CoreStmt, ...]:
        """The passing of time in a ply: every countdown of the ruleset decreases by one, down to 0."""
        if env.index not in self._ticks:
            self._ticks[env.index] = tuple(self._tick_of(v) for v in env.countdowns)
        return self._ticks[env.index]

    def _tick_of(self, var: Var) -> CoreStmt:
        assert isinstance(var.type, IntT)
        locals_ = [self.local("k", ElemT(k)) for k in var.keys]
        keys: tuple[Expr, ...] = tuple(Load(loc) for loc in locals_)
        now = Get(var, keys, var.type)
        less = Op2("sub", now, Const(1, IntT(1, 1)), IntT(-1, var.type.high - 1))
        down = Cond(
            Op2("lt", Const(0, IntT(0, 0)), now, ty.BOOL),
            conversions.clip(less, var.type),
            Const(0, var.type),
            var.type,
            span=var.span,
        )
        stmt: CoreStmt = Assign(var, keys, down, span=var.span)
        for local, key in zip(reversed(locals_), reversed(var.keys), strict=True):
            stmt = ForS(local, Const(key.full, SetT(key)), (stmt,), span=var.span)
        return stmt

    def passed(self, env: Env) -> tuple[CoreStmt, ...]:
        """The counter of turns. After the highest value that anything compares it with it stops, or repeats with the least
        common multiple of all n in `turn mod n`."""
        if env.turn is None:
            return ()
        assert isinstance(env.turn.type, IntT)
        t = env.turn.type
        now = Get(env.turn, (), t)
        more = Op2("add", now, Const(1, IntT(1, 1)), IntT(t.low + 1, t.high + 1))
        top = Const(t.high, IntT(t.high, t.high))
        if env.turn_cycle == 1:
            return (Assign(env.turn, (), Op2("min", more, top, t)),)
        first = t.high - env.turn_cycle + 1
        again = Const(first, IntT(first, first))
        return (Assign(env.turn, (), Cond(Op2("eq", now, top, ty.BOOL), again, conversions.clip(more, t), t)),)

    # -------------------------------------------------------------------------------------------------- finish

    def finished_blocks(self, entry: int) -> tuple[tuple[Block, ...], int]:
        """The reachable blocks, renumbered in the order in which they are first reached."""
        blocks, first = number_blocks(self.blocks, entry)
        round_for_ever = endless(blocks)
        if round_for_ever is not None:
            self.report.fail("E0423", round_for_ever.end.span)
        return blocks, first


def player_seat(env: Env, mover: Expr) -> Expr:
    """The program's player behind a player of a ruleset (the players of a part are played by those around it)."""
    if env.outer is None:
        return mover
    if env.seat_var is not None:
        inner: Expr = Get(env.seat_var, (mover,), ElemT(env.outer.players))
    else:
        values = tuple(s.value for s in env.seats if isinstance(s, Const))
        table = TableData("seat", (env.players,), ElemT(env.outer.players), values)
        inner = fold(Lookup(table, (mover,)))
    return player_seat(env.outer, inner)
