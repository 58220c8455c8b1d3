"""Learning by self-play: strength, reproducibility, the file, the command and the agent."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event

import numpy as np
import pytest

import gamedsl
from gamedsl import GameDSLError, UsageError
from gamedsl.agents import TrainingBudget, parse_agent, read_learned, train, write_learned
from gamedsl.agents.contender import AlphaBetaContender
from gamedsl.agents.leaf_value import leaf_value
from gamedsl.agents.learning import GAMES, Learner
from gamedsl.agents.net import Net
from gamedsl.agents.position import compiled
from gamedsl.agents.tournament import MatchConditions, pairings, play
from gamedsl.cli.main import main
from gamedsl.language.source import ExitCode

TTT = gamedsl.load("tic-tac-toe")


def never() -> bool:
    return False


def test_self_play_beats_the_value_of_random_games_at_equal_effort() -> None:
    game = gamedsl.load("breakthrough")
    learner, start = Learner.new(compiled(game), 1), leaf_value(compiled(game))
    for _ in range(4):
        assert learner.learn(never)
    contenders, points = [AlphaBetaContender(learner.value, 2_000), AlphaBetaContender(start, 2_000)], 0.0
    for pairing in pairings(2, 2, 8):
        points += play(game, contenders, pairing, MatchConditions(3, 4)).points()[0][1]
    assert points >= 11  # of 16


def test_a_stopped_run_goes_on_bit_for_bit(tmp_path: Path) -> None:
    native, path = compiled(TTT), tmp_path / "it.net"
    whole = Learner.new(native, 5)
    for _ in range(3):
        whole.learn(never)
    first = Learner.new(native, 5)
    first.learn(never)
    write_learned(first, TTT, path)
    second = read_learned(path).learner(native)
    assert list(train(second, TrainingBudget(None, 3 * GAMES), Event())) == [True, False]
    assert second.games == 3 * GAMES and (second.weights == whole.weights).all()
    other = Learner.new(native, 6)
    other.learn(never)
    assert (other.weights != first.weights).any()


def test_seeds_of_63_bits_play_games_of_their_own(tmp_path: Path) -> None:
    native, path, found = compiled(TTT), tmp_path / "it.net", []
    for seed in (0, 1 << 32, (1 << 63) - 1):
        learner = Learner.new(native, seed)
        learner.learn(never)
        write_learned(learner, TTT, path)
        assert read_learned(path).seed == seed
        found.append(learner.weights.tobytes())
    assert len(set(found)) == 3


def test_weights_never_grow_beyond_what_can_be_read(tmp_path: Path) -> None:
    native, path = compiled(TTT), tmp_path / "it.net"
    learner = Learner(native, 0, np.full(30, 1e6))
    learner.learn(never)
    write_learned(learner, TTT, path)
    assert max(map(abs, read_learned(path).weights)) <= 1e6


def test_a_generation_that_is_cut_off_is_not_learned_from() -> None:
    learner, left = Learner.new(compiled(TTT), 1), list(range(5))
    before = learner.weights.copy()

    def is_over() -> bool:
        return not left or left.pop() < 0

    assert not learner.learn(is_over) and learner.games == 0 and (learner.weights == before).all()
    stop = Event()
    stop.set()
    assert list(train(learner, TrainingBudget(None, None), stop)) == []
    assert list(train(learner, TrainingBudget(0.0, None), Event())) == []


ENDLESS = """game "Endless"

players a, b

state
  n: 0..1

move go written "go"
  set n to 1 - n

play
  turns from a
    me plays go
