"""Summarizes a tally in the terms of the game: seats, names of moves, chance outcomes, with intervals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from gamedsl.engine import MoveKind
from gamedsl.lab.simulate.tally import Tally
from gamedsl.lab.statistics import Bin, Estimate, bins, deviation, mean, median, wilson
from gamedsl.language.core import has_decisions, words, words_of_move
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class SeatResult:
    """A player's results in the finished games: counts, proportions, and mean utility (None: no game was finished)."""

    player: str
    wins: int
    draws: int
    losses: int
    win_share: Estimate | None
    draw_share: Estimate | None
    loss_share: Estimate | None
    utility: Estimate | None


PLIES, FALLS = "plies", "outcomes of chance"  # units of length


@lazy_dataclass(frozen=True)
class Lengths:
    """The lengths of the finished games. ``unit``: plies, or chance outcomes if nobody ever decides."""

    mean: Estimate
    deviation: float | None
    median: float
    shortest: int
    longest: int
    counts: tuple[tuple[int, int], ...]  # (plies, games), ascending by plies
    histogram: tuple[Bin, ...]
    unit: str = PLIES


@lazy_dataclass(frozen=True)
class PlyWidth:
    """The mean number of choices at a ply (from 1), and the number of decisions it averages."""

    ply: int
    decisions: int
    mean: float


@lazy_dataclass(frozen=True)
class Branching:
    """The choices per decision.

    ``forced``: the proportion of decisions with a single choice. Drawings are excluded. ``decisions``: how many
    were counted, out of ``all_decisions``; fewer if counting choices takes longer than playing.
    """

    decisions: int
    all_decisions: int
    mean: float
    largest: int
    forced: float
    by_ply: tuple[PlyWidth, ...]


@lazy_dataclass(frozen=True)
class KindUse:
    """How often a kind of move was used, and its share of all plies. ``name``, ``part``: its names in the rules.
    ``words``: its name for players. ``mistake``: made by mistake: never proposed, and not counted as a legal move.
    """

    name: str
    part: str  # empty at the top level
    words: str
    uses: int
    share: float
    mistake: bool

    @property
    def identifier(self) -> str:
        """Its names in the rules, for authors: ``part: name``."""
        return f"{self.part}: {self.name}" if self.part else self.name


@lazy_dataclass(frozen=True)
class ChanceUse:
    """The outcomes of one chance event in the rules, with their frequencies."""

    name: str
    part: str
    falls: int
    outcomes: tuple[tuple[str, int], ...]


@lazy_dataclass(frozen=True)
class Summary:
    """A summary of many games.

    ``lengths`` is None if no game was finished, ``branching`` if nobody had to decide. A quick simulation counts
    results only, and in games without chance of at most 4094 plies also lengths.
    """

    plays: int
    unfinished: int
    seats: tuple[SeatResult, ...]
    lengths: Lengths | None
    branching: Branching | None
    kinds: tuple[KindUse, ...]
    chance: tuple[ChanceUse, ...]

    @property
    def never_used(self) -> tuple[KindUse, ...]:
        """The kinds of move that nobody made, except mistakes."""
        return tuple(k for k in self.kinds if not k.uses and not k.mistake)

    def to_json(self) -> dict[str, Any]:
        """Returns the summary as plain data; docs/guide/simulate.md describes its fields."""
        data = asdict(self)
        if self.lengths is not None:
            data["lengths"]["counts"] = {str(plies): plays for plies, plays in self.lengths.counts}
        for use in data["chance"]:
            use["outcomes"] = dict(use["outcomes"])
        data["never_used"] = [k.identifier for k in self.never_used]
        return data


def summarize(tally: Tally, program: n.Program) -> Summary:
    """Summarizes a tally of games of this program."""
    return Summary(
        plays=tally.plays,
        unfinished=tally.unfinished,
        seats=tuple(_seat(tally, program, i) for i in range(len(program.players.names))),
        lengths=_lengths(tally, PLIES if has_decisions(program) else FALLS),
        branching=_branching(tally),
        kinds=tuple(_kinds(tally, program)),
        chance=tuple(_chance(tally, program)),
    )


