"""``gamedsl simulate``: tables, JSON, seats, interruption."""

from __future__ import annotations

import io
import json
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import gamedsl
from gamedsl.cli import simulate_command
from gamedsl.cli.main import main

Capture = pytest.CaptureFixture[str]
VARIES = ("backend", "reason", "threads", "seconds", "cpu_seconds", "plays_per_second")

SHARE = {
    "type": ["object", "null"],
    "required": ["value", "low", "high"],
    "additionalProperties": {"type": ["number", "null"]},
}
NAMED = {"name": {"type": "string"}, "part": {"type": "string"}}


def fields(**properties: Any) -> dict[str, Any]:
    """An object with just these properties."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def several(**properties: Any) -> dict[str, Any]:
    return {"type": "array", "items": fields(**properties)}


WHOLE, NUMBER, TEXT, YES = ({"type": t} for t in ("integer", "number", "string", "boolean"))
COUNTS = {"type": "object", "additionalProperties": WHOLE}
SEATS = several(
    player=TEXT,
    wins=WHOLE,
    draws=WHOLE,
    losses=WHOLE,
    win_share=SHARE,
    draw_share=SHARE,
    loss_share=SHARE,
    utility=SHARE,
)
LENGTHS = fields(
    mean=SHARE,
    deviation={"type": ["number", "null"]},
    median=NUMBER,
    shortest=WHOLE,
    longest=WHOLE,
    counts=COUNTS,
    histogram=several(low=WHOLE, high=WHOLE, count=WHOLE),
    unit={"enum": ["plies", "outcomes of chance"]},
)
WIDTHS = fields(
    decisions=WHOLE,
    all_decisions=WHOLE,
    mean=NUMBER,
    largest=WHOLE,
    forced=NUMBER,
    by_ply=several(ply=WHOLE, decisions=WHOLE, mean=NUMBER),
)
DOCUMENT = fields(
    game=TEXT,
    digest={"type": "string", "pattern": "^[0-9a-f]{64}$"},
    options={"type": "object", "additionalProperties": TEXT},
    seed=WHOLE,
    kinds_of_seats={"type": "array", "items": TEXT},
    **{"from": {"type": ["string", "null"]}},
    position={"type": ["string", "null"]},
    limit=WHOLE,
    quick=YES,
    asked=WHOLE,
    interrupted=YES,
    plays=WHOLE,
    unfinished=WHOLE,
    seats=SEATS,
    lengths={"anyOf": [LENGTHS, {"type": "null"}]},
    branching={"anyOf": [WIDTHS, {"type": "null"}]},
    kinds=several(**NAMED, words=TEXT, uses=WHOLE, share=NUMBER, mistake=YES),
    chance=several(**NAMED, falls=WHOLE, outcomes=COUNTS),
    never_used={"type": "array", "items": TEXT},
    backend={"enum": ["native", "interpreter"]},
    reason={"type": ["string", "null"]},
    threads=WHOLE,
    seconds=NUMBER,
    cpu_seconds=NUMBER,
    plays_per_second=NUMBER,
)


def as_json(capsys: Capture, *words: str) -> dict[str, Any]:
    assert main(["simulate", *words, "--format", "json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(data, DOCUMENT)
    return data


# ---------------------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    "words",
    [
        ["tic-tac-toe", "-n", "200"],
        ["tic-tac-toe", "-n", "1"],
        ["tic-tac-toe", "-n", "5", "--limit", "2"],
        ["tic-tac-toe", "-n", "3", "--from", "a1; b1; a2; b2; a3"],
        ["pig", "-n", "30", "-s", "players=3", "-s", "target=20"],
        ["t-tic-t-tac-toe", "-n", "5"],
        ["backgammon", "-n", "5"],
    ],
)
def test_the_documented_object(words: list[str], capsys: Capture) -> None:
    data = as_json(capsys, *words)
    assert data["plays"] == data["asked"] == int(words[2])
    assert data["digest"] == gamedsl.load(words[0], **data["options"]).digest
    finished = data["plays"] - data["unfinished"]
    for seat in data["seats"]:
        assert seat["wins"] + seat["draws"] + seat["losses"] == finished
    if data["lengths"]:
        assert (
            sum(data["lengths"]["counts"].values()) == sum(b["count"] for b in data["lengths"]["histogram"]) == finished
        )


def test_the_same_seed_gives_the_same_numbers(capsys: Capture) -> None:
    first, second, slow, again, other = (
        as_json(capsys, "pig", "-n", "40", *words)
        for words in (
            ["--seed", "3", "--jobs", "1"],
            ["--seed", "3", "--jobs", "3"],
            ["--seed", "3", "--backend", "interpreter"],
            ["--seed", "3", "--backend", "interpreter", "--jobs", "2"],
            ["--seed", "4"],
        )
    )
    assert slow["backend"] == "interpreter" != first["backend"]
    for data in (first, second, slow, again, other):
        for name in VARIES:
            del data[name]
    assert first == second and slow == again
    assert first["seats"] != other["seats"] or first["lengths"] != other["lengths"]


def test_what_was_asked_is_told(capsys: Capture) -> None:
    data = as_json(capsys, "pig", "-n", "2", "-s", "target=30", "--seed", "5", "--limit", "900", "--seats", "random")
    assert (data["game"], data["seed"], data["limit"]) == ("pig", 5, 900)
    assert data["options"]["target"] == "30"
    assert data["kinds_of_seats"] == ["random", "random"]
    (die,) = data["chance"]
    assert die["name"] == "roll die" and sum(die["outcomes"].values()) == die["falls"]


# -------------------------------------------------------------------------------------------------------- tables


def test_tables(capsys: Capture) -> None:
    assert main(["simulate", "tic-tac-toe", "-n", "20000", "--seed", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "Tic-Tac-Toe: 20,000 games, seed 1" in out
    assert re.search(r"^X +5[789]\.\d % .*█.*12\.\d %|^X +5[789]\.\d % .*█.*13\.\d %", out, re.M)
    assert re.search(r"^ +9 +[67],\d{3} +3\d\.\d % +█", out, re.M)
    assert re.search(r"^place +15\d,\d{3} +100 %", out, re.M)
    assert "games a second" in out and "compiled rules" in out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    "name", ["horn-tiles", "backgammon", "t-tic-t-tac-toe-game", "rock-paper-scissors", "chess960"]
)
def test_tables_fit_eighty_columns(name: str, capsys: Capture) -> None:
    assert main(["simulate", name, "-n", "2"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_only_ascii_where_nothing_else_can_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["simulate", "tic-tac-toe", "-n", "100"]) == 0
    out = raw.getvalue().decode("ascii")
    assert "#####" in out and "+-" in out and "\\" not in out


def test_what_was_never_used_and_not_finished_is_told(capsys: Capture) -> None:
    assert main(["simulate", "chess", "-n", "3", "--limit", "4"]) == 0
    out = capsys.readouterr().out
    assert "3 of them unfinished" in out
    assert re.search(r"never used: .*O-O-O\s\(castle_long\)", out, re.S)


def test_drawings_are_played_by_the_interpreter(capsys: Capture) -> None:
    assert main(["simulate", "abs-trac-toe", "-n", "1"]) == 0
    out = capsys.readouterr().out
    assert "by the interpreter, as players draw in this game" in " ".join(out.split())
    assert "draw figure, upper, lower," in out and "draw bend" in out


# --------------------------------------------------------------------------------------------------------- seats


def test_seats_that_search(capsys: Capture) -> None:
    words = ["tic-tac-toe", "-n", "20", "--seats", "mcts:100,random", "--seed", "2"]
    first, second = as_json(capsys, *words, "--jobs", "1"), as_json(capsys, *words, "--jobs", "2")
    assert first["kinds_of_seats"] == ["mcts:100", "random"]
    assert first["reason"] == "not all seats play at random"
    assert first["seats"] == second["seats"] and first["lengths"] == second["lengths"]
    assert first["seats"][0]["wins"] >= 18  # by chance alone one in two hundred
    assert main(["simulate", *words]) == 0
    assert "X is mcts:100, O is random" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------------------ mistakes


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seats", "random,random,random"], "2 players"),
        (["--seats", "human,random"], "people cannot play"),
        (["--seats", "chimp"], "chimp"),
        (["-n", "0"], "'0' is not a whole number from 1"),
        (["-n", "many"], "'many' is not a whole number"),
        (["--jobs", "0"], "'0' is not a whole number from 1"),
        (["--seed", "x"], "'x' is not a whole number"),
        (["--backend", "abacus"], "abacus"),
        (["-s", "n=5"], "n"),
    ],
)
def test_wrong_usage(words: list[str], told: str, capsys: Capture) -> None:
    assert main(["simulate", "tic-tac-toe", *words]) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert out == ""


def test_moves_to_begin_with_that_are_not_legal(capsys: Capture) -> None:
    assert main(["simulate", "tic-tac-toe", "--from", "a1; a1"]) == 1
    assert "taken" in capsys.readouterr().err


# -------------------------------------------------------------------------------------------------- interruption


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("backend", ["native", "interpreter"])
def test_interrupted(backend: str, number: signal.Signals, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal shows what is done so far; before and after, it does what it did."""
    before = signal.getsignal(number)

    @contextmanager
    def interrupting(plays: int) -> Iterator[Callable[[int], None]]:
        sent: list[int] = []

        def told(done: int) -> None:
            if done >= 20 and not sent:
                sent.append(done)
                signal.raise_signal(number)

        yield told

    monkeypatch.setattr(simulate_command, "_progress", interrupting)
    words = ["simulate", "tic-tac-toe", "-n", "2000000000", "--backend", backend]
    assert main([*words, "--format", "json"]) == 128 + number
    out, err = capsys.readouterr()
    data = json.loads(out)
    jsonschema.validate(data, DOCUMENT)
    assert data["interrupted"]
    assert 20 <= data["plays"] < data["asked"]
    assert f"interrupted after {data['plays']} of 2000000000 games" in err
    assert main(words) == 128 + number
    assert "place" in capsys.readouterr().out
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_before_anything_is_done(
    number: signal.Signals, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.getsignal(number)
    monkeypatch.setattr("gamedsl.lab.simulate.simulate", lambda *_, **__: signal.raise_signal(number))
    assert main(["simulate", "tic-tac-toe"]) == 128 + number
    assert capsys.readouterr() == ("", "interrupted before a game of this run was counted\n")
    assert signal.getsignal(number) is before


def test_interrupted_twice(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second signal ends it at once, also while games are counted."""

    @contextmanager
    def interrupting(plays: int) -> Iterator[Callable[[int], None]]:
        yield lambda done: [signal.raise_signal(signal.SIGINT) for _ in range(2)]

    monkeypatch.setattr(simulate_command, "_progress", interrupting)
    assert main(["simulate", "tic-tac-toe", "-n", "2000000000", "--backend", "interpreter"]) == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def test_interrupted_with_a_file_of_games(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the file keeps is said, and the same command counts it again."""
    file = tmp_path / "games"
    words = ["simulate", "tic-tac-toe", "-n", "1000000", "--checkpoint", str(file), "--jobs", "1"]

    @contextmanager
    def interrupting(plays: int) -> Iterator[Callable[[int], None]]:
        yield lambda done: signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(simulate_command, "_progress", interrupting)
    assert main(words) == 130
    said = capsys.readouterr().err
    assert (
        said
        == f"interrupted after 64 of 1000000 games; {file} keeps what was counted, and the same command continues with it\n"
    )
    monkeypatch.setattr("gamedsl.lab.simulate.simulate_in_shards", lambda *_, **__: signal.raise_signal(signal.SIGINT))
    assert main(words) == 130
    assert capsys.readouterr().err.startswith(f"interrupted before a game of this run was counted; {file} keeps")


def test_a_bar_on_a_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    assert main(["simulate", "tic-tac-toe", "-n", "500"]) == 0
    assert "500/500" in screen.getvalue()
    assert "500/500" not in capsys.readouterr().out


# --------------------------------------------------------------------------------------------------------- record


def test_from_a_record(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "moves.txt"
    path.write_text("a1\nb1\na2\nb2\n")
    moves = as_json(capsys, "tic-tac-toe", "-n", "50", "--from", "a1; b1; a2; b2")
    record = as_json(capsys, "tic-tac-toe", "-n", "50", "--from", str(path))
    assert moves["seats"] == record["seats"]
    assert moves["branching"]["largest"] == 5
