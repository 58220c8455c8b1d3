"""Mutation scores of the shipped examples: `python benchmarks/mutation_scores.py [NAME...] [--search S]`.

Tries all mutants of these rulesets (of all, if none is named) and writes their rows of docs/reference/mutation-scores.md;
other rows stay as they are. All of them take about an hour of one processor. A score below 95 % is written too, but the
program says so and ends with exit code 1.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from time import process_time

from gamedsl.lab.mutation.campaign import SEARCH_SECONDS, Mutation, mutation_test
from gamedsl.lab.mutation.mutation_report import as_text
from gamedsl.lab.mutation.trial import EQUIVALENT, UNNOTICED, Fate
from gamedsl.language.rules.files import shipped

LEAST = 0.95  # the score that every shipped ruleset must reach
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "mutation-scores.md"
HEAD = """\
# Mutation scores of the shipped examples

Written by `python benchmarks/mutation_scores.py`; do not edit.

What `gamedsl test NAME --mutants` finds for every shipped ruleset when all mutants are tried: see
[mutation testing](../guide/mutants.md). The score is the share of *noticed* among *noticed* and
*survived*. *Equivalent*: the same rules, wider bounds of numbers, or a game that was compared as a whole. *Alike*:
probably equivalent, for no play that was tried shows a difference. *Invalid*: no ruleset. The seconds are those of a
processor; most of them go into plays along which survivors are compared (`--search-time`).

| Ruleset | Mutants | Noticed | Survived | Equivalent | Alike | Invalid | Score | CPU s |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
"""
ROW = re.compile(r"^\| `([^`]+)` \|.*$", re.M)


def row(name: str, found: Mutation, seconds: float) -> str:
    """The line of a ruleset."""
    counts = [len(found.mutants)]
    counts += [found.count(*f) for f in ((Fate.NOTICED,), UNNOTICED, EQUIVALENT, (Fate.ALIKE,), (Fate.INVALID,))]
    score = "" if found.rate is None else f"{int(found.rate * 1000) / 10:.1f} %"
    return f"| `{name}` | {' | '.join(map(str, counts))} | {score} | {seconds:.0f} |"


def shortcoming(found: Mutation) -> str:
    """Why a ruleset falls short; empty if it does not."""
    if found.failing:
        return "its examples fail, so nothing was tried and its row stays as it is"
    if found.rate is not None and found.rate < LEAST:
        return f"a score of {int(found.rate * 1000) / 10:.1f} % is below {LEAST:.0%}: write examples for the survivors"
    return ""


def write(rows: dict[str, str]) -> None:
    """The page with these rows and, of the other shipped rulesets, those that it has."""
    old = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    known = {m[1]: m[0] for m in ROW.finditer(old)} | rows
    lines = [known[name] for name in sorted(shipped()) if name in known]
    PAGE.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--search", type=float, default=SEARCH_SECONDS, help="seconds of plays for each survivor")
    arguments = parser.parse_args()
    short = []
    for name in arguments.names or sorted(shipped()):
        began = process_time()
        found = mutation_test(name, search=arguments.search)
        if found.failing or found.count(Fate.SURVIVED):
            print(as_text(found))
        if not found.failing:
            write({name: row(name, found, process_time() - began)})
            print(row(name, found, process_time() - began), flush=True)
        why = shortcoming(found)
        if why:
            short.append(f"{name}: {why}")
            print(short[-1], file=sys.stderr, flush=True)
    if short:
        print(f"\n{len(short)} of the rulesets fall short:", *short, sep="\n  ", file=sys.stderr)
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
