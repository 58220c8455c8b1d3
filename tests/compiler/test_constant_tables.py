"""Tables of constants: the evaluator of the Core is the judge of every entry."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import gamedsl
from gamedsl.compiler.analysis.constant_tables import is_pure, table_of
from gamedsl.compiler.analysis.pass_statistics import expressions
from gamedsl.language.boards import Domain
from gamedsl.language.core import NotConstant, RangeProblem, evaluate, free_locals, walk
from gamedsl.language.core import nodes as n

FOUR = Domain("spot", ("a", "b", "c", "d"))
X = n.Local(1, "x", n.ElemT(FOUR))
Y = n.Local(2, "y", n.ElemT(FOUR))


def closed(name: str) -> Iterator[tuple[n.Expr, list[n.Local], list[Domain]]]:
    """The parts of a ruleset's rules that read no state, with their names."""
    for whole in expressions(gamedsl.load(name).program):
        for e in walk(whole):
            names = list(free_locals(e).values())
            domains = [x.type.domain for x in names if isinstance(x.type, n.ElemT)]
            if is_pure(e) and 1 <= len(domains) == len(names) <= 2:
                yield e, names, domains


def judged(e: n.Expr, names: list[n.Local], domains: list[Domain], number: int) -> int | None:
    """The entry as the evaluator knows it; None if there is none."""
    at: dict[int, int] = {}
    for x, d in reversed(list(zip(names, domains, strict=True))):
        number, at[x.id] = divmod(number, d.size)
    try:
        return evaluate(e, at)
    except (NotConstant, RangeProblem):
        return None


@pytest.mark.parametrize("name", ["kalah", "onitama", "backgammon"])
def test_entries_of_shipped_rules(name: str) -> None:
    for e, names, domains in closed(name):
        values = table_of(e, names, domains)
        size = domains[0].size * (domains[1].size if domains[1:] else 1)
        if values is None:
            assert any(judged(e, names, domains, k) is None for k in range(size))
        else:
            some = range(0, size, max(1, size // 5))
            assert [values[k] for k in some] == [judged(e, names, domains, k) for k in some]


def test_the_last_name_varies_fastest() -> None:
    less = n.Op2("lt", n.Load(X), n.Load(Y), n.BoolT())
    assert table_of(less, [X, Y], [FOUR, FOUR]) == (0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0)


def test_no_table_where_an_entry_fails() -> None:
    """4 div 0 has no value, which spoils the table only if the entry is reached."""
    divided = n.Op2("div", n.Const(4, n.IntT(4, 4)), n.Load(X), n.IntT(0, 4))
    guarded = n.Cond(
        n.Op2("eq", n.Load(X), n.Const(0, n.ElemT(FOUR)), n.BoolT()), n.Const(9, n.IntT(9, 9)), divided, n.IntT(0, 9)
    )
    assert table_of(divided, [X], [FOUR]) is None
    assert table_of(guarded, [X], [FOUR]) == (9, 4, 2, 1)


def test_no_table_of_an_expression_with_another_name() -> None:
    assert table_of(n.Op2("eq", n.Load(X), n.Load(Y), n.BoolT()), [X], [FOUR]) is None


def test_no_table_of_an_expression_that_reads_the_state() -> None:
    var = n.Var(0, "v", n.BoolT())
    assert table_of(n.Op2("and", n.Get(var, (), n.BoolT()), n.Load(X), n.BoolT()), [X], [FOUR]) is None
