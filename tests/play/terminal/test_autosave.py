"""Autosave: a kill loses nothing, other people's plays stay untouched, and damage costs only what follows it."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.engine.records.record import Record
from gamedsl.language.source.diagnostic import GameDSLError, UsageError
from gamedsl.play.terminal.play import PlayConfig, go_on, run
from gamedsl.play.terminal.saving import data_folder, file_lock, kept_plays
from gamedsl.play.terminal.saving.autosave import Autosave
from gamedsl.play.terminal.saving.kept_plays import MOST_PLAYS, plays_folder, prune
from tests.patience import PATIENCE

from .script import ScriptFace, make, session_of, sit
from .test_play import COMMAND, ROOT, Terminal, environment, typed

Capture = pytest.CaptureFixture[str]


def kept() -> list[Path]:
    return sorted(plays_folder().glob("*.record"))


def plies(path: Path) -> list[str]:
    return [e.text for e in Record.read(path).plies]


def left(*moves: str, name: str = "tic-tac-toe", **arguments: object) -> Path:
    """A play that was left unfinished, and its file."""
    before = set(kept())
    assert run(name, PlayConfig(**arguments), face=ScriptFace([*moves, "quit"])) == 0  # type: ignore[arg-type]
    (path,) = set(kept()) - before
    return path


def damaged(path: Path, line: int) -> bytes:
    """Changes one line of a file (the first is 1); what stands in it now."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b": ", b": x", 1)
    path.write_bytes(b"".join(lines))
    return path.read_bytes()


# ------------------------------------------------------------------------------------------------- kept as it goes


def test_a_killed_play_is_offered_at_the_next_start(tmp_path: Path) -> None:
    terminal = Terminal("tic-tac-toe", cwd=tmp_path)
    for prompt, move in (("X>", "b2\r"), ("O>", "a1\r")):
        terminal.wait_for(prompt)
        terminal.send(move)
    terminal.wait_for("X>")
    os.kill(terminal.child, signal.SIGKILL)
    assert terminal.exit_code() == -signal.SIGKILL
    terminal = Terminal("tic-tac-toe", cwd=tmp_path)
    terminal.wait_for("Continue it?")
    terminal.send("yes\r")
    terminal.wait_for("the game continues after 2 plies")
    terminal.wait_for("X>")
    terminal.send("b1\r")
    terminal.wait_for("O>")
    terminal.send("quit\r")
    assert terminal.exit_code() == 0
    (path,) = kept()
    assert plies(path) == ["b2", "a1", "b1"]
    assert list(tmp_path.iterdir()) == []


def test_strokes_outlive_a_kill(tmp_path: Path) -> None:
    """The strokes of an unfinished drawing are there again, can be taken back, and are finished to the same play."""
    terminal = Terminal("abs-trac-toe", "--seed", "3", "--marks", ",", cwd=tmp_path)
    for prompt, line in (("p1, figure>", "square\r"), ("p1, upper>", "10,30 90,30\r")):
        terminal.wait_for(prompt)
        terminal.send(line)
    terminal.wait_for("p1, lower>")
    os.kill(terminal.child, signal.SIGKILL)
    assert terminal.exit_code() == -signal.SIGKILL
    (play,) = kept_plays.kept_plays()
    assert (play.plies, play.has_strokes, play.length) == (0, True, "0 plies and an unfinished drawing")
    (path,) = kept()
    face = ScriptFace(["yes", "undo", "10,40 90,40", "10,60 90,60", "40,10 40,90", "60,10 60,90", "yes", "quit"])
    assert run("abs-trac-toe", face=face) == 0
    assert "Drawn before: figure, upper (`undo` takes a stroke back)." in face.shown
    assert len(plies(path)) == 1 and "upper 10,40 90,40" in plies(path)[0]
    assert not any(e.kind == "comment" for e in Record.read(path).entries)


def test_a_drawing_that_is_begun_again_leaves_no_file() -> None:
    run("abs-trac-toe", config=PlayConfig(marks=","), face=ScriptFace(["square", "again", "quit"]))
    assert kept() == []


