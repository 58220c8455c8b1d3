"""Lists of moves: grouped by kind, numbered, in columns; and the moves that match a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gamedsl.play.terminal.texts.messages import WIDTH

if TYPE_CHECKING:
    from gamedsl.engine import Move

MOST_OF_A_KIND = 24


def move_list(
    moves: Sequence[Move], filtered: bool, width: int = WIDTH, text: Callable[[Move], str] = str
) -> tuple[list[str], list[Move]]:
    """The numbered moves by kind in columns, and the moves in the order of the numbers. Long kinds are cut unless the
    list was filtered. ``text`` writes a move."""
    lines: list[str] = []
    numbered: list[Move] = []
    for kind, members in grouped(moves).items():
        shown = members if filtered else members[:MOST_OF_A_KIND]
        lines.append(f"{kind} ({len(members)})")
        cells = [f"{len(numbered) + i:>3} {text(m)}" for i, m in enumerate(shown, 1)]
        lines += [f" {x}" for x in columns(cells, width - 2)]
        if len(shown) < len(members):
            lines.append(f"     and {len(members) - len(shown)} more: `? {kind}`, or `? TEXT` for some")
        numbered += shown
    return lines, numbered


def grouped(moves: Sequence[Move]) -> dict[str, list[Move]]:
    """Moves by their kind, in order."""
    groups: dict[str, list[Move]] = {}
    for m in moves:
        groups.setdefault(kind_name(m), []).append(m)
    return groups


def kind_name(move: Move) -> str:
    """The displayed name of a move's kind."""
    return move.name.replace("_", " ")


def matching(moves: Sequence[Move], text: str, written: Callable[[Move], str] = str) -> list[Move]:
    """The moves whose notation contains every word of a text; if none does, those whose kind does."""
    words = text.casefold().split()
    found = [m for m in moves if all(w in written(m).casefold() for w in words)]
    return found or [m for m in moves if all(w in kind_name(m).casefold() for w in words)]


def columns(cells: Sequence[str], width: int = WIDTH - 2) -> list[str]:
    """Short strings in columns, read line by line."""
    if not cells:
        return []
    wide = max(len(c) for c in cells) + 2
    each = max(1, width // wide)
    rows = [cells[i : i + each] for i in range(0, len(cells), each)]
    return ["".join(c.ljust(wide) for c in row).rstrip() for row in rows]
