"""Converts codes of moves (``move_codes.py``) to the numbers of the game's action space.

As with the tables of moves, all stops where moves are made share one table; the others have their own.
"""

from __future__ import annotations

from gamedsl.compiler.host.move_tables import Code, MoveTable
from gamedsl.engine import MOVE_CACHE_SIZE, ActionSpace


class ActionTable(dict[Code, int]):
    """The numbers of codes seen so far."""

    def __init__(self, space: ActionSpace, moves: MoveTable) -> None:
        super().__init__()
        self.space, self.moves = space, moves

    def __missing__(self, code: Code) -> int:
        if len(self) >= MOVE_CACHE_SIZE:
            self.clear()
        number = self[code] = self.space.number(self.moves[code])
        return number


def action_tables(space: ActionSpace, tables: list[MoveTable]) -> list[ActionTable]:
    """The table of every block of the program."""
    made = {id(table): ActionTable(space, table) for table in tables}
    return [made[id(table)] for table in tables]
