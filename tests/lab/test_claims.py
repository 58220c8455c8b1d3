"""Claims: what is said of each kind, whether it is true, and whether the plays that are shown show it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from gamedsl.engine import InterpretedGame
from gamedsl.lab.base.claim_kinds import holds_in, read_claim
from gamedsl.lab.base.clock import Clock
from gamedsl.lab.base.verdict import Status, Verdict
from gamedsl.lab.claims.default_claims import check_defaults
from gamedsl.lab.claims.outcome_odds import by_samples
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.explore.explorer import Limits, explore
from gamedsl.language.core.nodes import LeadsTo, StateClaim
from gamedsl.language.rules import load_lowered, load_program
from gamedsl.language.source.diagnostic import GameDSLError
from tests.lab.judging import check_claim

# A token walks along a path of seven squares: one player may go one or two forward or stay, the other one back or on.
WALK = """\
game "Walk"
players up, down
board grid 1 by 7
state
  at: 0..6 = 3
  stays: 0..2
move forward(k: 1..2) written "forward {k}"
  when at + k <= 6 "beyond the end"
  add k to at
  set stays to 0
move back written "back"
  when at > 0 "at the end"
  take 1 from at
move stay written "stay"
  when stays < 2 "three times is too often"
  add 1 to stays
play
  turns from up
    if me = up
      me plays forward | stay
        stuck
          win down
    else
      me plays back | forward
    if at = 6
      win up
    if at = 0
      win down