def test_a_replay_does_not_show_strokes(tmp_path: Path) -> None:
    run("abs-trac-toe", config=PlayConfig(marks=","), face=ScriptFace(["generate", "yes", "0,0 1,1", "quit"]))
    run("abs-trac-toe", face=ScriptFace(["yes", "generate", "quit"]))
    (path,) = kept()
    assert Record.read(path).entries[-1].text.startswith("strokes: ")
    assert main(["replay", str(path), "--seat", "p1", "-o", str(tmp_path / "one")]) == 0
    assert "strokes" not in (tmp_path / "one").read_text()


def test_from_a_pipe_nothing_is_asked_and_a_line_tells_how_to_go_on(tmp_path: Path) -> None:
    done = typed("tic-tac-toe", text="a1\nb1\n", cwd=tmp_path)
    assert done.returncode == 130 and done.stderr == ""
    (path,) = kept()
    assert plies(path) == ["a1", "b1"] and f"continue it with: gamedsl play --resume {path}" in done.stdout
    again = typed("tic-tac-toe", text="c1\nquit\n", cwd=tmp_path)
    assert again.stderr.count("\n") == 1 and f"gamedsl play --resume {path}" in again.stderr
    assert {len(plies(p)) for p in kept()} == {2, 1}
    assert "note:" not in typed("tic-tac-toe", "--no-save", text="", cwd=tmp_path).stderr
    assert "note:" not in typed("connect-four", text="", cwd=tmp_path).stderr


def test_what_is_offered_fits_what_is_asked_for(tmp_path: Path) -> None:
    path = left("a1", name="x-s-and-lines", options={"n": "3"}, seats="human,random", seed=5)
    for other in ({"options": {"n": "4"}}, {"seats": "human"}, {"seed": 6}):
        face = ScriptFace(["quit"])
        assert run("x-s-and-lines", PlayConfig(**other), face=face) == 0  # type: ignore[arg-type]
        assert "unfinished" not in face.text
    face = ScriptFace(["what?", "?", "yes", "history", "quit"])
    assert run("x-s-and-lines", face=face) == 0
    assert (
        "(human, random, 2 plies)" in face.text.replace("\n", " ") and "the game continues after 2 plies" in face.shown
    )
    assert kept() == [path]
    face = ScriptFace(["no", "quit"])
    assert go_on(face=face) is None and face.answers == ["quit"]
    face = ScriptFace(["delete", "quit"])
    assert run("x-s-and-lines", face=face) == 0 and kept() == []


def test_a_ruleset_of_ones_own_is_found_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.gdl").write_text(
        "players X, O\nmove wait\nplay\n  turns from X, 3 times\n    me plays wait\n  draw\n"
    )
    monkeypatch.chdir(tmp_path)
    left("wait", name="own.gdl")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert go_on(face=ScriptFace(["yes", "wait", "quit"])) == 0
    (path,) = kept()
    assert len(plies(path)) == 2


def test_a_play_whose_rules_have_changed_is_not_offered(tmp_path: Path) -> None:
    rules = "players X, O\nmove wait\nplay\n  turns from X, {} times\n    me plays wait\n  draw\n"
    (tmp_path / "own.gdl").write_text(rules.format(3))
    left("wait", name=str(tmp_path / "own.gdl"))
    (tmp_path / "own.gdl").write_text(rules.format(4))
    face = ScriptFace(["quit"])
    assert run(str(tmp_path / "own.gdl"), face=face) == 0 and "unfinished" not in face.text


WORDED = """players X, O
board grid 3 by 3 named by letters
piece mark of player
move place(c: cell) written "{{c}}"
  when c in empty "{}"
  put mark[me] on c
play
  turns from X, 3 times
    me plays place
  draw
"""


def test_other_wording_is_not_other_rules(tmp_path: Path) -> None:
    path = tmp_path / "own.gdl"
    path.write_text(WORDED.format("that square is taken"))
    kept_play = left("a1", "a1", name=str(path))
    path.write_text(WORDED.format("somebody has been there"))
    face = ScriptFace(["yes", "a1", "b1", "quit"])
    assert run(str(path), face=face) == 0
    assert any("somebody has been there" in line for line in face.shown) and plies(kept_play) == ["a1", "b1"]


