"""Ten shipped rulesets with an option that is unfair, and ten with a rule without effect: each is found within a budget."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from gamedsl.lab.sweeps import SweepPlan, best_rows, sweep
from gamedsl.lab.variants import Ablation, VersionPlan, ablate
from gamedsl.language.rules import find_ruleset

GAMES = 1000  # random games of each value: the budget


class HeadStart(NamedTuple):
    """What the first player gets with one (``first``) and with two extras, and smaller options of the ruleset."""

    name: str
    first: str
    second: str
    options: dict[str, str]


HEAD_STARTS = [
    HeadStart("tic-tac-toe", "put mark[X] on b2", "put mark[X] on c1", {}),
    HeadStart("m-n-k", "put mark[X] on b2", "put mark[X] on c3", {"m": "4", "n": "4"}),
    HeadStart("connect-four", "put disc[yellow] on d1", "put disc[yellow] on e1", {}),
    HeadStart("hex", "put stone[red] on c3", "put stone[red] on d2", {"n": "5"}),
    HeadStart("gomoku", "put stone[black] on {d4, e5}", "put stone[black] on f6", {"size": "9"}),
    HeadStart("pig", "set points[p1] to 15", "set points[p1] to 25", {"target": "30"}),
    HeadStart("havannah", "put stone[white] on {d1, e2}", "put stone[white] on {d4, e3}", {"n": "4"}),
    HeadStart("y", "put stone[white] on {b2}", "put stone[white] on c3", {"n": "5"}),
    HeadStart("reversi", "put disc[black] on {a1, a2, b1}", "put disc[black] on {f6, e6, f5}", {"size": "3"}),
    HeadStart("breakthrough", "remove man[black] from {a8, b8, c8}", "remove man[black] from {f8, g8, h8}", {}),
]


def changed(name: str, old: str, new: str, folder: Path) -> Path:
    """Writes a shipped ruleset in which a piece of text, which is there, is replaced."""
    text = find_ruleset(name).read_text(encoding="utf-8")
    assert old in text
    file = folder / f"{name}.gdl"
    file.write_text(
        "\n".join(line for line in text.replace(old, new, 1).splitlines() if "clauses " not in line[:12]) + "\n"
    )
    return file


@pytest.mark.parametrize("start", HEAD_STARTS, ids=lambda start: start.name)
def test_a_head_start_is_found_to_be_unfair(start: HeadStart, tmp_path: Path) -> None:
    """Whoever moves first is no worse off, and with a head start better and better: nothing is the fairest value, for
    certain."""
    file = changed(start.name, "\nplay\n", '\noption extra: 0..2 = 0 "a head start"\n\nplay\n', tmp_path)
    extras = f"\n  if extra > 0\n    {start.first}\n  if extra > 1\n    {start.second}"
    file.write_text(file.read_text().replace("\n  turns from", f"{extras}\n  turns from", 1))
    plan = SweepPlan(str(file), {"extra": ["0", "1", "2"]}, start.options, ["fairness"], VersionPlan(GAMES, limit=0))
    *_, rows = sweep(plan)
    assert [row.problem for row in rows] == ["", "", ""]
    found = best_rows(rows, "fairness")
    assert [row.values["extra"] for row in found] == ["0"]
    none, one, two = (row.figures["fairness"] for row in rows)
    assert none[1] > two[2] and none[0] > one[0] > two[0]


# the rule that is added after the first guard of a move, and always holds where that one does
IDLE = {
    "tic-tac-toe": "c not in occupied",
    "nim": "k >= 1",
    "m-n-k": "count(occupied) < m * n",
    "connect-four": "empty != {}",
    "hex": "count(occupied) <= n * n",
    "gomoku": "c not in stone[rival]",
    "yavalath": "c in cell",
    "y": "c not in occupied",
    "havannah": "c not in stone[me]",
    "reversi": "count(empty) > 0",
}


@pytest.mark.parametrize("name", IDLE)
def test_a_rule_without_effect_is_found(name: str, tmp_path: Path) -> None:
    """By 200 random games of every ruleset that omits one line."""
    text = find_ruleset(name).read_text(encoding="utf-8")
    guard = next(line for line in text.splitlines() if line.startswith("  when "))
    file = changed(name, guard, f'{guard}\n  when {IDLE[name]} "it never matters"', tmp_path)
    effects = list(ablate(Ablation(str(file), {}, VersionPlan(200, limit=0), True), lambda: False))
    (idle,) = [e for e in effects if "it never matters" in e.mutant.before]
    assert not idle.invalid and idle.size == 0
    assert idle.has_none or (idle.comparison is not None and idle.comparison.difference is None)
    assert max(e.size for e in effects) > 0
