"""Renders a report as one self-contained HTML page. The template is ``report.html``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from markupsafe import Markup

from gamedsl.lab.base import render
from gamedsl.lab.coverage import coverage_view
from gamedsl.lab.report import charts
from gamedsl.lab.report.contents import Report
from gamedsl.lab.report.lab_views import LabFigures
from gamedsl.lab.report.state_graphs import as_svg
from gamedsl.lab.report.verdicts import claims_view
from gamedsl.lab.simulate import Branching, Lengths, SeatResult, Summary
from gamedsl.lab.solve import outcome
from gamedsl.lab.statistics import Estimate
from gamedsl.language.core import HEADINGS, byline
from gamedsl.language.core import nodes as n

View = dict[str, Any]  # values of a template


def as_page(
    report: Report,
    boards: Sequence[tuple[str, str]] = (),
    assets: str = "",
    lab: LabFigures | None = None,
    pictures: Callable[[list[str]], str] = lambda moves: "",
) -> str:
    """Returns the whole page. ``boards``: captions and pictures (HTML) of positions; ``assets``: the HTML they need,
    placed after them. ``lab``: the figures of the design lab, and the commands of all sections; ``pictures``: draws the
    position after these moves.
    """
    lab = lab or LabFigures()
    game, part = report.game, report.game.program.parts[0]
    return render(
        "report.html",
        title=game.program.title,
        by=[x for x in (byline(part.by) if part.by else "", part.source) if x],
        facts=_facts(report),
        boards=[{"caption": caption, "picture": Markup(picture)} for caption, picture in boards],
        assets=Markup(assets),
        lab=lab.view(pictures),
        commands={name: line for name, line in lab.commands.items() if boards or name != "pictures"},
        notes=lab.notes,
        rulebooks=list(_rulebooks(report)),
        findings=report.findings,
        claims=claims_view(report.verification),
        solved=_solved(report),
        plays=_plays(report),
        graph=_graph(report),
        clauses=list(_clauses(report)),
        coverage=coverage_view(report.coverage),
    )


def _facts(report: Report) -> list[tuple[str, str]]:
    game = report.game
    options = [(f"option {name}", str(value)) for name, value in game.options.items()]
    return [("players", ", ".join(game.players)), *options, ("rules", f"sha256 {game.digest}")]


def _rulebooks(report: Report) -> Iterator[View]:
    """Yields the rulebook texts of the parts, each once."""
    seen: set[tuple[n.Paragraph, ...]] = set()
    for part in report.game.program.parts:
        if part.info and part.info not in seen:
            seen.add(part.info)
            yield {"title": part.title or part.name, "paragraphs": list(_paragraphs(part))}


def _paragraphs(part: n.Part) -> Iterator[View]:
    """Yields paragraphs, each with its heading unless it is the same as the previous one."""
    before = None
    for p in part.info:
        heading = "" if p.key == "about" else HEADINGS[p.key]
        yield {"heading": "" if heading == before else heading, "text": p.text, "clauses": p.clauses}
        before = heading


def _clauses(report: Report) -> Iterator[tuple[str, str, str]]:
    used = dict(report.coverage.clauses)
    for number, words in report.game.program.clauses:
        hits = used.get(number)
        yield number, words, "" if hits is None else f"{hits:,}"


def _solved(report: Report) -> View | None:
    s = report.solved
    return None if s is None else {"outcome": outcome(s), "positions": f"{s.positions:,}", "line": s.line}


def _graph(report: Report) -> View | None:
    graph = report.graph
    if graph is None or not graph.edges:
        return None
    return {"summary": f"{len(graph.nodes)} positions, {len(graph.edges)} moves.", "svg": Markup(as_svg(graph))}


# ----------------------------------------------------------------------------------------------------------- plays


def _plays(report: Report) -> View:
    found = report.simulation.summary
    bars = charts.share_bars([(s.player, _shares(s)) for s in found.seats], "won, drawn and lost: one bar per player")
    return {
        "count": f"{found.plays:,}",
        "seed": report.seed,
        "shares": Markup(bars),
        "seats": [
            (s.player, f"{s.wins:,}", f"{s.draws:,}", f"{s.losses:,}", _interval(s.utility)) for s in found.seats
        ],
        "unfinished": f"{found.unfinished:,}" if found.unfinished else "",
        "lengths": None if found.lengths is None else _lengths(found.lengths),
        "choices": None if found.branching is None else _choices(found.branching),
        "kinds": _kinds(found, report.game.program),
    }


def _shares(s: SeatResult) -> list[tuple[str, float, str]]:
    return [
        ("won", _value_of(s.win_share), charts.COLOURS[2]),
        ("drawn", _value_of(s.draw_share), charts.GREY),
        ("lost", _value_of(s.loss_share), charts.COLOURS[1]),
    ]


def _value_of(share: Estimate | None) -> float:
    return 0.0 if share is None else share.value


def _interval(e: Estimate | None) -> str:
    if e is None:
        return ""
    return f"{e.value:.3f}" + (f" ({e.low:.3f} to {e.high:.3f})" if e.low is not None else "")


def _lengths(number: Lengths) -> View:
    chart = charts.histogram(
        [(b.low, b.high, b.count) for b in number.histogram], f"number of games by number of {number.unit}"
    )
    summary = f"{number.shortest} to {number.longest} {number.unit}, {number.mean.value:.1f} on average, median {number.median:g}."
    return {"summary": summary, "chart": Markup(chart)}


def _choices(b: Branching) -> View:
    summary = f"{b.mean:.1f} a decision on average, {b.largest} at most; {b.forced:.1%} of the decisions were forced."
    chart = charts.curve([(float(p.ply), p.mean) for p in b.by_ply], "mean number of choices, ply by ply")
    return {"summary": summary, "chart": Markup(chart)}


def _kinds(found: Summary, program: n.Program) -> View:
    """The kinds of move in the players' words, with the names in the rules where these are different ones."""
    titles = {p.name: p.title for p in program.parts}
    is_named = any(k.words != k.identifier for k in found.kinds)
    rows = []
    for k in found.kinds:
        named = [Markup("<code>{}</code>").format(k.identifier)] if is_named else []
        title = titles.get(k.part, "")
        rows.append((f"{title}: {k.words}" if title else k.words, *named, f"{k.uses:,}", f"{k.share:.1%}"))
    return {"heads": ("move", *(["in the rules"] if is_named else []), "made", "share of plies"), "rows": rows}