def test_a_finished_play_is_not_offered_but_listed(capsys: Capture) -> None:
    face = ScriptFace(["a1", "b1", "a2", "b2", "a3"])
    assert run("tic-tac-toe", face=face) == 0
    left("c3")
    assert main(["replay"]) == 0
    first, second = (line for line in capsys.readouterr().out.splitlines() if "tic-tac-toe" in line)
    assert first.split()[0] == "1" and "1 ply" in first and "unfinished" in first
    assert second.split()[0] == "2" and "5 plies" in second and "X wins" in second
    assert main(["replay", "2"]) == 0
    assert "5. X: a3" in capsys.readouterr().out
    assert main(["replay", "3"]) == 2
    assert "`gamedsl replay` lists" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [40, 80])
def test_the_list_is_in_columns_and_fits_the_terminal(
    columns: int, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    left("a1")
    left("square", name="abs-trac-toe", marks=",")
    for options in ({}, {"rows": "4", "columns": "5", "k": "3"}):
        assert run("connect-four", config=PlayConfig(seats="random", options=options), face=ScriptFace([])) == 0
    assert main(["replay"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines) <= columns
    if columns == 80:
        heads = [line for line in lines if line[:4].strip()]
        assert len(heads) == 4 and len({line.index(":") for line in heads}) == 1
        assert {line[:24] for line in lines if line not in heads} == {" " * 24}
        assert "unfinished, a drawing begun" in "".join(heads) and any("k=3" in line for line in lines)


def test_an_unfinished_play_with_secrets_is_not_shown_by_its_number(capsys: Capture) -> None:
    path = left("b2", name="phantom-tic-tac-toe", seats="random,human", seed=5)
    secret = plies(path)[0]
    assert main(["replay"]) == 0 and main(["replay", "1"]) == 2
    shown = capsys.readouterr()
    assert "not finished" in shown.err and secret not in f"{shown.out} {shown.err}".split()
    assert main(["replay", str(path)]) == 0
    assert secret in capsys.readouterr().out.split()


def test_without_kept_plays_the_list_says_so(capsys: Capture) -> None:
    assert main(["replay"]) == 0
    assert "there are no saved games" in capsys.readouterr().out


def test_nothing_is_kept_that_should_not_be(tmp_path: Path) -> None:
    assert run("tic-tac-toe", config=PlayConfig(no_save=True), face=ScriptFace(["a1", "quit", "no"])) == 0
    assert run("tic-tac-toe", config=PlayConfig(save=str(tmp_path / "own")), face=ScriptFace(["a1", "quit"])) == 0
    assert run("tic-tac-toe", face=ScriptFace(["quit"])) == 0
    assert run("tic-tac-toe", face=ScriptFace(["a1", "undo", "quit"])) == 0
    assert kept() == [] and plies(tmp_path / "own") == ["a1"]


def test_the_folder_is_private_and_programs_are_kept_too() -> None:
    plays_folder().mkdir(parents=True, mode=0o755)
    assert run("tic-tac-toe", config=PlayConfig(seats="random", seed=1), face=ScriptFace([])) == 0
    assert stat.S_IMODE(plays_folder().stat().st_mode) == 0o700
    (path,) = kept()
    assert len(plies(path)) >= 5
    assert list(plays_folder().iterdir()) == [path]  # no lock is left


def test_a_play_that_is_being_played_is_left_alone() -> None:
    session = session_of("tic-tac-toe")
    make(session, "a1")
    autosave = Autosave()
    autosave.keep(session)
    face = ScriptFace(["b1", "quit"])
    assert run("tic-tac-toe", face=face) == 0
    assert "unfinished" not in face.text and len(kept()) == 2
    with pytest.raises(UsageError, match="another window"):
        run(config=PlayConfig(resume=str(autosave.path)), face=ScriptFace([]))
    autosave.close()
    assert run(config=PlayConfig(resume=str(autosave.path)), face=ScriptFace(["b2", "quit"])) == 0
    assert autosave.path is not None and plies(autosave.path) == ["a1", "b2"]


def test_two_plays_at_once_do_not_clash() -> None:
    children = [
        subprocess.Popen([*COMMAND, "tic-tac-toe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
                         env=environment())
        for _ in range(2)
    ]  # fmt: skip
    for child, text in zip(children, ("a1\nb1\nquit\n", "c1\nc2\nc3\nquit\n"), strict=True):
        child.communicate(text, timeout=PATIENCE)
    assert sorted(plies(p) for p in kept()) == [["a1", "b1"], ["c1", "c2", "c3"]]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_can_not_be_written_costs_a_note_only() -> None:
    plays_folder().parent.chmod(0o500)
    _still_played()


def test_a_folder_that_is_a_file_costs_a_note_only() -> None:
    plays_folder().parent.rmdir()
    plays_folder().parent.write_text("")
    _still_played()


def _still_played() -> None:
    face = ScriptFace(["a1", "b1", "a2", "quit", "no"])
    assert run("tic-tac-toe", face=face) == 0
    assert face.shown.count("this game cannot be saved automatically:") == 1
    assert "Save the game first? [yes/no/cancel] no" in face.shown


def test_a_full_disk_costs_a_note_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    _still_played()


def test_going_back_goes_back_in_the_file() -> None:
    path = left("a1", "b1", "a2", "undo", "c3")
    assert plies(path) == ["a1", "b1", "c3"]


def test_secret_choices_that_are_open_are_not_kept() -> None:
    path = left("", "rock", "", "rock", "", "paper", name="rock-paper-scissors", options={})
    assert plies(path) == ["rock", "rock"]


def test_old_plays_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    finished = ScriptFace(["a1", "b1", "a2", "b2", "a3"])
    assert run("tic-tac-toe", face=finished) == 0
    (text,) = [p.read_bytes() for p in kept()]
    open_play = left("a1").read_bytes()
    for path in kept():
        path.unlink()
    now = time.time()
    for i in range(MOST_PLAYS + 20):
        path = plays_folder() / f"{i:03}.record"
        path.write_bytes(text if i % 2 else open_play)
        age = i * 86_400 if i % 2 else i * 60
        os.utime(path, (now - age, now - age))
    ancient = plays_folder() / "ancient.record"
    ancient.write_bytes(open_play)
    os.utime(ancient, (1.0, 1.0))
    prune(plays_folder())
    assert not ancient.exists() and (plays_folder() / "000.record").exists()
    assert len(kept()) == MOST_PLAYS
    assert sum(p.read_bytes() == open_play for p in kept()) == (MOST_PLAYS + 20) // 2


# ------------------------------------------------------------------------------------------------------- damage


def test_a_damaged_record_goes_on_from_its_last_good_ply(tmp_path: Path) -> None:
    path = tmp_path / "play"
    assert run("tic-tac-toe", config=PlayConfig(save=str(path)), face=ScriptFace(["a1", "b1", "a2", "b2", "quit"])) == 0
    whole = damaged(path, 8)
    face = ScriptFace(["c3", "quit"])
    assert run(config=PlayConfig(resume=str(path)), face=face) == 0
    assert any("line 8" in line and "E0531" in line for line in face.shown)
    assert any("2 plies before that are good" in line for line in face.shown)
    assert plies(path) == ["a1", "b1", "c3"]
    assert (tmp_path / "play.damaged-1").read_bytes() == whole
    damaged(path, 7)
    assert run(config=PlayConfig(resume=str(path)), face=ScriptFace(["quit"])) == 0
    assert plies(path) == ["a1"] and (tmp_path / "play.damaged-2").exists()


@pytest.mark.parametrize("cut", [1, 9, 40])
def test_a_cut_record_goes_on(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "play"
    assert run("tic-tac-toe", config=PlayConfig(save=str(path)), face=ScriptFace(["a1", "b1", "a2", "quit"])) == 0
    path.write_bytes(path.read_bytes()[:-cut])
    assert run(config=PlayConfig(resume=str(path)), face=ScriptFace(["quit"])) == 0
    assert plies(path) == ["a1", "b1", "a2"][: len(plies(path))]
    Record.read(path)


def test_bytes_that_are_no_text_are_damage_of_their_line(tmp_path: Path) -> None:
    path = tmp_path / "play"
    assert run("tic-tac-toe", config=PlayConfig(save=str(path)), face=ScriptFace(["a1", "b1", "quit"])) == 0
    path.write_bytes(path.read_bytes().replace(b": b1 ", b": \xff1 "))
    assert run(config=PlayConfig(resume=str(path)), face=ScriptFace(["quit"])) == 0
    assert plies(path) == ["a1"]


def test_a_record_without_a_good_head_is_left_alone(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "play"
    assert run("tic-tac-toe", config=PlayConfig(save=str(path)), face=ScriptFace(["a1", "quit"])) == 0
    text = damaged(path, 2)
    assert main(["play", "--resume", str(path)]) == 1
    assert "E0531" in capsys.readouterr().err
    assert path.read_bytes() == text and list(tmp_path.iterdir()) == [path]


def test_replay_shows_the_good_part_of_a_damaged_record(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "play"
    assert run("tic-tac-toe", config=PlayConfig(save=str(path)), face=ScriptFace(["a1", "b1", "a2", "quit"])) == 0
    text = damaged(path, 8)
    assert main(["replay", str(path)]) == 1
    shown = capsys.readouterr()
    assert "2. O: b1" in shown.out and "3. X" not in shown.out and "E0531" in shown.err
    assert path.read_bytes() == text
    moves = tmp_path / "moves"
    moves.write_text("a1\nb1\na1\n")
    assert main(["replay", str(moves), "--game", "tic-tac-toe"]) == 1
    shown = capsys.readouterr()
    assert "2. O: b1" in shown.out and "E0535" in shown.err


def test_numbers_can_be_resumed() -> None:
    path = left("a1")
    assert run(config=PlayConfig(resume="1"), face=ScriptFace(["b1", "quit"])) == 0
    assert plies(path) == ["a1", "b1"]
    assert re.fullmatch(r"\d{8}-\d{6}-\d+-[0-9a-f]{6}\.record", path.name)


def test_a_kept_play_that_is_interrupted_stays_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = left("a1")
    for answers in ([KeyboardInterrupt], ["b1", KeyboardInterrupt], [""]):
        face = ScriptFace(["yes", *answers])
        assert run("tic-tac-toe", face=face) == 130
        assert "the game is saved; `gamedsl play tic-tac-toe` continues it" in face.shown
    assert kept() == [path] and plies(path) == ["a1", "b1"] and list(tmp_path.iterdir()) == []


def test_the_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GAMEDSL_DATA", str(tmp_path / "here"))
    assert plays_folder() == tmp_path / "here" / "plays"
    monkeypatch.delenv("GAMEDSL_DATA")
    monkeypatch.setattr(data_folder, "user_data_path", lambda name, appauthor: tmp_path / name)
    assert plays_folder() == tmp_path / "gamedsl" / "plays"


def test_a_table_without_a_folder_asks_before_it_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table, face = sit(session_of("tic-tac-toe"), "a1", "quit", "no")
    assert table.run() == "quit" and "Save the game first? [yes/no/cancel] no" in face.shown


# --------------------------------------------------------------------------------------------------- two windows


class Beside(ScriptFace):
    """Before its last answer another window tries to play the same file."""

    def __init__(self, answers: list[str], other: Callable[[], object]) -> None:
        super().__init__(answers)
        self.other = other
        self.refused = ""

    def ask(self, prompt, choices=(), hidden=False, pointer=None):  # type: ignore[no-untyped-def]
        if len(self.answers) == 1:
            with pytest.raises(UsageError) as caught:
                self.other()
            self.refused = caught.value.diagnostics[0].message
        return super().ask(prompt, choices, hidden)


def resume(path: str) -> Callable[[], object]:
    return lambda: run(config=PlayConfig(resume=path), face=ScriptFace(["c3", "quit"]))


def test_a_file_that_is_being_played_is_refused_to_another_window(tmp_path: Path) -> None:
    path = tmp_path / "two.record"
    face = Beside(["a1", "b1", "quit"], resume(str(path)))
    assert run("tic-tac-toe", config=PlayConfig(save=str(path)), face=face) == 0
    assert "is being played in another window" in face.refused
    face = Beside(["c1", "quit"], resume(str(path)))
    assert run(config=PlayConfig(resume=str(path)), face=face) == 0 and "another window" in face.refused
    assert plies(path) == ["a1", "b1", "c1"]
    assert list(tmp_path.iterdir()) == [path]
    assert run(config=PlayConfig(resume=str(path)), face=ScriptFace(["c2", "quit"])) == 0  # once it is free
    assert plies(path) == ["a1", "b1", "c1", "c2"]


def test_a_file_is_refused_under_another_name_and_from_the_first_moment(tmp_path: Path) -> None:
    path, link = tmp_path / "two.record", tmp_path / "link.record"
    assert run("tic-tac-toe", config=PlayConfig(save=str(path)), face=ScriptFace(["a1", "quit"])) == 0
    link.symlink_to(path)
    face = Beside(["quit"], resume(str(link)))
    assert run(config=PlayConfig(resume=str(path)), face=face) == 0 and "another window" in face.refused
    fresh = str(tmp_path / "fresh.record")
    face = Beside(["quit"], lambda: run("tic-tac-toe", config=PlayConfig(save=fresh), face=ScriptFace(["a1"])))
    assert run("tic-tac-toe", config=PlayConfig(save=fresh), face=face) == 0 and "another window" in face.refused


def test_a_play_that_goes_on_after_its_end_is_still_locked() -> None:
    path = left("a1", "b1", "a2", "b2")
    face = Beside(["a3", "undo", "quit"], resume(str(path)))
    assert run(config=PlayConfig(resume="1"), face=face) == 0
    assert "another window" in face.refused and plies(path) == ["a1", "b1", "a2", "b2"]


def test_a_finished_play_that_is_resumed_does_not_go_on() -> None:
    path = left("a1", "b1", "a2", "b2")
    assert run(config=PlayConfig(resume=str(path)), face=ScriptFace(["a3", "quit"])) == 0
    face = ScriptFace(["quit"])
    assert run(config=PlayConfig(resume=str(path)), face=face) == 0
    assert "the game is over after 5 plies" in face.shown and "continues" not in face.text


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\x93\x00\xff\x10rubbish\n\x01", b"\x89PNG\r\n\x1a\n\x00"])
def test_what_is_no_record_is_said_to_be_none(tmp_path: Path, capsys: Capture, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    for command in (["replay", str(path)], ["play", "--resume", str(path)]):
        assert main(command) == 1
        assert "not a record of a game" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [path] and path.read_bytes() == content


@pytest.mark.parametrize("header", ["rules", "seed", "seats"])
def test_a_damaged_head_costs_no_ply(tmp_path: Path, capsys: Capture, header: str) -> None:
    path = tmp_path / "play"
    assert run("tic-tac-toe", config=PlayConfig(save=str(path)), face=ScriptFace(["a1", "b1", "a2", "quit"])) == 0
    lines = path.read_text("utf-8").splitlines()
    line = next(i for i, text in enumerate(lines, 1) if text.startswith(f"{header}: "))
    whole = damaged(path, line)
    assert main(["replay", str(path)]) == 1
    shown = capsys.readouterr()
    assert "3. X: a2" in shown.out and f"line {line}" in shown.err
    face = ScriptFace(["b2", "quit"])
    assert run(config=PlayConfig(resume=str(path)), face=face) == 0
    assert "the 3 plies that today's rules allow are kept" in face.text.replace("\n", " ")
    assert plies(path) == ["a1", "b1", "a2", "b2"]
    assert (tmp_path / "play.damaged-1").read_bytes() == whole


def test_a_record_whose_game_can_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "play"
    assert run("tic-tac-toe", config=PlayConfig(save=str(path)), face=ScriptFace(["a1", "quit"])) == 0
    damaged(path, 2)
    with pytest.raises(GameDSLError):
        run(config=PlayConfig(resume=str(path)), face=ScriptFace([]))


def test_locks_leave_nothing_beside_the_file_and_are_pruned_when_old(tmp_path: Path) -> None:
    path = tmp_path / "own"
    lock = file_lock.hold(path)
    assert lock is not None and file_lock.is_locked(path) and list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError):
        file_lock.hold(path)
    lock.release()
    assert not file_lock.is_locked(path)
    (place,) = file_lock.locks_folder().iterdir()
    prune(plays_folder())
    assert place.exists()
    os.utime(place, (0, 0))
    prune(plays_folder())
    assert not place.exists()
    again = file_lock.hold(path)  # a lock that was taken long ago, and again now, is not old
    assert again is not None and place.stat().st_mtime > 0
    again.release()
