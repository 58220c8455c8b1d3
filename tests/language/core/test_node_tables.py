"""What is found about nodes stands in tables, whose entries go with the nodes."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import gamedsl
from gamedsl.compiler import compile_program
from gamedsl.language.core import all_exprs, fold, free_locals, memoized, node_count
from gamedsl.language.core import nodes as n

X = n.Local(1, "x", n.IntT(0, 9))


def test_a_node_is_looked_at_once() -> None:
    seen: list[n.Expr] = []

    @memoized
    def found(e: n.Expr) -> None:
        seen.append(e)

    e, equal = n.Load(X), n.Load(X)
    assert [found(e), found(e), found(equal)] == [None] * 3
    assert [id(x) for x in seen] == [id(e), id(equal)]  # an equal node is another: comparing would cost more


def test_entries_go_with_the_nodes() -> None:
    seen: list[weakref.ref[n.Expr]] = []

    @memoized
    def found(e: n.Expr) -> int:
        return 1

    e = n.Load(X)
    assert found(e) == 1
    seen.append(weakref.ref(e))
    del e
    assert seen[0]() is None


def test_folded_nodes_know_that_nothing_is_left_to_fold() -> None:
    total = n.Op2("add", n.Load(X), n.Load(X), n.IntT(0, 18))
    assert not total.folded
    assert fold(total) is total
    assert total.folded
    one = n.Const(1, n.IntT(0, 9))
    changed = replace(total, left=one, right=one)
    assert not changed.folded  # what it holds now may be known
    assert fold(changed) == n.Const(2, n.IntT(0, 18))
    assert total == n.Op2("add", n.Load(X), n.Load(X), n.IntT(0, 18))


def test_a_number_that_is_used_again_is_another_node() -> None:
    """CPython gives a new object the place, and so the identity, of one that has gone."""
    for i in range(100):
        assert list(free_locals(n.Load(n.Local(i, "x", n.BoolT())))) == [i]


def unknown(x: Any) -> Iterator[str]:
    """What an object holds besides its fields."""
    yield from vars(x).keys() - {f.name for f in fields(x)}


def test_nodes_hold_their_fields_only() -> None:
    game = gamedsl.load("tic-tac-toe")
    assert compile_program(game.program, game, baseline=True).perft(game.initial_state(), 2) == 72
    found = list(all_exprs(game.program))
    assert sum(map(node_count, found)) > 0
    assert not any(list(unknown(x)) for x in (*found, *game.program.schemas, *game.program.blocks))
