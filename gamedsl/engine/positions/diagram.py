"""Diagrams of boards: one word per cell, in the symbols of the ruleset's ``look``.

A symbol stands for the contents of its cell. The symbols are found by trial: each possible content is put on the board
alone, and the look shows its symbol.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.engine.information.unknown_values import Unknown
from gamedsl.engine.positions.board_text import shown_words
from gamedsl.engine.positions.names import slot_names
from gamedsl.engine.state import State
from gamedsl.engine.stop import codes_of
from gamedsl.language.boards import IN_ROWS, Board, Domain
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.state import Game
    from gamedsl.engine.values import Slots, Value

MOST_VALUES = 64  # of a variable that a diagram can show

# the content of a cell: a variable, the slot of a piece (0 else), and the number of pieces or the value
Content: TypeAlias = tuple[int, int, int]
NOTHING: Content = (-1, 0, 0)


@lazy_dataclass(frozen=True)
class Diagram:
    """The diagram of a part's board. ``pieces``: the kinds of pieces that stand on its cells; ``values``: the variables
    with a value for each cell, which it shows if there are no pieces."""

    game: Game
    part: n.Part
    board: Board
    cells: Domain
    pieces: tuple[n.PieceKind, ...]
    values: tuple[n.Var, ...]
    rows: tuple[tuple[int, ...], ...] = field(repr=False)  # cells by row, from the top and from the left

    @cached_property
    def variables(self) -> tuple[n.Var, ...]:
        """The variables that the diagram shows."""
        return tuple(p.var for p in self.pieces) or self.values

    @cached_property
    def symbols(self) -> tuple[dict[str, Content], ...]:
        """Per cell, the content that every symbol stands for."""
        contents = (NOTHING, *self._contents())
        shown = [self._words(content) for content in contents]
        return tuple(self._meanings(contents, [words[cell] for words in shown]) for cell in range(self.cells.size))

    def _meanings(self, contents: tuple[Content, ...], words: list[str]) -> dict[str, Content]:
        """The symbols of one cell: the words that the look shows there, or a name if the look shows the same word for
        something else as well."""
        found: dict[str, Content] = {}
        for content, word in zip(contents, words, strict=True):
            if words.count(word) == 1 or content == NOTHING:
                found[word] = content
        for content in contents:
            if content not in found.values():
                spare = [w for w in self._spare_words(content) if w not in found]
                found |= dict.fromkeys(spare[:1], content)
        return found

    def _spare_words(self, content: Content) -> Iterator[str]:
        """Names for a content that the look does not distinguish from others."""
        index, slot, value = content
        var = self.game.program.variables[index]
        owner = slot_names(var.keys)[slot] if self.pieces else ""
        height = "" if self._is_flat(var) else str(value)
        if not owner:
            yield from (var.name[:1] + height, var.name + height)
        elif sum(bool(p.var.keys) for p in self.pieces) == 1:
            yield owner + height
        yield f"{var.name}[{owner}]{height}"

    def _is_flat(self, var: n.Var) -> bool:
        return any(p.var is var and p.above is None for p in self.pieces)

    @cached_property
    def words(self) -> tuple[dict[Content, str], ...]:
        """Per cell, the symbol of every possible content."""
        return tuple({content: word for word, content in here.items()} for here in self.symbols)

    def _contents(self) -> Iterator[Content]:
        for piece in self.pieces:
            highest = 1 if piece.above is None else limits(piece.above.type)[1] + 1
            for slot in range(piece.var.slots):
                yield from ((piece.var.index, slot, height) for height in range(1, highest + 1))
        for var in self.values if not self.pieces else ():
            low, high = limits(var.type)
            yield from ((var.index, 0, value) for value in range(low, high + 1) if value != var.initial[0])

    def _words(self, content: Content) -> list[str]:
        """The words that the look shows when every cell has this content and nothing else is on the board."""
        slots = self.game.first_values()
        _lay(self.game, slots, content, self.cells)
        state = self.game.make_state(self.game.program.entry, tuple(slots))
        return shown_words(state, self.part, self.cells, trial=True)

    # -------------------------------------------------------------------------------------------- a state's diagram

    def of(self, state: State) -> list[str] | None:
        """The rows of a state's diagram; None if the symbols cannot express the content of a cell."""
        words = self.cell_words(state)
        return None if words is None else self._spaced(words)

    def cell_words(self, state: State) -> list[str] | None:
        """The symbol of every cell; None if the symbols cannot express the content of one."""
        words = []
        values = {v.index: codes_of(state, v) for v in (*self.variables, *(p.above for p in self.pieces if p.above))}
        for cell in range(self.cells.size):
            standing = self._standing(values, cell)
            content = standing[0] if len(standing) == 1 else NOTHING
            word = self.words[cell].get(content)
            if word is None or len(standing) > 1:
                return None
            words.append(word)
        return words

    def _standing(self, values: Mapping[int, list[Value]], cell: int) -> list[Content]:
        found: list[Content] = []
        for piece in self.pieces:
            for slot, here in enumerate(values[piece.var.index]):
                if not isinstance(here, Unknown) and here >> cell & 1:
                    more = 0 if piece.above is None else values[piece.above.index][slot * self.cells.size + cell]
                    found.append((piece.var.index, slot, 1 + more))
        for var in self.values if not self.pieces else ():
            value = values[var.index][cell]
            if not isinstance(value, Unknown) and value != var.initial[cell]:
                found.append((var.index, 0, value))
        return found

    def _spaced(self, words: list[str]) -> list[str]:
        """Rows with every word in its column."""
        width = max(map(len, words)) + 1
        across = [self.board.position(self.board.place, i)[0] for i in range(self.cells.size)]
        left = min(across)
        lines = []
        for row in self.rows:
            line = ""
            for cell in row:
                column = round((across[cell] - left) * width)
                line = line.ljust(max(column, len(line) + bool(line))) + words[cell]
            lines.append(line)
        return lines