"""


class Bench:
    def __init__(self, name: str | Path, limits: Limits | None = None, **options: str | int) -> None:
        self.rules = load_lowered(name, options)
        self.space = StateSpace(explore(InterpretedGame(self.rules.program), limits))

    def verdict(self, text: str) -> Verdict:
        return check_claim(self.space, read_claim(self.rules, text))

    def holds(self, text: str, i: int) -> bool:
        claim = read_claim(self.rules, text)
        assert isinstance(claim, StateClaim)
        return holds_in(self.space.graph.state(i), claim.condition)


@pytest.fixture(scope="module")
def nine() -> Bench:
    return Bench("tic-tac-toe")


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    path = tmp_path_factory.mktemp("walk") / "walk.gdl"
    path.write_text(WALK, encoding="utf-8")
    return Bench(path)


TRUE = [
    "never three(X) and three(O)",
    "always count(mark[X]) - count(mark[O]) <= 1",
    "always count(mark[O]) <= count(mark[X])",
    "always over or empty != {}",
    "never drawn and winners != {}",
    "always not three(X) or winners = {X}",
    "reachable empty = {} and drawn",
    "reachable three(X) and empty = {}",
    "three(X) leads to over",
    "count(mark[X]) = 4 leads to over",
    "ends",
    "ends within 9 plies",
    "used place",
    "balanced within 30%",
]


@pytest.mark.parametrize("text", TRUE)
def test_true_claims(nine: Bench, text: str) -> None:
    verdict = nine.verdict(text)
    assert (verdict.status, verdict.evidence) == (Status.PROVED, None)
    assert text in verdict.claim


# The number of plies of the shortest play that shows it; None: there is nothing to show.
FALSE = [
    ("never three(X)", 5),
    ("never three(O)", 6),
    ("always b2 in empty", 1),
    ("always empty != {}", 9),
    ("never mark[X] = {}", 0),
    ("always not over or winners != {}", 9),
    ("reachable three(X) and three(O)", None),
    ("reachable count(mark[O]) = 5", None),
    ("ends within 8 plies", 9),
    ("balanced within 29%", None),
]


@pytest.mark.parametrize(("text", "plies"), FALSE)
def test_false_claims(nine: Bench, text: str, plies: int | None) -> None:
    verdict = nine.verdict(text)
    assert verdict.status == Status.VIOLATED
    if plies is None:
        assert verdict.evidence is None
    else:
        assert verdict.evidence is not None
        assert len(list(verdict.evidence.states())) == plies + 1


@pytest.mark.parametrize("text", [t for t, n in FALSE if n is not None and t.startswith(("never", "always"))])
def test_plays_that_are_shown_show_it(nine: Bench, text: str) -> None:
    verdict = nine.verdict(text)
    claim = read_claim(nine.rules, text)
    assert verdict.evidence is not None
    assert isinstance(claim, StateClaim)
    held = [holds_in(s, claim.condition) for s in verdict.evidence.states()]
    assert held == [text.startswith("always")] * (len(held) - 1) + [text.startswith("never")]


def test_a_play_that_goes_round(walk: Bench) -> None:
    verdict = walk.verdict("ends")
    assert verdict.status == Status.VIOLATED
    assert verdict.evidence is not None
    states = list(verdict.evidence.states())
    assert verdict.evidence.loop is not None
    assert states[verdict.evidence.loop] == states[-1]
    assert verdict.evidence.loop < len(states) - 1
    assert all(not s.is_terminal for s in states)


@pytest.mark.parametrize("text", ["at = 4 leads to at = 6", "at = 1 leads to over", "stays = 2 leads to over"])
def test_a_play_that_does_not_come_there(walk: Bench, text: str) -> None:
    """It passes a position where the first holds, and from there on the second never does: to an end, or round."""
    verdict = walk.verdict(text)
    assert verdict.status == Status.VIOLATED
    assert verdict.evidence is not None
    claim = read_claim(walk.rules, text)
    assert isinstance(claim, LeadsTo)
    states = list(verdict.evidence.states())
    met = [i for i, s in enumerate(states) if holds_in(s, claim.condition)]
    assert any(not any(holds_in(s, claim.then) for s in states[i:]) for i in met)
    assert states[-1].is_terminal or states[verdict.evidence.loop or 0] == states[-1]


def test_what_must_come_comes(walk: Bench) -> None:
    assert walk.verdict("at = 6 leads to winners = {up}").status == Status.PROVED
    assert walk.verdict("at = 0 leads to winners = {down}").status == Status.PROVED


def test_longest_plays(tmp_path: Path) -> None:
    bench = Bench("nim", a=2, b=1, c=0, d=0)
    assert bench.verdict("ends within 3 plies").status == Status.PROVED
    verdict = bench.verdict("ends within 2 plies")
    assert verdict.evidence is not None
    assert len(verdict.evidence.moves) == 3
    assert list(verdict.evidence.states())[-1].is_terminal


def test_plies_do_not_count_chance_and_count_joint_choices_once() -> None:
    bench = Bench("rock-paper-scissors")
    verdict = bench.verdict("ends within 1 plies")
    assert verdict.status == Status.VIOLATED  # ties go round
    assert verdict.evidence is not None
    assert [str(m) for m in verdict.evidence.moves] == ["rock", "rock"]


# ---------------------------------------------------------------------------------------------------- cut short


def test_a_search_that_was_cut_short_proves_nothing() -> None:
    bench = Bench("tic-tac-toe", Limits(depth=5))
    assert bench.verdict("never three(O)").status == Status.HOLDS
    assert (
        bench.verdict("never three(O)").detail == "in 2,350 states (all of the first 5 steps)"
    )  # 1 + 9 + 72 + 252 + 756 + 1260
    assert bench.verdict("reachable three(O)").status == Status.UNKNOWN
    assert bench.verdict("ends").status == Status.HOLDS
    assert bench.verdict("three(X) leads to over").status == Status.HOLDS
    assert bench.verdict("count(mark[X]) = 2 leads to over").status == Status.HOLDS
    assert bench.verdict("ends within 9 plies").status == Status.HOLDS


def test_what_was_found_is_certain_all_the_same() -> None:
    bench = Bench("tic-tac-toe", Limits(depth=5))
    assert bench.verdict("reachable three(X)").status == Status.PROVED
    assert bench.verdict("never three(X)").status == Status.VIOLATED
    assert bench.verdict("used place").status == Status.PROVED
    assert bench.verdict("ends within 4 plies").status == Status.VIOLATED


def test_nothing_is_dead_when_the_search_was_cut_short() -> None:
    bench = Bench("tic-tac-toe", Limits(depth=2))
    found = {v.status for v in check_defaults(bench.space)}
    assert Status.VIOLATED not in found
    assert Status.UNKNOWN in found


# ------------------------------------------------------------------------------------------------------- sampling


def test_a_fair_game_is_balanced_by_samples() -> None:
    start = InterpretedGame(load_program("rock-paper-scissors")).initial_state()
    status, detail, _ = by_samples(start, 10, Clock())
    assert status == Status.HOLDS  # from samples nothing is proved
    assert "random games (seed 0)" in detail and "with 99% confidence" in detail
    assert Bench("rock-paper-scissors").verdict("balanced within 1%").status == Status.PROVED


def test_an_unfair_game_is_not(tmp_path: Path) -> None:
    path = tmp_path / "walk.gdl"
    path.write_text(WALK.replace("at: 0..6 = 3", "at: 0..6 = 5"), encoding="utf-8")
    assert Bench(path).verdict("balanced within 10%").status == Status.VIOLATED


# --------------------------------------------------------------------------------------------------- wrong claims


@pytest.mark.parametrize(
    ("text", "code"),
    [("never", "E01"), ("nver x", "E01"), ("never three(Z)", "E0201"), ("used lift", "E0206"), ("never 3", "E0")],
)
def test_wrong_claims_are_told(nine: Bench, text: str, code: str) -> None:
    with pytest.raises(GameDSLError) as caught:
        nine.verdict(text)
    assert caught.value.diagnostics[0].code.startswith(code)


def test_a_claim_that_can_not_be_worked_out(nine: Bench) -> None:
    verdict = nine.verdict("always the(mark[X]) in mark[X]")
    assert verdict.status == Status.VIOLATED
    assert "it cannot be evaluated: the set is empty here" in verdict.detail


# ------------------------------------------------------------------------------------------------- default claims

WHOLE = [
    ("tic-tac-toe", {}),
    ("x-s-and-lines", {"n": 3}),
    ("hex", {"n": 2}),
    ("hex-swap", {"n": 2}),
    ("rock-paper-scissors", {}),
    ("nim", {}),
    ("misere-nim", {}),
    ("misere-tic-tac-toe", {}),
    ("clobber", {"rows": 3, "columns": 3}),
    ("kayles", {"pins": 7}),
    ("domineering", {"rows": 3, "columns": 3}),
    ("connect-four", {"rows": 3, "columns": 3, "k": 3}),
    ("dots-and-boxes", {"rows": 2, "columns": 1}),
    ("y", {"n": 3}),
]


@pytest.mark.parametrize(("name", "options"), WHOLE)
def test_shipped_rulesets_are_sound(name: str, options: dict[str, int]) -> None:
    """All claims, their own and the default ones, on boards small enough to know every position."""
    bench = Bench(name, **options)
    verdicts = [check_claim(bench.space, c) for c in bench.rules.program.claims] + list(check_defaults(bench.space))
    assert [(v.claim, v.detail) for v in verdicts if v.status not in (Status.PROVED, Status.NOTED)] == []


def test_ties_can_go_on_for_ever_and_that_is_only_noted() -> None:
    noted = [v for v in check_defaults(Bench("rock-paper-scissors").space) if v.status == Status.NOTED]
    assert len(noted) == 1
    assert noted[0].evidence is not None
    assert noted[0].evidence.loop == 0


def test_depths_never_skip(nine: Bench) -> None:
    graph = nine.space.graph
    assert all(graph.depth(int(j)) <= graph.depth(i) + 1 for i in range(len(graph)) for j in graph.successors(i))
    assert all(a < b for a, b in pairwise(graph.levels))


TWO_RELATIONS = """\
game "Two ways to be joined"
players red, blue
board grid 3 by 3
piece stone of player
move place(c: cell)
  when c in empty
  put stone[me] on c
play
  turns from red
    me plays place
      stuck
        draw
"""
BENT = "stone[red] = {a1, b2, a3}"  # joined by corners only


def test_a_path_along_one_relation_answers_no_question_about_another(tmp_path: Path) -> None:
    """Compiled code keeps paths from one question to the next."""
    path = tmp_path / "two.gdl"
    path.write_text(TWO_RELATIONS, encoding="utf-8")
    bench = Bench(path)
    for joined in ("connected(stone[red], top_row, bottom_row, any)", "not connected(stone[red], top_row, bottom_row)"):
        assert bench.verdict(f"always not {BENT} or {joined}").status is Status.PROVED
