"""Formats verdicts as text."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.lab.base import Evidence, Status, Verdict
from gamedsl.lab.claims.orbit_counts import reachable_count
from gamedsl.lab.explore import Graph
from gamedsl.language.source import NOWHERE

WORDS = {
    Status.PROVED: "proved",
    Status.HOLDS: "holds",
    Status.VIOLATED: "VIOLATED",
    Status.UNKNOWN: "unknown",
    Status.NOTED: "note",
}
MOST_SHOWN = 400  # moves of a game; a longer one is shown only
SHOWN_FIRST, SHOWN_LAST = 20, 20
CUT = {
    "states": "the limit on states",
    "depth": "the limit on depth",
    "time": "the time limit",
    "memory": "the limit on memory",
    "stopped": "an interruption",
    "drawings": "drawings, of which only some were tried",
}


def explored(graph: Graph) -> list[str]:
    """Describes the extent of the exploration in one or two lines."""
    rate = f", in {graph.seconds:.1f} s, {len(graph) / graph.seconds:,.0f} a second" if graph.seconds else ""
    ends = sum(1 for _ in graph.terminals())
    lines = [f"{len(graph):,} distinct state{'s' * (len(graph) != 1)}, {ends:,} of them final{rate}"]
    if graph.turns:
        lines.append(_reduced(graph))
    if graph.resumed is not None:
        lines.append(graph.resumed.summary)
    if graph.whole:
        return [*lines, f"that is the whole game; the farthest state is {graph.depth(len(graph) - 1)} steps away"]
    cut = f"cut short by {CUT[graph.stopped]}: all states up to {graph.complete_depth} step{'s' * (graph.complete_depth != 1)}"
    return [*lines, f"{cut}, {len(graph) - graph.expanded:,} not expanded"]


def _reduced(graph: Graph) -> str:
    """Describes the reduction by symmetries."""
    turns = f"{len(graph.turns) + 1} symmetries"
    total = reachable_count(graph)
    if total is None:
        return f"each stands for all that are alike by {turns}"
    return f"they stand for {total:,} that are alike by {turns}, {total / len(graph):.2f} times as many"


def verdict_line(v: Verdict) -> str:
    """Formats a verdict: ``proved ends within 9 plies: the longest game has 9 plies [2.03b]``."""
    cited = f"  [{' '.join(v.clauses)}]" if v.clauses else ""
    placed = v.place is not NOWHERE and v.place.source.path != "<claim>"
    place = f"  ({v.place})" if placed and v.status not in (Status.PROVED, Status.HOLDS) else ""
    return f"{WORDS[v.status].ljust(8)}  {v.claim}: {v.detail}{cited}{place}"


def play_lines(evidence: Evidence) -> Iterator[str]:
    """Yields the moves of a game, one per line."""
    state = evidence.start
    names = state.game.players
    if not evidence.moves and evidence.failing is None:
        yield "(the first position)"
    for number, move in enumerate(evidence.moves):
        if len(evidence.moves) > MOST_SHOWN and SHOWN_FIRST <= number < len(evidence.moves) - SHOWN_LAST:
            if number == SHOWN_FIRST:
                yield f"... {len(evidence.moves) - SHOWN_FIRST - SHOWN_LAST:,} more ..."
            continue
        mark = "  <- the cycle starts here" if number == evidence.loop else ""
        who = names[move.player] if move.player is not None else "chance"
        yield f"{number + 1}. {who}: {move}{mark}"
    if evidence.twin is not None:
        yield "the other game, which looks the same:"
        for number, move in enumerate(evidence.twin):
            yield f"{number + 1}. {names[move.player] if move.player is not None else 'chance'}: {move}"
    if evidence.failing is not None:
        who = names[evidence.failing.player] if evidence.failing.player is not None else "chance"
        yield f"{len(evidence.moves) + 1}. {who}: {evidence.failing}  <- here a rule goes wrong"


def summary(verdicts: tuple[Verdict, ...]) -> str:
    """Formats the number of verdicts of each status: ``12 proved, 2 hold, 1 violated``."""
    counts = [(status, sum(v.status == status for v in verdicts)) for status in Status]
    return ", ".join(f"{n} {'hold' if status == Status.HOLDS and n > 1 else status}" for status, n in counts if n)
