"""The board's relations as tables of the Core."""

from __future__ import annotations

from gamedsl.language.boards import Relation, Result, table
from gamedsl.language.core import memoized
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import lower
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def type_of_result(result: Result) -> n.ValueT:
    match result.kind:
        case "bool":
            return ty.BOOL
        case "int":
            return n.IntT(result.low, result.high)
        case "element":
            assert result.domain is not None
            return n.ElemT(result.domain)
        case "optional":
            assert result.domain is not None
            return n.OptT(n.ElemT(result.domain))
        case _:
            assert result.domain is not None
            return n.SetT(result.domain)


def table_of(env: Env, relation: Relation) -> n.TableData:
    """Returns the relation as a table of the Core; created once per program."""
    key = relation
    found = env.program.tables.get(key)
    if found is None:
        found = env.program.tables[key] = _table_of(relation)
    return found


@memoized  # an editor's boards stay from check to check
def _table_of(relation: Relation) -> n.TableData:
    return n.TableData(relation.name, relation.params, type_of_result(relation.result), table(relation))


def apply_relation(env: Env, ctx: Ctx, e: ast.Call, relation: Relation) -> n.Expr:
    keys = tuple(lower(env, ctx, a, n.ElemT(d)) for a, d in zip(e.args, relation.params, strict=True))
    return n.Lookup(table_of(env, relation), keys, span=e.span)


def board_relation(env: Env, name: str, count: int, span: Span) -> Relation:
    if env.board is None or (name, count) not in env.board.relations:
        env.report.fail("E0361", span, name=name, board=env.board.title if env.board else "no board")
    return env.board.relations[(name, count)]
