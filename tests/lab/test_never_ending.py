"""Plays that can't come to an end are found by default claims, also where nothing repeats; and what only the chosen options
leave unused is no fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.lab.base.options import option_values
from gamedsl.lab.base.verdict import Status
from gamedsl.lab.claims import state_space
from gamedsl.lab.claims.default_names import ENDS
from gamedsl.lab.claims.default_unmet import NOT_COMPARED, ONLY_HERE
from gamedsl.lab.claims.verification import Verification, VerifyConfig, verify
from gamedsl.lab.explore.explorer import Limits
from gamedsl.lab.search.random_search import Budget
from gamedsl.language.rules import load_lowered
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import ExitCode, GameDSLError

# A counter of millions, so that no position comes again for as long as anybody looks; `until` waits for a number that the
# counter passes over, as it goes on by two.
PASSES_OVER = """game "Counter"

players A, B

state
  n: 0..9999999
  last: 0..9

move more(k: 0..9) written "{k}"
  add 2 to n
  set last to k

play
  turns from A until n = END
    me plays more
  draw
"""


def judged(tmp_path: Path, end: str) -> Verification:
    path = tmp_path / "counter.gdl"
    path.write_text(PASSES_OVER.replace("END", end), encoding="utf-8")
    return verify(path, config=VerifyConfig(limits=Limits(states=300, seconds=2.0), budget=Budget(10, 20.0)))


def test_a_play_that_never_ends_though_nothing_repeats(tmp_path: Path) -> None:
    (found,) = (v for v in judged(tmp_path, "7").verdicts if v.claim == ENDS)
    assert found.status == Status.UNKNOWN  # that some games did not end proves nothing
    assert "games ended, including those that looked for an end" in found.detail
    assert found.evidence is not None
    assert len(found.evidence.moves) >= 2000


def test_a_play_that_ends_is_no_fault(tmp_path: Path) -> None:
    assert all(v.claim != ENDS for v in judged(tmp_path, "400").verdicts)


# Boards on which the play is decided at once, or a rule can never matter: read by hand.
DEGENERATE = [
    ("m-n-k", {"m": 2, "n": 2, "k": 2}),  # the first to move completes a line with the second mark
    ("kayles", {"pins": 1}),  # one pin, no two
    ("domineering", {"rows": 2, "columns": 2}),  # whoever begins fills the board's half
    ("clobber", {"rows": 2, "columns": 2}),  # an even number of moves
    ("connect-four", {"rows": 1, "columns": 5}),  # nothing to fall on
]


@pytest.mark.parametrize(("name", "options"), DEGENERATE, ids=[name for name, _ in DEGENERATE])
def test_what_only_the_options_leave_unused_is_noted(name: str, options: dict[str, int]) -> None:
    found = verify(name, options)
    assert found.exit_code == ExitCode.FINE, [v for v in found.verdicts if v.status == Status.VIOLATED]
    assert any(v.status == Status.NOTED and ONLY_HERE in v.detail for v in found.verdicts)


def test_plays_that_are_only_long_with_these_options_are_noted() -> None:
    """Six players to a thousand points: random plays hardly ever end, though with the ruleset's own options they do."""
    found = verify(
        "pig",
        {"players": "6", "target": "1000"},
        config=VerifyConfig(limits=Limits(states=200), budget=Budget(plays=4)),
    )
    assert all(v.status == Status.NOTED for v in found.verdicts if v.claim == ENDS)
    assert found.exit_code != ExitCode.FAILED


def test_without_a_comparison_nothing_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """On two by two squares no line is ever in the way; no play with the ruleset's own eight was there to compare with."""
    monkeypatch.setattr(state_space, "DEFAULT_BUDGET", Budget(plays=0))
    found = verify("x-s-and-lines", {"n": 2})
    assert found.exit_code == ExitCode.BOUND
    assert any(v.status == Status.UNKNOWN and v.detail.endswith(NOT_COMPARED) for v in found.verdicts)


def test_what_is_never_of_use_stays_a_fault_with_other_options(tmp_path: Path) -> None:
    path = tmp_path / "dead.gdl"
    path.write_text(
        'game "Dead"\n\nplayers A, B\n\noption size: 1..4 = 3 "numbers"\n\nstate\n  n: 0..9\n\nmove go(k: 1..2) written "{k}"\n'
        '  when k < 3 "never"\n  add k to n\n\nplay\n  turns from A\n    me plays go\n    if n >= size\n      win me\n',
        encoding="utf-8",
    )
    found = verify(path, {"size": 4})
    assert [v.detail for v in found.verdicts if v.status == Status.VIOLATED and "`when k < 3" in v.detail]


def extremes(path: Path) -> list[dict[str, str]]:
    """The smallest and the largest value of every option; nothing where there is no option."""
    values = {name: sorted(found, key=_size) for name, found in option_values(load_lowered(path)).items()}
    found = [{name: v[at] for name, v in values.items() if len(v) > 1} for at in (0, -1)]
    return [options for options in found if options]


def _size(value: str) -> tuple[int, str]:
    return (int(value), "") if value.isdigit() else (0, value)


@pytest.mark.slow
@pytest.mark.parametrize("path", shipped().values(), ids=lambda path: path.stem)
def test_no_shipped_ruleset_is_faulted_for_extreme_options(path: Path) -> None:
    """What is decided at once, or never of use on so small a board, is no fault. Values that the rules refuse are none, either."""
    for options in extremes(path):
        try:
            found = verify(path, options, config=VerifyConfig(limits=Limits(seconds=1.0), budget=Budget(seconds=1.0)))
        except GameDSLError:
            continue
        faults = [v for v in found.verdicts if v.status == Status.VIOLATED]
        assert found.exit_code != ExitCode.FAILED, (options, faults)
