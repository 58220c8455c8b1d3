"""Expressions of the Core -> Python expressions over the state ``s``, one small case per node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.engine.translate.module_builder import ModuleBuilder, local_name, plain_name
from gamedsl.language.core import free_locals, limits, offset, substitute
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.language.core import nodes as n

DEEPEST = 25  # an expression nested deeper than this moves to a function of its own (Python allows 200 brackets)
SIGN = {
    "and": "and", "or": "or", "eq": "==", "ne": "!=", "lt": "<", "le": "<=",
    "union": "|", "meet": "&", "add": "+", "sub": "-", "mul": "*",
}  # fmt: skip
CHAINS = ("and", "or", "union", "meet", "add", "mul")


def expr(u: ModuleBuilder, e: n.Expr, depth: int = 0) -> str:
    """The Python text of an expression, in parentheses unless it is a name, a number, a lookup or a call."""
    if depth > DEEPEST:
        return _outlined(u, e)
    d = depth + 1
    match e:
        case n.Const(value=value):
            return str(value) if value >= 0 else f"({value})"
        case n.Load(local=local):
            return local_name(local)
        case n.Get():
            return u.slot(e.var, e.keys, exprs(u, e.keys, d))
        case n.Lookup():
            return f"{u.table(e.table)}[{_index(u, e, d)}]"
        case n.Op1():
            return op1(u, e, d)
        case n.Op2():
            return op2(u, e, d)
        case n.Fail():
            return f"fail({e.message!r}, {u.place(e.span)})"
        case n.Convert():
            return convert(u, e, d)
        case n.Cond():
            return f"({expr(u, e.then, d)} if {expr(u, e.condition, d)} else {expr(u, e.otherwise, d)})"
        case n.LetE():
            return f"(lambda {local_name(e.local)}: {expr(u, e.body, d)})({expr(u, e.value, d)})"
        case n.Loop():
            return loop(u, e, d)
        case n.CallF():
            return f"{function_name(u, e.function)}({', '.join(['s', *exprs(u, e.args, d)])})"
        case n.StackOp():
            return stack_op(u, e, d)
        case n.Noted():
            return f"{u.slot(e.history, (), ())}.count(({_items(exprs(u, e.position, d))}))"
        case n.Arranged():
            return arranged(u, e, d)
        case n.Flood():
            return f"flood({expr(u, e.start, d)}, {expr(u, e.within, d)}, {u.table(e.table)})"
        case n.Closure():
            return closure(u, e, d)
        case _ if type(e) in u.translators:
            return u.translators[type(e)](u, e, d)
        case _:
            smaller = e.expansion()
            assert smaller is not None, f"no meaning is given to {type(e).__name__}"
            return expr(u, smaller, depth)


def exprs(u: ModuleBuilder, es: tuple[n.Expr, ...], depth: int) -> tuple[str, ...]:
    return tuple(expr(u, e, depth) for e in es)


def _items(texts: tuple[str, ...]) -> str:
    """The items of a tuple as text, without its parentheses."""
    return "".join(f"{t}, " for t in texts).rstrip() if len(texts) == 1 else ", ".join(texts)


def as_int(u: ModuleBuilder, e: n.Expr, depth: int = 0) -> str:
    """The Python text of an expression whose value is stored: truth values as 1 and 0."""
    text = expr(u, e, depth)
    return f"int({text})" if isinstance(e.type, n.BoolT) and not isinstance(e, n.Const | n.Get) else text


def function_name(u: ModuleBuilder, index: int) -> str:
    return f"f{index}_{plain_name(u.program.functions[index].name)}"


def _outlined(u: ModuleBuilder, e: n.Expr) -> str:
    """A call of a new function that returns the expression."""
    names = [local_name(x) for x in free_locals(e).values()]
    name = u.fresh("part")
    u.function(name, names, [f"return {expr(u, e)}"])
    return f"{name}({', '.join(['s', *names])})"


def _index(u: ModuleBuilder, e: n.Lookup, depth: int) -> str:
    terms: list[str] = []
    stride = 1
    for domain, key in reversed(list(zip(e.table.keys, e.keys, strict=True))):
        text = expr(u, key, depth)
        terms.append(text if stride == 1 else f"{text} * {stride}")
        stride *= domain.size
    return " + ".join(reversed(terms)) or "0"


def op1(u: ModuleBuilder, e: n.Op1, d: int) -> str:
    x = expr(u, e.operand, d)
    match e.op:
        case "not":
            return f"(not {x})"
        case "neg":
            return f"(-{x})"
        case "wrap":
            assert isinstance(e.type, n.OptT)
            return _plus(x, 1 - offset(e.type.inner))
        case "unwrap":
            return f"unwrap({x}, {offset(e.type) - 1}, {u.place(e.span)})"
        case "is_none" | "is_empty":
            return f"({x} == 0)"
        case "count":
            return f"({x}).bit_count()"
        case "single":
            return f"(1 << {_plus(x, -offset(e.operand.type))})"
        case "complement":
            return f"({limits(e.type)[1]} & ~{x})"
        case "first":
            return f"first({x}, {offset(e.type)}, {u.place(e.span)})"


def _plus(text: str, count: int) -> str:
    if count == 0:
        return text
    return f"({text} + {count})" if count > 0 else f"({text} - {-count})"


def op2(u: ModuleBuilder, e: n.Op2, d: int) -> str:
    if e.op in CHAINS:
        sides = [expr(u, x, d) for x in chain(e)]
        return "(" + f" {SIGN[e.op]} ".join(sides) + ")"
    a, b = expr(u, e.left, d), expr(u, e.right, d)
    match e.op:
        case "in":
            return f"({b} >> {_plus(a, -offset(e.left.type))} & 1)"
        case "within":
            return f"({a} & ~{b} == 0)"
        case "disjoint":
            return f"({a} & {b} == 0)"
        case "minus":
            return f"({a} & ~{b})"
        case "div" | "mod":
            return f"{e.op}({a}, {b}, {u.place(e.span)})"
        case "min" | "max":
            return f"{e.op}({a}, {b})"
        case _:
            return f"({a} {SIGN[e.op]} {b})"


def chain(e: n.Op2) -> list[n.Expr]:
    """The operands of ``a and b and c``, of ``a + b + c`` ... (left-associative), in the order of evaluation."""
    out: list[n.Expr] = [e.right]
    left = e.left
    while isinstance(left, n.Op2) and left.op == e.op:
        out.append(left.right)
        left = left.left
    return [left, *reversed(out)]


def convert(u: ModuleBuilder, e: n.Convert, d: int) -> str:
    x = expr(u, e.operand, d)
    if isinstance(e.operand.type, n.BoolT) and not isinstance(e.type, n.BoolT):
        x = f"int({x})"
    if e.always_fits():
        return x
    low, high = limits(e.type)
    return f"fit({x}, {low}, {high}, {u.place(e.span)})"


def members(u: ModuleBuilder, over: n.Expr, t: n.ValueT, d: int) -> str:
    """The values that a loop variable of type ``t`` ranges over."""
    low = offset(t)
    if isinstance(over, n.Const):
        return u.members(over.value, low)
    text = expr(u, over, d)
    return f"bits_from({text}, {low})" if low else f"bits({text})"


def loop(u: ModuleBuilder, e: n.Loop, d: int) -> str:
    match e:
        case n.Loop("union", local, over, None, n.Lookup(table, (n.Load(key),))) if key == local and not offset(
            local.type
        ):
            return f"image({expr(u, over, d)}, {u.table(table)})"
        case n.Loop(
            "some", local, n.Const(value=bits), None, n.Op2("within", n.Lookup(table, (n.Load(key),)), outer)
        ) if key == local and bits and not offset(local.type) and local.id not in free_locals(outer):
            return f"(0 in map((~{expr(u, outer, d)}).__and__, {u.entries(table, bits)}))"
        case n.Loop("union", local, n.Const(value=bits), None, inner) if bits.bit_count() == 1:
            only = n.Const(bits.bit_length() - 1 + offset(local.type), local.type)
            return expr(u, substitute(inner, {local.id: only}), d)
    name = local_name(e.local)
    each = f"for {name} in {members(u, e.over, e.local.type, d)}"
    if e.condition is not None:
        each += f" if {expr(u, e.condition, d)}"
    body = expr(u, e.body, d)
    also = "and" if e.condition is not None else "if"
    match e.kind:
        case "some":
            return f"any({body} {each})"
        case "every":
            return f"all({body} {each})"
        case "count":
            return f"sum(1 {each} {also} {body})"
        case "sum":
            return f"sum({body} {each})"
        case "max" | "min":
            helper = "most" if e.kind == "max" else "least"
            return f"{helper}([{body} {each}], {u.place(e.span)})"
        case "union":
            return f"union({body} {each})"
        case "filter":
            return f"union(1 << {_plus(name, -offset(e.local.type))} {each} {also} {body})"


def closure(u: ModuleBuilder, e: n.Closure, d: int) -> str:
    name, low = local_name(e.local), offset(e.local.type)
    step = expr(u, e.step, d)
    found = f"(lambda {name}: {step})({name} + {low})" if low else step
    return f"closure({expr(u, e.start, d)}, lambda {name}: {found})"


def stack_op(u: ModuleBuilder, e: n.StackOp, d: int) -> str:
    slot = u.slot(e.var, e.keys, exprs(u, e.keys, d))
    if e.op == "height":
        return f"len({slot})"
    if e.level is None:
        return f"top({slot}, {u.place(e.span)})"
    return f"item({slot}, {expr(u, e.level, d)}, {u.place(e.span)})"


def arranged(u: ModuleBuilder, e: n.Arranged, d: int) -> str:
    assert isinstance(e.var.type, n.DrawingT)
    plan = u.constant("plan", ("plan", e.var.index), e.var.type.plan)
    args = _items(exprs(u, e.args, d))
    return f"arranged({u.slot(e.var, (), ())}, {plan}, {e.relation!r}, ({args}), {u.place(e.span)})"
