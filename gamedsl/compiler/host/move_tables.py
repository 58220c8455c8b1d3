"""Converts codes of moves (``move_codes.py``) to moves of the engine, and back.

The table of a stop maps a code to its move, which is created once, and a move to its code. Stops where moves are made
share one table. A stop where a value is chosen or chance decides has its own names. A code of one word is an int, a
longer one a tuple.
"""

from __future__ import annotations

from typing import TypeAlias

from gamedsl.compiler.emit.entries.move_codes import MoveCodes
from gamedsl.compiler.emit.stop_code import CHANCE, CHOOSE, PASS
from gamedsl.engine import MOVE_CACHE_SIZE, Move, Notation, chance_text
from gamedsl.engine import PASS as PASS_TEXT
from gamedsl.language.core import nodes as n

Code: TypeAlias = int | tuple[int, ...]


class MoveTable(dict[Code, Move]):
    """The moves of codes seen so far, at stops where moves are made."""

    def __init__(self, program: n.Program, notation: Notation, codes: MoveCodes) -> None:
        super().__init__()
        self.program, self.notation, self.codes = program, notation, codes

    def __missing__(self, code: Code) -> Move:
        if len(self) >= MOVE_CACHE_SIZE:
            self.clear()
        words = (code,) if isinstance(code, int) else code
        kind, player, *args = self.codes.unpack(words)
        move = self[code] = self._move(code, kind, player, tuple(args))
        return move

    def _move(self, code: Code, kind: int, player: int, args: tuple[int, ...]) -> Move:
        if kind == PASS:
            return Move("pass", None, PASS_TEXT, player, (), PASS_TEXT, code=code)
        schema = self.program.schemas[kind]
        return Move("move", kind, schema.name, player, args[: len(schema.params)], self.notation.move_text, code=code)

    def code(self, move: Move) -> Code | None:
        """The code of a move. Returns None if the move cannot occur here."""
        return move.code if self.get(move.code) is move else self._of(self._values(move))

    def _of(self, values: tuple[int | None, ...] | None) -> Code | None:
        words = None if values is None or None in values else self.codes.pack(values)  # type: ignore[arg-type]
        return words[0] if words is not None and len(words) == 1 else words

    def _values(self, move: Move) -> tuple[int | None, ...] | None:
        """Kind, player and arguments."""
        if move.kind == "pass":
            return PASS, move.player
        if move.kind != "move" or move.schema is None or not 0 <= move.schema < len(self.program.schemas):
            return None
        fitting = len(move.args) == len(self.program.schemas[move.schema].params)
        return (move.schema, move.player, *move.args) if fitting else None


class ChoiceTable(MoveTable):
    """The table of a stop where a value is chosen."""

    def __init__(self, program: n.Program, notation: Notation, codes: MoveCodes, end: n.Choose) -> None:
        super().__init__(program, notation, codes)
        self._texts = [notation.choice_text(name) for name in end.names]

    def _move(self, code: Code, kind: int, player: int, args: tuple[int, ...]) -> Move:
        return Move("choose", None, "choose", player, (), self._texts[args[0]], code=code)

    def _values(self, move: Move) -> tuple[int | None, ...] | None:
        known = move.kind == "choose" and move.text in self._texts
        return (CHOOSE, move.player, self._texts.index(move.text)) if known else None


class OutcomeTable(MoveTable):
    """The table of a stop where chance decides."""

    def __init__(self, program: n.Program, notation: Notation, codes: MoveCodes, end: n.Chance) -> None:
        super().__init__(program, notation, codes)
        self._what, self._texts = end.what, [chance_text(end.what, name) for name in end.names]

    def _move(self, code: Code, kind: int, player: int, args: tuple[int, ...]) -> Move:
        return Move("chance", None, self._what, None, (), self._texts[args[0]], code=code)

    def _values(self, move: Move) -> tuple[int | None, ...] | None:
        known = move.kind == "chance" and move.text in self._texts
        return (CHANCE, -1, self._texts.index(move.text)) if known else None


def move_tables(program: n.Program, notation: Notation, codes: MoveCodes) -> list[MoveTable]:
    """The table of every block of the program."""
    common = MoveTable(program, notation, codes)

    def table(end: n.Terminator) -> MoveTable:
        match end:
            case n.Choose():
                return ChoiceTable(program, notation, codes, end)
            case n.Chance():
                return OutcomeTable(program, notation, codes, end)
            case _:
                return common

    return [table(b.end) for b in program.blocks]
