"""`benchmarks/mutation_scores.py` writes every score, and fails where one is below 95 %."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from gamedsl.lab.mutation.campaign import Mutation
from gamedsl.lab.mutation.trial import Fate

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "mutation_scores.py"


class Reached(Mutation):
    """A result in which so many of a hundred mutants were noticed."""

    def __init__(self, noticed: int, failing: tuple[str, ...] = ()) -> None:
        super().__init__("nim.gdl", "", (), (), failing)
        object.__setattr__(self, "noticed", noticed)

    def count(self, *fates: Fate) -> int:
        noticed: int = self.noticed  # type: ignore[attr-defined]
        return noticed * (Fate.NOTICED in fates) + (100 - noticed) * (Fate.SURVIVED in fates)


@pytest.mark.parametrize(
    ("found", "code", "said"),
    [
        (Reached(95), 0, ""),
        (Reached(94), 1, "nim: a score of 94.0 % is below 95%"),
        (Reached(0, ("opening",)), 1, "nim: its examples fail"),
    ],
)
def test_exit_code(
    found: Mutation,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    script: dict[str, Any] = runpy.run_path(str(SCRIPT), run_name="mutation_scores")
    names = script["main"].__globals__
    names.update(mutation_test=lambda name, search: found, as_text=lambda found: "", PAGE=tmp_path / "scores.md")
    monkeypatch.setattr(sys, "argv", ["mutation_scores.py", "nim"])
    assert script["main"]() == code
    printed = capsys.readouterr()
    assert said in printed.err and bool(printed.err) == bool(said)
    assert (tmp_path / "scores.md").exists() == (not found.failing)
