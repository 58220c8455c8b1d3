"""A program of the Core -> a Python module, which is executed once and has the functions that play a game.

Per schema k: ``attempts_k(s, me)`` (arguments for which the guards hold), ``legal_k(s, me, tick)`` (those of them after
which no forbidden condition holds), ``fits_k(s, me, ...)``, ``guard_k_i``, ``forbid_k_i``, ``effect_k``. Per block n:
``block_n(s)``, its statements, and a function for each value that its terminator needs. ``Code.source`` is the text of
the module.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from gamedsl.engine import values as run_time
from gamedsl.engine.errors import fail
from gamedsl.engine.translate.arrangements import arranged
from gamedsl.engine.translate.expressions import as_int, expr, exprs, function_name, members
from gamedsl.engine.translate.look_ahead import LOOK_AHEAD, steps
from gamedsl.engine.translate.module_builder import ModuleBuilder, local_name, slot_offsets
from gamedsl.engine.translate.statements import body
from gamedsl.engine.values import Slots
from gamedsl.language.boards import Domain
from gamedsl.language.core import closure, flood, free_locals, image, limits, make_plan, offset, terminator_tick
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

Args = tuple[int, ...]
Tick = Callable[[Slots], object]
_NOTHING = n.Program("", "", (), Domain("nobody", ()), (), (), (), (), 0, (), (), (), ())


@lazy_dataclass(frozen=True)
class SchemaCode:
    """The functions of one kind of move; all take the state and ``me`` as their first arguments."""

    attempts: Callable[[Slots, int], Iterator[Args]]
    legal: Callable[[Slots, int, Tick | None], Iterator[Args]]
    ranges: Callable[..., bool]
    fits: Callable[..., bool]
    guards: tuple[Callable[..., bool], ...]
    forbids: tuple[Callable[..., bool], ...]
    effect: Callable[..., object]


@lazy_dataclass(frozen=True)
class BlockCode:
    """The functions of one block: its statements, the tick of its decision, and the values that its terminator needs,
    by name (see ``QUERIES``)."""

    run: Callable[[Slots], object] | None
    tick: Tick | None
    queries: dict[str, Callable[..., Any]]


@lazy_dataclass(frozen=True)
class Code:
    """The translated program. ``source``: the text of the module; ``offsets``: the first slot of each variable;
    ``names``: the namespace of the module."""

    source: str
    offsets: tuple[int, ...]
    schemas: tuple[SchemaCode, ...]
    blocks: tuple[BlockCode, ...]
    unit: ModuleBuilder
    names: dict[str, Any]

    def compile(self, e: n.Expr, order: tuple[n.Local, ...]) -> Callable[..., Any]:
        """Compiles another expression to a function of a state's values and the values of these locals."""
        unit = ModuleBuilder(self.unit.program, self.unit.offsets, LOOK_AHEAD)
        name = unit.fresh("asked")
        unit.function(name, [local_name(x) for x in order], [f"return {as_int(unit, e)}"])
        return self._made(unit, name)

    def compile_statements(self, statements: tuple[n.CoreStmt, ...]) -> Callable[[Slots], object]:
        """Compiles other statements to a function that changes a state's values."""
        unit = ModuleBuilder(self.unit.program, self.unit.offsets, LOOK_AHEAD)
        name = unit.fresh("asked")
        unit.function(name, [], body(unit, statements))
        return self._made(unit, name)

    def _made(self, unit: ModuleBuilder, name: str) -> Callable[..., Any]:
        names = self.names | unit.values
        _run("\n".join(unit.lines), f"<{name}>", names)
        result: Callable[..., Any] = names[name]
        return result


def translate_closed(e: n.Expr, order: tuple[n.Local, ...]) -> Callable[..., int]:
    """The function of these locals' values that an expression which reads no state stands for. It raises ``RulesError``
    where the expression has no value."""
    unit = ModuleBuilder(_NOTHING, (0,), {})
    unit.function("closed", [local_name(x) for x in order], [f"return {as_int(unit, e)}"])
    names = _helpers() | unit.values
    exec(compile("\n".join(unit.lines), "<closed>", "exec"), names)
    result: Callable[..., int] = partial(names["closed"], ())
    return result


