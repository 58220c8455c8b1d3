"""The lab's sections of a report: proofs against the solver and published play, the scale, commands, forged files."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

import gamedsl
from gamedsl.agents import LadderPlan, Rung, climb_ladder
from gamedsl.cli.main import build_parser, main
from gamedsl.cli.report_figures import MAKERS, _commands
from gamedsl.cli.report_sections import ReportSection
from gamedsl.compiler import NativeGame
from gamedsl.engine import Game
from gamedsl.lab.base import Clock
from gamedsl.lab.metrics import RandomPlayer, affordable_games, affordable_rungs
from gamedsl.lab.report import LabFigures, can_be_shown, find_openings, find_puzzles
from gamedsl.lab.report.known_games import known_games, on_scale
from gamedsl.lab.report.lab_charts import effect_bars, ladder_steps
from gamedsl.lab.shards import ShardStore
from gamedsl.lab.solve import solve
from gamedsl.language.source import ExitCode, GameDSLError, child_environment, module_command
from tests.lab.test_report import read

SCALE = {"tic-tac-toe", "nim", "connect-four", "hex n=5", "hex", "yavalath", "reversi", "english-draughts", "chess"}
DOCUMENTED = {"t-tic-t-tac-toe", "x-s-and-lines", "horn-tiles", "atreso", "abs-trac-toe"}


def test_openings_of_tic_tac_toe() -> None:
    """All are draws. The center is the only reply to a corner that draws; a corner must answer the center."""
    found = find_openings(gamedsl.load("tic-tac-toe"), 20_000, Clock())
    assert found is not None and len(found) == 9 and {row["value"] for row in found} == {0.0}
    replies = {row["move"]: row["reply"] for row in found}
    assert [replies[corner] for corner in ("a1", "a3", "c1", "c3")] == ["b2"] * 4
    assert replies["b2"] in ("a1", "a3", "c1", "c3")


def test_openings_of_nim_are_those_of_the_nim_sum() -> None:
    """1 and 2: to win, take one of the 2. All else loses, and the replies make both heaps equal or take the last."""
    found = find_openings(gamedsl.load("nim", a=1, b=2, c=0), 1000, Clock())
    assert found is not None
    assert [row["value"] for row in found] == [1, -1, -1]
    assert find_openings(gamedsl.load("pig"), 1000, Clock()) is None
    assert find_openings(gamedsl.load("chess"), 1000, Clock()) is None


@pytest.mark.parametrize(("name", "options"), [("tic-tac-toe", {}), ("hex", {"n": 4})])
def test_puzzles_are_proved_by_the_solver_too(name: str, options: dict[str, Any]) -> None:
    """The solver knows how long each move takes to win: the key is the only one that is as quick as the puzzle says."""
    game = gamedsl.load(name, **options)
    puzzles = find_puzzles(game, 1, games=12)
    assert puzzles
    for puzzle in puzzles:
        state = game.initial_state()
        for text in puzzle["moves"]:
            state = state.apply(game.parse_move(text, state))
        solved = solve(state, method="graph")
        quick = [a.text for a in solved.actions if a.low == 1 and (a.plies or 0) + 1 <= puzzle["plies"]]
        assert quick == [puzzle["key"]] and solved.plies == puzzle["plies"] >= 3
        for text in puzzle["line"]:
            state = state.apply(game.parse_move(text, state))
        assert state.is_terminal and len(puzzle["line"]) <= puzzle["plies"]
        assert puzzle["player"] in state.outcome_text


def test_there_are_no_puzzles_where_something_is_hidden_or_all_is_luck() -> None:
    assert find_puzzles(gamedsl.load("kuhn-poker"), 0, games=3) == []
    assert find_puzzles(gamedsl.load("snakes-and-ladders"), 0, games=1) == []


def test_the_scale_has_the_games_that_people_know() -> None:
    games = known_games()
    assert games.keys() >= SCALE | DOCUMENTED
    ttt = {row.known.name: row for row in on_scale(games["tic-tac-toe"])}
    # published: 7.63 plies, X wins 58.5 % of random games and O 28.8 %: (58.5 + 12.7 / 2) - 50 = 14.8 %
    length, first = ttt["plies"], ttt["advantage of the first mover"]
    assert length.low is not None and length.high is not None and length.low < 7.626 < length.high + 0.1
    assert first.value == pytest.approx(0.148, abs=0.045)
    assert "tic-tac-toe" not in dict(length.others)
    assert [value for _, value in length.others] == sorted(value for _, value in length.others)


METRICS = {
    "players": [{"figures": {"length": {"value": 30.0, "low": 28.0, "high": 32.0}}, "tree": None}], "tree_by_strata": None,
}  # fmt: skip
RUNGS: list[dict[str, Any]] = [
    {"rung": 0, "player": "mcts:1", "below": None},
    {"rung": 1, "player": "mcts:2", "below": {"against": "mcts:1", "outcomes": [0, 0, 2, 3, 4], "accepted": "H1",
                                               "elo": {"value": 100.0, "low": 40.0, "high": 180.0}}},
    {"rung": 2, "player": "mcts:4", "below": {"against": "mcts:2", "outcomes": [1, 0, 0, 0, 9], "accepted": None, "elo": None}},
]  # fmt: skip


def test_views_show_what_was_measured() -> None:
    view = LabFigures(
        {"metrics": METRICS, "ladder": {"levels": 2, "levels_interval": [2, 3], "rungs": RUNGS, "end": "time"}}
    ).view(lambda moves: "")
    (row,) = [row for row in view["metrics"] if row["name"] == "plies"]
    assert (row["value"], row["interval"]) == ("30", "28 to 32") and row["near"].startswith("between ")
    assert view["ladder"]["rows"][1] == ("1", "mcts:2", "mcts:1", "9", "+100 (+40 to +180)", "stronger")
    assert view["ladder"]["rows"][2][4:] == ("", "undecided")
    assert view["ladder"]["chart"].count("<circle") == 2  # the third player's strength is not known
    passed = {"against": "mcts:1", "outcomes": [], "accepted": "H0", "elo": {"value": 5.0, "low": -9.0, "high": 20.0}}
    longer = [*RUNGS[:2], {"player": "mcts:4", "below": passed}]  # five points above mcts:1, which is at the bottom
    heights = [float(y) for y in re.findall(r'cy="([\d.]+)"', ladder_steps(longer))]
    assert heights[1] < heights[2] < heights[0]
    assert effect_bars([]) == "" and ladder_steps(RUNGS[:1]) == ""


def test_a_ladder_without_a_match_has_no_levels() -> None:
    nothing = {"levels": 1, "levels_interval": [1, 1], "rungs": RUNGS[:1], "end": "time"}
    view = LabFigures({"metrics": METRICS, "ladder": nothing}).view(lambda moves: "")
    assert not view["ladder"]["is_measured"]
    assert all(row["name"] != "levels of play" for row in view["metrics"])


@pytest.mark.parametrize("section", ["metrics", "ladder", "effects", "openings", "puzzles"])
@pytest.mark.parametrize(
    "forged", [5, "x", [5], {"players": 3}, {"rungs": [{}]}, [{"line": {}}], [[]], {"levels": "many"}]
)
def test_forged_sections_are_not_shown(section: str, forged: object) -> None:
    assert not can_be_shown(section, forged)


def test_a_page_leads_from_its_numbers_to_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every link leads to a command on the page, and every command is one. A second page takes its figures from the
    file, unless they are not in the right form."""
    monkeypatch.chdir(tmp_path)
    line = [
        "report",
        "nim",
        "-s",
        "a=1",
        "-s",
        "b=2",
        "-s",
        "c=0",
        "--games",
        "10",
        "--time",
        "100",
        "--checkpoint",
        "it.sqlite",
    ]
    assert main([*line, "-o", "first.html"]) == 0
    page = Path("first.html").read_text(encoding="utf-8")
    links, ids = set(read(page).links), set(re.findall(r'id="(how-\w+)"', page))
    assert links and links <= {f"#{name}" for name in ids}
    commands = re.findall(r'<td class="command"><code>gamedsl (.*?)</code>', page)
    assert len(commands) == len(ids) >= 8
    for command in commands:
        words = command.split()
        build_parser(words).parse_args(words)
    made: list[Any] = []
    section = ReportSection("openings", gamedsl.load("nim", a=1, b=2, c=0).digest, 0, False, 0.0, made.pop)
    with closing(ShardStore(Path("it.sqlite"))) as store:
        (opening, *others) = section.known(store)
    for found, shown in (([opening | {"reply": "a kept reply"}, *others], "a kept reply"), ([5], "Openings")):
        made.append(found)
        with closing(ShardStore(Path("it.sqlite"))) as store:
            replace(section, seconds=1e9).make_and_keep(store)
        assert main([*line, "-o", "next.html"]) == 0
        assert shown in Path("next.html").read_text(encoding="utf-8")
    capsys.readouterr()


