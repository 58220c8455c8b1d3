"""Bounded recursion as one function that counts down.

The Core has no recursion: a definition that can call itself 20 deep is a chain of functions, each of which calls the
next. Where the functions differ only in what they call and in the ranges of their numbers, one function is emitted,
with the depth that is left as a further argument:

    best21(c) = ... best20(d) ...;  best20(c) = ... best19(d) ...;  ...;  best4(c) = ... best3(d) ...
    →
    best(c, left) = ... (if left = 0 then best3(d) else best(d, left - 1)) ...

Its body is that of the function with the widest ranges. LLVM compiles it once, and its code fits into the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from llvmlite import ir

from gamedsl.compiler.analysis.canonical_names import canonical
from gamedsl.compiler.emit.expression_code import as_type, attributes_of, call, call_function, expr, give, join
from gamedsl.compiler.emit.llvm_module import I64, Fn, Unit, Value, bind, const, gather
from gamedsl.compiler.emit.memory import plus
from gamedsl.language.core import looks_ahead, map_children, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass()
class Chain:
    """Functions of one shape, of which each calls the next and the deepest calls ``bottom``. ``widest``: the one with
    the most functions below."""

    bottom: int
    shape: n.Expr
    widest: int


@lazy_dataclass()
class Descent:
    """The recursion whose body is being emitted: the function that it calls, and the depth that is left."""

    chain: Chain | None = None
    below: int = -1
    left: ir.Value | None = None


def counted_call(f: Fn, e: n.CallF) -> Value | None:
    """Emits a call of a function of a chain. Returns None for other calls."""
    inside = f.features.of(Descent)
    if inside.chain is not None and e.function == inside.below:
        return _deeper(f, e, inside)
    found = _chains(f.unit).get(e.function)
    return None if found is None else _call(f, e, found[0], const(found[1]))


def _deeper(f: Fn, e: n.CallF, inside: Descent) -> Value:
    """Calls the bottom if no depth is left, and otherwise the recursion."""
    assert inside.chain is not None and inside.left is not None
    last, further, done = f.block("last"), f.block("deeper"), f.block("returned")
    f.builder.cbranch(f.builder.icmp_unsigned("==", inside.left, const(0)), last, further)
    f.at(last)
    a = call_function(f, replace(e, function=inside.chain.bottom))
    after_last = f.builder.block
    f.goto(done)
    f.at(further)
    b = _call(f, e, inside.chain, plus(f, inside.left, -1))
    after_further = f.builder.block
    f.goto(done)
    f.at(done)
    return join(f, [(a, after_last), (b, after_further)])


def _call(f: Fn, e: n.CallF, chain: Chain, left: ir.Value) -> Value:
    program = f.unit.program
    called = program.functions[chain.widest]
    types = [p.type for p in called.params]
    args = [as_type(f, expr(f, a), t) for a, t in zip(e.args, types, strict=True)]

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        *own, depth = values
        for p, value in zip(called.params, gather(g.unit, types, list(own)), strict=True):
            bind(g, p, value)
        inside = g.features.of(Descent)
        inside.chain, inside.below, inside.left = chain, _next(called, program.functions), depth
        with g.unit.instead(program):
            give(g, as_type(g, expr(g, called.body), called.body.type))

    flat = [*(t for p in types for t in f.unit.type_of(p)), I64]
    key = ("counted", f.unit.keep(called))
    function = f.unit.function(key, f"f{chain.widest}", f.unit.result_type(called.body.type), flat, body)
    function.attributes.update(attributes_of(f, called))
    return as_type(f, call(f, function, called.body.type, [*args, left]), e.type)


# -------------------------------------------------------------------------------------------------------- analysis

Chains = dict[int, tuple[Chain, int]]


def _chains(unit: Unit) -> Chains:
    """The chains of the current program."""
    key = unit.keep(unit.program.functions)
    if key not in unit.chains:
        unit.chains[key] = find_chains(unit.program.functions)
    chains: Chains = unit.chains[key]
    return chains


def find_chains(functions: Sequence[n.Function]) -> Chains:
    """By number of a function, its chain and how many functions of the chain are below it. Bodies that look ahead are
    left out, as a part of them is emitted in functions of its own."""
    found: Chains = {}
    all_chains: list[Chain] = []
    for f in functions:
        below = _next(f, functions)
        if not 0 <= below < f.index or looks_ahead(f.body):
            continue
        shape = _shape(f, below)
        if below in found and found[below][0].shape == shape:
            chain, number = found[below][0], found[below][1] + 1
        else:
            known = [c for c in all_chains if c.bottom == below and c.shape == shape]
            chain, number = known[0] if known else Chain(below, shape, f.index), 0
            all_chains += [] if known else [chain]
        found[f.index] = chain, number
        if number > found[chain.widest][1]:
            chain.widest = f.index
    return {i: (chain, number) for i, (chain, number) in found.items() if found[chain.widest][1]}


def _next(f: n.Function, functions: Sequence[n.Function]) -> int:
    """The function of the same name that this one calls, or -1."""
    called = (x.function for x in walk(f.body) if isinstance(x, n.CallF))
    return max((i for i in called if functions[i].name == f.name), default=-1)


def _shape(f: n.Function, below: int) -> n.Expr:
    """The body without its names, the number of the function below and the ranges of numbers. Conversions keep their
    ranges, as they may fail."""

    def bare(e: n.Expr) -> n.Expr:
        e = map_children(e, bare)
        if isinstance(e, n.CallF) and e.function == below:
            e = replace(e, function=-1)
        ranged = (
            any(x.name == "type" for x in fields(e)) and isinstance(e.type, n.IntT) and not isinstance(e, n.Convert)
        )
        return replace(e, type=n.IntT(0, 0)) if ranged else e  # type: ignore[arg-type]

    return bare(canonical(f.body, f.params))
