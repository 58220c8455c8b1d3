"""Sweeps over small games whose chances are counted by hand."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from math import pi, sin
from pathlib import Path
from typing import Any, TypeVar
from xml.etree import ElementTree

import msgspec
import pytest

from gamedsl.cli.compare_command import read_content, read_player
from gamedsl.cli.main import main
from gamedsl.compiler import Native
from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.base import Newest
from gamedsl.lab.shards import Question, ShardRunner, ShardStore, never
from gamedsl.lab.shards.question import Shard
from gamedsl.lab.solve import Solved
from gamedsl.lab.sweeps import Measured, SweepPlan, best_rows, main_effects, pareto_front, sweep
from gamedsl.lab.sweeps.combination_parts import game_parts
from gamedsl.lab.variants import VersionPlan, solve_version
from gamedsl.language.rules import load_program
from gamedsl.language.source import FileError
from tests.lab.sweeps.unfair import UNFAIR

A = TypeVar("A")
GAMES = 1000  # the budget for every value


def measured(file: str, values: dict[str, list[str]], games: int = GAMES, rounds: int = 1) -> list[Measured]:
    plan = SweepPlan(file, values, {}, ["fairness", "length"], VersionPlan(games, limit=200), rounds)
    *_, rows = sweep(plan)
    return rows


@pytest.mark.parametrize("name", UNFAIR)
def test_an_unfair_option_is_found(name: str, tmp_path: Path) -> None:
    """Within 1,000 games of each value. Every interval is within 4 standard errors of the truth."""
    file = tmp_path / "duel.gdl"
    file.write_text(UNFAIR[name].text, encoding="utf-8")
    rows = measured(str(file), {"x": ["0", "1", "2"]})
    for x, row in enumerate(rows):
        value, low, high = row.figures["fairness"]
        assert value == pytest.approx(UNFAIR[name].fairness(x), abs=0.12)
        assert low <= value <= high
        assert row.figures["length"][0] == 2
    fair = best_rows(rows, "fairness")
    assert fair[0].values == {"x": "0"}
    worst = min(range(3), key=UNFAIR[name].fairness)
    assert rows[worst] not in fair or UNFAIR[name].fairness(worst) > 0.9


def test_intervals_of_shares_are_shares() -> None:
    plan = SweepPlan("m-n-k", {"m": ["3", "4"]}, {}, ["fairness", "draws"], VersionPlan(6, limit=0))
    *_, rows = sweep(plan)
    assert all(0 <= end <= 1 for row in rows for figure in row.figures.values() for end in figure)


def test_draws_that_never_came_may_come() -> None:
    """Wilson's interval of 0 of 20 ends at 0.161 (Newcombe 1998); a normal one would say that there are none."""
    plan = SweepPlan("nim", {"a": ["1", "2"]}, {}, ["draws", "fairness"], VersionPlan(20, limit=0))
    *_, rows = sweep(plan)
    assert rows[0].figures["draws"] == (0.0, 0.0, pytest.approx(0.1611, abs=5e-5))


NAMED = """game "Race"

players X, O

define goal = 3
define least = -1

state
  points: player -> 0..20

move step(k: 1..2) written "{k}"
  add k to points[me]

play
  turns from X
    me plays step
    if points[me] >= goal and goal > least
      win me
"""


