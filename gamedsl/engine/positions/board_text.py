"""A board of cells as rows of plain words: one word per cell, a dot for an empty one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from gamedsl.engine.errors import RulesError
from gamedsl.engine.information.bindings import bindings
from gamedsl.engine.positions.plain_values import value_text
from gamedsl.engine.state import State
from gamedsl.engine.stop import evaluate_at
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import nodes as n

EMPTY = "."


def board_rows(state: State) -> list[list[str]]:
    """Returns the rows of the part's board from the top, as its ``look`` shows them; empty if there is no board of
    cells.
    """
    part = state.game.program.parts[state.part]
    board = part.board
    if board is None or board.place not in board.domains:
        return []
    words = shown_words(state, part, board.domains[board.place])
    rows: dict[float, list[tuple[float, str]]] = {}
    for i, word in enumerate(words):
        x, y = board.position(board.place, i)
        rows.setdefault(y, []).append((x, word))
    return [[word for _, word in sorted(rows[y], key=lambda entry: entry[0])] for y in sorted(rows)]


def shown_words(state: State, part: n.Part, cells: Domain, trial: bool = False) -> list[str]:
    """Returns what the look of a part shows on every cell, in one word each. ``trial``: rules of the look that fail in
    this state show nothing."""
    words = [EMPTY] * cells.size
    for mark in part.looks:
        with suppress(*((RulesError,) if trial else ())):
            for cell, word in _shown_on(state, mark, cells.name) if mark.kind == "show" else ():
                words[cell] = "".join(word.split()) or words[cell]
    return words


def _shown_on(state: State, mark: n.Mark, place: str) -> Iterator[tuple[int, str]]:
    """Yields the cells that a rule of the look marks, with the text it shows there."""
    if mark.what is None or not isinstance(mark.what.type, n.SetT) or mark.what.type.domain.name != place:
        return
    for known in bindings(state, mark.binders, {}):
        text = "".join(p if isinstance(p, str) else _name(p, known) for p in mark.text)
        number = "" if mark.number is None else str(evaluate_at(state, mark.number, known))
        for cell in elements(evaluate_at(state, mark.what, known)):
            yield cell, text + number


def _name(local: n.Local, known: Mapping[int, int]) -> str:
    return str(value_text(local.type, known[local.id]))
