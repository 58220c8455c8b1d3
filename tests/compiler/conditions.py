"""Hypothesis strategies: conditions on a name over a small domain, in terms of sets that stand for a state's, which can't fail.

``A`` and ``B`` are those sets, as names. The forms are those that rulesets' conditions have: relations, set tests, quantifiers.
"""

from __future__ import annotations

from hypothesis import strategies as st

from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.nodes import (
    BoolT,
    Cond,
    Const,
    ElemT,
    Expr,
    Load,
    Local,
    Lookup,
    Loop,
    Op1,
    Op2,
    SetT,
    TableData,
)

D = Domain("cell", tuple(f"{c}{r}" for r in "123" for c in "abc"))
ELEM, SET, BOOL = ElemT(D), SetT(D), BoolT()
P, A, B = Local(1, "p", ELEM), Local(2, "A", SET), Local(3, "B", SET)
_counter = iter(range(10, 10**9))


def _near(diagonal: bool) -> tuple[int, ...]:
    def joined(x: int, y: int) -> bool:
        dx, dy = abs(x % 3 - y % 3), abs(x // 3 - y // 3)
        return max(dx, dy) == 1 if diagonal else dx + dy == 1

    return tuple(sum(1 << y for y in range(9) if joined(x, y)) for x in range(9))


TABLES = (
    TableData("near", (D,), SET, _near(diagonal=False)),
    TableData("king", (D,), SET, _near(diagonal=True)),
    TableData("up", (D,), SET, tuple(1 << x + 3 if x < 6 else 0 for x in range(9))),
    TableData("odd", (D,), SET, (3, 0, 257, 16, 1, 511, 64, 2, 40)),
)
FLAG = TableData("flag", (D, D), BOOL, tuple(int((x * 7 + y * 5) % 3 == 0) for x in range(9) for y in range(9)))
NEXT = TableData("next", (D,), ELEM, (3, 1, 1, 0, 8, 5, 2, 2, 4))
PAIR = TableData("pair", (D, D), SET, tuple((x * 37 + y * 101 + x * y * 13) % 512 for x in range(9) for y in range(9)))


@st.composite
def elements(draw: st.DrawFn, scope: tuple[Local, ...]) -> Expr:
    name = Load(draw(st.sampled_from(scope)))
    which = draw(st.integers(0, 7))
    if which == 0:
        return Const(draw(st.integers(0, 8)), ELEM)
    return Lookup(NEXT, (name,)) if which == 1 else name


@st.composite
def sets(draw: st.DrawFn, scope: tuple[Local, ...], depth: int = 2) -> Expr:
    which = draw(st.integers(0, 10 if depth else 5))
    match which:
        case 0 | 1:
            return Load(draw(st.sampled_from([A, B])))
        case 2:
            return Const(draw(st.integers(0, 511)), SET)
        case 3:
            return Lookup(draw(st.sampled_from(TABLES)), (draw(elements(scope)),))
        case 4:
            return Op1("single", draw(elements(scope)), SET)
        case 5:
            return Lookup(PAIR, (draw(elements(scope)), draw(elements(scope))))
        case 6:
            return Op1("complement", draw(sets(scope, depth - 1)), SET)
        case 7:
            x = Local(next(_counter), "x", ELEM)
            over, body = draw(sets(scope, depth - 1)), Lookup(draw(st.sampled_from(TABLES)), (Load(x),))
            return Loop("union", x, over, None, body, SET)
        case 8:
            condition = draw(conditions(scope, 1))
            return Cond(condition, draw(sets(scope, depth - 1)), draw(sets(scope, depth - 1)), SET)
        case _:
            op = draw(st.sampled_from(["union", "meet", "minus"]))
            return Op2(op, draw(sets(scope, depth - 1)), draw(sets(scope, depth - 1)), SET)


@st.composite
def conditions(draw: st.DrawFn, scope: tuple[Local, ...] = (P,), depth: int = 3) -> Expr:
    which = draw(st.integers(0, 11 if depth else 6))
    match which:
        case 0 | 1:
            return Op2("in", draw(elements(scope)), draw(sets(scope)), BOOL)
        case 2 | 3:
            return Op2(draw(st.sampled_from(["disjoint", "within"])), draw(sets(scope)), draw(sets(scope)), BOOL)
        case 4:
            return Op1("is_empty", draw(sets(scope)), BOOL)
        case 5:
            return Op2(draw(st.sampled_from(["eq", "ne"])), draw(elements(scope)), draw(elements(scope)), BOOL)
        case 6:
            if draw(st.booleans()):
                return Lookup(FLAG, (draw(elements(scope)), draw(elements(scope))))
            return Op2(draw(st.sampled_from(["eq", "ne"])), draw(sets(scope)), Const(0, SET), BOOL)
        case 7:
            return Op1("not", draw(conditions(scope, depth - 1)), BOOL)
        case 8 | 9:
            left, right = draw(conditions(scope, depth - 1)), draw(conditions(scope, depth - 1))
            return Op2(draw(st.sampled_from(["and", "or"])), left, right, BOOL)
        case _:
            x = Local(next(_counter), "x", ELEM)
            kind = draw(st.sampled_from(["some", "every"]))
            return Loop(kind, x, draw(sets(scope, 1)), None, draw(conditions((*scope, x), depth - 1)), BOOL)
