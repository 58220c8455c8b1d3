"""Mutation testing told: the ruleset line by line with what no example notices, a table of the operators, plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from gamedsl.check.mutation.campaign import Mutation, rate
from gamedsl.check.mutation.mutants import Mutant
from gamedsl.check.mutation.operators import OPERATORS
from gamedsl.check.mutation.trial import Fate, Outcome

EQUIVALENT = (Fate.SAME, Fate.PROVED, Fate.ALIKE)


def as_text(found: Mutation) -> str:
    """All that was found out, for people."""
    if found.failing:
        return "\n".join(_failing(found))
    return "\n".join([*_listing(found), "", *_table(found), "", *_summary(found)])


def as_json(found: Mutation) -> dict[str, Any]:
    """The same as plain data, with every mutant that was tried."""
    return {
        "file": found.file,
        "failing_examples": list(found.failing),
        "mutants": len(found.mutants),
        "tried": len(found.outcomes),
        **{fate.name.lower(): found.count(fate) for fate in Fate},
        "rate": None if found.failing else round(found.rate, 4),
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
    yield f"{found.file}: these examples fail already, so that nothing could be learnt from changes:"
    yield from (f"  {name}" for name in found.failing)


# -------------------------------------------------------------------------------------------------------- line by line


def _listing(found: Mutation) -> Iterator[str]:
    """The lines of the ruleset: how many changes are noticed of how many that matter, and those that are not."""
    by_line: dict[int, list[Outcome]] = defaultdict(list)
    for outcome in found.outcomes:
        by_line[found.mutants[outcome.mutant].line].append(outcome)
    yield "noticed  line"
    for number, text in enumerate(found.source.splitlines(), 1):
        outcomes = by_line[number]
        noticed, survived = _count(outcomes, Fate.NOTICED), _count(outcomes, Fate.SURVIVED)
        share = f"{noticed}/{noticed + survived}" if noticed + survived else ""
        yield f"{share:>7} {'!' if survived else ' '}{number:>4}  {text}".rstrip()
        yield from (line for o in outcomes for line in _unnoticed(found, o))


def _unnoticed(found: Mutation, outcome: Outcome) -> Iterator[str]:
    """A change that survived, or that nothing was found out about."""
    mutant = found.mutants[outcome.mutant]
    margin = " " * 15
    if outcome.fate in (Fate.SURVIVED, Fate.ALIKE):
        yield f"{margin}{mutant.operator}  {mutant.text}"
    if outcome.difference is not None:
        yield f"{margin}     no example notices: {outcome.difference.text}"
    elif outcome.fate == Fate.ALIKE:
        yield f"{margin}     probably equivalent: no difference in {outcome.plays} plays"


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
        "survived": _count(outcomes, Fate.SURVIVED),
        "equivalent": _count(outcomes, *EQUIVALENT),
        "invalid": _count(outcomes, Fate.INVALID),
    }


def _count(outcomes: list[Outcome], *fates: Fate) -> int:
    return sum(o.fate in fates for o in outcomes)


def _table(found: Mutation) -> Iterator[str]:
    yield f"{'operator':<37}{'tried':>7}{'noticed':>9}{'survived':>10}{'equivalent':>12}{'invalid':>9}{'rate':>7}"
    for operator, outcomes in _by_operator(found).items():
        c = _counts(outcomes)
        share = f"{rate(c['noticed'], c['survived']):.0%}" if c["noticed"] + c["survived"] else ""
        name = f"{operator}  {OPERATORS[operator]}"
        yield (
            f"{name:<37}{c['tried']:>7}{c['noticed']:>9}{c['survived']:>10}{c['equivalent']:>12}{c['invalid']:>9}{share:>7}"
        )


def _summary(found: Mutation) -> Iterator[str]:
    noticed, survived = found.count(Fate.NOTICED), found.count(Fate.SURVIVED)
    if not found.is_whole:
        yield f"The time was up: a random sample of {len(found.outcomes)} of {len(found.mutants)} mutants was tried."
    equivalent, alike = found.count(Fate.SAME, Fate.PROVED), found.count(Fate.ALIKE)
    yield (
        f"{len(found.outcomes)} mutants: {noticed} noticed, {survived} survived, {equivalent} equivalent, "
        f"{alike} probably equivalent{_plays(found)}, {found.count(Fate.INVALID)} invalid"
    )
    yield f"{found.file}: the examples notice {noticed} of {noticed + survived} changes that matter: {_percent(found.rate)}"


def _plays(found: Mutation) -> str:
    plays = [o.plays for o in found.outcomes if o.fate == Fate.ALIKE]
    return f" (no difference in {min(plays)} plays{' or more' if len(plays) > 1 else ''})" if plays else ""


def _percent(share: float) -> str:
    """Rounded down, so that 100 % means all."""
    return f"{int(share * 1000) / 10:.1f} %"
