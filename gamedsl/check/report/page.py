"""A report as one page of HTML that needs no other file and no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from gamedsl.check.base.statistics import Estimate
from gamedsl.check.coverage import page as coverage_page
from gamedsl.check.report import charts as pictures
from gamedsl.check.report import verdicts as report_verdicts
from gamedsl.check.report.contents import Report
from gamedsl.check.report.state_graph import as_svg
from gamedsl.check.report.verdicts import findings, verdicts
from gamedsl.check.simulate.summary import Summary
from gamedsl.check.solve.text import outcome
from gamedsl.core.nodes import Paragraph, Part

STYLE = (
    coverage_page.STYLE
    + """
h1 { margin-bottom: 0 } .by { color: #555; margin-top: .2em }
table.plain { border-collapse: collapse } table.plain td, table.plain th { padding: .15em .8em; text-align: left }
table.plain td.n { text-align: right } .clause { color: #666; font-size: 85% } .wide { overflow-x: auto }
code { background: #f2f2f2; padding: 0 .2em }
.boards svg { max-width: 30em; height: auto }
.boards { display: flex; flex-wrap: wrap; gap: 2em } figure { margin: 0 } figcaption { color: #555; font-size: 90% }
"""
    + report_verdicts.STYLE
)
HEADINGS = {"about": "", "goal": "Goal", "rule": "Rules", "note": "Notes", "presentation": "How it is shown"}


def as_page(report: Report, boards: Sequence[tuple[str, str]] = ()) -> str:
    """The whole page. ``boards``: pictures of positions (SVG), each with what it shows."""
    program = report.game.program
    title = escape(program.title)
    sections = [_head(report), *_boards(boards), *_rules(report), *findings(report), *verdicts(report)]
    sections += [*_value(report), *_plays(report), *_graph(report)]
    sections += [*_clauses(report), "<h2>Coverage by random plays</h2>", f"<p>{escape(report.coverage.told)}</p>"]
    sections += [coverage_page.body(report.coverage)]
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>\n'
        + "\n".join(sections)
        + "</html>\n"
    )


def _boards(boards: Sequence[tuple[str, str]]) -> Iterator[str]:
    if boards:
        figures = (f"<figure>{svg}<figcaption>{escape(told)}</figcaption></figure>" for told, svg in boards)
        yield f'<div class="boards">{"".join(figures)}</div>'


def _head(report: Report) -> str:
    game, part = report.game, report.game.program.parts[0]
    by = " · ".join(escape(x) for x in (part.by, part.source) if x)
    rows = [("players", ", ".join(game.players))]
    rows += [(f"option {name}", value) for name, value in game.options.items()]
    rows += [("rules", f"sha256 {game.digest}")]
    return f"<h1>{escape(game.title)}</h1><p class='by'>{by}</p>" + table(rows, numbers=False)


def table(rows: Iterable[tuple[str, ...]], head: tuple[str, ...] = (), numbers: bool = True) -> str:
    """A plain table; ``numbers`` stand to the right."""
    top = "<tr>" + "".join(f"<th>{escape(h)}</th>" for h in head) + "</tr>" if head else ""
    return f'<table class="plain">{top}{"".join(_row(cells, numbers) for cells in rows)}</table>'


def _row(cells: tuple[str, ...], numbers: bool) -> str:
    kinds = (' class="n"' if numbers and c[:1].isdigit() and i else "" for i, c in enumerate(cells))
    return "<tr>" + "".join(f"<td{k}>{escape(c)}</td>" for k, c in zip(kinds, cells, strict=True)) + "</tr>"


# ----------------------------------------------------------------------------------------------------------- rules


def _rules(report: Report) -> Iterator[str]:
    told: set[tuple[Paragraph, ...]] = set()
    for part in report.game.program.parts:
        if part.info and part.info not in told:
            told.add(part.info)
            yield from _part(part, len(told) > 1)


def _part(part: Part, inner: bool) -> Iterator[str]:
    if inner:
        yield f"<h2>{escape(part.title or part.name)}</h2>"
    heading = None
    for p in part.info:
        words = HEADINGS.get(p.key, p.key)
        if words and words != heading:
            yield f"<h3>{escape(words)}</h3>"
        heading = words
        cites = f' <span class="clause">{escape(", ".join(p.clauses))}</span>' if p.clauses else ""
        yield f"<p>{escape(p.text)}{cites}</p>"


def _clauses(report: Report) -> Iterator[str]:
    used = dict(report.coverage.clauses)
    rows = []
    for number, words in report.game.program.clauses:
        hits = used.get(number)
        rows.append((number, words, "" if hits is None else f"{hits:,}"))
    if rows:
        yield "<h2>Clauses</h2>"
        yield table(rows, ("clause", "what it says", "used"))


# ----------------------------------------------------------------------------------------------------------- plays


def _plays(report: Report) -> Iterator[str]:
    found = report.simulation.summary
    yield f"<h2>{found.plays:,} random plays</h2><p>Everybody chooses at random; seed {report.seed}.</p>"
    bars = [
        (s.player, [("won", _value_of(s.win_share), pictures.COLOURS[2]), ("drawn", _value_of(s.draw_share), pictures.GREY),
                    ("lost", _value_of(s.loss_share), pictures.COLOURS[1])])
        for s in found.seats
    ]  # fmt: skip
    yield pictures.share_bars(bars, "won, drawn and lost, a bar a player")
    head = ("player", "won", "drawn", "lost", "mean utility (95 % interval)")
    yield table(
        ((s.player, f"{s.wins:,}", f"{s.draws:,}", f"{s.losses:,}", _interval(s.utility)) for s in found.seats), head
    )
    if found.unfinished:
        yield f"<p>{found.unfinished:,} plays were not finished.</p>"
    yield from _lengths(found)
    yield from _branching(found)
    yield from _kinds(found)


def _value_of(share: Estimate | None) -> float:
    return 0.0 if share is None else share.value


def _interval(e: Estimate | None) -> str:
    if e is None:
        return ""
    return f"{e.value:.3f}" + (f" ({e.low:.3f} to {e.high:.3f})" if e.low is not None else "")


def _lengths(found: Summary) -> Iterator[str]:
    if found.lengths is not None:
        n = found.lengths
        yield f"<h3>Length</h3><p>{n.shortest} to {n.longest} {n.unit}, {n.mean.value:.1f} on average, median {n.median:g}.</p>"
        yield pictures.histogram(
            [(b.low, b.high, b.count) for b in n.histogram], f"how many plays had how many {n.unit}"
        )


def _branching(found: Summary) -> Iterator[str]:
    if found.branching is not None:
        b = found.branching
        yield (
            f"<h3>Choices</h3><p>{b.mean:.1f} a decision on average, {b.largest} at most; "
            f"{b.forced:.1%} of the decisions were forced.</p>"
        )
        yield pictures.curve([(float(p.ply), p.mean) for p in b.by_ply], "mean number of choices, ply by ply")


def _kinds(found: Summary) -> Iterator[str]:
    rows = [(f"{k.part}: {k.name}" if k.part else k.name, f"{k.uses:,}", f"{k.share:.1%}") for k in found.kinds]
    if rows:
        yield "<h3>Kinds of move</h3>" + table(rows, ("move", "made", "share of plies"))


# ------------------------------------------------------------------------------------------------ value and graph


def _value(report: Report) -> Iterator[str]:
    if report.solved is not None:
        s = report.solved
        yield f"<h2>Best play</h2><p>{escape(outcome(s))} ({s.positions:,} positions looked at)</p>"
        if s.line:
            yield f"<p>One best play: <code>{escape('; '.join(s.line))}</code></p>"


def _graph(report: Report) -> Iterator[str]:
    if report.graph is not None and report.graph.ways:
        yield f"<h2>All positions</h2><p>{len(report.graph.nodes)} positions, {len(report.graph.ways)} ways on.</p>"
        yield f'<div class="wide">{as_svg(report.graph)}</div>'