def _lay(game: Game, slots: Slots, content: Content, cells: Domain) -> None:
    """Gives every cell this content."""
    index, slot, value = content
    if content == NOTHING:
        return
    var, at = game.program.variables[index], game.code.offsets[index]
    if not isinstance(var.type, n.SetT) or var.role != "piece":
        slots[at : at + cells.size] = [value] * cells.size
        return
    slots[at + slot] = cells.full
    above = game.variable(f"{var.name} above", var.part)
    if above is not None:
        start = game.code.offsets[above.index] + slot * cells.size
        slots[start : start + cells.size] = [value - 1] * cells.size


def diagram_of(state: State) -> Diagram | None:
    """The diagram of the board in play; None if there is no board in rows, or nothing is shown on it."""
    parts = state.game.program.parts
    index = next((i for i in (state.part, 0) if parts[i].board is not None), None)
    return None if index is None else _diagram(state.game, index)


@lru_cache(maxsize=16)
def _diagram(game: Game, index: int) -> Diagram | None:
    part = game.program.parts[index]
    board = part.board
    if board is None or board.kind not in IN_ROWS or board.place not in board.domains:
        return None
    cells = board.domains[board.place]
    pieces = tuple(p for p in part.pieces if p.on_board)
    values = tuple(v for v in game.program.variables if v.part == index and _has_value_a_cell(v, cells))
    by_height: dict[float, list[tuple[float, int]]] = {}
    for cell in range(cells.size):
        x, y = board.position(board.place, cell)
        by_height.setdefault(y, []).append((x, cell))
    rows = tuple(tuple(cell for _, cell in sorted(by_height[y])) for y in sorted(by_height))
    is_shown = pieces or (values and any(mark.kind == "show" for mark in part.looks))
    return Diagram(game, part, board, cells, pieces, values, rows) if is_shown else None


def _has_value_a_cell(var: n.Var, cells: Domain) -> bool:
    if var.role == "temp" or var.keys != (cells,) or isinstance(var.type, n.StoredT | n.SetT):
        return False
    low, high = limits(var.type)
    return high - low < MOST_VALUES
