"""Expressions of the Core -> LLVM, one small case per node."""

from __future__ import annotations

from itertools import pairwise

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.known_values import branch, keep_value, known_value, same_state
from gamedsl.compiler.emit.llvm_module import (
    I1,
    I64,
    Fn,
    Unit,
    Value,
    bind,
    const,
    flag,
    gather,
    is_const,
    set_const,
    spread,
    words,
)
from gamedsl.compiler.emit.memory import fail_if, height, item_address, load_cell, load_slot, load_word, plus, times
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.language.core import can_fail, children, limits, node_count, offset, walk
from gamedsl.language.core import nodes as n

# LLVM attributes of functions in specialized playouts with more nodes than this
FOR_SIZE = {"noinline": 60, "optsize": 300, "minsize": 600}


def expr(f: Fn, e: n.Expr) -> Value:
    """Emits an expression, unless its value is known here already."""
    if isinstance(e, n.Const):
        return _constant(e.type, e.value)
    if isinstance(e, n.Load):
        return f.env[e.local.id]
    if f.numbering is None:
        with same_state(f):
            return _emitted(f, e)
    known = f.numbering
    value = known_value(f, e)
    if value is not None:
        return value
    reached = f.builder.block is known.block
    value = _emitted(f, e)
    if reached:
        known.block = f.builder.block
        keep_value(f, e, value)
    return value


def _emitted(f: Fn, e: n.Expr) -> Value:
    """Emits an expression with the first registered lowering that matches it, or else generically."""
    for lower in f.unit.lowerings.get(type(e), ()):
        value = lower(f, e)
        if value is not None:
            return value
    match e:
        case n.Get():
            return load_slot(f, e.var, numbers(f, e.keys))
        case n.Lookup():
            return lookup(f, e)
        case n.Op1():
            return _op1(f, e)
        case n.Op2():
            return _op2(f, e)
        case n.Fail():
            fail_if(f, flag(True), e.span, e.message)
            return _constant(e.type, limits(e.type)[0])
        case n.Convert():
            return _convert(f, e)
        case n.Cond():
            return _cond(f, e)
        case n.LetE():
            bind(f, e.local, expr(f, e.value))
            return expr(f, e.body)
        case n.CallF():
            return call_function(f, e)
        case n.StackOp():
            return _stack(f, e)
        case _:
            smaller = e.expansion()
            assert smaller is not None, f"no lowering is registered for {type(e).__name__}"
            return expr(f, smaller)


def number(f: Fn, e: n.Expr) -> ir.Value:
    """Emits a numeric expression (a bool becomes 0 or 1)."""
    value = expr(f, e)
    assert isinstance(value, ir.Value)
    return f.builder.zext(value, I64) if value.type == I1 else value


def numbers(f: Fn, es: tuple[n.Expr, ...]) -> list[ir.Value]:
    return [number(f, e) for e in es]


def boolean(f: Fn, e: n.Expr) -> ir.Value:
    """Emits a condition."""
    value = expr(f, e)
    assert isinstance(value, ir.Value)
    return value if value.type == I1 else f.builder.icmp_signed("!=", value, const(0))


def as_type(f: Fn, value: Value, t: object) -> Value:
    """Converts a value to its representation for this type: a bool has one bit."""
    if isinstance(t, n.BoolT) and isinstance(value, ir.Value) and value.type != I1:
        return f.builder.trunc(value, I1)
    if not isinstance(t, n.BoolT) and isinstance(value, ir.Value) and value.type == I1:
        return f.builder.zext(value, I64)
    return value


def set_words(f: Fn, e: n.Expr) -> sets.Words:
    """Emits a set expression."""
    value = expr(f, e)
    assert isinstance(value, tuple)
    return value


def _constant(t: n.ValueT, value: int) -> Value:
    if isinstance(t, n.SetT):
        return set_const(value, words(t))
    return flag(bool(value)) if isinstance(t, n.BoolT) else const(value)


def cheap(e: n.Expr) -> bool:
    """Whether an expression is cheap and safe enough to be evaluated speculatively."""
    if can_fail(e):
        return False
    return not any(
        i > cutoffs.SPECULATED_NODES or x.loops or isinstance(x, n.StackOp | n.Cond) for i, x in enumerate(walk(e))
    )


# ------------------------------------------------------------------------------------------------------ tables


