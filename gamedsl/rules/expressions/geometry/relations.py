"""The board's relations as tables of the Core."""

from __future__ import annotations

from gamedsl.boards import Relation, Result
from gamedsl.core.nodes import ElemT, Expr, IntT, Lookup, OptT, SetT, TableData, ValueT
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import lower
from gamedsl.rules.scope import Ctx, Env
from gamedsl.source import Span
from gamedsl.syntax import ast


def type_of_result(result: Result) -> ValueT:
    match result.kind:
        case "bool":
            return ty.BOOL
        case "int":
            return IntT(result.low, result.high)
        case "element":
            assert result.domain is not None
            return ElemT(result.domain)
        case "optional":
            assert result.domain is not None
            return OptT(ElemT(result.domain))
        case _:
            assert result.domain is not None
            return SetT(result.domain)


def table_of(env: Env, relation: Relation) -> TableData:
    """The relation as a table of the Core; made once a program."""
    key = relation
    found = env.program.tables.get(key)
    if found is None:
        values: list[int] = []
        _fill(relation, (), values)
        found = TableData(relation.name, relation.params, type_of_result(relation.result), tuple(values))
        env.program.tables[key] = found
    return found


def _fill(relation: Relation, given: tuple[int, ...], values: list[int]) -> None:
    if len(given) == len(relation.params):
        values.append(relation.compute(*given))
        return
    for i in range(relation.params[len(given)].size):
        _fill(relation, (*given, i), values)


def apply_relation(env: Env, ctx: Ctx, e: ast.Call, relation: Relation) -> Expr:
    keys = tuple(lower(env, ctx, a, ElemT(d)) for a, d in zip(e.args, relation.params, strict=True))
    return Lookup(table_of(env, relation), keys, span=e.span)


def board_relation(env: Env, name: str, count: int, span: Span) -> Relation:
    if env.board is None or (name, count) not in env.board.relations:
        env.report.fail("E0361", span, name=name, board=env.board.title if env.board else "no board")
    return env.board.relations[(name, count)]
