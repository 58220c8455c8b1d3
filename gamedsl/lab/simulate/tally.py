"""Exact counts over games. The tallies of disjoint sets of games add up to the tally of their union."""

from __future__ import annotations

from collections import Counter
from dataclasses import field, fields

from gamedsl.engine import MoveKind
from gamedsl.language.source import lazy_dataclass

PROFILE = 200  # the branching factor is recorded for each ply up to this one


def outcome(utilities: tuple[float, ...], player: int) -> int:
    """Returns 1 for a win, -1 for a loss, 0 for a tie.

    The highest utility wins; if all are equal it is a tie. For a sole player the sign of the utility decides.
    """
    if len(utilities) == 1:
        return (utilities[0] > 0) - (utilities[0] < 0)
    if min(utilities) == max(utilities):
        return 0
    return 1 if utilities[player] == max(utilities) else -1


@lazy_dataclass()
class Widths:
    """The numbers of choices that players had. ``at`` and ``sums``: decisions and choices by ply (from 0)."""

    decisions: int = 0
    choices: int = 0
    widest: int = 0
    forced: int = 0  # decisions with a single choice
    at: Counter[int] = field(default_factory=Counter)
    sums: Counter[int] = field(default_factory=Counter)

    def note(self, ply: int, choices: int) -> None:
        """Counts one decision."""
        self.decisions += 1
        self.choices += choices
        self.widest = max(self.widest, choices)
        self.forced += choices == 1
        if ply < PROFILE:
            self.at[ply] += 1
            self.sums[ply] += choices

    def add(self, other: Widths) -> None:
        """Adds the decisions of ``other``."""
        self.decisions += other.decisions
        self.choices += other.choices
        self.widest = max(self.widest, other.widest)
        self.forced += other.forced
        self.at.update(other.at)
        self.sums.update(other.sums)


@lazy_dataclass()
class Tally:
    """Counts over games. A ply is one player's decision; in a simultaneous choice each player's counts separately.

    ``results`` (by player, outcome and utility) and ``lengths`` (plies) cover finished games only; ``widths``,
    ``kinds`` and ``outcomes`` include unfinished ones. ``kinds``: by kind and schema, or by kind and block for
    actions without a schema. ``outcomes``: of chance, by block and number.
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

    @property
    def decisions(self) -> int:
        """All plies but drawings."""
        return sum(uses for (kind, _), uses in self.kinds.items() if kind != "drawing")

    def note_end(self, utilities: tuple[int, ...] | None, plies: int) -> None:
        """Counts one game; ``utilities`` are None if it was not finished."""
        self.plays += 1
        if utilities is None:
            self.unfinished += 1
        else:
            self.note_results(utilities, 1)
            self.lengths[plies] += 1

    def note_results(self, utilities: tuple[int, ...], plays: int) -> None:
        """Counts this many games that ended with these utilities."""
        for player, utility in enumerate(utilities):
            self.results[player, outcome(utilities, player), utility] += plays

    def add(self, other: Tally) -> None:
        """Adds the games of ``other``."""
        for name in (f.name for f in fields(self)):
            mine, others = getattr(self, name), getattr(other, name)
            if isinstance(mine, int):
                setattr(self, name, mine + others)
            elif isinstance(mine, Widths):
                mine.add(others)
            else:
                mine.update(others)