def lookup(f: Fn, e: n.Lookup) -> Value:
    return table_value(f, e, numbers(f, e.keys))


def table_value(f: Fn, e: n.Lookup, keys: list[ir.Value]) -> Value:
    step = _arithmetic(e.table)
    if step is not None:
        first, by = step
        return plus(f, times(f, keys[0], by), first)
    table, bits, count = f.unit.table(e.table)
    index: ir.Value = const(0)
    stride = 1
    for domain, key in reversed(list(zip(e.table.keys, keys, strict=True))):
        term = times(f, key, stride)
        index = term if is_const(index) and index.constant == 0 else f.builder.add(index, term)
        stride *= domain.size
    if isinstance(e.type, n.SetT):
        base = times(f, index, count)
        return tuple(f.builder.load(f.unit.at(f.builder, table, plus(f, base, i))) for i in range(count))
    raw = f.builder.load(f.unit.at(f.builder, table, index))
    if isinstance(e.type, n.BoolT):
        return f.builder.trunc(raw, I1)
    return raw if bits == 64 else f.builder.sext(raw, I64)


def _arithmetic(table: n.TableData) -> tuple[int, int] | None:
    """The first value and the step of a table of one key whose values are an arithmetic progression."""
    values = table.values
    if len(table.keys) != 1 or isinstance(table.type, n.SetT | n.BoolT) or len(values) < 2:
        return None
    by = values[1] - values[0]
    if by <= 0 or any(b - a != by for a, b in pairwise(values)):
        return None
    return values[0], by


# --------------------------------------------------------------------------------------------------- operators


def _op1(f: Fn, e: n.Op1) -> Value:
    t = e.operand.type
    match e.op:
        case "not":
            return f.builder.not_(boolean(f, e.operand))
        case "neg":
            return f.builder.neg(number(f, e.operand))
        case "wrap":
            assert isinstance(e.type, n.OptT)
            return plus(f, number(f, e.operand), 1 - offset(e.type.inner))
        case "unwrap":
            value = number(f, e.operand)
            none = f.builder.icmp_signed("==", value, const(0))
            fail_if(f, none, e.span, "there is no value here (none)")
            low, _ = limits(e.type)
            found = f.builder.select(none, const(low), plus(f, value, offset(e.type) - 1))
            return as_type(f, found, e.type)
        case "is_none":
            return f.builder.icmp_signed("==", number(f, e.operand), const(0))
        case "is_empty":
            return sets.is_empty(f, set_words(f, e.operand))
        case "count":
            return sets.count(f, set_words(f, e.operand))
        case "single":
            return sets.single(f, plus(f, number(f, e.operand), -offset(t)), words(e.type))
        case "complement":
            assert isinstance(e.type, n.SetT)
            full = set_const(e.type.domain.full, words(e.type))
            return tuple(f.builder.xor(x, y) for x, y in zip(set_words(f, e.operand), full, strict=True))
        case "first":
            value = set_words(f, e.operand)
            empty = sets.is_empty(f, value)
            fail_if(f, empty, e.span, "the set is empty here")
            found = f.builder.select(empty, const(0), sets.lowest(f, value))
            return as_type(f, plus(f, found, offset(e.type)), e.type)


def _op2(f: Fn, e: n.Op2) -> Value:
    match e.op:
        case "and" | "or":
            return _connective(f, e)
        case "eq" | "ne" if isinstance(e.left.type, n.SetT):
            if isinstance(e.right, n.Const) and e.right.value == 0:
                empty = sets.is_empty(f, set_words(f, e.left))
                return empty if e.op == "eq" else f.builder.not_(empty)
            same = sets.equal(f, set_words(f, e.left), set_words(f, e.right))
            return same if e.op == "eq" else f.builder.not_(same)
        case "eq" | "ne" | "lt" | "le":
            sign = {"eq": "==", "ne": "!=", "lt": "<", "le": "<="}[e.op]
            return f.builder.icmp_signed(sign, number(f, e.left), number(f, e.right))
        case "in":
            return _member(f, e)
        case "within" | "disjoint" | "union" | "meet" | "minus":
            return _sets(f, e)
        case "min" | "max":
            a, b = number(f, e.left), number(f, e.right)
            return f.builder.select(f.builder.icmp_signed("<" if e.op == "min" else ">", a, b), a, b)
        case "div" | "mod":
            return _division(f, e)
        case "add":
            return f.builder.add(number(f, e.left), number(f, e.right))
        case "sub":
            return f.builder.sub(number(f, e.left), number(f, e.right))
        case "mul":
            return f.builder.mul(number(f, e.left), number(f, e.right))


