"""A sound program passes; every damage to one is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gamedsl.language.boards.domains import Domain
from gamedsl.language.core import nodes
from gamedsl.language.core.nodes import (
    Assign,
    BranchT,
    Chance,
    Choose,
    Const,
    Decide,
    DecideTogether,
    ElemT,
    End,
    Get,
    Goto,
    IntT,
    Load,
    Local,
    Op2,
    Program,
    PushS,
    SetT,
)
from tests.engine.coregames import ALL, BOOL, dice_race, elem, number, odd_one, three_in_a_row, walk_in_a_ring
from tests.language.core.verifier import verify


@pytest.mark.parametrize("name", ALL)
def test_sound_programs_pass(name: str) -> None:
    assert verify(ALL[name]()) == []


def block(p: Program, i: int, **changes: object) -> Program:
    blocks = list(p.blocks)
    blocks[i] = replace(blocks[i], **changes)  # type: ignore[arg-type]
    return replace(p, blocks=tuple(blocks))


def ending(p: Program, i: int, **changes: object) -> Program:
    return block(p, i, end=replace(p.blocks[i].end, **changes))  # type: ignore[arg-type]


def move(p: Program, **changes: object) -> Program:
    return replace(p, schemas=(replace(p.schemas[0], **changes), *p.schemas[1:]))  # type: ignore[arg-type]


def variable(p: Program, i: int, **changes: object) -> Program:
    variables = list(p.variables)
    variables[i] = replace(variables[i], **changes)  # type: ignore[arg-type]
    return replace(p, variables=tuple(variables))


T, W, ODD, DICE = three_in_a_row(), walk_in_a_ring(), odd_one(), dice_race()
STRAY = Local(99, "stray", ElemT(T.players))
OTHER = Domain("other", ("x",))
MARK = T.variables[0]

DAMAGES: dict[str, Callable[[], Program]] = {
    "target": lambda: ending(T, 0, target=99),
    "entry": lambda: replace(T, entry=12),
    "stray local": lambda: ending(T, 1, mover=Load(STRAY)),
    "branch on a number": lambda: block(T, 2, end=BranchT(number(1), 3, 4)),
    "seat of another domain": lambda: ending(T, 1, seat=elem(OTHER, 0)),
    "no move": lambda: ending(T, 1, alternatives=(replace(T.blocks[1].end.alternatives[0], schema=7),)),  # type: ignore[union-attr]
    "nothing to decide": lambda: ending(T, 1, alternatives=()),
    "constant out of range": lambda: ending(T, 1, seat=Const(5, ElemT(T.players))),
    "too few payoffs": lambda: ending(T, 6, payoff=(number(1),)),
    "payoff no number": lambda: ending(T, 6, payoff=(Const(1, BOOL), number(1))),
    "scores": lambda: ending(T, 6, scores=(number(1),)),
    "winners of another domain": lambda: ending(T, 6, winners=Const(0, SetT(OTHER))),
    "keys missing": lambda: block(T, 0, statements=(Assign(MARK, (), Const(0, MARK.type)),)),  # type: ignore[arg-type]
    "wrong value": lambda: block(T, 0, statements=(Assign(T.variables[1], (), Const(0, BOOL)),)),
    "push on a set": lambda: block(T, 0, statements=(PushS(MARK, (elem(T.players, 0),), number(1)),)),
    "variable of another program": lambda: block(T, 0, statements=(Assign(W.variables[0], (), elem(OTHER, 0)),)),
    "first value": lambda: variable(T, 1, initial=(2,)),
    "too few first values": lambda: variable(T, 0, initial=(0,)),
    "index": lambda: block(T, 3, index=4),
    "part": lambda: block(T, 3, part=4),
    "guard no truth": lambda: move(T, guards=(replace(T.schemas[0].guards[0], condition=number(1)),)),
    "plan without its parameter": lambda: move(T, plan=(nodes.Test(Const(1, BOOL)),)),
    "plan with a stray local": lambda: move(T, plan=(nodes.Test(Op2("eq", Load(STRAY), Load(STRAY), BOOL)), *T.schemas[0].plan)),
    "notation": lambda: move(T, written=("put",)),
    "registers": lambda: ending(DICE, 1, alternatives=(replace(DICE.blocks[1].end.alternatives[0], registers=()),)),  # type: ignore[union-attr]
    "chance into a map": lambda: ending(DICE, 2, result=DICE.variables[0]),
    "chance with too few names": lambda: ending(DICE, 2, names=("1",)),
    "weight": lambda: ending(DICE, 2, weight=Const(1, BOOL)),
    "sum too narrow": lambda: block(
        DICE, 0, statements=(Assign(DICE.variables[3], (), Op2("add", number(3), number(3), IntT(1, 3))),)
    ),
    "together": lambda: ending(ODD, 0, seats=(elem(ODD.players, 0),)),
    "movers": lambda: ending(ODD, 0, movers=Const(1, BOOL)),
    "choice of another domain": lambda: ending(W, 0, source=Const(1, SetT(OTHER))),
    "reading a history": lambda: block(W, 2, statements=(Assign(W.variables[0], (), Get(W.variables[1], (), W.variables[0].type)),)),  # type: ignore[arg-type]
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found(name: str) -> None:
    assert verify(DAMAGES[name]()) != []


def test_the_terminators_meant_are_there() -> None:
    kinds = {type(b.end) for p in (T, W, ODD, DICE) for b in p.blocks}
    assert kinds == {Goto, BranchT, Decide, DecideTogether, Choose, Chance, End}
