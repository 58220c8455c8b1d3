"""Questions that are answered in shards: ranges of numbered items, each answered by itself."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property
from hashlib import sha256
from time import perf_counter
from typing import Any, Generic, TypeVar, cast, get_args, get_origin

import msgspec

from gamedsl.language.source import GameDSLError, lazy_dataclass

FORMAT = 3  # of questions and answers: raise it when an answer to the same question changes

A = TypeVar("A")


class Question(ABC, Generic[A]):
    """A question about items 0, 1, 2 ...: games, pairs of games, changes of a ruleset. A subclass is a dataclass that can
    be pickled, because other processes answer it.

    ``A``, the type of an answer, is made of dataclasses, named tuples, tuples, lists, dictionaries, counters and plain
    values. An answer to several items is a list of their answers, unless ``size`` says otherwise.
    """

    @property
    @abstractmethod
    def about(self) -> Mapping[str, Any]:
        """Everything on which the answers depend, as plain data: what is asked, digest, options, seed ..."""

    @abstractmethod
    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> A:
        """Answers items ``first`` to ``first + count - 1``; once it is to stop, only the first of them. The answer to an
        item depends on nothing but its number."""

    def size(self, answer: A) -> int:
        """Returns the number of items that an answer is about. Raises ``ValueError`` if it cannot be one."""
        return len(cast("list[Any]", answer))

    @property
    def is_repeatable(self) -> bool:
        """Whether the same items always have the same answer. (Not if somebody may think for a while.)"""
        return True

    def __getstate__(self) -> dict[str, Any]:
        """Other processes make anew what was derived from the fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the question."""
        return plain_digest({"format": FORMAT, **self.about})

    def decode(self, data: bytes, count: int) -> A:
        """Returns an answer to ``count`` items from untrusted bytes. Raises ``ValueError`` if it is not one."""
        try:
            answer = msgspec.msgpack.decode(data, type=_answer_type(type(self)), dec_hook=_counter)
        except (msgspec.MsgspecError, RecursionError, TypeError, OverflowError) as problem:
            raise ValueError(str(problem)) from None
        if self.size(answer) != count:
            raise ValueError(f"it is not about {count} items")
        return cast("A", answer)


def _answer_type(kind: Any) -> Any:
    """Returns ``A`` for a subclass of ``Question[A]``, which names it as its only base."""
    (base,) = kind.__orig_bases__
    origin, arguments = get_origin(base), get_args(base)
    return arguments[0] if origin is Question else _answer_type(origin)[arguments]


def plain_digest(data: Any) -> str:
    """Returns the SHA-256 of plain data."""
    return sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _counter(kind: Any, found: Any) -> Any:
    """Makes counters, which the library does not know."""
    if get_origin(kind) is not Counter:
        raise NotImplementedError
    return Counter(msgspec.convert(found, dict[get_args(kind)[0], int]))  # type: ignore[misc]


@lazy_dataclass(frozen=True)
class Shard:
    """An answered range of items. ``data``: the answer in its stored form; ``seconds`` that it took; ``error``: the
    mistake in the rules that an item showed."""

    first: int
    count: int
    data: bytes = b""
    seconds: float = 0.0
    error: GameDSLError | None = None


def never() -> bool:
    """Returns False: work that is not stopped."""
    return False


def answer_shard(question: Question[Any], first: int, count: int, stopped: Callable[[], bool] = never) -> Shard:
    """Answers a range of items, in whichever process this is; once it is to stop, only the first of them."""
    began = perf_counter()
    try:
        answer = question.answer(first, count, stopped)
    except GameDSLError as error:
        return Shard(first, count, error=error)
    return Shard(first, question.size(answer), msgspec.msgpack.encode(answer), perf_counter() - began)