@pytest.mark.parametrize("text", ["", "no database", "[]", '{"format": "gamedsl report 1"}'])
def test_a_report_overwrites_no_other_file(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused before anything is measured. An empty file has nothing to lose."""
    began = Mock(side_effect=GameDSLError())
    monkeypatch.setattr("gamedsl.lab.report.make_report", began)
    file = tmp_path / "mine.txt"
    file.write_text(text, encoding="utf-8")
    line = ["report", "nim", "--checkpoint", str(file), "-o", str(tmp_path / "page.html")]
    code = main(line)
    assert began.called == (not text)
    if not text:
        return
    assert code == ExitCode.IO and "E0523" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == text and not (tmp_path / "page.html").exists()


def test_no_time_and_no_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", "kuhn-poker", "--games", "5", "--time", "0", "-o", "it.html"]) == 0
    page = Path("it.html").read_text(encoding="utf-8")
    assert "The time ran out while random games were measured" in page and "Levels of play" not in page
    assert main(["report", "kuhn-poker", "--games", "5", "--time", "1", "--plain", "-o", "it.html"]) == 0
    assert "Among known games" not in Path("it.html").read_text(encoding="utf-8")


def test_the_figures_of_known_games_are_of_these_rules() -> None:
    """`python benchmarks/ruleset_figures.py` measures those anew whose rules have changed."""
    for key, known in known_games().items():
        name, *settings = key.split()
        assert gamedsl.load(name, **dict(s.split("=") for s in settings)).digest == known["digest"], key


def test_without_scipy_a_report_says_what_it_has_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    for name in ("ladder", "effects", "openings", "puzzles"):
        monkeypatch.delitem(MAKERS, name)
    page = tmp_path / "it.html"
    assert main(["report", "tic-tac-toe", "--games", "20", "--time", "60", "-o", str(page)]) == 0
    assert "the page has no metrics: SciPy is not installed. It comes with the extra `lp`" in capsys.readouterr().err
    assert page.exists()


def test_a_ladder_that_time_cut_short_is_made_again_by_its_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The match in which the time ran out is left out, and the command names the players before it, and no time."""

    def cut(game: Game, plan: LadderPlan, stop: Event) -> Iterator[Rung]:
        for rung in climb_ladder(game, plan, stop):
            if rung.number == 2 and rung.below is not None:
                stop.set()
                rung = replace(rung, below=replace(rung.below, accepted=None))
            yield rung

    monkeypatch.setattr("gamedsl.agents.climb_ladder", cut)
    arguments = Namespace(file="tic-tac-toe", settings=[], seed=1, time=9.0, counted=False)
    found = MAKERS["ladder"](arguments, gamedsl.load("tic-tac-toe"), Clock().within(1000.0))
    monkeypatch.undo()
    report = SimpleNamespace(
        simulation=SimpleNamespace(summary=SimpleNamespace(plays=1)),
        solved=None,
        graph=None,
        judged_by=(1, 1),
        covered=1,
    )
    commands = dict(_commands(arguments, report, {"ladder": found, "metrics": {"out_of_time": False}}))  # type: ignore[arg-type]
    assert found["end"] == "time" and len(found["rungs"]) == 2
    assert not any("--time" in command for command in commands.values())
    assert main([*shlex.split(commands["ladder"])[1:], "--format", "json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["rungs"] == found["rungs"] and again["levels"] == found["levels"] == 2


def test_games_and_rungs_that_steps_afford() -> None:
    """More steps are more games, up to the limit. A game of tic-tac-toe has at most nine positions, with 24 playouts each; at
    eight of them at most nine moves have 12 playouts each; and no playout has more than nine plies. The steps of five games
    whose playouts have four plies are those of more than two games and of less than twenty."""
    game = NativeGame(gamedsl.load("tic-tac-toe").program)
    player = RandomPlayer.of(game, 24, 1000)
    assert affordable_games(player, game, 0, 20, 0) == 2
    assert affordable_games(player, game, 0, 20, 20 * 9 * (9 * 24 + 8 * 9 * 12)) == 20
    assert 2 < affordable_games(player, game, 0, 20, 5 * 4 * (8 * 24 + 8 * 6 * 12)) < 20
    assert affordable_rungs(game, 0, 1000, 7, 120, 0) == 1
    assert affordable_rungs(game, 0, 1000, 7, 120, 1e9) == 7


@pytest.mark.slow
def test_a_counted_page_is_the_same_everywhere(tmp_path: Path) -> None:
    """In other processes with other hash seeds, and whatever time anything takes."""
    pages = [tmp_path / f"{seed}.html" for seed in (1, 2)]
    for seed, page in enumerate(pages):
        line = [*module_command("gamedsl"), "report", "nim", "--counted", "--games", "50", "-q", "-o", str(page)]
        subprocess.run(line, env=child_environment() | {"PYTHONHASHSEED": str(seed)}, check=True)
    assert pages[0].read_bytes() == pages[1].read_bytes()
