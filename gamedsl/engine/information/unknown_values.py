"""Values that a seat may not know. Rules can be run on them: everything computed from an unknown value is unknown.

Where control flow depends on an unknown value (``if``, ``and``, a loop), ``NotKnown`` is raised. Inside
``Answers.tried`` both branches are tried instead, each in a run of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn, SupportsIndex, TypeVar, overload

from gamedsl.engine.errors import RulesError
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n

Result = TypeVar("Result")
MOST_ANSWERS = 24  # on one path


class NotKnown(Exception):
    """The result depends on something that the seat may not know."""


class Answers:
    """The truth values of unknown values. They have one only inside ``tried``, and within one run it stays the same
    however often it is tested."""

    def __init__(self) -> None:
        self.given: list[bool] | None = None
        self.asked: dict[
            int, tuple[Unknown, bool]
        ] = {}  # by identity; kept, so that no other value can get the same one

    def truth(self, value: Unknown) -> bool:
        if id(value) in self.asked:
            return self.asked[id(value)][1]
        used = len(self.asked)
        if self.given is None or used >= MOST_ANSWERS:
            raise NotKnown
        if used == len(self.given):
            self.given.append(True)
        self.asked[id(value)] = value, self.given[used]
        return self.given[used]

    def tried(self, run: Callable[[], Result], most: int) -> Iterator[Result | None]:
        """The results of a run for all truth values of its unknown conditions, without runs that end in a rules error.
        A final None means that results are missing: there are too many, or they cannot be computed."""
        given: list[bool] = []
        for _ in range(most):
            results, used = self._try_once(run, given)
            yield from results
            if results and results[0] is None:
                return
            del given[used:]
            while given and not given[-1]:
                given.pop()
            if not given:
                return
            given[-1] = False
        yield None

    def _try_once(self, run: Callable[[], Result], given: list[bool]) -> tuple[list[Result | None], int]:
        """The result for these truth values as a list (empty after a rules error, None in it if it cannot be computed),
        and how many truth values were used."""
        self.given = given
        try:
            return [run()], len(self.asked)
        except RulesError:
            return [], len(self.asked)
        except NotKnown:
            return [None], 0
        finally:
            self.given, self.asked = None, {}


NO_ANSWERS = Answers()


def _unknown(self: Unknown, other: object) -> Any:
    return Unknown(self.answers)


def _lost(self: Unknown, *arguments: object) -> NoReturn:
    raise NotKnown


class Unknown:
    """An unknown value. ``low`` and ``high`` bound it; None if not even an interval is known."""

    __slots__ = ("answers", "high", "low")

    def __init__(self, answers: Answers = NO_ANSWERS, low: int | None = None, high: int | None = None) -> None:
        self.answers = answers
        self.low = low
        self.high = high

    def __bool__(self) -> bool:
        return self.answers.truth(self)

    def __int__(self) -> int:  # translated rules call it only for the number of a truth value
        return int(self.answers.truth(self))

    def __add__(self, other: Any) -> Unknown:
        low, high = _limits(other)
        if self.low is None or self.high is None or low is None or high is None:
            return Unknown(self.answers)
        return Unknown(self.answers, self.low + low, self.high + high)

    def __neg__(self) -> Unknown:
        if self.low is None or self.high is None:
            return Unknown(self.answers)
        return Unknown(self.answers, -self.high, -self.low)

    def __mul__(self, other: Any) -> Unknown:
        if self.low is None or self.high is None or not isinstance(other, int):
            return Unknown(self.answers)
        return Unknown(self.answers, *sorted((self.low * other, self.high * other)))

    def __sub__(self, other: Any) -> Unknown:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Unknown:
        return self.__neg__().__add__(other)

    def __repr__(self) -> str:
        return "?"

    def __invert__(self) -> Unknown:
        return Unknown(self.answers)

    def bit_count(self) -> Unknown:
        return Unknown(self.answers)

    def count(self, position: object) -> Unknown:
        return Unknown(self.answers)

    def plus(self, position: object) -> Unknown:
        return Unknown(self.answers)

    def entry_of(self, table: tuple[int, ...]) -> Unknown:
        """The entry of a constant table at this index: unknown, between the table's least and greatest entries."""
        return Unknown(self.answers, min(table), max(table))

    __radd__, __rmul__ = __add__, __mul__
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _unknown
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __floordiv__ = __mod__ = _unknown
    __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = __rfloordiv__ = __rmod__ = _unknown
    __index__ = __len__ = __iter__ = __getitem__ = __contains__ = __getattr__ = _lost
    __hash__ = _lost


def _limits(value: object) -> tuple[int | None, int | None]:
    if isinstance(value, Unknown):
        return value.low, value.high
    return (value, value) if isinstance(value, int) else (None, None)


class SeenSlots(list[Any]):
    """A state's values as a seat knows them. Assigning to an unknown slot makes every slot that it may be unknown."""

    @overload
    def __getitem__(self, i: SupportsIndex, /) -> Any: ...
    @overload
    def __getitem__(self, i: slice, /) -> list[Any]: ...
    def __getitem__(self, i: Any, /) -> Any:
        return Unknown(i.answers) if isinstance(i, Unknown) else super().__getitem__(i)

    def __setitem__(self, i: Any, value: Any, /) -> None:
        if not isinstance(i, Unknown):
            super().__setitem__(i, value)
            return
        low = 0 if i.low is None else max(0, i.low)
        high = len(self) - 1 if i.high is None else min(len(self) - 1, i.high)
        for k in range(low, high + 1):
            super().__setitem__(k, Unknown(i.answers))


def unknown(t: n.VarT, answers: Answers = NO_ANSWERS) -> Unknown:
    """An unknown value of a type."""
    match t:
        case n.SingleT():
            return Unknown(answers, *limits(t))
        case _:
            return Unknown(answers)


def may_be(a: Any, value: Any) -> bool:
    """Whether ``a``, which may be unknown, can be equal to ``value``."""
    if not isinstance(a, Unknown):
        return bool(a == value)
    return a.low is None or a.high is None or not isinstance(value, int) or a.low <= value <= a.high


def hull(a: Any, b: Any) -> Any:
    """A value that covers both: the value itself if both are equal, else an unknown one with bounds for both."""
    if not isinstance(a, Unknown) and not isinstance(b, Unknown) and a == b:
        return a
    answers = a.answers if isinstance(a, Unknown) else b.answers if isinstance(b, Unknown) else NO_ANSWERS
    (low, high), (other_low, other_high) = _limits(a), _limits(b)
    if low is None or high is None or other_low is None or other_high is None:
        return Unknown(answers)
    return Unknown(answers, min(low, other_low), max(high, other_high))
