"""The parts of a report that tell what is wrong: findings of the checker, and verdicts with the plays that show them."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from gamedsl.check.base.verdict import Status
from gamedsl.check.claims.verdict_text import explored, play_lines, summary
from gamedsl.check.report.contents import Report

STYLE = """
.v { font-weight: 600 } .proved { color: #3d7a3c } .violated { color: #b3261e } .holds, .unknown { color: #8a6d00 }
.noted { color: #4a5a6a } details { margin: .2em 0 .6em 1.5em } td.claim { max-width: 40em }
"""


def findings(report: Report) -> Iterator[str]:
    """What the checker says."""
    yield "<h2>Findings</h2>"
    if not report.findings:
        yield "<p>The checker finds nothing wrong.</p>"
        return
    rows = (
        f"<li><code>{escape(d.code)}</code> {escape(str(d.span))}: {escape(d.message)}</li>" for d in report.findings
    )
    yield f"<ul>{''.join(rows)}</ul>"


def verdicts(report: Report) -> Iterator[str]:
    """The claims, the ruleset's own and those made of every ruleset."""
    found = report.verification
    yield f"<h2>Claims</h2><p>{escape(summary(found.verdicts))}</p>"
    if found.graph is not None:
        yield "".join(f"<p>{escape(text)}</p>" for text in explored(found.graph))
    if found.sampled is not None:
        yield f"<p>plays: {escape(found.sampled.extent)}</p>"
    yield '<table class="plain">'
    for v in found.verdicts:
        cited = f' <span class="clause">{escape(", ".join(v.clauses))}</span>' if v.clauses else ""
        yield f'<tr><td class="v {v.status}">{v.status}</td><td class="claim">{escape(v.claim)}: {escape(v.detail)}{cited}'
        if v.evidence is not None:
            shown = " open" if v.status is Status.VIOLATED else ""
            moves = "\n".join(escape(text) for text in play_lines(v.evidence))
            yield f"<details{shown}><summary>a play that shows it</summary><pre>{moves}</pre></details>"
        yield "</td></tr>"
    yield "</table>"
