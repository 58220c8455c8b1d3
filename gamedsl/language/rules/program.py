"""The program under construction, shared by all the rulesets in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gamedsl.language.boards import Domain
from gamedsl.language.core import fold, value_bits
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.clauses import citations_in
from gamedsl.language.rules.flow.basic_blocks import endless, number_blocks
from gamedsl.language.rules.report import Bail, Report
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.source import NOWHERE, Span
from gamedsl.language.syntax import ast

if TYPE_CHECKING:
    from gamedsl.language.rules.files import Files
    from gamedsl.language.rules.symbols import DefineSym


MOST_PERFORMED = 5000
MOST_STORED = 2**19  # bytes of a position: a game keeps every position that it has passed
MOST_PARTS = 100


@dataclass
class OpenBlock:
    """A block under construction; ``end`` is set last."""

    phase: str
    part: int
    statements: list[n.CoreStmt] = field(default_factory=list)
    end: n.Terminator | None = None
    clauses: tuple[str, ...] = ()
    reason: n.Reason | None = None


@dataclass
class ProgramBuilder:
    """``lower_node`` lowers any expression, ``lower_part`` the play of another ruleset. Both are passed in, because the
    modules they are made of call them recursively."""

    report: Report
    files: Files
    lower_node: Callable[[Env, Ctx, ast.Expr, n.ValueT | None], Any]
    lower_part: Callable[[Any, Ctx, ast.PlayGame], Ctx]
    variables: list[n.Var] = field(default_factory=list)
    functions: list[n.Function] = field(default_factory=list)
    moves: list[object] = field(default_factory=list)  # MoveSym, by schema index
    blocks: list[OpenBlock] = field(default_factory=list)
    parts: list[n.Part | None] = field(default_factory=list)
    claims: list[n.CoreClaim] = field(default_factory=list)
    citations: list[n.Citation] = field(default_factory=list)
    cited: list[tuple[tuple[ast.Decl, ...], str]] = field(default_factory=list)
    optional: dict[Domain, n.ElemT | n.IntT | n.BoolT] = field(default_factory=dict)
    tables: dict[object, n.TableData] = field(default_factory=dict)
    fields: dict[tuple[int, str], dict[str, n.Var]] = field(default_factory=dict)
    open_files: list[str] = field(default_factory=list)
    envs: list[Env] = field(default_factory=list)
    over: n.Var | None = None
    winners: n.Var | None = None
    stopping: dict[int, bool] = field(
        default_factory=dict
    )  # actions that need blocks, by the identity of their declaration
    performed: int = 0
    stored: int = 0  # bytes that the variables take in every position, about
    defining: list[DefineSym] = field(default_factory=list)  # that wait for one another
    depths: list[int] = field(default_factory=list)  # by function, how deep it is nested, definitions looked into
    _locals: int = 0
    _performing: list[ast.ActionDecl] = field(default_factory=list)
    _ticks: dict[int, tuple[n.CoreStmt, ...]] = field(default_factory=dict)

    def cite(self, tree: tuple[ast.Decl, ...], path: str) -> None:
        """Records the citations of the declarations of a file, once."""
        if all(known is not tree for known, _ in self.cited):
            self.cited.append((tree, path))
            self.citations.extend(citations_in(tree))

    def local(self, name: str, t: n.ValueT) -> n.Local:
        self._locals += 1
        return n.Local(self._locals, name, t)

    def variable(
        self,
        env: Env,
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

    def tick(self, env: Env) -> tuple[n.CoreStmt, ...]:
        """The passing of time in a ply: every countdown of the ruleset decreases by one, down to 0."""
        if env.index not in self._ticks:
            self._ticks[env.index] = tuple(self._tick_of(v) for v in env.countdowns)
        return self._ticks[env.index]

    def _tick_of(self, var: n.Var) -> n.CoreStmt:
        assert isinstance(var.type, n.IntT)
        locals_ = [self.local("k", n.ElemT(k)) for k in var.keys]
        keys: tuple[n.Expr, ...] = tuple(n.Load(loc) for loc in locals_)
        now = n.Get(var, keys, var.type)
        less = n.Op2("sub", now, n.Const(1, n.IntT(1, 1)), n.IntT(-1, var.type.high - 1))
        down = n.Cond(
            n.Op2("lt", n.Const(0, n.IntT(0, 0)), now, ty.BOOL),
            conversions.clip(less, var.type),
            n.Const(0, var.type),
            var.type,
            span=var.span,
        )
        stmt: n.CoreStmt = n.Assign(var, keys, down, span=var.span)
        for local, key in zip(reversed(locals_), reversed(var.keys), strict=True):
            stmt = n.ForS(local, n.Const(key.full, n.SetT(key)), (stmt,), span=var.span)
        return stmt

    def passed(self, env: Env) -> tuple[n.CoreStmt, ...]:
        """The counter of turns. After the highest value that anything compares it with it stops, or repeats with the least
        common multiple of all n in `turn mod n`."""
        if env.turn is None:
            return ()
        assert isinstance(env.turn.type, n.IntT)
        t = env.turn.type
        now = n.Get(env.turn, (), t)
        more = n.Op2("add", now, n.Const(1, n.IntT(1, 1)), n.IntT(t.low + 1, t.high + 1))
        top = n.Const(t.high, n.IntT(t.high, t.high))
        if env.turn_cycle == 1:
            return (n.Assign(env.turn, (), n.Op2("min", more, top, t)),)
        first = t.high - env.turn_cycle + 1
        again = n.Const(first, n.IntT(first, first))
        return (n.Assign(env.turn, (), n.Cond(n.Op2("eq", now, top, ty.BOOL), again, conversions.clip(more, t), t)),)

    # -------------------------------------------------------------------------------------------------- finish

    def finished_blocks(self, entry: int) -> tuple[tuple[n.Block, ...], int]:
        """The reachable blocks, renumbered in the order in which they are first reached."""
        blocks, first = number_blocks(self.blocks, entry)
        round_for_ever = endless(blocks)
        if round_for_ever is not None:
            self.report.fail("E0423", round_for_ever.end.span)
        return blocks, first


def player_seat(env: Env, mover: n.Expr) -> n.Expr:
    """The program's player behind a player of a ruleset (the players of a part are played by those around it)."""
    if env.outer is None:
        return mover
    if env.seat_var is not None:
        inner: n.Expr = n.Get(env.seat_var, (mover,), n.ElemT(env.outer.players))
    else:
        values = tuple(s.value for s in env.seats if isinstance(s, n.Const))
        table = n.TableData("seat", (env.players,), n.ElemT(env.outer.players), values)
        inner = fold(n.Lookup(table, (mover,)))
    return player_seat(env.outer, inner)
