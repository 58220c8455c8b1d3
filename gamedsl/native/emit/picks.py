"""Picks a random action in one enumeration: ``pick(ctx, s, x, out) -> n``.

Writes the action that the random number x selects, as a record, to ``out``; n is 0 if there is none. Moves that are
the members of one set are counted. Others are listed, and enumerated again only if one beyond the list is selected.
Where conditions are costly, candidates are listed instead (see ``rejection_sampling.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.core.nodes import Alt, Bind, Block, Chance, CoreStmt, Decide
from gamedsl.native import cutoffs
from gamedsl.native.emit.actions import count, move
from gamedsl.native.emit.entries.entry_points import kind
from gamedsl.native.emit.expressions import number
from gamedsl.native.emit.memory import plus
from gamedsl.native.emit.module_builder import I64, PTR, Fn, Unit, const, flag
from gamedsl.native.emit.moves import Args, count_moves, kth_move, moves_key, plan_of, visit
from gamedsl.native.emit.random_numbers import below, sample_outcome
from gamedsl.native.emit.rejection_sampling import Candidates, Split, split, write_args
from gamedsl.native.emit.splitmix import GAMMA, mixing
from gamedsl.native.emit.stops import KINDS, PASS, by_stop, offered, put


def pick(unit: Unit) -> ir.Function:
    """Emits ``pick``."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        if unit.special is None:
            by_stop(f, lambda block: _at(f, block, values[0], values[1]), const(0))
        else:
            f.builder.ret(_by_number(f, values[0], values[1]))

    return unit.function("pick", "pick", I64, [I64, PTR], body)


def _at(f: Fn, block: Block, x: ir.Value, out: ir.Value) -> ir.Value:
    if isinstance(block.end, Decide):
        return _move(f, block.end, x, f.builder.bitcast(out, I64.as_pointer()))
    return _by_number(f, x, out)


def _by_number(f: Fn, x: ir.Value, out: ir.Value) -> ir.Value:
    """Picks by ``count`` and ``move``. Specialized programs use this only for unknown start positions, where code size
    matters more."""
    n = f.builder.call(count(f.unit), [f.ctx, f.s])
    k = below(f.builder, x, n)
    if any(isinstance(b.end, Chance) for b in f.unit.program.blocks):
        by_chance = f.builder.icmp_unsigned("==", f.builder.call(kind(f.unit), [f.ctx, f.s]), const(KINDS[Chance]))
        k = f.builder.select(by_chance, f.builder.call(sample_outcome(f.unit), [f.ctx, f.s, x]), k)
    f.builder.call(move(f.unit), [f.ctx, f.s, k, out])
    return n


def _move(f: Fn, end: Decide, x: ir.Value, out: ir.Value) -> ir.Value:
    schemas = f.unit.program.schemas
    cuts = {alt.schema: split(f, schemas[alt.schema]) for _, alt in offered(f, end)}
    return _drawn(f, end, cuts, x, out) if any(cuts.values()) else _listed(f, end, x, out)


def _listed(f: Fn, end: Decide, x: ir.Value, out: ir.Value) -> ir.Value:
    """Draws from all legal moves."""
    mover = number(f, end.mover)
    kinds = [(alt, _Kind(f, end, alt, mover)) for _, alt in offered(f, end)]
    n: ir.Value = const(0 if end.may_pass is None else 1)
    for _, one in kinds:
        n = f.builder.add(n, one.count)
    put(f, out, 0, PASS)
    put(f, out, 1, mover)
    done, k = f.block("picked"), below(f.builder, x, n)
    for alt, one in kinds:
        following = f.block("further")
        k = _turn_to(f, k, one.count, following)
        put(f, out, 0, alt.schema)
        one.write(f, k, _args(f, out))
        f.builder.branch(done)
        f.at(following)
        k = f.builder.sub(k, one.count)
    f.builder.branch(done)
    f.at(done)
    return n


def _turn_to(f: Fn, k: ir.Value, n: ir.Value, following: ir.Block) -> ir.Value:
    """Goes on here if k < n, else at ``following``."""
    mine = f.block("mine")
    f.builder.cbranch(f.builder.icmp_unsigned("<", k, n), mine, following)
    f.at(mine)
    return k


def _args(f: Fn, out: ir.Value) -> ir.Value:
    return f.builder.gep(out, [const(2)], inbounds=True)


