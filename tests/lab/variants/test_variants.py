"""Versions of small games: who wins by hand, which lines do nothing, and probabilities from formulas."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from gamedsl.cli.main import main
from gamedsl.engine import InterpretedGame
from gamedsl.lab.explore import Limits, explore
from gamedsl.lab.variants import Ablation, Effect, VersionComparison, VersionPlan, ablate, compare_versions, ranked
from gamedsl.lab.variants.figure_tests import FigureTest, corrected, figure_tests_of
from gamedsl.lab.variants.games_in_steps import SeriesOfGames, play_until_decided
from gamedsl.lab.variants.version_games import Numbers, VersionGames, has_more
from gamedsl.language.rules import load_program
from tests.lab.variants.material import WITHOUT_EFFECT, taking

pytest.importorskip("scipy")

QUICK = VersionPlan(games=200, limit=200)


def never() -> bool:
    return False


def effects(file: Path, plan: VersionPlan = QUICK) -> list[Effect]:
    return ranked(list(ablate(Ablation(str(file), {}, plan, True), never)))


@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_a_rule_without_effect_is_found(name: str, tmp_path: Path) -> None:
    """Within 200 games and 200 positions for each change; all positions of these games are compared, so it is proved."""
    text, piece = WITHOUT_EFFECT[name]
    file = tmp_path / "taking.gdl"
    file.write_text(text, encoding="utf-8")
    (found,) = [e for e in effects(file) if piece in e.mutant.before]
    assert found.has_none and found.size == 0
    assert found.sentence(("first", "second")) == "This rule never mattered."


def test_a_rule_that_decides_who_wins(tmp_path: Path) -> None:
    """Whoever takes last wins. Of 6 counters, taking 1 or 2, the first player loses (6 is a multiple of 3). Without the
    bound of 2, up to 3 may be taken, and the first player wins (6 is no multiple of 4)."""
    file = tmp_path / "taking.gdl"
    file.write_text(taking().replace("= 5", "= 6"), encoding="utf-8")
    (found,) = [e for e in effects(file) if "k <= most" in e.mutant.before]
    assert found.comparison is not None
    assert (found.comparison.old_value, found.comparison.new_value) == (-1, 1)
    assert found.sentence(("first", "second")) == "This rule keeps first from winning with best play."
    assert found.comparison.line[0] == "2"  # to 4, a multiple of 4


def test_the_largest_effects_come_first(tmp_path: Path) -> None:
    file = tmp_path / "taking.gdl"
    file.write_text(WITHOUT_EFFECT["a count that nobody reads"][0], encoding="utf-8")
    found = effects(file)
    sizes = [e.size for e in found if not e.invalid]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > 0
    assert [e for e in found if e.invalid] == found[len(sizes) :]


def test_versions_that_part() -> None:
    """One line of marks wins, or loses. After five plies somebody has a line at the earliest."""
    old, new = (InterpretedGame(load_program("m-n-k", {"misere": value})) for value in ("no", "yes"))
    found = compare_versions(old, new, VersionPlan(games=500, limit=0), never)
    (first, second, drawn, plies, choices) = found.random
    assert first.is_significant and second.is_significant
    # the same games, and the winner is the loser of the other version
    assert (drawn.p, plies.p, choices.p) == pytest.approx((1, 1, 1))
    assert first.old == second.new and first.new == second.old
    assert found.difference is not None and len(found.difference.moves) == 5


def test_a_version_and_itself() -> None:
    game = InterpretedGame(load_program("tic-tac-toe", {}))
    again = InterpretedGame(load_program("tic-tac-toe", {}))
    found = compare_versions(game, again, VersionPlan(games=100, limit=0), never)
    assert found.is_alike and found.difference is None and found.effect == 0


def test_corrections_by_holm() -> None:
    """By hand: 0.01 x 3, then 0.02 x 2 = 0.04, then 0.5 x 1."""
    tests = [FigureTest("a", 0, 0, 0, 0.02), FigureTest("b", 0, 0, 0, 0.5), FigureTest("c", 0, 0, 0, 0.01)]
    assert [t.corrected for t in corrected(tests)] == pytest.approx([0.04, 0.5, 0.03])


def test_false_alarms_are_as_rare_as_stated() -> None:
    """Among 300 pairs of equal versions, fewer than one in a hundred is called different, give or take three standard
    errors: at most 3 + 3 * 1.7 of them."""
    rng, alarms = np.random.default_rng(5), 0

    def games() -> VersionGames:
        first = rng.choice([-1.0, 0.0, 1.0], 400, p=[0.4, 0.1, 0.5])
        results = np.stack([first, -first], axis=1)
        return VersionGames(results, rng.normal(20, 5, 400), rng.normal(7, 1, 400), 0, results)

    for _ in range(300):
        alarms += any(t.is_significant for t in figure_tests_of(games(), games(), ("a", "b")))
    assert alarms <= 8


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other = tmp_path / "taking.gdl", tmp_path / "other.gdl"
    file.write_text(taking(), encoding="utf-8")
    other.write_text(taking().replace("most: 1..3 = 2", "most: 1..3 = 3"), encoding="utf-8")
    assert main(["compare", str(file), str(other), "-n", "200"]) == 0
    shown = capsys.readouterr().out
    assert "they part: at once: `3` is legal now" in shown and "first player with best play: +1, then +1" in shown
    assert main(["ablate", str(file), "-n", "50", "--deletions", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["changes"] == len(told["effects"])
    assert main(["compare", str(file), "pig", "-n", "2"]) == 2


@pytest.mark.parametrize(
    ("words", "part", "code"),
    [
        (["compare", "rock-paper-scissors", "rock-paper-scissors", "--search", "ab:d1"], "simultaneous", 2),
        (["compare", "tic-tac-toe", "m-n-k", "--search", "net:absent.net"], "absent.net", 1),
        (["ablate", "tic-tac-toe", "--search", "net:absent.net"], "absent.net", 1),
    ],
)
def test_an_agent_that_cannot_play_is_refused(
    words: list[str], part: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "-n", "10"]) == code
    shown = capsys.readouterr()
    assert part in shown.err and not shown.out


def test_rules_that_go_wrong_in_both_versions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The fourth step leaves the range of n."""
    file = tmp_path / "wrong.gdl"
    file.write_text(
        'game "Wrong"\n\nplayers a, b\n\nstate\n  n: 0..3\n\nmove up written "up"\n  add 1 to n\n\n'
        "play\n  turns from a\n    me plays up\n"
    )
    assert main(["compare", str(file), str(file), "-n", "10"]) == 0
    assert "no random games: players draw, or the rules go wrong" in capsys.readouterr().out


