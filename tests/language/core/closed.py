"""Hypothesis strategies: well-typed expressions without state, over two small domains."""

from __future__ import annotations

from hypothesis import strategies as st

from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.nodes import (
    BoolT,
    Cond,
    Const,
    Convert,
    ElemT,
    Expr,
    Flood,
    IntT,
    LetE,
    Load,
    Local,
    Lookup,
    Loop,
    Op1,
    Op2,
    OptT,
    SetT,
    TableData,
)

D = Domain("d", ("a", "b", "c", "e"))
BOOL, ELEM, SET, OPT, WIDE = BoolT(), ElemT(D), SetT(D), OptT(ElemT(D)), IntT(-1000, 1000)
NEAR = TableData("near", (D,), SET, (2, 5, 8, 0))
SIZE = TableData("size", (D, D), IntT(-3, 12), tuple(range(-3, 13)))
counter = iter(range(1, 10**9))


def consts(t: object) -> st.SearchStrategy[Expr]:
    low, high = {BOOL: (0, 1), ELEM: (0, 3), SET: (0, 15), OPT: (0, 4)}.get(t, (-9, 9))  # type: ignore[call-overload]
    return st.integers(low, high).map(lambda v: Const(v, t))  # type: ignore[arg-type]


@st.composite
def closed(draw: st.DrawFn, t: object = BOOL, depth: int = 4, scope: tuple[Local, ...] = ()) -> Expr:
    """An expression of this type whose free locals are in the scope."""
    known = [x for x in scope if x.type == t]
    if depth == 0 or draw(st.integers(0, 9)) == 0:
        return Load(draw(st.sampled_from(known))) if known and draw(st.booleans()) else draw(consts(t))

    def sub(kind: object, *more: Local) -> Expr:
        return draw(closed(kind, depth - 1, (*scope, *more)))

    if draw(st.integers(0, 6)) == 0:
        if draw(st.booleans()):
            return Cond(sub(BOOL), sub(t), sub(t), t)  # type: ignore[arg-type]
        name = Local(next(counter), "v", draw(st.sampled_from([BOOL, ELEM, SET])))
        return LetE(name, sub(name.type), sub(t, name))
    x = Local(next(counter), "x", ELEM)
    condition = sub(BOOL, x) if draw(st.booleans()) else None
    match t:
        case BoolT():
            op = draw(
                st.sampled_from(
                    ["not", "and", "or", "eq", "lt", "le", "ne", "in", "within", "disjoint", "none", "some", "every"]
                )
            )
            if op == "not":
                return Op1("not", sub(BOOL), BOOL)
            if op == "none":
                return Op1("is_none", sub(OPT), BOOL)
            if op in ("some", "every"):
                return Loop(op, x, sub(SET), condition, sub(BOOL, x), BOOL)
            sides = {"and": BOOL, "or": BOOL, "eq": ELEM, "ne": SET, "lt": WIDE, "le": WIDE, "in": ELEM}.get(op, SET)
            return Op2(op, sub(sides), sub(SET if op == "in" else sides), BOOL)
        case ElemT():
            which = draw(st.integers(0, 1))
            return Op1("first", sub(SET), ELEM) if which else Op1("unwrap", sub(OPT), ELEM)
        case OptT():
            return Op1("wrap", sub(ELEM), OPT)
        case SetT():
            op = draw(
                st.sampled_from(["union", "meet", "minus", "single", "complement", "lookup", "filter", "all", "flood"])
            )
            if op == "single":
                return Op1("single", sub(ELEM), SET)
            if op == "complement":
                return Op1("complement", sub(SET), SET)
            if op == "lookup":
                return Lookup(NEAR, (sub(ELEM),))
            if op == "flood":
                return Flood(sub(SET), sub(SET), NEAR, SET)
            if op == "filter":
                return Loop("filter", x, sub(SET), condition, sub(BOOL, x), SET)
            if op == "all":
                return Loop("union", x, sub(SET), condition, sub(SET, x), SET)
            return Op2(op, sub(SET), sub(SET), SET)
        case _:
            op = draw(st.sampled_from(["add", "sub", "mul", "div", "mod", "min", "max", "neg", "count", "how many", "sum", "most", "least",
                                       "lookup"]))  # fmt: skip
            if op == "neg":
                return Convert(Op1("neg", sub(WIDE), WIDE), WIDE)
            if op == "count":
                return Op1("count", sub(SET), WIDE)
            if op == "lookup":
                return Lookup(SIZE, (sub(ELEM), sub(ELEM)))
            if op == "how many":
                return Loop("count", x, sub(SET), condition, sub(BOOL, x), WIDE)
            if op in ("sum", "most", "least"):
                kind = {"sum": "sum", "most": "max", "least": "min"}[op]
                return Loop(kind, x, sub(SET), condition, sub(WIDE, x), IntT(-(10**9), 10**9))
            big = IntT(-(10**9), 10**9)
            return Convert(Op2(op, sub(WIDE), sub(WIDE), big), WIDE)
