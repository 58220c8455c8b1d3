"""Formats the results of a simulation as tables with bars."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator
from math import floor, log10
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gamedsl.cli.output import wants_colour
from gamedsl.lab.statistics import Estimate
from gamedsl.language.core import with_identifier

if TYPE_CHECKING:
    from gamedsl.lab.simulate import Branching, ChanceUse, KindUse, Lengths, SeatResult, Simulation

BAR = 24  # columns of the longest bar
SHORT_BAR = 12
MOST_OUTCOMES = 12  # outcomes shown per chance event
MOST_PLIES = 48  # columns of the profile


def tables(done: Simulation, names: tuple[str, ...]) -> Iterator[str]:
    """The lines to print. ``names``: the names of the seats."""
    draft = _Draft()
    found = done.summary
    title = done.plan.game.title
    draft.line(f"{title}: {_counted(found.plays, 'game')}, seed {done.plan.seed}")
    if set(names) != {"random"}:
        draft.line(", ".join(f"{player} is {name}" for player, name in zip(done.plan.game.players, names, strict=True)))
    if found.unfinished:
        draft.line(
            f"{found.unfinished:,} of them unfinished after {done.plan.most:,} steps; they count only for the moves"
        )
    if found.plays > found.unfinished:
        draft.add(_results(found.seats, draft))
    if found.lengths is not None:
        draft.line(_length_line(found.lengths, draft))
        draft.add(_histogram(found.lengths, draft))
    if found.branching is not None:
        _branching(found.branching, draft)
    if found.kinds:
        draft.add(_kinds(found.kinds, draft))
    if found.never_used:
        draft.line(f"never used: {', '.join(with_identifier(k.words, k.identifier) for k in found.never_used)}")
    for event in found.chance:
        draft.line(_chance_line(event))
    draft.line(_speed(done))
    return draft.lines()


class _Draft:
    """Lines and tables, rendered for standard output."""

    def __init__(self) -> None:
        self.ascii = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
        width = max(60, min(shutil.get_terminal_size((80, 24)).columns, 120))
        colour = wants_colour(sys.stdout)
        self.file = io.StringIO()
        self.console = Console(
            file=self.file, width=width, force_terminal=colour, no_color=not colour, highlight=False, soft_wrap=False
        )

    def line(self, text: str) -> None:
        """Adds a paragraph."""
        self.console.print(Text(text))

    def add(self, table: Table) -> None:
        """Adds a table."""
        self.console.print(table)

    def bar(self, share: float, width: int = BAR) -> Text:
        """A bar for a share from 0 to 1, in steps of an eighth of a column."""
        eighths = min(8 * width, max(round(8 * width * share), 1 if share > 0 else 0))
        if self.ascii:
            return Text("#" * ((eighths + 7) // 8), "cyan")
        return Text("█" * (eighths // 8) + ("", *"▏▎▍▌▋▊▉")[eighths % 8], "cyan")

    def estimate(self, found: Estimate, sign: str = "") -> str:
        """A value and the half-width of its interval, to two digits of the latter."""
        if found.high is None:
            return f"{found.value:{sign}.2f}"
        half = found.high - found.value
        digits = min(6, max(0, 1 - floor(log10(half)))) if half > 0 else 2
        return f"{found.value:{sign}.{digits}f} {'+-' if self.ascii else '±'} {half:.{digits}f}"

    def table(self, name: str, *columns: str) -> Table:
        """An empty table of names and numbers. A column whose title begins with ``<`` is left-aligned."""
        made = Table(box=None if self.ascii else SIMPLE_HEAD, pad_edge=False, show_edge=False)
        made.add_column(name.removeprefix("<"), justify="left" if name.startswith("<") else "right", overflow="fold")
        for column in columns:
            side = "left" if column.startswith("<") else "right"
            made.add_column(column.removeprefix("<"), justify=side, no_wrap=True)  # type: ignore[arg-type]
        return made

    def lines(self) -> Iterator[str]:
        return (line.rstrip() for line in self.file.getvalue().splitlines())


# ----------------------------------------------------------------------------------------------------- results


def _results(seats: tuple[SeatResult, ...], draft: _Draft) -> Table:
    table = draft.table("<player", "wins", "<95 %", "<", "draws", "losses", "utility (95 %)")
    for seat in seats:
        assert seat.win_share is not None and seat.utility is not None
        table.add_row(
            Text(seat.player),
            _percent(seat.win_share.value),
            _interval(seat.win_share),
            draft.bar(seat.win_share.value, SHORT_BAR),
            _share(seat.draw_share),
            _share(seat.loss_share),
            draft.estimate(seat.utility, "+"),
        )
    return table


def _share(found: Estimate | None) -> str:
    return "" if found is None else _percent(found.value)


def _percent(share: float) -> str:
    return "100 %" if share == 1 else f"{100 * share:.1f} %"


def _interval(found: Estimate) -> str:
    """A confidence interval of a share, in percent."""
    assert found.low is not None and found.high is not None
    high = "100" if found.high == 1 else f"{100 * found.high:.1f}"
    return f"{100 * found.low:.1f} to {high}"


def _length_line(found: Lengths, draft: _Draft) -> str:
    spread = "" if found.deviation is None else f", deviation {found.deviation:.1f}"
    ends = f"median {found.median:g}, from {found.shortest} to {found.longest}"
    return f"\n{found.unit}: mean {draft.estimate(found.mean)}, {ends}{spread}"


def _histogram(found: Lengths, draft: _Draft) -> Table:
    table = draft.table(found.unit, "games", "share", "<")
    plays = sum(b.count for b in found.histogram)
    most = max(b.count for b in found.histogram)
    for b in found.histogram:
        span = str(b.low) if b.low == b.high else f"{b.low} to {b.high}"
        table.add_row(span, f"{b.count:,}", _percent(b.count / plays), draft.bar(b.count / most))
    return table


# ------------------------------------------------------------------------------------------------------- moves


def _branching(found: Branching, draft: _Draft) -> None:
    sampled = found.decisions < found.all_decisions
    of = f" (seen at {found.decisions:,} of {found.all_decisions:,} decisions)" if sampled else ""
    forced = _percent(found.forced)
    draft.line(f"\nchoices: mean {found.mean:.2f} a decision, at most {found.largest}, in {forced} only one{of}")
    profile = [w.mean for w in found.by_ply][:MOST_PLIES]
    if len(profile) > 1 and not draft.ascii:
        top = max(profile)
        marks = "".join("▁▂▃▄▅▆▇█"[min(7, int(8 * mean / top))] for mean in profile)
        draft.line(f"ply by ply: {marks} (to {len(profile)}, top {top:.1f})")


def _kinds(kinds: tuple[KindUse, ...], draft: _Draft) -> Table:
    """The moves in the words of the players; where the rules name one of them differently, with these names."""
    is_named = any(k.words != k.identifier for k in kinds)
    table = draft.table("<move", *(["<in the rules"] if is_named else []), "uses", "share of plies", "<")
    most = max((k.share for k in kinds), default=0) or 1
    for kind in kinds:
        if kind.uses:
            names = [Text(kind.words), *([Text(kind.identifier)] if is_named else [])]
            bar = draft.bar(kind.share / most, SHORT_BAR if is_named else BAR)
            table.add_row(*names, f"{kind.uses:,}", _percent(kind.share), bar)
    return table


def _chance_line(event: ChanceUse) -> str:
    name = f"{event.part}: {event.name}" if event.part else event.name
    if not event.falls:
        return f"{name}: never"
    told = [f"{outcome} {_percent(count / event.falls)}" for outcome, count in event.outcomes[:MOST_OUTCOMES]]
    more = len(event.outcomes) - len(told)
    return f"{name} ({event.falls:,} times): {', '.join(told)}{f' and {more} more' if more else ''}"


# ------------------------------------------------------------------------------------------------------- words


def _speed(done: Simulation) -> str:
    by = "compiled rules" if done.backend == "native" else "the interpreter"
    reason = f", as {done.reason}" if done.reason else ""
    return f"\n{done.plays_per_second:,.0f} games a second of processor time in {_counted(done.threads, 'thread')} by {by}{reason}"


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
