"""Agents by their texts, at the seats of a play, and as advice at the table."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gamedsl import UsageError, load
from gamedsl.agents import parse_agent, parse_agents
from gamedsl.agents.alphabeta import AlphaBeta
from gamedsl.agents.mcts import Mcts
from gamedsl.agents.uniform import Uniform
from gamedsl.cli.main import main
from gamedsl.play.terminal.table import advice
from tests.play.terminal.script import session_of, sit


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("random", Uniform()), ("mcts:5000", Mcts(5000, None)), ("mcts:2s", Mcts(None, 2.0)), ("mcts:0.25s", Mcts(None, 0.25)),
        ("mcts:5000:threads=2", Mcts(5000, None, 2)), ("mcts", Mcts(None, 1.0)), ("ab:d6", AlphaBeta(6, None)),
        ("ab:2s", AlphaBeta(None, 2.0)), (" ab ", AlphaBeta(None, 1.0)),
        ("mcts:200ms", Mcts(None, 0.2)), ("ab:50ms", AlphaBeta(None, 0.05)),
        ("ab:d6:leaf=linear", AlphaBeta(6, None, "linear")), ("ab:leaf=playouts", AlphaBeta(None, 1.0, "playouts")),
        ("mcts:1m", Mcts(None, 60.0)), ("ab:0.5m", AlphaBeta(None, 30.0)), ("mcts:200ms:threads=2", Mcts(None, 0.2, 2)),
    ],
)  # fmt: skip
def test_texts(text: str, agent: object) -> None:
    assert parse_agent(text) == agent
    assert parse_agent(parse_agent(text).text) == agent


@pytest.mark.parametrize(
    "text",
    ["", "human", "mcst:2s", "mcts:", "mcts:0", "mcts:-1", "mcts:2h", "mcts:2sm", "mcts:2 s", "mcts:1e5",
     "mcts:0s", "mcts:0ms", "mcts:5:5", "ab:6", "ab:d0", "ab:d6:2s", "ab:leaf=", "ab:leaf=best", "ab:d6:leaf", "ab:leaf=linear:d6",
     "random:3", "mcts:5:threads=0", "mcts:9999999s", "mcts:1441m", "ab:d²", "mcts:٣"],
)  # fmt: skip
def test_what_is_known_is_listed(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_agent(text)
    told = caught.value.diagnostics[0]
    assert f"`{text}` is not an agent" in told.message
    assert all(name in told.help for name in ("random", "mcts:2s", "mcts:5000", "ab:2s", "ab:d6"))


def test_a_list() -> None:
    assert [a.text for a in parse_agents("random,mcts:10,ab:d2")] == ["random", "mcts:10", "ab:d2"]


def test_nobody_pays_for_what_is_not_used() -> None:
    code = "import sys, gamedsl.cli.main as m; m.build_parser(['play']); from gamedsl.agents import parse_agent; parse_agent('mcts:5')"
    code += "; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# ------------------------------------------------------------------------------------------------------- seats


def test_programs_at_the_seats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "tic-tac-toe", "--seats", "mcts:2000,ab:d9", "--seed", "2"]) == 0
    assert "result: a draw" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_play(capsys: pytest.CaptureFixture[str]) -> None:
    plays = []
    for seed in ("4", "4", "5"):
        assert main(["play", "connect-four", "--seats", "mcts:60", "--seed", seed]) == 0
        plays.append(capsys.readouterr().out)
    assert plays[0] == plays[1] != plays[2]


@pytest.mark.parametrize(
    ("game", "seats", "reason"),
    [
        ("pig", "human,ab:d3", "alpha-beta cannot handle chance"),
        ("phantom-tic-tac-toe", "human,ab:d3", "is hidden from players"),
        ("tic-tac-toe", "human,mcts:soon", "is not an agent"),
        ("tic-tac-toe", "human,mtcs:5", "Possible kinds: human, random, mcts, ab"),
    ],
)
def test_what_does_not_fit_is_told_before_the_play(
    game: str, seats: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", game, "--seats", seats]) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("text", ["mcts:200ms", "ab:200ms"])
def test_what_is_prepared_is_not_compiled_again(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After ``prepare`` a choice only searches: neither the rules nor a kernel is compiled then."""
    import gamedsl.compiler
    from gamedsl.agents import alphabeta_kernel, search_tree

    played = load("tic-tac-toe")
    parse_agent(text).prepare(played)
    kernels = (search_tree.run_iterations, alphabeta_kernel.at_root)
    compiled = [len(k.signatures) for k in kernels]

    def refused(*_: object) -> None:
        raise AssertionError("compiled while the clock runs")

    monkeypatch.setattr(gamedsl.compiler, "compile_program", refused)
    assert parse_agent(text).choose(played.initial_state(), 1)
    assert [len(k.signatures) for k in kernels] == compiled


# ------------------------------------------------------------------------------------------------ hint and eval


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "SECONDS", 0.05)


def asked(name: str, *lines: str) -> str:
    table, face = sit(session_of(name), *lines)
    with pytest.raises(EOFError):
        table.run()
    return face.text


def test_a_hint_names_the_winning_move() -> None:
    text = asked("tic-tac-toe", "a1", "a3", "b1", "b3", "hint")
    assert "hint: c1" in text and "X wins by force, within 1 ply" in text


def test_a_hint_for_who_is_lost() -> None:
    text = asked("tic-tac-toe", "a1", "b1", "a3", "a2", "c3", "hint")
    assert "O loses against best play, after 2 plies at most" in text


def test_eval_draws_a_bar_for_everybody() -> None:
    text = asked("tic-tac-toe", "a1", "a3", "b1", "b3", "eval")
    assert "X ████████████████████ +1.00" in text
    assert "O ░░░░░░░░░░░░░░░░░░░░ -1.00" in text
    assert "  c1 +1.00, proven, 1 ply to the end" in text


def test_a_secret_choice_is_to_be_drawn() -> None:
    text = asked("rock-paper-scissors", "", "hint")
    assert "hint: choose at random, " in text and text.count("%") == 3


def test_a_message_where_nothing_can_be_searched() -> None:
    assert "drawings cannot be searched" in asked("abs-trac-toe", "hint", "eval")


def test_hidden_information_is_searched_with_what_the_player_knows() -> None:
    text = asked("phantom-tic-tac-toe", "", "hint", "eval")
    assert "\nhint: " in text and "expected" in text and "no evaluation" not in text


def test_help_lists_them() -> None:
    text = asked("tic-tac-toe", "help")
    assert "hint" in text and "eval" in text
