"""Describes the changes between two snapshots of a ruleset, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.lab.simulate import Summary
from gamedsl.lab.statistics import Estimate
from gamedsl.lab.watch.snapshot import Snapshot


def changes(before: Snapshot, after: Snapshot) -> list[str]:
    """Returns the differences, the most important first.

    Figures of playouts count as changed only if the 95 % intervals of both snapshots do not overlap.
    """
    if before.is_playable != after.is_playable:
        return ["the rules can be played again" if after.is_playable else "the rules can no longer be played"]
    found = [*_examples(before, after), *_claims(before, after), *_lines(before, after)]
    if before.summary is not None and after.summary is not None:
        found += _plays(before.summary, after.summary)
    return found


def _examples(before: Snapshot, after: Snapshot) -> Iterator[str]:
    old = {e.name: e.passed for e in before.examples or ()}
    for example in after.examples or ():
        if example.name in old and old[example.name] != example.passed:
            yield f"example {'passes now' if example.passed else 'FAILS now'}: {example.name}"


def _claims(before: Snapshot, after: Snapshot) -> Iterator[str]:
    old = {v.claim: v.status for v in before.verdicts}
    for verdict in after.verdicts:
        if verdict.claim in old and old[verdict.claim] is not verdict.status:
            yield f"claim {verdict.claim}: {verdict.status} (was: {old[verdict.claim]})"


def _lines(before: Snapshot, after: Snapshot) -> Iterator[str]:
    old, new = ({x.text.strip(): x.number for x in s.unused} for s in (before, after))
    for text, number in new.items():
        if text not in old:
            yield f"line {number} is no longer used: {text}"
    for text in old:
        if text not in new:
            yield f"no longer unused: {text}"


def _plays(before: Summary, after: Summary) -> Iterator[str]:
    for old, new in zip(before.seats, after.seats, strict=False):
        if old.player == new.player and _apart(old.win_share, new.win_share):
            yield f"{new.player} wins {_percent(new.win_share)} (was {_percent(old.win_share)})"
    if before.lengths and after.lengths and _apart(before.lengths.mean, after.lengths.mean):
        unit, new_mean, old_mean = after.lengths.unit, after.lengths.mean.value, before.lengths.mean.value
        yield f"games take {new_mean:.1f} {unit} (was {old_mean:.1f})"


def _apart(a: Estimate | None, b: Estimate | None) -> bool:
    if a is None or b is None or a.low is None or a.high is None or b.low is None or b.high is None:
        return False
    return a.high < b.low or b.high < a.low


def _percent(share: Estimate | None) -> str:
    return "-" if share is None else f"{100 * share.value:.1f} %"