def _member(f: Fn, e: n.Op2) -> ir.Value:
    x = plus(f, number(f, e.left), -offset(e.left.type))
    if isinstance(e.right, n.Get) and words(e.right.type) > 1 and not is_const(x):
        word = load_word(f, e.right.var, numbers(f, e.right.keys), f.builder.lshr(x, const(6)))
        return f.builder.trunc(f.builder.lshr(word, f.builder.and_(x, const(63))), I1)
    return sets.has(f, set_words(f, e.right), x)


def _sets(f: Fn, e: n.Op2) -> Value:
    a, b = set_words(f, e.left), set_words(f, e.right)
    match e.op:
        case "within":
            return sets.is_empty(f, sets.without(f, a, b))
        case "disjoint":
            return sets.is_empty(f, sets.both(f, a, b))
        case "union":
            return sets.either(f, a, b)
        case "meet":
            return sets.both(f, a, b)
        case _:
            return sets.without(f, a, b)


def _division(f: Fn, e: n.Op2) -> ir.Value:
    """Floor division, or its remainder."""
    a, b = number(f, e.left), number(f, e.right)
    low_a, _ = limits(e.left.type)
    low_b, high_b = limits(e.right.type)
    if low_b <= 0 <= high_b:
        zero = f.builder.icmp_signed("==", b, const(0))
        fail_if(f, zero, e.span, "division by zero")
        b = f.builder.select(zero, const(1), b)
    if low_a >= 0 and low_b >= 0:
        return f.builder.udiv(a, b) if e.op == "div" else f.builder.urem(a, b)
    quotient, rest = f.builder.sdiv(a, b), f.builder.srem(a, b)
    other = f.builder.icmp_signed("<", f.builder.xor(a, b), const(0))
    off = f.builder.and_(other, f.builder.icmp_signed("!=", rest, const(0)))
    if e.op == "div":
        return f.builder.sub(quotient, f.builder.zext(off, I64))
    return f.builder.add(rest, f.builder.select(off, b, const(0)))


def _connective(f: Fn, e: n.Op2) -> ir.Value:
    left = boolean(f, e.left)
    if cheap(e.right):
        right = boolean(f, e.right)
        return f.builder.and_(left, right) if e.op == "and" else f.builder.or_(left, right)
    before, more, done = f.builder.block, f.block("right"), f.block("joined")
    f.builder.cbranch(left, *((more, done) if e.op == "and" else (done, more)))
    with branch(f, more):
        right = boolean(f, e.right)
    after = f.builder.block
    f.goto(done)
    f.at(done)
    result = f.builder.phi(I1)
    result.add_incoming(flag(e.op == "or"), before)
    result.add_incoming(right, after)
    return result


# ------------------------------------------------------------------------------------------------ other nodes


def _convert(f: Fn, e: n.Convert) -> Value:
    if isinstance(e.type, n.SetT):
        return expr(f, e.operand)
    value = number(f, e.operand)
    if not e.always_fits():
        low, high = limits(e.type)
        inside = f.builder.icmp_unsigned("<=", plus(f, value, -low), const(high - low))
        fail_if(f, f.builder.not_(inside), e.span, f"{{number}} is out of range ({low}..{high})", value)
        value = f.builder.select(inside, value, const(low))
    return as_type(f, value, e.type)


def _cond(f: Fn, e: n.Cond) -> Value:
    condition = boolean(f, e.condition)
    if cheap(e.then) and cheap(e.otherwise):
        a = as_type(f, expr(f, e.then), e.type)
        return select(f, condition, a, as_type(f, expr(f, e.otherwise), e.type))
    yes, no, done = f.block("then"), f.block("else"), f.block("chosen")
    f.builder.cbranch(condition, yes, no)
    with branch(f, yes):
        a = as_type(f, expr(f, e.then), e.type)
    after_yes = f.builder.block
    f.goto(done)
    with branch(f, no):
        b = as_type(f, expr(f, e.otherwise), e.type)
    after_no = f.builder.block
    f.goto(done)
    f.at(done)
    return join(f, [(a, after_yes), (b, after_no)])


