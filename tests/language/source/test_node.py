"""``node`` makes classes that behave as frozen dataclasses do where trees need it."""

from __future__ import annotations

import copy
import pickle
from dataclasses import field, fields, replace

import pytest

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


@node(slots=True, kw_only=True)
class Base:
    place: str = "nowhere"


@node(slots=True)
class Made(Base):
    left: int
    right: int = 2
    parts: list[int] = field(default_factory=list)
    fixed: tuple[int, ...] = field(default=(), init=False)


def test_defaults_and_arguments_by_name_are_those_of_a_dataclass() -> None:
    made = Made(1)
    assert (made.left, made.right, made.parts, made.fixed, made.place) == (1, 2, [], (), "nowhere")
    assert Made(1).parts is not made.parts
    assert Made(1, 3, place="here") == Made(left=1, right=3, place="here") != Made(1, 3)
    for values, named in (((), {}), ((1, 2, [], ()), {}), ((1,), {"left": 1}), ((1,), {"fixed": ()})):
        with pytest.raises(TypeError):
            Made(*values, **named)  # type: ignore[arg-type]
