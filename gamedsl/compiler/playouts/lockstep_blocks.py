"""The blocks of playouts in lockstep: statements under the mask of their lanes, ends and decisions."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.analysis.costly_conditions import drawn_first
from gamedsl.compiler.emit.llvm_module import I64, Fn, const
from gamedsl.compiler.emit.memory import failing
from gamedsl.compiler.emit.move_code import at_entry
from gamedsl.compiler.emit.random_numbers import INCREMENT, MULTIPLIER
from gamedsl.compiler.emit.stop_code import NO_MOVE
from gamedsl.compiler.playouts.lockstep_round import Round
from gamedsl.compiler.playouts.results import constant_result
from gamedsl.compiler.playouts.simd_lanes import VEC, NotLockstep, all_lanes, splat
from gamedsl.compiler.transform.hop_masks import hop_masks
from gamedsl.language.core import kind_text
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span


def block_of_round(r: Round, block: n.Block) -> None:
    """Emits a block for the lanes that are about to execute it."""
    f = r.f
    mask = f.builder.load(r.at[block.index])
    f.builder.store(all_lanes(False), r.at[block.index])
    _statements(r, block.statements, mask)
    match block.end:
        case n.Goto(target):
            _hand_on(r, target, mask)
        case n.BranchT(condition, yes, no):
            holds = r.lanes.boolean(condition)
            _hand_on(r, yes, f.builder.and_(mask, holds))
            _hand_on(r, no, f.builder.and_(mask, f.builder.xor(holds, all_lanes(True))))
        case n.Decide():
            _decide(r, block.index, block.end, mask)
        case n.End():
            _end(r, block.end, mask)
        case _:
            raise NotLockstep(f"a stop of the kind `{kind_text(block.end)}`")


def _hand_on(r: Round, target: int, mask: ir.Value) -> None:
    ptr = r.at[target]
    r.f.builder.store(r.f.builder.or_(r.f.builder.load(ptr), mask), ptr)


def _end(r: Round, end: n.End, mask: ir.Value) -> None:
    f = r.f
    result = constant_result(end)
    if result is not None:
        ptr = r.classes[result]
        f.builder.store(f.builder.add(f.builder.load(ptr), r.lanes.number_of(mask)), ptr)
    else:
        _work_out(r, end, mask)
    f.builder.store(f.builder.or_(f.builder.load(r.over), mask), r.over)


def _work_out(r: Round, end: n.End, mask: ir.Value) -> None:
    """Adds results that are not constant to the sums."""
    f = r.f
    while len(r.sums) < len(end.payoff):
        r.sums.append((_zeroed(f, VEC), _zeroed(f, VEC), _zeroed(f, I64), _zeroed(f, I64), _zeroed(f, I64)))
    for (total, squares, *signs), e in zip(r.sums, end.payoff, strict=True):
        value = f.builder.select(mask, r.lanes.number(e), splat(0))
        f.builder.store(f.builder.add(f.builder.load(total), value), total)
        f.builder.store(f.builder.add(f.builder.load(squares), f.builder.mul(value, value)), squares)
        for ptr, sign in zip(signs, (">", "==", "<"), strict=True):
            flags = f.builder.and_(mask, f.builder.icmp_signed(sign, value, splat(0)))
            f.builder.store(f.builder.add(f.builder.load(ptr), r.lanes.number_of(flags)), ptr)


def _zeroed(f: Fn, t: ir.Type) -> ir.Value:
    """A stack slot that is zeroed on entry to the function."""
    ptr = f.alloca(t)
    at_entry(f, ptr, splat(0) if t == VEC else const(0))
    return ptr


def _statements(r: Round, stmts: tuple[n.CoreStmt, ...], mask: ir.Value) -> None:
    f = r.f
    for s in stmts:
        match s:
            case n.Assign(var=var, keys=keys, value=value):
                ptr = r.lanes.slot(n.Get(var, keys, value.type))
                new = r.lanes.number(value)
                f.builder.store(f.builder.select(mask, new, f.builder.load(ptr)), ptr)
            case n.Reset(var=var):
                for slot, ptr in r.lanes.slots.items():
                    if slot[0] == var.index:
                        if len(var.initial) != 1:
                            raise NotLockstep("a map put back to its first values")
                        f.builder.store(f.builder.select(mask, splat(var.initial[0]), f.builder.load(ptr)), ptr)
            case n.LetS(local=local, value=value):
                r.lanes.names[local.id] = r.lanes.expr(value)
            case n.IfS(condition=condition, then=then, otherwise=otherwise):
                holds = r.lanes.boolean(condition)
                _statements(r, then, f.builder.and_(mask, holds))
                _statements(r, otherwise, f.builder.and_(mask, f.builder.xor(holds, all_lanes(True))))
            case n.Check(condition=condition, message=message):
                broken = f.builder.xor(r.lanes.boolean(condition), all_lanes(True))
                _fail_if_any(r, f.builder.and_(mask, broken), s.span, message)
            case _:
                raise NotLockstep(f"a statement of the kind `{kind_text(s)}`")


# --------------------------------------------------------------------------------------------------- decisions


def _decide(r: Round, block: int, end: n.Decide, mask: ir.Value) -> None:
    f, lanes = r.f, r.lanes
    if len(end.alternatives) > 1 or end.tick or any(a.registers for a in end.alternatives):
        raise NotLockstep("several kinds of move at once")
    if not end.alternatives:
        if end.may_pass is None:
            raise NotLockstep("a stop without moves")
        mask, _ = next_random(r, mask)
        if r.counter is not None:
            r.counter.on_decision(r, mask, splat(1))
            r.counter.on_block(r, mask, block)
        _hand_on(r, end.may_pass, mask)
        return
    alt = end.alternatives[0]
    schema = r.special.program.schemas[alt.schema]
    if end.may_pass is not None:
        raise NotLockstep("passing at will")
    if r.remaining is not None:
        _take(r, end, mask)
        return
    if drawn_first(schema, r.special.program.functions) is not None:
        raise NotLockstep("moves are drawn before all their conditions are tested")
    words, steps = _choices(r, schema)
    counts = [lanes.count(w) for w in words]
    number = counts[0]
    before: list[ir.Value] = [splat(0)]
    for c in counts[1:]:
        before.append(number)
        number = f.builder.add(number, c)
    mask, x = next_random(r, _unless_stuck(r, end, mask, number))
    if r.counter is not None:
        r.counter.on_decision(r, mask, number)
        r.counter.on_move(r, mask, schema)
    k = _below(r, x, number)
    word, remaining, by = words[0], k, splat(steps[0])
    for w, s, b in zip(words[1:], steps[1:], before[1:], strict=True):
        mine = f.builder.icmp_unsigned(">=", k, b)
        word, remaining = f.builder.select(mine, w, word), f.builder.select(mine, f.builder.sub(k, b), remaining)
        by = f.builder.select(mine, splat(s), by)
    place = lanes.pick(word, remaining, _size(schema))
    lanes.names[schema.params[0].local.id] = place
    if len(schema.params) == 2:
        lanes.names[schema.params[1].local.id] = f.builder.add(place, by)
    _statements(r, schema.effect, mask)
    _hand_on(r, alt.target, mask)


def _unless_stuck(r: Round, end: n.Decide, mask: ir.Value, number: ir.Value) -> ir.Value:
    """Sends the lanes without a choice where the rules say, or fails there. Returns the other lanes."""
    none = r.f.builder.icmp_unsigned("==", number, splat(0))
    if end.stuck is None:
        _fail_if_any(r, r.f.builder.and_(mask, none), end.span, NO_MOVE)
        return mask
    _hand_on(r, end.stuck, r.f.builder.and_(mask, none))
    return r.f.builder.and_(mask, r.f.builder.xor(none, all_lanes(True)))


def _fail_if_any(r: Round, lanes: ir.Value, span: Span, message: str) -> None:
    """Ends all playouts with a rules error if any of these lanes is set."""
    f = r.f
    wrong, fine = f.block("wrong"), f.block("fine")
    f.builder.cbranch(r.lanes.any_lane(lanes), wrong, fine)
    f.at(wrong)
    f.builder.call(failing(f.unit), [f.ctx, f.unit.place(span, message), const(0)])
    f.builder.ret(const(-1))
    f.at(fine)


def _choices(r: Round, schema: n.Schema) -> tuple[list[ir.Value], list[int]]:
    """The masks to choose from, and the distance from the first to the second parameter for each."""
    if len(schema.plan) == 1 and isinstance(schema.plan[0], n.Bind) and len(schema.params) == 1:
        if not isinstance(schema.plan[0].over.type, n.SetT):
            raise NotLockstep("moves that are numbers")
        return [r.lanes.expr(schema.plan[0].over)], [0]
    found = hop_masks(schema)
    if found is None:
        raise NotLockstep("moves that are listed one by one")
    if not found:
        raise NotLockstep("a kind of move that is never legal")
    return [r.lanes.expr(m.over) for m in found], [m.by for m in found]


def _take(r: Round, end: n.Decide, mask: ir.Value) -> None:
    """Takes an element of the remaining set, which is the only kind of move."""
    f, lanes, alt = r.f, r.lanes, end.alternatives[0]
    schema = r.special.program.schemas[alt.schema]
    assert r.left is not None and r.remaining is not None
    number, word = f.builder.load(r.left), f.builder.load(r.remaining)
    mask, x = next_random(r, _unless_stuck(r, end, mask, number))
    if r.counter is not None:
        r.counter.on_move(r, mask, schema)
    place = lanes.pick(word, _below(r, x, number), _size(schema))
    bit = f.builder.shl(splat(1), place)
    f.builder.store(f.builder.select(mask, f.builder.xor(word, bit), word), r.remaining)
    f.builder.store(f.builder.select(mask, f.builder.sub(number, splat(1)), number), r.left)
    lanes.names[schema.params[0].local.id] = place
    _statements(r, schema.effect, mask)
    _hand_on(r, alt.target, mask)


def _size(schema: n.Schema) -> int:
    t = schema.params[0].local.type
    if not isinstance(t, n.ElemT):
        raise NotLockstep("moves that are numbers")
    return t.domain.size


def next_random(r: Round, mask: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The lanes that begin a ply, and the next value of each lane's generator. The lanes are those of the mask, except
    those whose playouts have reached the largest number of plies."""
    f = r.f
    old, plies = f.builder.load(r.x), f.builder.load(r.plies)
    more = f.builder.icmp_signed("<", plies, r.most)
    f.builder.store(
        f.builder.or_(f.builder.load(r.long), f.builder.and_(mask, f.builder.xor(more, all_lanes(True)))), r.long
    )
    mask = f.builder.and_(mask, more)
    x = f.builder.add(f.builder.mul(old, splat(MULTIPLIER)), splat(INCREMENT))
    f.builder.store(f.builder.select(mask, x, old), r.x)
    f.builder.store(f.builder.select(mask, f.builder.add(plies, splat(1)), plies), r.plies)
    return mask, x


def _below(r: Round, x: ir.Value, count: ir.Value) -> ir.Value:
    b = r.f.builder
    return b.lshr(b.mul(b.lshr(x, splat(32)), count), splat(32))
