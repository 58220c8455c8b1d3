"""Describes how a position of a mutant differs from the original's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gamedsl.lab.mutation.plays import Node, Observation
from gamedsl.language.source import lazy_dataclass

MOST_NAMED = 3  # moves


@lazy_dataclass(frozen=True)
class Difference:
    """A game that shows the change: its start, its moves, and the difference after them."""

    options: tuple[tuple[str, Any], ...]
    example: str | None
    moves: tuple[str, ...]
    what: str

    @property
    def text(self) -> str:
        """The difference as one sentence, without its full stop."""
        given = ", ".join(f"{name} = {value}" for name, value in self.options)
        where = [f"with {given}"] if given else []
        if self.example is not None:
            where.append(f"from the position of {self.example!r}")
        where.append(f"after `{'; '.join(self.moves)}`" if self.moves else "at once")
        return f"{', '.join(where)}: {self.what}"

    def to_json(self) -> dict[str, Any]:
        """Returns the difference as plain data."""
        return {
            "options": dict(self.options),
            "example": self.example,
            "moves": list(self.moves),
            "what": self.what,
        }


def told(original: Observation, mutant: Node | str) -> str | None:
    """Describes how the mutant's position differs from the original's; None if players cannot observe a difference."""
    if isinstance(mutant, str):
        return mutant
    other = mutant.sight
    return None if other == original else "; ".join(_told(original, other))


def _told(original: Observation, mutant: Observation) -> Iterator[str]:
    if original.kind == "end" or mutant.kind == "end":
        one, other = _outcome(mutant), _outcome(original)
        if one == other:
            one, other = f"{one}, with returns {_listed(mutant)}", _listed(original)
        head = "the scores are "
        yield f"{one}, not {other.removeprefix(head) if one.startswith(head) else other}"
    elif (original.kind, original.acting) != (mutant.kind, mutant.acting):
        yield f"{_turn(mutant)}, not {_turn(original)}"
    elif mutant.moves != original.moves:
        yield from _moves(mutant.moves - original.moves, "is legal now", "are legal now")
        yield from _moves(original.moves - mutant.moves, "is no longer legal", "are no longer legal")
    else:
        yield "chance has other odds"


def _moves(names: frozenset[str], one: str, several: str) -> Iterator[str]:
    if names:
        listed = ", ".join(f"`{n}`" for n in sorted(names)[:MOST_NAMED])
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        yield f"{listed}{more} {one if len(names) == 1 else several}"


def _turn(s: Observation) -> str:
    return (
        "chance falls"
        if s.kind == "chance"
        else f"{' and '.join(s.acting)} to {'draw' if s.kind == 'drawing' else 'move'}"
    )


def _listed(s: Observation) -> str:
    return ", ".join(map(str, s.returns))


def _outcome(s: Observation) -> str:
    if s.kind != "end":
        return "the game goes on"
    if s.scores:
        return f"the scores are {', '.join(map(str, s.scores))}"
    match s.winners:
        case ():
            return "a draw"
        case (one,):
            return f"{one} wins"
        case several:
            return f"{', '.join(several)} win"
