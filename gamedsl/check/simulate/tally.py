"""What was counted in plays, exactly: two tallies of different plays add up to the tally of all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields

from gamedsl.engine.moves import MoveKind

PROFILE = 200  # the branching factor is kept ply by ply up to this one


def outcome(utilities: tuple[int, ...], player: int) -> int:
    """1: the player has won, -1: lost, 0: a draw. Who has the most, wins; all equal is a draw, alone at the table it is 0."""
    if len(utilities) == 1:
        return (utilities[0] > 0) - (utilities[0] < 0)
    if min(utilities) == max(utilities):
        return 0
    return 1 if utilities[player] == max(utilities) else -1


@dataclass
class Widths:
    """The numbers of choices that players had. ``at`` and ``sums``: by ply (from 0), how many decisions and choices."""

    decisions: int = 0
    choices: int = 0
    widest: int = 0
    forced: int = 0  # decisions with one choice only
    at: Counter[int] = field(default_factory=Counter)
    sums: Counter[int] = field(default_factory=Counter)

    def note(self, ply: int, choices: int) -> None:
        """One decision."""
        self.decisions += 1
        self.choices += choices
        self.widest = max(self.widest, choices)
        self.forced += choices == 1
        if ply < PROFILE:
            self.at[ply] += 1
            self.sums[ply] += choices

    def add(self, other: Widths) -> None:
        """Counts the decisions of ``other`` too."""
        self.decisions += other.decisions
        self.choices += other.choices
        self.widest = max(self.widest, other.widest)
        self.forced += other.forced
        self.at.update(other.at)
        self.sums.update(other.sums)


@dataclass
class Tally:
    """Counts of plays. Plies are decisions of players, each choice that is made at once with others by itself.

    ``results`` (by player, outcome and utility) and ``lengths`` (plies) are of finished plays only;
    ``widths``, ``kinds`` and ``outcomes`` are of unfinished ones too. ``kinds``: by kind and schema, or by kind and block
    for what is no move of a schema. ``outcomes``: of chance, by block and number.
    """

    plays: int = 0
    unfinished: int = 0
    results: Counter[tuple[int, int, int]] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    widths: Widths = field(default_factory=Widths)
    kinds: Counter[tuple[MoveKind, int]] = field(default_factory=Counter)
    outcomes: Counter[tuple[int, int]] = field(default_factory=Counter)

    @property
    def finished(self) -> int:
        return self.plays - self.unfinished

    @property
    def plies(self) -> int:
        return sum(self.kinds.values())

    def note_end(self, utilities: tuple[int, ...] | None, plies: int) -> None:
        """One play; ``utilities`` are None when it was not finished."""
        self.plays += 1
        if utilities is None:
            self.unfinished += 1
        else:
            self.note_results(utilities, 1)
            self.lengths[plies] += 1

    def note_results(self, utilities: tuple[int, ...], plays: int) -> None:
        """So many plays that ended with these utilities."""
        for player, utility in enumerate(utilities):
            self.results[player, outcome(utilities, player), utility] += plays

    def add(self, other: Tally) -> None:
        """Counts the plays of ``other`` too."""
        for name in (f.name for f in fields(self)):
            mine, others = getattr(self, name), getattr(other, name)
            if isinstance(mine, int):
                setattr(self, name, mine + others)
            elif isinstance(mine, Widths):
                mine.add(others)
            else:
                mine.update(others)
