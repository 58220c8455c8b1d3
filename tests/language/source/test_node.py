"""``node`` makes classes that behave as frozen dataclasses do where trees need it."""

from __future__ import annotations

import copy
import pickle
from dataclasses import field, fields, replace

from gamedsl.language.source.node_class import node


@node(slots=True)
class Pair:
    left: int
    right: int
    place: str = field(default="", compare=False, repr=False)


@node()
class Empty:
    pass


@node(slots=True)
class Other:
    left: int
    right: int


def test_equality_leaves_out_what_is_not_compared() -> None:
    assert Pair(1, 2, "here") == Pair(1, 2, "there")
    assert hash(Pair(1, 2, "here")) == hash(Pair(1, 2, "there"))
    assert Pair(1, 2) != Pair(2, 1)
    assert Pair(1, 2) != Other(1, 2)
    assert Pair(1, 2) != (1, 2)
    assert Empty() == Empty()
    assert len({Empty(), Empty(), Pair(1, 2), Pair(1, 2, "x")}) == 2


def test_text() -> None:
    assert repr(Pair(1, 2, "here")) == "Pair(left=1, right=2)"
    assert repr(Empty()) == "Empty()"


def test_dataclass_functions_know_it() -> None:
    assert [f.name for f in fields(Pair)] == ["left", "right", "place"]
    assert replace(Pair(1, 2), right=3) == Pair(1, 3)
    match Pair(1, 2):
        case Pair(left, right):
            assert (left, right) == (1, 2)


def test_copies() -> None:
    pair = Pair(1, 2, "here")
    for other in (copy.copy(pair), copy.deepcopy(pair), pickle.loads(pickle.dumps(pair))):
        assert other == pair
        assert other.place == "here"
