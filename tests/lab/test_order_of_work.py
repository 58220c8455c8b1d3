"""``verify`` does what is cheap first, and says what it saw and how far it looked."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.lab.base import Status
from gamedsl.lab.claims import VerifyConfig, guided, verify
from gamedsl.lab.claims.default_names import GUARDS, RESULTS
from gamedsl.lab.claims.verification import Verification
from gamedsl.lab.explore import Limits
from gamedsl.lab.search import Budget

# Ten states a step, and a rule that matters only after a thousand of them.
COUNTER = """game "Counter"

players A, B

state
  n: 0..999999
  last: 0..9

move more(k: 0..9) written "{k}"
  when n < 2000 or k = 0 "only nothing is added so late"
  add 2 to n
  set last to k

play
  turns from A until n >= 999990
    me plays more
  draw
"""
CUT = Limits(states=300, seconds=20.0)  # 1 + 10 * 29 states are those of the first 29 steps


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    path = tmp_path / "counter.gdl"
    path.write_text(COUNTER, encoding="utf-8")
    return path


def test_what_was_not_seen_is_not_said_to_be_never_so(counter: Path) -> None:
    found = verify(counter, config=VerifyConfig(limits=CUT, budget=Budget(0)))
    (guard,) = (v for v in found.verdicts if v.claim == GUARDS)
    (result,) = (v for v in found.verdicts if v.claim == RESULTS)
    assert guard.status == result.status == Status.UNKNOWN
    seen = 'of 300 states (all of the first 29 steps), a sample of moves in each: `when n < 2000 or k = 0 "only nothing is added so late"`'
    assert guard.detail.startswith("1 of 1 refused nothing in ") and guard.detail.endswith(seen)
    assert result.detail == "1 of 1 were not reached in 300 states (all of the first 29 steps): `draw`"


def test_a_claim_of_possibility_comes_before_the_exploration(counter: Path) -> None:
    events: list[str] = []

    def reached(so_far: Verification) -> None:
        events.append("begun" if so_far.graph is None else "explored")

    found = verify(
        counter,
        config=VerifyConfig(
            claims=["reachable n > 200", "never n > 900000"], defaults=False, limits=CUT, budget=Budget(3, 20.0)
        ),
        on_verdict=lambda _, v: events.append(v.claim),
        on_explored=reached,
    )
    assert events == ["begun", "reachable n > 200", "explored", "never n > 900000"]
    assert [v.detail for v in found.verdicts] == [
        "after 101 moves of a random game (seed 0)",
        f"in 300 states (all of the first 29 steps), and in {found.sampled.met.plays} random games",  # type: ignore[union-attr]
    ]


def test_rules_are_compiled_once_for_plain_and_once_for_guided_games(
    counter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    walker = guided.Walker
    monkeypatch.setattr(guided, "Walker", lambda *rest: made.append(1) or walker(*rest))
    claims = ["reachable n = 7", "reachable n = 9"]
    found = verify(counter, config=VerifyConfig(claims=claims, defaults=False, limits=CUT, budget=Budget(1, 30.0)))
    assert [v.status for v in found.verdicts] == [Status.UNKNOWN] * 2 and made == [1, 1]
    assert all("nor in " in v.detail for v in found.verdicts)
