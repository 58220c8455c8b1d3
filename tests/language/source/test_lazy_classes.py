"""``lazy_dataclass`` makes classes that behave as dataclasses do, and ``node`` frozen ones where trees need them."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.language.source.lazy_classes import _Later, lazy_dataclass, node


@node(slots=True)
class Pair:
    left: int
    right: int
    place: str = field(default="", compare=False, repr=False)


@node(slots=True, weakref_slot=True)
class Known:
    name: str


@node(slots=True)
class Named(Known):
    """Inherits the slot for weak references, which a class may have once."""

    title: str


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


@lazy_dataclass(kw_only=True)
class Tally:
    """What changes: it has no hash."""

    shown: ClassVar[str] = "tally"
    count: int = 0
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.count += 1


@lazy_dataclass(frozen=True, eq=False)
class Mark:
    name: str = "mark"


@lazy_dataclass()
class Twice:
    many: list[int] = field(default_factory=list)
    _many: list[str] = field(default_factory=list)
    absent: int = 3


class Later(Tally):
    """A class without fields of its own."""


def test_what_changes_is_compared_and_has_no_hash() -> None:
    assert Tally(count=1) == Tally(count=1) != Tally(count=2)
    assert (Tally().count, Tally.count, Tally.shown) == (1, 0, "tally")
    assert [f.name for f in fields(Tally)] == ["count", "names"]
    assert [f.name for f in fields(Later)] == ["count", "names"]
    assert Later(names=["a"]).names == ["a"]
    with pytest.raises(TypeError):
        hash(Tally())
    with pytest.raises(TypeError):
        Tally(1)  # type: ignore[misc]


def test_names_of_fields_do_not_meet_those_of_their_defaults() -> None:
    assert (Twice().many, Twice()._many, Twice(absent=4).absent) == ([], [], 4)


def test_nodes_with_slots_can_be_referred_to_weakly_where_they_say_so() -> None:
    for one in (Known("a"), Named("a", "b")):
        assert ref(one)() is one and not hasattr(one, "__dict__")
        assert pickle.loads(pickle.dumps(one)) == copy.copy(one) == one
    with pytest.raises(TypeError):
        ref(Pair(1, 2))


def test_what_is_equal_to_itself_alone() -> None:
    assert Mark() != Mark()
    assert len({Mark(), Mark()}) == 2
    assert Mark.name == "mark"


def test_nothing_of_a_class_is_found_before_it_is_asked_for() -> None:
    @node(slots=True)
    class Fresh:
        left: int
        right: int = 0

    assert all(isinstance(Fresh.__dict__[name], _Later) for name in ("__dataclass_fields__", "__match_args__"))
    match Fresh(1):
        case Fresh(left, right):
            assert (left, right) == (1, 0)
    assert Fresh.__dict__["__match_args__"] == ("left", "right")
    assert [f.name for f in fields(Fresh)] == ["left", "right"]
    assert Fresh.__dict__["__dataclass_fields__"].keys() == {"left", "right"}


@given(st.sampled_from([True, False]), st.sampled_from([True, False]), st.sampled_from([True, False]))
def test_the_same_as_the_dataclass_of_the_library(frozen: bool, slots: bool, kw_only: bool) -> None:
    def body() -> type:
        class Thing:
            place: str = "here"
            parts: tuple[int, ...] = field(default=(), compare=False)
            many: list[int] = field(default_factory=list, repr=False)
            fixed: int = field(default=4, init=False)

        return Thing

    ours = lazy_dataclass(frozen=frozen, slots=slots, kw_only=kw_only)(body())
    theirs = dataclass(frozen=frozen, slots=slots, kw_only=kw_only)(body())
    for values, named in (
        ((), {}),
        ((), {"place": "x"}),
        (("x", (1,), [2]), {}),
        ((), {"fixed": 1}),
        ((1, 2, 3, 4), {}),
    ):
        assert _outcome(ours, values, named) == _outcome(theirs, values, named)
    assert ours.__match_args__ == theirs.__match_args__
    assert [(f.name, f.type, f.kw_only) for f in fields(ours)] == [(f.name, f.type, f.kw_only) for f in fields(theirs)]
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)


def _outcome(cls: type, values: tuple[object, ...], named: dict[str, object]) -> str:
    try:
        return repr(cls(*values, **named))
    except TypeError:
        return "refused"


@node()
class Marked:
    name: str
    seen: bool = field(default=False, init=False, compare=False, repr=False)


def test_a_mark_that_nobody_sets_is_kept_by_the_class() -> None:
    one = Marked("x")
    assert not one.seen
    assert vars(one) == {"name": "x"}
    one.seen = True  # type: ignore[misc]
    assert one == Marked("x")
    assert not replace(one, name="x").seen


@lazy_dataclass(slots=True)
class Opened:
    name: str
    late: str = field(init=False)
    seen: bool = field(default=False, init=False)


def test_slots_that_no_caller_fills() -> None:
    one = Opened("x")
    assert not one.seen
    assert not hasattr(one, "late")
