"""The report of a mutation test: the ruleset with its unnoticed changes by line, a table of operators, and JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from gamedsl.lab.mutation.campaign import Mutation, rate
from gamedsl.lab.mutation.mutants import Mutant
from gamedsl.lab.mutation.mutation_operators import OPERATORS
from gamedsl.lab.mutation.trial import EQUIVALENT, UNNOTICED, Fate, Outcome


def as_text(found: Mutation) -> str:
    """Returns the report as text."""
    if found.failing:
        return "\n".join(_failing(found))
    return "\n".join([*_listing(found), "", *_table(found), "", *_summary(found)])


def as_json(found: Mutation) -> dict[str, Any]:
    """Returns the report as plain data, with every mutant that was tried."""
    return {
        "file": found.file,
        "failing_examples": list(found.failing),
        "mutants": len(found.mutants),
        "tried": len(found.outcomes),
        **{fate.name.lower(): found.count(fate) for fate in Fate},
        "rate": None if found.rate is None else round(found.rate, 4),
        "operators": {operator: _counts(outcomes) for operator, outcomes in _by_operator(found).items()},
        "outcomes": [_outcome_json(found.mutants[o.mutant], o) for o in found.outcomes],
    }


def _outcome_json(mutant: Mutant, outcome: Outcome) -> dict[str, Any]:
    return {
        "number": mutant.number,
        "operator": mutant.operator,
        "line": mutant.span.line,
        "column": mutant.span.column,
        "before": mutant.before,
        "after": mutant.after,
        "fate": outcome.fate.value,
        "by": outcome.by or None,
        "difference": None if outcome.difference is None else outcome.difference.to_json(),
        "plays": outcome.plays,
    }


def _failing(found: Mutation) -> Iterator[str]:
    yield f"{found.file}: no change was tried, because these examples fail on the ruleset as it is:"
    yield from (f"  {name}" for name in found.failing)
    yield "`gamedsl test` without `--mutants` shows why."


# -------------------------------------------------------------------------------------------------------- line by line


def _listing(found: Mutation) -> Iterator[str]:
    """Yields each line of the ruleset with its mutation score, followed by its survivors."""
    by_line: dict[int, list[Outcome]] = defaultdict(list)
    for outcome in found.outcomes:
        by_line[found.mutants[outcome.mutant].line].append(outcome)
    yield "noticed  line"
    for number, text in enumerate(found.source.splitlines(), 1):
        outcomes = by_line[number]
        noticed, survived = _count(outcomes, Fate.NOTICED), _count(outcomes, *UNNOTICED)
        share = f"{noticed}/{noticed + survived}" if noticed + survived else ""
        yield f"{share:>7} {'!' if survived else ' '}{number:>4}  {text}".rstrip()
        yield from (line for o in outcomes for line in _unnoticed(found, o))


def _unnoticed(found: Mutation, outcome: Outcome) -> Iterator[str]:
    """Yields the lines about a mutant that survived or is undecided."""
    mutant = found.mutants[outcome.mutant]
    margin = " " * 15
    if outcome.fate in (*UNNOTICED, Fate.ALIKE):
        yield f"{margin}{mutant.operator}  {mutant.text}"
    if outcome.difference is not None:
        yield f"{margin}     no example notices: {outcome.difference.text}"
    elif outcome.fate == Fate.ALIKE:
        yield f"{margin}     probably equivalent: no difference in {outcome.plays} games"
    elif outcome.fate == Fate.OPEN:
        yield f"{margin}     no example notices; no games were compared"


# --------------------------------------------------------------------------------------------------------- in numbers


def _by_operator(found: Mutation) -> dict[str, list[Outcome]]:
    groups: dict[str, list[Outcome]] = {operator: [] for operator in OPERATORS}
    for outcome in found.outcomes:
        groups[found.mutants[outcome.mutant].operator].append(outcome)
    return {operator: outcomes for operator, outcomes in groups.items() if outcomes}


def _counts(outcomes: list[Outcome]) -> dict[str, int]:
    return {
        "tried": len(outcomes),
        "noticed": _count(outcomes, Fate.NOTICED),
        "survived": _count(outcomes, *UNNOTICED),
        "equivalent": _count(outcomes, *EQUIVALENT, Fate.ALIKE),
        "invalid": _count(outcomes, Fate.INVALID),
    }


def _count(outcomes: list[Outcome], *fates: Fate) -> int:
    return sum(o.fate in fates for o in outcomes)


def _table(found: Mutation) -> Iterator[str]:
    yield f"{'operator':<37}{'tried':>7}{'noticed':>9}{'survived':>10}{'equivalent':>12}{'invalid':>9}{'score':>9}"
    for operator, outcomes in _by_operator(found).items():
        c = _counts(outcomes)
        share = _percent(rate(c["noticed"], c["survived"]))
        name = f"{operator}  {OPERATORS[operator]}"
        yield (
            f"{name:<37}{c['tried']:>7}{c['noticed']:>9}{c['survived']:>10}{c['equivalent']:>12}{c['invalid']:>9}{share:>9}"
        )


def _summary(found: Mutation) -> Iterator[str]:
    noticed, survived = found.count(Fate.NOTICED), found.count(Fate.SURVIVED)
    if not found.is_whole:
        yield f"The time was up: a random sample of {len(found.outcomes)} of {len(found.mutants)} mutants was tried."
    not_compared = f", {count} not compared" if (count := found.count(Fate.OPEN)) else ""
    yield (
        f"{len(found.outcomes)} mutants: {noticed} noticed, {survived} survived{not_compared}, {_equivalent(found)}, "
        f"{found.count(Fate.ALIKE)} probably equivalent{_plays(found)}, {found.count(Fate.INVALID)} invalid"
    )
    matter = noticed + found.count(*UNNOTICED)
    if matter:
        least = "at least " if not_compared else ""
        share = f"{least}{noticed} of {matter} changes that matter: {least}{_percent(found.rate)}"
        yield f"{found.file}: the examples notice {share}"
    else:
        yield f"{found.file}: no change that matters was tried"


def _equivalent(found: Mutation) -> str:
    reasons = ", ".join(f"{count} {fate.value}" for fate in EQUIVALENT if (count := found.count(fate)))
    return f"{found.count(*EQUIVALENT)} equivalent" + (f" ({reasons})" if reasons else "")


def _plays(found: Mutation) -> str:
    plays = [o.plays for o in found.outcomes if o.fate == Fate.ALIKE]
    return f" (no difference in {min(plays)} games{' or more' if len(plays) > 1 else ''})" if plays else ""


def _percent(share: float | None) -> str:
    """Formats a share, rounded down, so that 100 % means all."""
    return "" if share is None else f"{int(share * 1000) / 10:.1f} %"
