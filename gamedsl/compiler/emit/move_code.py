"""Enumerates the moves of a schema: visits all of them, counts them, finds the k-th.

The steps of the plan become loops. If the last step only binds a parameter to the members of a set, the moves are not
enumerated one by one: their number is the size of the set, and the k-th is its k-th member.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext

from llvmlite import ir

from gamedsl.compiler.analysis.symbolic_states import TooLarge
from gamedsl.compiler.emit.expression_code import as_type, boolean, set_words
from gamedsl.compiler.emit.history_code import notes_positions
from gamedsl.compiler.emit.known_values import branch, onward, same_state
from gamedsl.compiler.emit.lazy_calls import LazyCall, LazyCalls, evaluated_once, flag_of
from gamedsl.compiler.emit.llvm_module import CTX_USED, I1, I8, I64, Fn, Value, bind, const, flag
from gamedsl.compiler.emit.memory import context_field, copy_state, plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.cut_elements import keep_cuts
from gamedsl.compiler.emit.sets.set_loops import each
from gamedsl.compiler.emit.statement_code import do_effect, do_steps
from gamedsl.compiler.emit.stop_code import put_args
from gamedsl.compiler.transform.inline import Inliner
from gamedsl.compiler.transform.lift_plans import lift_plan
from gamedsl.language.core import conjunction, free_locals, make_plan, offset, walk_statements
from gamedsl.language.core import nodes as n

FAR = 1 << 62  # more than any number of moves
Args = list[Value]
Leaf = Callable[[Args], None]
Last = Callable[[Callable[[], sets.Words], n.Local, Args], None]


def plan_of(f: Fn, schema: n.Schema) -> tuple[n.Bind | n.Test, ...]:
    """The plan by which a schema's moves are enumerated."""
    if f.slots is not None:
        return schema.plan
    key = f.unit.keep(schema)
    if key not in f.unit.plans:
        plan = schema.plan or make_plan(schema.params, schema.guards)
        f.unit.plans[key] = lift_plan(schema, plan, lambda e: _put_in(f.unit.program, e))
    return f.unit.plans[key]


def _put_in(program: n.Program, e: n.Expr) -> n.Expr | None:
    """The condition with its functions inlined, or None if it grows too large."""
    try:
        return Inliner(program).expr(e, {})
    except TooLarge:
        return None


def visit(
    f: Fn, number: int, me: ir.Value, leaf: Leaf, tick: tuple[n.CoreStmt, ...], legal: bool, last: Last | None = None,
    steps: Sequence[n.Bind | n.Test] | None = None,
) -> None:  # fmt: skip
    """Emits ``leaf`` for the arguments of every move of a schema. If ``legal``, skips moves that are forbidden.

    ``steps`` are the steps of the plan to take; by default all. ``last`` replaces the innermost loop if that is a plain
    loop over a set. It receives a function that emits the set, the parameter's local and the other arguments.
    """
    schema = f.unit.program.schemas[number]
    bind(f, schema.me, me)
    own = {p.local.id for p in schema.params}
    plain = not (legal and schema.forbids)

    def inner() -> None:
        args = [f.env[p.local.id] for p in schema.params]
        if plain:
            leaf(args)
        else:
            unless_forbidden(f, schema, me, args, tick, leaf)

    def at(left: Sequence[n.Bind | n.Test], following: ir.Block, looping: bool) -> None:
        if not left:
            inner()
            return
        step, rest = left[0], left[1:]
        if isinstance(step, n.Bind):
            local = schema.params[step.param].local
            if last is not None and not rest and plain:
                last(
                    lambda: set_words(f, step.over),
                    local,
                    [f.env[p.local.id] for p in schema.params if p.local.id != local.id],
                )
                return
            over = set_words(f, step.over) if last or not isinstance(step.over, n.Const) else None

            def round(x: ir.Value) -> None:
                skip = f.block("skip")
                bind(f, local, as_type(f, x, local.type))
                with branch(f, f.builder.block):
                    at(rest, skip, True)
                f.goto(skip)
                f.at(skip)

            if f.slots is not None and not looping:
                keep_cuts(f, rest)
            each(f, step.over, over, local.type, round)
            return
        once = looping and not own & free_locals(step.condition).keys()
        _emit_test(f, step, following, begin if once else None)
        at(rest, following, looping)

    begin, done = f.block("visit"), f.block("moves")
    f.builder.branch(begin)
    f.at(begin)
    plan, calls = plan_of(f, schema) if steps is None else steps, f.features.of(LazyCalls)
    outside = calls.once
    if f.slots is None:
        calls.once = {call: LazyCall(f, call, begin) for call in evaluated_once(plan, own)}
    with same_state(f) if f.slots is not None else nullcontext():
        at(plan, done, False)
    calls.once = outside
    f.goto(done)
    f.at(done)