def _seat(tally: Tally, program: n.Program, player: int) -> SeatResult:
    ends: Counter[int] = Counter()
    utilities: Counter[int] = Counter()
    for (whose, how, utility), plays in tally.results.items():
        if whose == player:
            ends[how] += plays
            utilities[utility] += plays
    number = tally.finished
    shares = (wilson(ends[1], number), wilson(ends[0], number), wilson(ends[-1], number))
    name = program.players.names[player]
    average = mean(utilities)
    if average is not None and len(utilities) == 1:  # equal values do not tell how far others may be from them
        average = Estimate(average.value, None, None)
    return SeatResult(name, ends[1], ends[0], ends[-1], *shares, average)


def _lengths(tally: Tally, unit: str) -> Lengths | None:
    """Returns the lengths; None unless every finished game was measured."""
    counts = tally.lengths
    average, middle = mean(counts), median(counts)
    if average is None or middle is None or counts.total() < tally.finished:
        return None
    ordered = tuple(sorted(counts.items()))
    return Lengths(average, deviation(counts), middle, ordered[0][0], ordered[-1][0], ordered, bins(counts), unit)


def _branching(tally: Tally) -> Branching | None:
    widths = tally.widths
    number = widths.decisions
    if not number:
        return None
    by_ply = tuple(PlyWidth(ply + 1, at, widths.sums[ply] / at) for ply, at in sorted(widths.at.items()))
    return Branching(number, tally.decisions, widths.choices / number, widths.widest, widths.forced / number, by_ply)


def _kinds(tally: Tally, program: n.Program) -> Iterator[KindUse]:
    """Yields the schemas in order, then the passes, values and drawings in the rules, with equal ones merged.

    Yields nothing if no ply was counted.
    """
    if not tally.plies:
        return
    for schema in program.schemas:
        names = schema.name, _part_name(program, schema.part), words_of_move(schema)
        yield _use(tally, names, tally.kinds["move", schema.index], schema.mistake)
    uses: Counter[tuple[str, int]] = Counter()
    for block in program.blocks:
        kind, name = _other_kind(block.end)
        if kind is not None:
            uses[name, block.part] += tally.kinds[kind, block.index]
    for (name, number), count in uses.items():
        yield _use(tally, (name, _part_name(program, number), _spoken(name)), count)


def _spoken(name: str) -> str:
    """``choose first_mark[b]`` as people say it: ``choose first mark of b``."""
    return words(re.sub(r"\[(.+)\]$", r" of \1", name))


def _other_kind(end: object) -> tuple[MoveKind | None, str]:
    match end:
        case n.Decide(may_pass=int()):
            return "pass", "pass"
        case n.Choose(var=var):
            return "choose", f"choose {var.name}"
        case n.DecideDrawing(strokes=strokes):
            return "drawing", f"draw {', '.join(strokes)}"
        case _:
            return None, ""


def _use(tally: Tally, names: tuple[str, str, str], uses: int, mistake: bool = False) -> KindUse:
    return KindUse(*names, uses, uses / max(1, tally.plies), mistake)


def _part_name(program: n.Program, part: int) -> str:
    return program.parts[part].name if part else ""


def _chance(tally: Tally, program: n.Program) -> Iterator[ChanceUse]:
    """Yields chance events in the order of the rules.

    Blocks that sample the same thing from the same outcomes are one event. Yields nothing if games were not counted
    in detail.
    """
    if not tally.plies and not tally.outcomes:
        return
    events: dict[tuple[str, int], Counter[str]] = {}
    for block in program.blocks:
        if isinstance(block.end, n.Chance):
            name = f"{block.end.what} {block.end.result.name}"
            falls = events.setdefault((name, block.part), Counter())
            for number, outcome_name in enumerate(block.end.names):
                falls[outcome_name] += tally.outcomes[block.index, number]
    for (name, part), falls in events.items():
        kept = tuple((count, c) for count, c in falls.items() if c)
        yield ChanceUse(name, _part_name(program, part), falls.total(), kept)