def _drawn(f: Fn, end: Decide, cuts: dict[int, Split | None], x: ir.Value, out: ir.Value) -> ir.Value:
    """Draws from candidates, until one is accepted. Returns the number of moves and candidates that were left."""
    mover, schemas = number(f, end.mover), f.unit.program.schemas
    kinds: list[tuple[Alt, _Kind | Candidates]] = []
    long: ir.Value = flag(False)
    for _, alt in offered(f, end):
        cut = cuts[alt.schema]
        if cut is None:
            kinds.append((alt, _Kind(f, end, alt, mover)))
        else:
            candidates = Candidates(f, end, schemas[alt.schema], mover, cut)
            kinds.append((alt, candidates))
            long = f.builder.or_(long, candidates.overflown(f))
    far, draw, again, done = f.block("far"), f.block("draw"), f.block("again"), f.block("picked")
    put(f, out, 0, PASS)
    put(f, out, 1, mover)
    before = f.builder.block
    f.builder.cbranch(long, far, draw)
    f.at(far)
    f.builder.ret(f.builder.call(_all_listed(f, end), [f.ctx, f.s, x, out]))
    f.at(draw)
    y = f.builder.phi(I64)
    y.add_incoming(x, before)
    n: ir.Value = const(0 if end.may_pass is None else 1)
    counts = [f.builder.load(one.count) if isinstance(one, Candidates) else one.count for _, one in kinds]
    for count_ in counts:
        n = f.builder.add(n, count_)
    k = below(f.builder, y, n)
    for (alt, one), count_ in zip(kinds, counts, strict=True):
        following = f.block("further")
        k = _turn_to(f, k, count_, following)
        if isinstance(one, Candidates):
            accepted, refused = f.block("accepted"), f.block("refused")
            f.builder.cbranch(one.accepts(f, k), accepted, refused)
            f.at(refused)
            one.remove(f, k)
            f.builder.branch(again)
            f.at(accepted)
        put(f, out, 0, alt.schema)
        one.write(f, k, _args(f, out))
        f.builder.branch(done)
        f.at(following)
        k = f.builder.sub(k, count_)
    f.builder.branch(done)
    f.at(again)
    y.add_incoming(mixing(f.builder, plus(f, y, GAMMA), const), again)
    f.builder.branch(draw)
    f.at(done)
    return n


def _all_listed(f: Fn, end: Decide) -> ir.Function:
    """``listed(ctx, s, x, out) -> n``: draws from all legal moves, where there are too many candidates for the list."""

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        g.builder.ret(_listed(g, end, *values))

    return f.unit.function(("listed", f.unit.keep(end)), "listed", I64, [I64, I64.as_pointer()], body)


class _Kind:
    """The moves of a schema: their number, and the list of them."""

    def __init__(self, f: Fn, end: Decide, alt: Alt, mover: ir.Value) -> None:
        self.mover, self.tick, self.schema = mover, end.tick, alt.schema
        schema = f.unit.program.schemas[alt.schema]
        self.size = len(schema.params)
        plan = plan_of(f, schema)
        bindings = sum(isinstance(x, Bind) for x in plan)
        counted = not bindings or (bindings == 1 and isinstance(plan[-1], Bind) and not schema.forbids)
        self.buffer = None if counted else f.alloca(I64, (cutoffs.GENERIC_LIST + 1) * self.size)
        if self.buffer is None:
            self.count = count_moves(f, alt.schema, mover, end.tick)
        else:
            self.count = f.builder.call(_list(f, alt.schema, end.tick), [f.ctx, f.s, mover, self._at(f, const(0))])

    def _at(self, f: Fn, index: ir.Value) -> ir.Value:
        assert self.buffer is not None
        return f.builder.gep(self.buffer, [const(0), f.builder.mul(index, const(self.size))], inbounds=True)

    def write(self, f: Fn, k: ir.Value, out: ir.Value) -> None:
        """Writes the arguments of the k-th move."""
        if self.size == 0:
            return
        if self.buffer is None:
            kth_move(f, self.schema, self.mover, self.tick, k, out)
            return
        near, far, done = f.block("near"), f.block("far"), f.block("written")
        f.builder.cbranch(f.builder.icmp_unsigned("<", k, const(cutoffs.GENERIC_LIST)), near, far)
        f.at(near)
        kept = self._at(f, k)
        for i in range(self.size):
            put(f, out, i, f.builder.load(f.builder.gep(kept, [const(i)], inbounds=True)))
        f.builder.branch(done)
        f.at(far)
        kth_move(f, self.schema, self.mover, self.tick, k, out)
        f.builder.branch(done)
        f.at(done)


def _list(f: Fn, number: int, tick: tuple[CoreStmt, ...]) -> ir.Function:
    """``list(ctx, s, me, out) -> n``: lists the arguments of a schema's moves, up to the size of the list."""
    schema = f.unit.program.schemas[number]
    size = len(schema.params)

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        total = g.alloca(I64)
        g.builder.store(const(0), total)

        def leaf(args: Args) -> None:
            n = g.builder.load(total)
            last = g.builder.select(
                g.builder.icmp_unsigned("<", n, const(cutoffs.GENERIC_LIST)), n, const(cutoffs.GENERIC_LIST)
            )
            write_args(g, args, g.builder.gep(values[1], [g.builder.mul(last, const(size))], inbounds=True))
            g.builder.store(plus(g, n, 1), total)

        visit(g, number, values[0], leaf, tick, True)
        g.builder.ret(g.builder.load(total))

    return f.unit.function(moves_key(f, "list", schema, tick), f"list{number}", I64, [I64, I64.as_pointer()], body)