def _emit_test(f: Fn, step: n.Test, following: ir.Block, once: ir.Block | None) -> None:
    """Continues only if the condition holds. With ``once``, the condition is evaluated at most once after that block,
    on first use."""
    inside = f.block("fits")
    if once is not None:
        known = flag_of(f, once)
        asked, ask = f.block("asked"), f.block("ask")
        f.builder.cbranch(f.builder.icmp_unsigned("==", f.builder.load(known), ir.Constant(I8, 0)), ask, asked)
        f.at(ask)
        answer = boolean(f, step.condition)
        f.builder.store(f.builder.add(f.builder.zext(answer, I8), ir.Constant(I8, 1)), known)
        f.builder.branch(asked)
        f.at(asked)
        f.builder.cbranch(f.builder.icmp_unsigned("==", f.builder.load(known), ir.Constant(I8, 2)), inside, following)
    else:
        f.builder.cbranch(boolean(f, step.condition), inside, following)
    onward(f, inside)


def at_entry(f: Fn, ptr: ir.Value, value: ir.Value) -> None:
    """Initializes a stack slot with a constant on entry to the function."""
    entry = f.function.entry_basic_block
    at = ir.IRBuilder(entry)
    index = entry.instructions.index(ptr) + 1
    if index < len(entry.instructions):
        at.position_before(entry.instructions[index])
    at.store(value, ptr)
    if f.builder.block is entry:
        f.builder.position_at_end(entry)


def unless_forbidden(
    f: Fn, schema: n.Schema, me: ir.Value, args: Args, tick: tuple[n.CoreStmt, ...], leaf: Leaf, drawn: bool = False
) -> None:
    """Emits ``leaf`` if the move is not forbidden. ``drawn``: it is made if it is not, and then ends in the rules error in
    which it ends here."""
    legal, forbidden = f.block("allowed"), f.block("forbidden")
    _unless_settled(f, schema, tick, legal, drawn)
    calls = f.features.of(LazyCalls)
    here, there, known = f.s, f.scratch(), calls.once
    noting = notes_positions(f.unit, (*tick, *schema.effect))
    used = f.builder.load(context_field(f, CTX_USED)) if noting else None
    copy_state(f, there, here)
    slices, asked = f.unit.slices, [g.condition for g in schema.forbids]
    effect = slices.needed(schema.effect, asked)
    do_steps(f, slices.needed(tick, asked, effect), there)
    do_effect(f, schema.index, [me, *args], there, effect)
    f.s, calls.once = there, {}
    for guard in schema.forbids:
        following = f.block("and")
        f.builder.cbranch(boolean(f, guard.condition), forbidden, following)
        f.at(following)
    f.s, calls.once = here, known
    if used is not None:
        f.builder.store(used, context_field(f, CTX_USED))
    f.builder.branch(legal)
    f.at(legal)
    leaf(args)
    f.goto(forbidden)
    f.at(forbidden)


def _unless_settled(f: Fn, schema: n.Schema, tick: tuple[n.CoreStmt, ...], legal: ir.Block, drawn: bool) -> None:
    """Continues only if the move has to be tried, to know whether it is forbidden: not if conditions that it does not
    change already allow it."""
    slices, stmts = f.unit.slices, (*tick, *schema.effect)
    asked = [slices.unchanged(guard.condition, stmts) for guard in schema.forbids]
    if not all(asked) or not (drawn or not any(slices.fails(s) for s in walk_statements(stmts))):
        return
    tried = f.block("tried")
    for parts in asked:
        following = f.block("or")
        f.builder.cbranch(boolean(f, conjunction(parts)), tried, following)
        f.at(following)
    f.builder.branch(legal)
    f.at(tried)