def test_named_numbers_vary_like_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To a goal of 1 everybody needs one turn, and X wins. To 2, X needs one turn with probability 1/2, else two, and O
    comes first if X needs two and O one: O wins with 1/4."""
    file = tmp_path / "race.gdl"
    file.write_text(NAMED, encoding="utf-8")
    rows = measured(str(file), {"goal": ["1", "2"], "least": ["-2", "0"]}, games=400)
    assert [row.figures["fairness"][0] for row in rows[:2]] == [0, 0]
    assert rows[2].figures["fairness"][0] == pytest.approx(1 / 2, abs=0.18)  # four standard errors
    assert rows[2].figures == rows[3].figures
    assert main(["sweep", str(file), "--set", "goal=2,x", "-n", "10"]) == 0
    assert "`goal` is a number with a name, and `x` is not a whole number" in capsys.readouterr().out
    assert main(["sweep", str(file), "--set", "points=2,3", "-n", "10"]) == 2
    shown = capsys.readouterr().err
    assert "no option `points`" in shown and "Its options: none. Its numbers with a name: goal, least." in shown
    assert main(["sweep", "nim", "--set", "points=2,3", "-n", "10"]) == 2
    assert "To vary a number of the rules, give it a name, such as `define goal = 3`." in capsys.readouterr().err


def test_depth_is_that_of_the_ladder(capsys: pytest.CaptureFixture[str]) -> None:
    """A game of one move has one level; a line of two marks that the first player always gets too."""
    assert main(["sweep", "m-n-k", "--set", "m=1,2", "--set", "n=2", "--set", "k=2", "--metrics", "depth", "-n", "5",
                 "--format", "json"]) == 0  # fmt: skip
    told = json.loads(capsys.readouterr().out)
    figures = [row["figures"]["depth"] for row in told["combinations"]]
    levels = [figure["value"] for figure in figures]
    # of five players passed over, one may be stronger; with a chance of 0.0226 there are two
    assert figures[1]["low"] == 1 and figures[1]["high"] == 2
    assert main(["depth", "m-n-k", "--set", "m=2", "--set", "n=2", "--set", "k=2", "--rungs", "8", "--pairs", "100",
                 "--format", "json"]) == 0  # fmt: skip
    assert levels == [1, json.loads(capsys.readouterr().out)["levels"]] == [1, 1]


def test_depth_is_measured_in_the_last_round_only() -> None:
    """Of four combinations two stay, and only they have a depth."""
    asked: list[str] = []

    def levels(game: Game) -> tuple[float, float, float]:
        asked.append(game.digest)
        return (float(len(asked)),) * 3

    plan = SweepPlan("nim", {"a": ["1", "2"], "b": ["1", "2"]}, {}, ["fairness", "depth"], VersionPlan(60, limit=0), 2,
                     levels=levels)  # fmt: skip
    *_, rows = sweep(plan)
    assert len(set(asked)) == len(asked) == 2
    assert sorted(row.figures["depth"][0] for row in rows if "depth" in row.figures) == [1, 2]


def test_a_value_that_has_learned_more_is_another_player(tmp_path: Path) -> None:
    """The checkpoint has the games of a file's weights, not of its name. Best play does not depend on them."""
    net = tmp_path / "it.net"
    agent = f"net:{net}:d1"
    for games, expected in ((40, 2), (40, 1), (80, 2)):
        assert main(["train", "tic-tac-toe", "-o", str(net), "--games", str(games), "-q"]) == 0
        version = VersionPlan(2, limit=0, player=read_player(agent), identity=read_content(agent))
        runner = Counting(store=ShardStore(tmp_path / "sweep.sqlite"))
        *_, rows = sweep(SweepPlan("tic-tac-toe", {}, {}, ["length"], version, player="net"), runner=runner)
        runner.close()
        assert rows[0].games == 2 and len(runner.answered) == expected


class Counting(ShardRunner):
    """A runner that notes what it answers, and what it answers again for a comparison."""

    def __init__(self, store: ShardStore) -> None:
        super().__init__(store=store)
        self.answered: list[str] = []

    def note(self, question: Question[list[A]]) -> Question[list[A]]:
        """Returns the question, which is then noted when it is answered."""
        answer = question.answer

        def noted(first: int, count: int, stopped: Callable[[], bool]) -> list[A]:
            self.answered.append(question.digest)
            return answer(first, count, stopped)

        object.__setattr__(question, "answer", noted)
        return question

    def each(self, questions: Iterable[Question[list[A]]], stopped: Callable[[], bool] = never) -> Iterator[A]:
        return super().each(map(self.note, questions), stopped)


def test_best_play_is_exact() -> None:
    """Nim with two heaps: the player who moves first wins unless the heaps are equal."""
    rows = measured("nim", {"a": ["1", "2"], "b": ["1", "2"], "c": ["0"]}, games=50)
    assert [row.value for row in rows] == [-1, 1, 1, -1]


def row(x: int, y: int, fairness: float, length: float = 1.0) -> Measured:
    figures = {"fairness": (fairness, fairness - 0.01, fairness + 0.01), "length": (length, length, length)}
    return Measured({"x": str(x), "y": str(y)}, figures)


def test_main_effects_by_hand() -> None:
    """f = x + 2 y on {0, 1} x {0, 1}: variances 1/4 and 1, of 5/4 in all. For f = x y, of variance 3/16, each has 1/16
    alone and 2/16 with the other."""
    values = {"x": ["0", "1"], "y": ["0", "1"]}
    grid = [(0, 0), (0, 1), (1, 0), (1, 1)]
    first, second = main_effects([row(x, y, x + 2 * y) for x, y in grid], values, "fairness")
    assert (first.option, first.main, first.total) == ("x", pytest.approx(0.2), pytest.approx(0.2))
    assert (second.main, second.total) == (pytest.approx(0.8), pytest.approx(0.8))
    for effect in main_effects([row(x, y, x * y) for x, y in grid], values, "fairness"):
        assert (effect.main, effect.total) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert main_effects([row(x, y, 1.0) for x, y in grid], values, "fairness") == []