@pytest.mark.parametrize(("new", "shown"), [(9.04, "9.04"), (2000.0, "2,000"), (999.7, "1,000")])
def test_a_figure_without_a_rule(new: float, shown: str) -> None:
    moved = FigureTest("plies", 7.6, new, 2.0, 1e-9, 1e-9)
    mutant = next(m for m in ablate(Ablation("tic-tac-toe", {}, QUICK, True), never)).mutant
    found = Effect(mutant, VersionComparison([moved]))
    assert found.sentence(("X", "O")) == f"Without this rule, “plies” moves from 7.6 to {shown}."


TRAP = """game "Trap"

players a, b

state
  picked: 0..400

move pick(k: 1..400) written "{k}"
  set picked to k

play
  a plays pick
  if picked = 137
    VERDICT a
  draw
"""


def test_a_search_sees_what_random_games_do_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of 50 random games, one picks the number that wins or loses in 1 of 8 cases: no figure moves. A search picks it
    always where it wins, and never where it loses."""
    old, new = tmp_path / "wins.gdl", tmp_path / "loses.gdl"
    old.write_text(TRAP.replace("VERDICT", "win"), encoding="utf-8")
    new.write_text(TRAP.replace("VERDICT", "lose"), encoding="utf-8")
    line = ["compare", str(old), str(new), "-n", "50", "--limit", "0", "--search", "mcts:1500", "--searched", "12"]
    assert main([*line, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["random"] and all(test["corrected"] > 0.01 for test in told["random"])
    searched = {test["figure"]: test for test in told["searched"]}
    assert (searched["a wins"]["old"], searched["a wins"]["new"]) == (1, 0)
    assert (searched["drawn games"]["old"], searched["drawn games"]["new"]) == (0, 1)
    # Fisher's exact test of 12 of 12 against 0 of 12: 2 / C(24, 12); times at most 5 figures by Holm's method
    assert searched["a wins"]["p"] == pytest.approx(2 / 2_704_156)
    assert searched["a wins"]["corrected"] < 0.01


def test_versions_that_are_the_same_are_not_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "taking.gdl"
    file.write_text(taking(), encoding="utf-8")
    line = ["compare", str(file), str(file), "-n", "50", "--search", "mcts:20", "--searched", "5", "--format", "json"]
    assert main(line) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["same"] and told["searched"] == []


def test_effects_do_not_depend_on_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes that show in no random game, nor near the beginning: the same games show them, and as many are tried, on a
    machine on which every look at the clock takes a second. Nor do they depend on the changes before them."""
    plan = VersionPlan(games=50, limit=0)

    def question() -> Ablation:
        return Ablation("m-n-k", {"m": 5, "n": 5, "k": 4}, plan, True)

    found = question().answer(0, 6, never)
    assert any(effect.comparison is not None and effect.comparison.difference is not None for effect in found)
    clock = count()
    monkeypatch.setattr("gamedsl.lab.mutation.effort.process_time", lambda: float(next(clock)))
    assert question().answer(4, 2, never) == found[4:]


def of_results(results: Numbers, lengths: Numbers) -> VersionGames:
    """Games of two players, all of whose decisions have one choice."""
    return VersionGames(
        np.stack([results, -results], axis=1), lengths, np.ones(len(results)), 0, np.zeros((len(results), 1))
    )


def series(rng: np.random.Generator, longer: float = 1.0) -> SeriesOfGames:
    """Games with skewed lengths: most are short, some ten times as long."""
    return SeriesOfGames(
        lambda numbers: of_results(
            rng.choice([-1.0, 1.0], len(numbers)), longer * (1 + rng.exponential(10, len(numbers)))
        )
    )