def translate_program(program: n.Program) -> Code:
    """Translates a program to its functions."""
    u = ModuleBuilder(program, slot_offsets(program.variables), LOOK_AHEAD)
    for f in program.functions:
        u.function(function_name(u, f.index), [local_name(p) for p in f.params], [f"return {expr(u, f.body)}"])
    for schema in program.schemas:
        _schema(u, schema)
    for block in program.blocks:
        _block(u, block)
    source = "\n".join(u.lines)
    names = _helpers() | u.values
    _run(source, f"<{program.name}>", names)
    schemas = tuple(_schema_code(names, s) for s in program.schemas)
    blocks = tuple(_block_code(names, b) for b in program.blocks)
    return Code(source, u.offsets, schemas, blocks, u, names)


def _helpers() -> dict[str, Any]:
    """The names that translated text may use."""
    called = (
        "bits", "bits_from", "union", "unwrap", "first", "fit", "div", "mod", "most", "least", "top", "item", "pushed", "popped",
    )  # fmt: skip
    others = {"closure": closure, "flood": flood, "image": image, "fail": fail, "arranged": arranged}
    return {name: getattr(run_time, name) for name in called} | others


def _run(source: str, title: str, names: dict[str, Any]) -> None:
    """Executes translated text and registers its lines for tracebacks."""
    linecache.cache[title] = (len(source), None, source.splitlines(keepends=True), title)
    exec(compile(source, title, "exec"), names)


# ----------------------------------------------------------------------------------------------------- schemas


def _schema(u: ModuleBuilder, s: n.Schema) -> None:
    me, params = local_name(s.me), [local_name(p.local) for p in s.params]
    all_names = [me, *params]
    u.function(f"effect_{s.index}", all_names, body(u, s.effect))
    ranges = [_in_range(u, p.local, p.over) for p in s.params]
    u.function(f"ranges_{s.index}", all_names, [f"return {' and '.join(ranges) or 'True'}"])
    call = ", ".join(["s", *all_names])
    tests = [f"ranges_{s.index}({call})"]
    for i, guard in enumerate(s.guards):
        tests.append(f"{_condition(u, f'guard_{s.index}_{i}', guard, all_names)}({call})")
    u.function(f"fits_{s.index}", all_names, [f"return bool({' and '.join(tests)})"])
    banned = [_condition(u, f"forbid_{s.index}_{i}", g, all_names) for i, g in enumerate(s.forbids)]
    u.function(f"attempts_{s.index}", [me], _attempts(u, s, params))
    u.function(f"legal_{s.index}", ["me", "tick"], _legal(s, params, banned))


def _in_range(u: ModuleBuilder, local: n.Local, over: n.Expr) -> str:
    low, high = limits(local.type)
    name, shift = local_name(local), offset(local.type)
    shifted = f"({name} - {shift})" if shift else name
    return f"{low} <= {name} <= {high} and {expr(u, over)} >> {shifted} & 1"


def _condition(u: ModuleBuilder, name: str, guard: n.CoreGuard, params: list[str]) -> str:
    u.function(name, params, [f"return {expr(u, guard.condition)}"])
    return name


def _attempts(u: ModuleBuilder, s: n.Schema, params: list[str]) -> list[str]:
    """The plan of a schema as nested loops. A loop-invariant condition is evaluated at most once."""
    plan = s.plan or make_plan(s.params, s.guards)
    own = {p.local.id for p in s.params}
    lines: list[str] = []
    first: list[str] = []
    depth = 0
    for step in plan:
        indent = "    " * depth
        if isinstance(step, n.Bind):
            local = s.params[step.param].local
            lines.append(f"{indent}for {params[step.param]} in {members(u, step.over, local.type, 0)}:")
            depth += 1
        elif depth and not own & free_locals(step.condition).keys():
            known = u.fresh("known")
            first.append(f"{known} = None")
            lines.append(f"{indent}if {known} is None: {known} = {expr(u, step.condition)}")
            lines.append(f"{indent}if not {known}: return")
        else:
            lines.append(f"{indent}if not {expr(u, step.condition)}: {'continue' if depth else 'return'}")
    return [*first, *lines, "    " * depth + f"yield ({''.join(p + ', ' for p in params)})"]


