"""Plain random games on compiled rules come before guided walks, at a fraction of their cost per ply."""

from __future__ import annotations

from math import comb
from pathlib import Path
from unittest.mock import patch

import pytest

from gamedsl.engine import InterpretedGame
from gamedsl.lab.base import Clock, Status, read_claim
from gamedsl.lab.claims import VerifyConfig, verify
from gamedsl.lab.claims.default_names import GUARDS
from gamedsl.lab.claims.guided import Seeking
from gamedsl.lab.explore import Limits
from gamedsl.lab.search import Budget, GoalProgram, GuidedSearch, RandomSearch, Walker
from gamedsl.language.rules import load_lowered

# Every `grab` brings the score nearer to 9 at once, but only 19 or more moves of 30 without one lead there.
GREED = """game "Greed"

players A, B

state
  waits: 0..30
  grabs: 0..30
  score: 0..9
  sum: 0..9999

move grab(k: 0..4) written "grab {k}"
  add 1 to grabs
  add k to sum
  set score to min(8, grabs)

move wait(k: 0..4) written "wait {k}"
  add 1 to waits
  add 2 * k to sum

move boast written "boast"
  when waits + grabs = 29 and waits >= 19 "you have been greedy"
  add 1 to waits

play
  turns from A until waits + grabs = 30
    me plays grab | wait | boast
  if waits >= 19
    set score to 9
  draw
"""
CUT = Limits(states=300, seconds=20.0)


@pytest.fixture
def greed(tmp_path: Path) -> Path:
    path = tmp_path / "greed.gdl"
    path.write_text(GREED, encoding="utf-8")
    return path


def _search(path: Path, *claims: str) -> GuidedSearch:
    rules = load_lowered(path, {})
    goals = GoalProgram(rules.program, (), [read_claim(rules, text) for text in claims], hunting=True)
    return GuidedSearch(goals, Walker(goals, InterpretedGame(rules.program).initial_state()), 0)


def test_a_plain_walk_is_uniform_and_goes_to_the_end(greed: Path) -> None:
    """Of 30 moves, 19 or more are waits in one of ten games: the sum of C(30, k) for k of 19 to 30 is 0.1002 of 2 ** 30."""
    assert round(sum(comb(30, k) for k in range(19, 31)) / 2**30, 4) == 0.1002
    search = _search(greed)
    ends = []
    search._ask = lambda node, questions=None: ends.append(node) if search.walker.is_over(node) else None  # type: ignore[method-assign]
    search.run_plain(60.0, 300)
    assert len(ends) == search.reached.plain == 300 and search.reached.walks == 0
    assert {node.depth for node in ends} == {30} and search.reached.plies == 9000
    waits = [sum(5 <= action < 10 for action in node.actions()) for node in ends]
    assert 12 <= sum(n >= 19 for n in waits) <= 55  # 30 expected, deviation 5.2


def test_a_plain_ply_asks_about_claims_only(greed: Path) -> None:
    """A guided ply generates all successors (10 or 11) and asks about every kind of move and every guard as well."""

    def work(plain: bool) -> tuple[int, float]:
        search = _search(greed, "reachable score = 9 and sum = 0")
        walker = search.walker
        before = walker.asked
        with patch.object(walker, "fan", wraps=walker.fan) as fan:
            (search.run_plain if plain else search.run)(60.0, 40)
        return fan.call_count, (walker.asked - before) / search.reached.plies

    assert work(plain=True) == (0, 1.0)
    fans, asked = work(plain=False)
    assert fans > 300 and asked > 2


def test_claims_are_tested_along_plain_games_first(greed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With neither games on the engine nor guided walks, each sort of claim is decided, and replayed by the engine."""
    monkeypatch.setattr(RandomSearch, "run_plain", lambda *rest: None)
    monkeypatch.setattr(RandomSearch, "run", lambda self, clock: self.met)
    monkeypatch.setattr(
        GuidedSearch,
        "run",
        lambda self, *rest: self.open.clear(),
    )
    claims = ["reachable score = 9", "used boast", "never score = 9", "always waits < 19"]
    found = verify(greed, config=VerifyConfig(claims=claims, defaults=False, limits=CUT, budget=Budget(300, 60.0)))
    assert [v.status for v in found.verdicts] == [Status.PROVED, Status.PROVED, Status.VIOLATED, Status.VIOLATED]
    evidence = found.verdicts[3].evidence
    assert evidence is not None and [m.name for m in evidence.moves].count("wait") == 19 == len(evidence.moves)


def test_rules_for_plain_games_measure_claims_only(greed: Path) -> None:
    """They take a fraction of the time to compile: no question about a kind of move or a guard is left."""
    rules = load_lowered(greed, {})
    start = InterpretedGame(rules.program).initial_state()
    claims = [read_claim(rules, "reachable sum = 9999")]
    seeking = Seeking(start, claims, [None], Budget(20))
    seeking.run_plain(Clock().within(60.0))
    plain = seeking._plain
    assert plain is not None and seeking._guided is None and seeking.met.plays == 20
    assert [plain.goals.goals[q.goal].kind for q in plain.goals.questions] == ["stuck", "claim"]


def test_a_search_for_faults_compiles_once_and_asks_for_nothing_else(greed: Path) -> None:
    """What is possible stays unknown, and no guard is asked what it refuses."""
    claims = ["reachable score = 9", "never sum > 60"]
    config = VerifyConfig(claims=claims, limits=Limits(states=30), budget=Budget(3, 60.0), only_faults=True)
    with patch("gamedsl.lab.claims.guided.Walker", wraps=Walker) as compiled:
        found = verify(greed, config=config).verdicts
    assert compiled.call_count == 1
    assert [v.status for v in found[:2]] == [Status.UNKNOWN, Status.VIOLATED]
    assert GUARDS not in {v.claim for v in found}
