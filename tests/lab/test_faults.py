"""Seeded faults: each of many broken variants of the shipped rulesets is found, by its own or the default claims."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gamedsl.lab.base.verdict import Status, Verdict
from gamedsl.lab.claims.verification import VerifyConfig, verify
from gamedsl.lab.explore.explorer import Limits
from gamedsl.lab.search.random_search import Budget
from tests.lab.faults.table import FAULTS, Fault

RULESETS = Path(__file__).parents[2] / "rulesets"
LARGE = ("abs-trac-toe", "atreso", "horn-tiles", "t-tic-t-tac-toe", "t-tic-t-tac-toe-game")


def broken(fault: Fault, folder: Path) -> Path:
    """The ruleset with the fault in it, among copies of the others."""
    shutil.copytree(RULESETS, folder / "rulesets")
    (path,) = (folder / "rulesets").rglob(f"{fault.game}.gdl")
    text = path.read_text(encoding="utf-8")
    assert text.count(fault.old) == 1, "the ruleset has changed: so must the fault"
    path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    return path


def violated(fault: Fault, folder: Path, limits: Limits, budget: Budget) -> Verdict:
    """The verdict that the table tells of; plays that show something are played again."""
    found = verify(broken(fault, folder), fault.options, config=VerifyConfig(limits=limits, budget=budget))
    wrong = [v for v in found.verdicts if v.status == Status.VIOLATED]
    matching = [v for v in wrong if v.claim.startswith(fault.claim)]
    assert matching, [(v.claim, v.detail) for v in wrong]
    if matching[0].evidence is not None:
        assert len(list(matching[0].evidence.states())) == len(matching[0].evidence.moves) + 1
    return matching[0]


def test_there_are_many() -> None:
    assert len(FAULTS) >= 30
    assert len({f.name for f in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.game not in LARGE], ids=lambda f: f.name)
def test_found_by_exploring(fault: Fault, tmp_path: Path) -> None:
    found = violated(fault, tmp_path, Limits(states=20_000), Budget(plays=0))
    assert (None if found.evidence is None else len(found.evidence.moves)) == fault.plies


@pytest.mark.slow
@pytest.mark.parametrize("fault", [f for f in FAULTS if f.game in LARGE], ids=lambda f: f.name)
def test_found_in_large_games(fault: Fault, tmp_path: Path) -> None:
    found = violated(fault, tmp_path, Limits(states=3000), Budget(plays=500, seconds=60))
    assert found.evidence is not None
    assert fault.plies in (-1, len(found.evidence.moves))