"""


def test_a_game_without_choices_teaches_nothing(tmp_path: Path) -> None:
    """There is no position with two moves, so there is nothing to fit."""
    file, path = tmp_path / "endless.gdl", tmp_path / "endless.net"
    file.write_text(ENDLESS)
    assert main(["train", str(file), "-n", "1", "-o", str(path)]) == 0
    assert read_learned(path).generations == 1 and not any(read_learned(path).weights)


def test_rules_that_count_repetitions_and_games_that_teach_nothing() -> None:
    for name, options in (("nine-mens-morris", {}), ("nim", {"a": "1", "b": "0", "c": "0"})):
        learner = Learner.new(compiled(gamedsl.load(name, **options)), 1)
        learner.prepare()
        played = learner._played(iter([False] * 2 + [True] * 9).__next__)
        assert played is None and np.isfinite(learner.weights).all()


def test_the_command_and_the_agent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", "tic-tac-toe", "--games", "40", "--seed", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Tic-Tac-Toe: 30 weights, seed 3"
    assert lines[-2].split()[0] == "40" and lines[-1].startswith("written: tic-tac-toe.net (1 kB, 40 games)")
    assert main(["train", "tic-tac-toe", "--games", "60", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 80 and found["seed"] == 3 and found["matches"][-1]["of"] == 8
    assert found["bytes"] == Path("tic-tac-toe.net").stat().st_size < 300_000
    assert main(["train", "tic-tac-toe", "--seed", "4"]) == ExitCode.USAGE
    assert "was learned with seed 3" in capsys.readouterr().err
    assert main(["train", "nim", "-o", "tic-tac-toe.net"]) != 0
    assert "E0527" in capsys.readouterr().err
    assert main(["tournament", "tic-tac-toe", "--agents", "net:tic-tac-toe.net:d2,random", "--rounds", "4"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split()[0] == "net:tic-tac-toe.net:d2"
    state = TTT.initial_state()
    assert parse_agent("net:tic-tac-toe.net:d9").analyse(state)[0].value == 0.0
    with pytest.raises(GameDSLError, match=r"E0527 .*other rules or options"):
        parse_agent("net:tic-tac-toe.net").choose(gamedsl.load("m-n-k").initial_state(), 1)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("twixt", "more than 6,000"),
        ("pig", "cannot handle chance"),
        ("kuhn-poker", "hidden"),
        ("rock-paper-scissors", "cannot handle simultaneous"),
    ],
)
def test_what_cannot_be_learned_is_refused_with_the_reason(
    name: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", name]) == ExitCode.USAGE
    assert f"`train` cannot learn {gamedsl.load(name).title}" in (shown := capsys.readouterr().err) and reason in shown


def test_texts() -> None:
    assert parse_agent("net:a.net") == Net("a.net", None, 1.0) and parse_agent("net:a.net:2s") == Net(
        "a.net", None, 2.0
    )
    assert parse_agent("net:C:\\a.net:d6") == Net("C:\\a.net", 6, None)
    assert all(parse_agent(parse_agent(t).text) == parse_agent(t) for t in ("net:x", "net:x:d3", "net:x:0.5s"))
    for text in ("net", "net:"):
        with pytest.raises(UsageError, match="is not an agent"):
            parse_agent(text)


GOOD = {"format": "gamedsl value 1", "digest": "0" * 64, "seed": 1, "generations": 2, "weights": [0.5] * 30}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, "other rules or options"),
        ({"format": "gamedsl value 0"}, "no `format`"),
        ({"digest": 7}, "for which game"),
        ({"digest": TTT.digest, "weights": [0.5] * 29}, "29 weights, and not 30"),
        ({"weights": []}, "not a list of numbers"),
        ({"weights": ["1"]}, "not a list of numbers"),
        ({"weights": [float("nan")]}, "not a list of numbers"),
        ({"weights": [1e300]}, "not a list of numbers"),
        ({"weights": [10**400]}, "not a list of numbers"),
        ({"weights": [True]}, "not a list of numbers"),
        ({"seed": -1}, "not whole numbers"),
        ({"seed": 1 << 63}, "not whole numbers"),
        ({"generations": 1.5}, "not whole numbers"),
        ({"generations": 1 << 27}, "not whole numbers"),
    ],
    ids=str,
)
def test_forged_files_are_refused(change: dict[str, object], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "it.net"
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(GameDSLError, match="E0527") as refused:
        parse_agent(f"net:{path}:d1").choose(TTT.initial_state(), 1)
    assert reason in str(refused.value)


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b"[" * 100_000, b'{"format": "gamedsl value 1"'])
def test_damaged_files_are_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "it.net"
    path.write_bytes(data)
    with pytest.raises(GameDSLError, match="E0527"):
        read_learned(path)
    with pytest.raises(GameDSLError, match="E0527"):
        read_learned(tmp_path / "absent.net")
