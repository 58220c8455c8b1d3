"""The words in which counted playouts leave their counts.

First a tally as of any series (``results.py``), but with more bins; its second word is the number of
decisions (of plies drawn, if nobody decides). Then:

- ``CHOICES_FIRST``: the choices at the first decision if each later one has one fewer, in which case nothing else about
  branching is counted; else 0
- ``WIDEST``, ``FORCED``: the most choices at one decision, and the number of decisions with a single choice
- ``SAMPLED``: 1 if choices are counted at a sample of the decisions (``at`` counts these)
- ``ALL_MOVES``: 1 + the number of the only key, which is then not counted; 0 if there are several
- ``cut``: the decisions of unfinished playouts, as a histogram
- ``at``, ``sums``: decisions and choices by ply, in rows (one for each group of lanes); the last column: later plies
- ``kinds``: uses of each key (a kind of move, a stop where players pass or choose, an outcome of chance)
- ``utilities``: of every playout and player, if the rules give points; ``NO_RESULT`` for an unfinished one
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias

from gamedsl.language.core import greatest_utility, has_decisions
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

PROFILE = 200  # plies for which branching is counted separately
COLUMNS = PROFILE + 1
ROWS = 8
LENGTHS = 1 << 14  # bins of a histogram of lengths
SAMPLE = 64  # if counting choices takes longer than a ply, one decision in this many is counted (a power of 2)
WHOLE_PLAYS = 16  # in the first playouts, all decisions are counted
NO_RESULT = -(1 << 63)

Key: TypeAlias = tuple[
    Literal["move", "pass", "choose", "chance"], int, int
]  # "move", schema, 0; "pass" or "choose", block, 0; "chance", block, outcome


@lazy_dataclass(frozen=True)
class CountsLayout:
    """The places of a program's counts. Blocks and kinds of moves are those of the original program."""

    program: n.Program

    @cached_property
    def keys(self) -> dict[Key, int]:
        """The number of every key."""
        found: list[Key] = [("move", s.index, 0) for s in self.program.schemas]
        for block in self.program.blocks:
            match block.end:
                case n.Decide(may_pass=int()):
                    found.append(("pass", block.index, 0))
                case n.Choose():
                    found.append(("choose", block.index, 0))
                case n.Chance(names=names):
                    found.extend(("chance", block.index, i) for i in range(len(names)))
        return {key: i for i, key in enumerate(found)}

    @cached_property
    def players(self) -> int:
        return self.program.players.size

    @cached_property
    def points(self) -> bool:
        """Whether there are utilities other than -1, 0 and 1."""
        return greatest_utility(self.program) > 1

    @cached_property
    def decisive(self) -> bool:
        """Whether the length of a playout is the number of its decisions."""
        return has_decisions(self.program)

    @property
    def lengths(self) -> int:
        return 3 + 5 * self.players

    @property
    def flags(self) -> int:
        return self.lengths + LENGTHS

    @property
    def choices_first(self) -> int:
        return self.flags

    @property
    def widest(self) -> int:
        return self.flags + 1

    @property
    def forced(self) -> int:
        return self.flags + 2

    @property
    def sampled(self) -> int:
        return self.flags + 3

    @property
    def all_moves(self) -> int:
        return self.flags + 4

    @property
    def cut(self) -> int:
        return self.flags + 5

    @property
    def at(self) -> int:
        return self.cut + LENGTHS

    @property
    def sums(self) -> int:
        return self.at + COLUMNS

    @property
    def kinds(self) -> int:
        return self.sums + ROWS * COLUMNS

    @property
    def utilities(self) -> int:
        return self.kinds + max(1, len(self.keys))

    def size(self, plays: int) -> int:
        """The number of words for this many playouts."""
        return self.utilities + (plays * self.players if self.points else 0)


@lazy_dataclass(frozen=True)
class Origins:
    """The kinds of moves and blocks of the original program for those of a program after passes."""

    program: n.Program
    blocks: tuple[int, ...]

    @cached_property
    def _kinds(self) -> dict[tuple[str, int], int]:
        return {(s.name, s.part): s.index for s in self.program.schemas}

    def kind(self, name: str, part: int) -> int:
        """The number of a kind of move, found by its name and part, which copies for single players keep."""
        return self._kinds[name, part]
