"""Fused images: the same sets as the evaluator computes step by step."""

from __future__ import annotations

from random import Random

import pytest

from gamedsl.compiler.transform.image_fusion import ImageFusion
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.evaluator import evaluate
from gamedsl.language.core.nodes import ElemT, Expr, Load, Local, Lookup, Loop, Op1, SetT, TableData
from gamedsl.language.core.traverse import walk


def domain(name: str, size: int) -> Domain:
    return Domain(name, tuple(f"{name}{i}" for i in range(size)))


def image(over: Expr, table: TableData, name: int) -> Loop:
    x = Local(name, "x", ElemT(table.keys[0]))
    return Loop("union", x, over, None, Lookup(table, (Load(x),)), table.type)


def relation(dice: Random, a: Domain, b: Domain, parts: int) -> TableData:
    """Each of b belongs to at most so many of a, some to none."""
    values = [0] * a.size
    for y in range(b.size):
        for _ in range(dice.randrange(parts + 1)):
            values[dice.randrange(a.size)] |= 1 << y
    return TableData(f"{a.name} to {b.name}", (a,), SetT(b), tuple(values))


def looked_up(e: Expr) -> int:
    return sum(isinstance(x, Loop) for x in walk(e))


def complement(e: Expr) -> Expr:
    return Op1("complement", e, e.type)


@pytest.mark.parametrize("parts", [1, 2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_what_has_all_its_parts_met(seed: int, parts: int) -> None:
    """With few classes, so that it is worth it: edges, ways, steps (many with the same ways), lines."""
    dice = Random(seed)
    edges, ways, steps, lines = domain("e", 20), domain("w", 100), domain("s", 100), domain("l", 30)
    s, few = Local(1, "S", SetT(edges)), domain("f", 12)
    across = relation(dice, ways, few, parts)
    pick = [dice.randrange(12) for _ in range(100)]
    of = tuple(sum(1 << x for x, c in enumerate(pick) if v >> c & 1) for v in across.values)
    met = image(Load(s), relation(dice, edges, ways, 2), 2)
    cut = complement(image(complement(met), TableData("of", (ways,), SetT(steps), of), 3))
    e = image(cut, relation(dice, steps, lines, 3), 4)
    found = ImageFusion().expr(e)
    assert found != e and not any(isinstance(x, Loop) and x.over.type == SetT(ways) for x in walk(found))
    for _ in range(20):
        known = {s.id: dice.getrandbits(20) & dice.getrandbits(20)}
        assert evaluate(found, known) == evaluate(e, known)
    assert all(evaluate(found, {s.id: v}) == evaluate(e, {s.id: v}) for v in (0, edges.full))


@pytest.mark.parametrize("seed", range(10))
def test_an_image_of_an_image(seed: int) -> None:
    dice = Random(seed)
    a, b, c = domain("a", 10), domain("b", 70), domain("c", 20)
    s = Local(1, "S", SetT(a))
    e = image(image(Load(s), relation(dice, a, b, 2), 2), relation(dice, b, c, 4), 3)
    found = ImageFusion().expr(e)
    assert looked_up(found) == 1
    assert all(evaluate(found, {s.id: v}) == evaluate(e, {s.id: v}) for v in range(0, 1024, 7))


def test_what_would_take_more_look_ups_is_left() -> None:
    """A thousand classes for a few parts; and elements of many parts."""
    dice = Random(1)
    a, b, c = domain("a", 60), domain("b", 10), domain("c", 20)
    s = Local(1, "S", SetT(a))
    wide = TableData("of", (b,), SetT(domain("w", 400)), tuple(dice.getrandbits(400) for _ in range(10)))
    met = complement(image(complement(image(Load(s), relation(dice, a, b, 3), 2)), wide, 3))
    e = image(met, relation(dice, domain("w", 400), c, 3), 4)
    assert ImageFusion().expr(e) == e