def test_games_that_decide_early_are_not_wrong_more_often() -> None:
    """Seven looks at 300 pairs of equal versions: at most 3 false alarms are expected, and three standard errors more."""
    rng, alarms = np.random.default_rng(8), 0
    for _ in range(300):
        tests, mine, others = play_until_decided(series(rng), series(rng), 2000, ("a", "b"))
        alarms += any(t.is_significant for t in tests)
        assert mine is not None and others is not None and len(mine) == len(others)
    assert alarms <= 8


def test_large_differences_are_decided_early() -> None:
    """Games that are three times as long differ by 20 plies, where the standard error of 62 games is about 4: five of them.
    One that is twentieth longer is not seen in all 2,000 games: 0.5 plies, with a standard error of 0.3."""
    rng = np.random.default_rng(2)
    tests, mine, _ = play_until_decided(series(rng), series(rng, 3.0), 2000, ("a", "b"))
    assert mine is not None and len(mine) <= 62 and any(t.name == "plies" and t.is_significant for t in tests)
    tests, mine, _ = play_until_decided(series(rng), series(rng, 1.02), 2000, ("a", "b"))
    assert mine is not None and len(mine) == 2000 and not any(t.is_significant for t in tests)


def test_equal_games_and_long_ones_end_early() -> None:
    """A sixteenth of 2,000 games that are all the same is 125. Of games with 40,000 listed moves, 1,000 for each of 2,000
    wanted games are listed after 50, so 62 are made."""
    one, two = [
        SeriesOfGames(lambda numbers: of_results(np.ones(len(numbers)), np.full(len(numbers), 9.0))) for _ in "ab"
    ]
    _, mine, _ = play_until_decided(one, two, 2000, ("a", "b"))
    assert mine is not None and len(mine) == 125

    def long(result: float) -> SeriesOfGames:
        return SeriesOfGames(lambda numbers: of_results(np.full(len(numbers), result), np.full(len(numbers), 40_000.0)))

    games = VersionGames(np.zeros((3, 1)), np.full(3, 10.0), np.array([1.0, 2, 4]), 0, np.zeros((3, 1)))
    assert games.listed == 70
    _, mine, _ = play_until_decided(long(1), long(1), 2000, ("a", "b"))
    assert mine is not None and len(mine) == 62


def test_the_shortest_game_that_differs() -> None:
    """Games 1 and 3 differ, the first in its result and the second in its length; 6 plies are the fewest."""
    one = VersionGames(np.zeros((4, 1)), np.array([5.0, 9, 5, 8]), np.ones(4), 0, np.array([[0.0], [1], [0], [0]]))
    two = VersionGames(np.zeros((4, 1)), np.array([5.0, 9, 5, 6]), np.ones(4), 0, np.array([[0.0], [0], [0], [0]]))
    assert one.shortest_difference(two) == two.shortest_difference(one) == 3
    assert one.shortest_difference(one) is None
    more = VersionGames(np.zeros((4, 3)), one.lengths, one.choices, 0, np.zeros((4, 3)))
    assert one.shortest_difference(more) == 0  # of three players, all games differ


def test_a_change_of_the_number_of_players() -> None:
    """The auction has two players, and three with its first change, `players 2 to 6 = 3`."""
    question = Ablation("sealed-bid-auction", {}, VersionPlan(50, limit=0), False)
    assert question.wanted[0].before == "players 2 to 6 = 2"
    (found,) = question.answer(0, 1, never)
    assert found.comparison is not None and found.comparison.difference is not None


@pytest.mark.parametrize(("number", "more"), [(300, True), (5478, False), (20_000, False)])
def test_positions_that_random_games_visit(number: int, more: bool) -> None:
    """Tic-tac-toe has 5,478 positions; random games visit some hundreds of them soon."""
    assert has_more(InterpretedGame(load_program("tic-tac-toe", {})), number) == more


@pytest.mark.parametrize(
    ("name", "options"), [("nim", {}), ("pig", {"target": 10}), ("rock-paper-scissors", {}), ("kuhn-poker", {})]
)
def test_no_game_has_more_positions_than_are_found(name: str, options: dict[str, int]) -> None:
    """Chance, simultaneous and hidden moves too: all positions are found one by one, and random games visit no others."""
    game = InterpretedGame(load_program(name, options))
    found = explore(game, Limits(states=20_000))
    assert len(found) < 20_000 and not has_more(game, len(found))
    assert has_more(game, len(found) // 10) or len(found) < 10


def test_games_that_do_not_end_are_named(tmp_path: Path) -> None:
    """Without the counters that are taken away, or the course that ends with them, the heap stays as it is for ever."""
    file = tmp_path / "taking.gdl"
    file.write_text(taking(), encoding="utf-8")
    (found,) = [e for e in effects(file) if e.mutant.before.startswith("take k from left")]
    assert found.comparison is not None and found.comparison.unfinished == (0, 1)
    assert (
        found.sentence(("first", "second"))
        == "Without this rule, 100% of the random games do not end and were cut off."
    )