# --------------------------------------------------------------------------------------------- count, any, k-th


def moves_key(f: Fn, kind: str, schema: n.Schema, tick: tuple[n.CoreStmt, ...]) -> tuple[object, ...]:
    """The key of a function about the moves of a schema."""
    return (kind, schema.index, f.unit.keep(tick) if schema.forbids else 0)


def count_moves(f: Fn, number: int, me: ir.Value, tick: tuple[n.CoreStmt, ...]) -> ir.Value:
    """The number of legal moves of a schema. In specialized playouts, a function counts them. Otherwise the code
    searches for a move far beyond the last one, and subtracts what remains of that number."""
    schema = f.unit.program.schemas[number]
    if f.unit.special is None:
        ptr = f.alloca(I64, len(schema.params)) if len(schema.params) > 1 else f.alloca(I64)
        left = kth_move(f, number, me, tick, const(FAR), f.builder.bitcast(ptr, I64.as_pointer()))
        return f.builder.sub(const(FAR), left)

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        total = g.alloca(I64)
        g.builder.store(const(0), total)

        def add(count: ir.Value) -> None:
            g.builder.store(g.builder.add(g.builder.load(total), count), total)

        visit(g, number, values[0], lambda _: add(const(1)), tick, True, lambda s, _p, _a: add(sets.count(g, s())))
        g.builder.ret(g.builder.load(total))

    return f.builder.call(
        f.unit.function(moves_key(f, "count", schema, tick), f"count{number}", I64, [I64], body), [f.ctx, f.s, me]
    )


def any_move(f: Fn, number: int, me: ir.Value, tick: tuple[n.CoreStmt, ...]) -> ir.Value:
    """Whether there is a legal move of the schema."""
    schema = f.unit.program.schemas[number]

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        found = g.block("found")

        def some(words: Callable[[], sets.Words], _local: n.Local, _args: Args) -> None:
            s = words()
            following = g.block("none")
            g.builder.cbranch(sets.is_empty(g, s), following, found)
            g.at(following)

        visit(g, number, values[0], lambda _: g.goto(found), tick, True, some)
        g.builder.ret(flag(False))
        g.at(found)
        g.builder.ret(flag(True))

    return f.builder.call(
        f.unit.function(moves_key(f, "any", schema, tick), f"any{number}", I1, [I64], body), [f.ctx, f.s, me]
    )


def kth_move(f: Fn, number: int, me: ir.Value, tick: tuple[n.CoreStmt, ...], k: ir.Value, out: ir.Value) -> ir.Value:
    """Writes the arguments of the k-th legal move of a schema to ``out``. Returns -1, or k minus the number of moves if
    there are fewer."""
    schema = f.unit.program.schemas[number]

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        mover, wanted, target = values
        left = g.alloca(I64)
        g.builder.store(wanted, left)

        def write(args: Args) -> None:
            put_args(g, target, args)
            g.builder.ret(const(-1))

        def leaf(args: Args) -> None:
            here, following = g.block("here"), g.block("next")
            g.builder.cbranch(g.builder.icmp_unsigned("==", g.builder.load(left), const(0)), here, following)
            g.at(here)
            write(args)
            g.at(following)
            g.builder.store(plus(g, g.builder.load(left), -1), left)

        def last(words: Callable[[], sets.Words], local: n.Local, args: Args) -> None:
            s = words()
            here, following = g.block("here"), g.block("next")
            count, k = sets.count(g, s), g.builder.load(left)
            g.builder.cbranch(g.builder.icmp_unsigned("<", k, count), here, following)
            g.at(here)
            write([*args, plus(g, sets.pick(g, s, k), offset(local.type))])
            g.at(following)
            g.builder.store(g.builder.sub(k, count), left)

        visit(g, number, mover, leaf, tick, True, last)
        g.builder.ret(g.builder.load(left))

    types = [I64, I64, I64.as_pointer()]
    function = f.unit.function(moves_key(f, "kth", schema, tick), f"kth{number}", I64, types, body)
    return f.builder.call(function, [f.ctx, f.s, me, k, out])