def test_main_effects_of_a_function_with_published_ones() -> None:
    """sin x + 7 sin² y + 0.1 z⁴ sin x, all from -π to π: 0.3139, 0.4424 and 0 alone, 0.5576, 0.4424 and 0.2437 in all (T. Ishigami
    and T. Homma, 1990; A. Saltelli et al., "Global sensitivity analysis: the primer", 2008). The middles of 12 by 12 by 24
    parts give sums over sines exactly, and those over powers of z up to a hundredth."""
    sizes = {"x": 12, "y": 12, "z": 24}
    values = {name: [str(k) for k in range(size)] for name, size in sizes.items()}

    def at(name: str, k: int) -> float:
        return pi * (2 * (k + 0.5) / sizes[name] - 1)

    rows = []
    for i, j, k in product(*map(range, sizes.values())):
        x, y, z = at("x", i), at("y", j), at("z", k)
        rows.append(Measured({}, {"length": (sin(x) + 7 * sin(y) ** 2 + 0.1 * z**4 * sin(x), 0.0, 0.0)}))
    found = main_effects(rows, values, "length")
    assert [e.main for e in found] == pytest.approx([0.3139, 0.4424, 0], abs=0.005)
    assert [e.total for e in found] == pytest.approx([0.5576, 0.4424, 0.2437], abs=0.005)


def test_the_front_keeps_what_nothing_beats() -> None:
    rows = [row(0, 0, 0.9, 10), row(0, 1, 0.8, 5), row(1, 0, 0.7, 20), row(1, 1, 0.9, 30)]
    assert pareto_front(rows, ["fairness", "length"]) == rows[:2]
    assert best_rows(rows, "fairness") == [rows[0], rows[3]]


def test_halving_gives_more_games_to_the_better_half() -> None:
    rows = measured("nim", {"a": ["1", "2"], "b": ["1", "2"]}, games=400, rounds=2)
    assert sorted(row.games for row in rows) == [200, 200, 400, 400]
    assert max(rows, key=lambda r: r.figures["fairness"][0]).games == 400


