"""Shows the scores of mirrored pairs, and the sequential test that may end a tournament."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from gamedsl.agents import Agent, PairScores
from gamedsl.lab.statistics import Estimate, PairCounts


def scores_as_json(scores: PairScores, agents: Sequence[Agent]) -> dict[str, Any]:
    """Returns the pairs of games of each two agents, and the state of the test, as plain data."""
    rows = [_row(agents[a].text, agents[b].text, counts) for (a, b), counts in sorted(scores.counts.items())]
    found: dict[str, Any] = {"mirrored_pairs": rows}
    if (test := scores.test) is not None:
        counts = scores.counts.get((0, 1), PairCounts())
        low, high = test.bounds
        found["sequential_test"] = {
            "elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta,
            "log_likelihood_ratio": round(test.ratio(counts), 4), "low": round(low, 4), "high": round(high, 4),
            "accepted": scores.accepted, "elo": estimate_as_json(test.elo(counts)),
        }  # fmt: skip
    return found


def _row(first: str, second: str, counts: PairCounts) -> dict[str, Any]:
    return {
        "first": first, "second": second, "pairs": counts.pairs, "outcomes": list(counts.counts),
        "score": estimate_as_json(counts.score(), 4), "elo": estimate_as_json(counts.elo()),
    }  # fmt: skip


def estimate_as_json(estimate: Estimate | None, digits: int = 1) -> dict[str, float | None] | None:
    """Returns an estimate as plain data; an infinite end is null."""
    if estimate is None:
        return None
    return {
        name: round(value, digits) if value is not None and isfinite(value) else None
        for name, value in estimate.to_json().items()
    }


def pair_lines(found: dict[str, Any]) -> Iterator[str]:
    """Yields the lines of the table about each two agents, and about the test."""
    scores = {(row["first"], row["second"]): row for row in found["mirrored_pairs"]}
    for pair in found["pairs"]:
        yield f"{pair['first']} against {pair['second']}: {pair['won']} won, {pair['drawn']} drawn, {pair['lost']} lost"
        if row := scores.get((pair["first"], pair["second"])):
            outcomes = reversed(list(enumerate(row["outcomes"])))
            listed = ", ".join(f"{n} x {k / 2:g}-{2 - k / 2:g}" for k, n in outcomes if n)
            yield f"  Elo {_elo(row['elo'])}; mirrored pairs: {listed}"
    if test := found.get("sequential_test"):
        accepted = {"H0": test["elo0"], "H1": test["elo1"], None: None}[test["accepted"]]
        against = f"Elo {test['elo0']:g} against {test['elo1']:g}"
        verdict = f"undecided between {against}" if accepted is None else f"Elo {accepted:g} accepted ({against})"
        ratio = f"{test['log_likelihood_ratio']:.2f} in {test['low']:.2f} to {test['high']:.2f}"
        yield f"sequential test: {verdict}; log-likelihood ratio {ratio}; errors {test['alpha']:g} and {test['beta']:g}"
        if test["elo"] is not None:
            yield f"  Elo {_elo(test['elo'])}, corrected for the early stop"


def _elo(elo: dict[str, float | None]) -> str:
    value, low, high = (elo[name] for name in ("value", "low", "high"))
    ends = f"{'-inf' if low is None else format(low, '+.0f')} to {'+inf' if high is None else format(high, '+.0f')}"
    return f"{'not finite' if value is None else format(value, '+.0f')} (95 %: {ends})"
