"""``count(S) = 0`` as ``is_empty(S)``."""

from gamedsl.core.nodes import BoolT, Const, Expr, Op1, Op2
from gamedsl.core.traverse import map_children


def without_counts(e: Expr) -> Expr:
    """``count(S) = 0`` as ``is_empty(S)``."""
    e = map_children(e, without_counts)
    match e:
        case Op2(op="eq", left=Op1(op="count", operand=s), right=Const(value=0)):
            return Op1("is_empty", s, BoolT(), span=e.span)
        case _:
            return e
