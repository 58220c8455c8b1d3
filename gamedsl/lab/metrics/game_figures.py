"""The figures of single recorded games, from which metrics are averaged. docs/reference/metrics.md defines them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import sqrt

from gamedsl.lab.metrics.traces import CHANCE, ActionValues, Trace

NARROW = 0.75  # a promising action lies this far from the mean of all actions to the best one, or further
TENTHS = 10

Part = tuple[float, float]  # what a game adds to the numerator and to the denominator of a figure
Figures = dict[str, Part]


def figures_of(trace: Trace) -> Figures:
    """Returns the figures of a finished game that exist for it, as parts of ratios. A figure over several games is the
    sum of their numerators by the sum of their denominators.
    """
    found = dict(_plain(trace))
    if len(trace.returns) > 1:
        found |= dict(_struggle(trace))
    found |= dict(_decisions(trace))
    return found


def winner_of(trace: Trace) -> int | None:
    """Returns the only seat with the greatest utility; None if there is none."""
    best = max(trace.returns)
    seats = [seat for seat, utility in enumerate(trace.returns) if utility == best]
    return seats[0] if len(seats) == 1 and len(trace.returns) > 1 else None


def score_of(trace: Trace, seat: int) -> float:
    """Returns a seat's share of the game's point, which the seats with the greatest utility divide."""
    best = max(trace.returns)
    number = sum(utility == best for utility in trace.returns)
    return float(trace.returns[seat] == best) / number


def _plain(trace: Trace) -> Iterator[tuple[str, Part]]:
    decided = [(seat, choices) for seat, choices in zip(trace.seats, trace.choices, strict=True) if seat != CHANCE]
    counted = [choices for _, choices in decided if choices]
    yield "length", (float(len(decided)), 1)
    if counted:
        yield "branching", (float(sum(counted)), len(counted))
        yield "forced", (float(sum(c == 1 for c in counted)), len(counted))
    if decided and len(trace.returns) > 1:
        yield "first_mover", (score_of(trace, decided[0][0]) - 1 / len(trace.returns), 1)


# ------------------------------------------------------------------------------------ who is ahead, and for how long


def leader(values: tuple[float, ...], margin: float) -> int | None:
    """Returns the seat that is ahead of all others by more than the margin; None if there is none."""
    order = sorted(range(len(values)), key=lambda seat: -values[seat])
    return order[0] if values[order[0]] - values[order[1]] > margin else None


def leads_of(trace: Trace) -> list[tuple[tuple[float, ...], float]]:
    """Returns the valued positions of a game, each with its margin."""
    pairs = zip(trace.values, trace.margins, strict=True)
    return [(values, margin) for values, margin in pairs if values is not None and margin is not None]


def _struggle(trace: Trace) -> Iterator[tuple[str, Part]]:
    valued = leads_of(trace)
    if not valued:
        return
    leaders = [leader(*position) for position in valued]
    named = [seat for seat in leaders if seat is not None]
    yield "lead_changes", (float(sum(a != b for a, b in pairwise(named))), 1)
    yield "uncertainty", (sum(1 - lead_of(values) for values, _ in valued) / len(valued), 1)
    winner = winner_of(trace)
    if winner is not None:
        behind = [sqrt((max(v) - v[winner]) / 2) for v, margin in valued if max(v) - v[winner] > margin]
        yield "drama", (sum(behind) / len(behind) if behind else 0.0, 1)
        yield "winner_trails", (len(behind) / len(valued), 1)
        ahead = len(leaders)
        while ahead and leaders[ahead - 1] == winner:
            ahead -= 1
        yield "decided_at", (ahead / len(leaders), 1)


def lead_of(values: tuple[float, ...]) -> float:
    """Returns the lead of the best seat over the second best, as a share of the greatest possible (0 to 1)."""
    first, second = sorted(values, reverse=True)[:2]
    return min(1.0, (first - second) / 2)


def profile(traces: list[Trace], value: Callable[[tuple[float, ...]], float]) -> list[float | None]:
    """Returns the mean of a function of the values, over the positions at which a tenth of a game begins."""
    sums, counts = [0.0] * TENTHS, [0] * TENTHS
    for trace in traces:
        valued = leads_of(trace)
        for tenth in range(TENTHS if valued else 0):
            values, _ = valued[tenth * len(valued) // TENTHS]
            sums[tenth] += value(values)
            counts[tenth] += 1
    return [total / count if count else None for total, count in zip(sums, counts, strict=True)]


# ------------------------------------------------------------------------------------------------- decisions


def blunder_cost(actions: ActionValues) -> float:
    """Returns what a random action loses against the best one, on average."""
    return actions.valuing[best_action(actions)] - sum(actions.valuing) / len(actions.valuing)


def best_action(actions: ActionValues) -> int:
    """Returns the first of the actions with the greatest value, in the estimate for selection."""
    return actions.selecting.index(max(actions.selecting))


def matters(actions: ActionValues) -> bool:
    """Whether the best and the worst action differ by more than the margin."""
    worst = actions.selecting.index(min(actions.selecting))
    return actions.valuing[best_action(actions)] - actions.valuing[worst] > 2 * actions.margin


def narrowness(actions: ActionValues) -> float:
    """Returns the share of actions that are promising."""
    values = actions.valuing
    middle = sum(values) / len(values)
    threshold = middle + NARROW * (max(values) - middle)
    return sum(v >= threshold for v in values) / len(values)


def _decisions(trace: Trace) -> Iterator[tuple[str, Part]]:
    actions = list(trace.actions.values())
    choices = sum(seat != CHANCE and number > 1 for seat, number in zip(trace.seats, trace.choices, strict=True))
    if actions:
        for name, figure in (
            ("blunder_cost", blunder_cost), ("decisions_that_matter", matters), ("narrowness", narrowness),
        ):  # fmt: skip
            yield name, (sum(map(figure, actions)) / len(actions) * choices, choices)
