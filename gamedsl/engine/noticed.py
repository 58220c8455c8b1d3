"""What a seat notices, and the information state that results from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move

Seen = list[tuple[Any] | None]  # per slot: the value in a tuple, or None if the seat may not know it
KEY_BYTES = 16


@dataclass(frozen=True)
class Noticed:
    """Something that a seat noticed: ``fact`` as plain values, ``line`` in words, and the move, if it is one."""

    fact: tuple[Any, ...]
    line: str
    move: Move | None = None


@dataclass(frozen=True, eq=False, repr=False)
class InformationState:
    """What a seat knows (``seat`` None: a spectator).

    ``key`` (32 hexadecimal digits, a BLAKE2 digest) is the same for two histories of a game exactly when the seat
    noticed the same things in the same order. ``seen``: the values at the last look; ``place``: the last stop as the
    seat saw it. ``entries``: the newest ones; ``before``: the information state with all earlier ones (None: there are
    none).
    """

    seat: int | None
    key: str
    entries: tuple[Noticed, ...]
    seen: Seen
    place: tuple[Any, ...]
    before: InformationState | None

    @cached_property
    def text(self) -> str:
        """The entries in words, one per line."""
        return "\n".join(entry.line for entry in self.all_entries)

    @property
    def all_entries(self) -> list[Noticed]:
        """Everything noticed since the beginning, in order."""
        at, found = self, [self.entries]
        while at.before is not None:
            at = at.before
            found.append(at.entries)
        return [entry for entries in reversed(found) for entry in entries]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InformationState) and (self.seat, self.key) == (other.seat, other.key)

    def __hash__(self) -> int:
        return hash((self.seat, self.key))

    def __repr__(self) -> str:
        return f"InformationState(seat={self.seat}, key={self.key!r})"

    def plus(self, entries: list[Noticed], seen: Seen, place: tuple[Any, ...]) -> InformationState:
        """This information state with more entries."""
        if not entries:
            return self
        return InformationState(self.seat, extended_key(self.key, entries), tuple(entries), seen, place, self)


def extended_key(before: str, entries: list[Noticed]) -> str:
    """The key after more entries: a hash chain over single entries, so that it does not matter which were added
    together."""
    for entry in entries:
        before = blake2b(f"{before} {entry.fact!r}".encode(), digest_size=KEY_BYTES).hexdigest()
    return before