def test_a_later_round_compiles_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four combinations, then two of them, then one: four compilations, and best play is sought four times."""
    done = list[str]()

    def compiled(*given: Any, **more: Any) -> Native:
        done.append("compiled")
        return Native(*given, **more)

    def solved(game: Game, limit: int) -> Solved | None:
        done.append("solved")
        return solve_version(game, limit)

    monkeypatch.setattr("gamedsl.lab.variants.version_games.Native", compiled)
    monkeypatch.setattr("gamedsl.lab.variants.version_games._compiled", Newest(64))
    monkeypatch.setattr("gamedsl.lab.sweeps.combination_parts.solve_version", solved)
    rows = measured("nim", {"a": ["1", "2"], "b": ["1", "2"]}, 200, rounds=3)
    assert (done.count("compiled"), done.count("solved")) == (4, 4)
    assert sorted(row.games for row in rows) == [50, 50, 100, 200]
    assert all(row.value is not None for row in rows)


def test_nothing_is_halved_where_no_combination_has_games() -> None:
    """Random players do not draw, so the first round is the last one."""
    plan = SweepPlan("abs-trac-toe", {"players": ["2", "3"]}, {}, ["fairness"], VersionPlan(10, limit=0), rounds=2)
    *_, rows = sweep(plan)
    assert all("players draw" in row.problem for row in rows)


def test_a_stopped_sweep_continues(tmp_path: Path) -> None:
    """What is in the file is not measured again, but for one answer that is compared, and the result is that of a sweep
    that was not stopped."""
    plan = SweepPlan("nim", {"a": ["1", "2", "3"]}, {}, ["fairness"], VersionPlan(60, limit=0))
    *_, whole = sweep(plan)
    stops = iter([False] * 3)
    first = Counting(ShardStore(tmp_path / "sweep.sqlite"))
    list(sweep(plan, lambda: next(stops, True), first))
    first.close()
    again = Counting(ShardStore(tmp_path / "sweep.sqlite"))
    *_, rows = sweep(plan, runner=again)
    again.close()
    assert 0 < len(first.answered) < 6
    assert len(again.answered) == 6 - len(first.answered) + 1
    assert rows == whole


def test_more_values_and_games_need_only_what_is_missing(tmp_path: Path) -> None:
    """Blocks of games belong to a combination: neither another combination, nor more games, nor another metric makes
    those that are known again."""

    def answered(values: list[str], games: int, metrics: list[str]) -> int:
        plan = SweepPlan("nim", {"a": values}, {}, metrics, VersionPlan(games, limit=0))
        runner = Counting(ShardStore(tmp_path / "sweep.sqlite"))
        *_, rows = sweep(plan, runner=runner)
        runner.close()
        *_, alone = sweep(plan)
        assert rows == alone
        return len(runner.answered)

    assert answered(["1", "2"], 5000, ["fairness"]) == 4
    assert answered(["1", "2", "3"], 5000, ["length"]) == 2 + 1  # one is compared
    assert answered(["1", "2", "3"], 5100, ["draws"]) == 3 + 1


@pytest.mark.parametrize(
    "forged",
    [
        [],
        [[[], [], [], 0, [[1.0]]]],
        [[[[1.0, -1.0]] * 19, [3.0] * 20, [1.0] * 20, 0, [[1.0, -1.0]] * 20]],
        [[[[1.0]] * 20, [3.0] * 20, [1.0] * 20, 0, [[1.0]] * 20]],
        [[[[1.0, -1.0]] * 20, [float("nan")] * 20, [1.0] * 20, 0, [[1.0, -1.0]] * 20]],
        [[["x"], [3.0], [1.0], 0, [[1.0, -1.0]]]],
        "text",
    ],
    ids=lambda change: str(change)[:40],
)
def test_a_forged_measurement_is_refused(forged: object, tmp_path: Path) -> None:
    """Whatever form a file gives to the games of a combination, also with the right digest."""
    path = tmp_path / "sweep.sqlite"
    plan = SweepPlan("nim", {"a": ["1", "2"]}, {}, ["fairness"], VersionPlan(20, limit=0))
    store = ShardStore(path)
    part = next(game_parts(InterpretedGame(load_program("nim", {"a": "1"})), plan.version, 20))
    store.keep(part, Shard(0, 1, msgspec.msgpack.encode(forged)))
    with pytest.raises(FileError) as caught:
        list(sweep(plan, runner=ShardRunner(store=store)))
    assert caught.value.diagnostics[0].code == "E0523"


@pytest.mark.parametrize(
    ("words", "part", "code"),
    [
        (["absent.gdl", "--set", "n=3,4"], "there is no file `absent.gdl`", 2),
        (["m-n-k", "--set", "zzz=3,4"], "no option `zzz`", 2),
        (["m-n-k", "--set", "m=x,y"], "takes a number", 2),
        (["m-n-k", "--set", "m=2,3", "--search", "net:absent.net"], "absent.net", 1),
        (["goofspiel", "--set", "cards=2,3", "--search", "ab:d1"], "hidden", 2),
    ],
)
def test_a_sweep_without_a_game_is_a_mistake(
    words: list[str], part: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", *words, "-n", "10"]) == code
    shown = capsys.readouterr()
    assert part in shown.err and not shown.out


def test_an_output_that_cannot_be_written_is_refused_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the work began")

    for module, name in (("sweeps", "sweep"), ("metrics", "measure")):
        monkeypatch.setattr(f"gamedsl.lab.{module}.{name}", never)
    monkeypatch.setattr("gamedsl.agents.train", never)
    absent, folder = str(tmp_path / "absent" / "x.json"), str(tmp_path)
    for line in (
        ["sweep", "m-n-k", "--set", "m=2,3", "-o", absent],
        ["metrics", "tic-tac-toe", "-o", absent],
        ["metrics", "tic-tac-toe", "-o", folder],
        ["metrics", "tic-tac-toe", "--traces", absent],
        ["train", "tic-tac-toe", "-o", absent],
        ["train", "tic-tac-toe", "-o", folder],
    ):
        assert main(line) == 5
        assert "E0008" in capsys.readouterr().err


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["sweep", "m-n-k", "--set", "m=2..3", "--set", "k=2,4", "-n", "100", "--limit", "0"]
    assert main(line) == 0
    shown = capsys.readouterr().out
    assert "4 combinations" in shown and "best fairness" in shown and "a line of 4 does not fit" in shown
    assert main([*line, "-q", "-o", str(tmp_path / "chart.svg")]) == 0
    assert main([*line, "-q", "-o", str(tmp_path / "table.csv")]) == 0
    assert main([*line, "-q", "-o", str(tmp_path / "data.json")]) == 0
    ElementTree.fromstring((tmp_path / "chart.svg").read_text())
    table = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    told = json.loads((tmp_path / "data.json").read_text())
    assert len(table) == len(told["combinations"]) == 4
    assert float(table[0]["length"]) == told["combinations"][0]["figures"]["length"]["value"]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--set", "m=3"], "nothing varies"),
        (["--set", "m=3..2"], "not a range"),
        (["--set", "m=1..2", "--metrics", "beauty"], "not a metric"),
        (["--set", "m=1..19", "--set", "n=1..19", "--set", "k=1..19", "--set", "misere=no,yes"], "combinations"),
    ],
)
def test_refused(words: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "m-n-k", *words]) == 2
    assert part in capsys.readouterr().err


def test_a_file_that_is_no_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "text"
    file.write_text("not a database, but long enough to be read as one" * 20)
    assert main(["sweep", "m-n-k", "--set", "m=2..3", "-n", "10", "--checkpoint", str(file)]) != 0
    assert "E0523" in capsys.readouterr().err