def _legal(s: n.Schema, params: list[str], banned: list[str]) -> list[str]:
    if not banned:
        return [f"return attempts_{s.index}(s, me)"]
    call = ", ".join(["t", "me", *params])
    forbidden = " or ".join(f"{name}({call})" for name in banned)
    unpacked = f"({''.join(p + ', ' for p in params)})" if params else "_"
    return [
        f"for {unpacked} in attempts_{s.index}(s, me):",
        "    t = list(s)",
        "    if tick: tick(t)",
        f"    effect_{s.index}({call})",
        f"    if not ({forbidden}): yield ({''.join(p + ', ' for p in params)})",
    ]


def _schema_code(names: dict[str, Any], s: n.Schema) -> SchemaCode:
    k = s.index
    return SchemaCode(
        names[f"attempts_{k}"],
        names[f"legal_{k}"],
        names[f"ranges_{k}"],
        names[f"fits_{k}"],
        tuple(names[f"guard_{k}_{i}"] for i in range(len(s.guards))),
        tuple(names[f"forbid_{k}_{i}"] for i in range(len(s.forbids))),
        names[f"effect_{k}"],
    )


# ------------------------------------------------------------------------------------------------------ blocks


def _block(u: ModuleBuilder, b: n.Block) -> None:
    if b.statements:
        u.function(f"block_{b.index}", [], body(u, b.statements))
    if tick := terminator_tick(b.end):
        u.lines.append(f"ticks_{b.index} = {steps(u, tick, 'tick')}")
    match b.end:
        case n.BranchT(condition, yes, no):
            _query(u, b, "next", f"{yes} if {expr(u, condition)} else {no}")
        case n.Decide(seat, mover) | n.DecideDrawing(seat, mover):
            _query_who(u, b, seat, mover)
        case n.DecideTogether(movers, seats):
            _query(u, b, "movers", expr(u, movers))
            _query(u, b, "seats", f"[{', '.join(exprs(u, seats, 0))}]")
        case n.Choose(seat, mover, var, keys, source):
            _query_who(u, b, seat, mover)
            _query(u, b, "source", expr(u, source))
            _query(u, b, "slot", u.slot(var, keys, exprs(u, keys, 0))[2:-1])
        case n.Chance(over=over, weight=weight, local=local):
            _query(u, b, "over", expr(u, over))
            _query(u, b, "weight", expr(u, weight), local_name(local))
        case n.End(payoff, winners, scores):
            _query(u, b, "payoff", f"[{', '.join(exprs(u, payoff, 0))}]")
            _query(u, b, "winners", expr(u, winners))
            _query(u, b, "scores", f"[{', '.join(exprs(u, scores, 0))}]")
        case n.Goto():
            pass


def _query(u: ModuleBuilder, b: n.Block, name: str, text: str, *params: str) -> None:
    u.function(f"{name}_{b.index}", params, [f"return {text}"])


def _query_who(u: ModuleBuilder, b: n.Block, seat: n.Expr, mover: n.Expr) -> None:
    _query(u, b, "seat", expr(u, seat))
    _query(u, b, "mover", expr(u, mover))


QUERIES = (
    "next",
    "seat",
    "mover",
    "movers",
    "seats",
    "source",
    "slot",
    "over",
    "weight",
    "payoff",
    "winners",
    "scores",
)


def _block_code(names: dict[str, Any], b: n.Block) -> BlockCode:
    queries = {name: names[f"{name}_{b.index}"] for name in QUERIES if f"{name}_{b.index}" in names}
    return BlockCode(names.get(f"block_{b.index}"), names.get(f"ticks_{b.index}"), queries)