def select(f: Fn, condition: ir.Value, a: Value, b: Value) -> Value:
    if isinstance(a, tuple):
        assert isinstance(b, tuple)
        return tuple(f.builder.select(condition, x, y) for x, y in zip(a, b, strict=True))
    return f.builder.select(condition, a, b)


def join(f: Fn, incoming: list[tuple[Value, ir.Block]]) -> Value:
    """The phi of the values that come from the predecessors."""
    first = incoming[0][0]
    size = len(first) if isinstance(first, tuple) else 1
    joined = []
    for i in range(size):
        one = f.builder.phi(spread(first)[i].type)
        for value, block in incoming:
            one.add_incoming(spread(value)[i], block)
        joined.append(one)
    return tuple(joined) if isinstance(first, tuple) else joined[0]


def call(f: Fn, function: ir.Function, t: n.ValueT, args: list[Value], s: ir.Value | None = None) -> Value:
    """Calls a function of the module, for the current state or another."""
    flat = [x for a in args for x in spread(a)]
    result = f.builder.call(function, [f.ctx, f.s if s is None else s, *flat])
    if not isinstance(t, n.SetT):
        return result
    if words(t) == 1:
        return (result,)
    return tuple(f.builder.extract_value(result, i) for i in range(words(t)))


def give(f: Fn, value: Value) -> None:
    """Returns a value from the current function."""
    parts = spread(value)
    if len(parts) == 1:
        f.builder.ret(parts[0])
        return
    result: ir.Value = ir.Constant(ir.LiteralStructType([p.type for p in parts]), ir.Undefined)
    for i, part in enumerate(parts):
        result = f.builder.insert_value(result, part, i)
    f.builder.ret(result)


def call_function(f: Fn, e: n.CallF) -> Value:
    """Calls a function of the program, which is emitted on its first call."""
    program = f.unit.program
    called = program.functions[e.function]
    types = [p.type for p in called.params]
    args = [as_type(f, expr(f, a), t) for a, t in zip(e.args, types, strict=True)]

    def body(g: Fn, values: object) -> None:
        for p, value in zip(called.params, gather(g.unit, types, list(values)), strict=True):  # type: ignore[call-overload]
            bind(g, p, value)
        with g.unit.instead(program):
            give(g, as_type(g, expr(g, called.body), called.body.type))

    flat = [t for p in types for t in f.unit.type_of(p)]
    key, name = ("function", f.unit.keep(called)), f"f{e.function}"
    function = f.unit.function(key, name, f.unit.result_type(called.body.type), flat, body)
    function.attributes.update(attributes_of(f, called))
    return as_type(f, call(f, function, called.body.type, args), e.type)


def attributes_of(f: Fn, called: n.Function) -> list[str]:
    """LLVM attributes of a function of the current program. Functions with deeply nested loops are not inlined:
    inlining them into each other takes LLVM very long."""
    program = f.unit.program
    apart = ["noinline"] if nesting(f.unit, called.body) >= cutoffs.NOINLINE_DEPTH else []
    if f.unit.special is not None and program is f.unit.special.program:
        size = node_count(called.body)
        return [a for a, least in FOR_SIZE.items() if size > least] or apart or ["inlinehint"]
    return apart


def nesting(unit: Unit, e: n.Expr) -> int:
    """The depth of nested loops, including those in called functions."""
    inner = max((nesting(unit, x) for x in children(e)), default=0)
    if isinstance(e, n.CallF):
        called = unit.program.functions[e.function]
        key = unit.keep(called)
        if key not in unit.nested:
            unit.nested[key] = nesting(unit, called.body)
        inner = max(inner, unit.nested[key])
    return inner + isinstance(e, n.Loop | n.Closure)


def _stack(f: Fn, e: n.StackOp) -> Value:
    keys = numbers(f, e.keys)
    count, _ = height(f, e.var, keys)
    if e.op == "height":
        return count
    index = plus(f, count if e.level is None else number(f, e.level), -1)
    missing = f.builder.icmp_unsigned(">=", index, count)  # negative indices count as large ones
    fail_if(
        f, missing, e.span, "the stack is empty here" if e.level is None else "the stack has nothing at this height"
    )
    at = item_address(f, e.var, keys, f.builder.select(missing, const(0), index))
    return load_cell(f, at, f.unit.frame.place(e.var).cell, e.type)
