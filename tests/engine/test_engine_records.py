"""Records: replayed exactly, refused when changed or cut, never half written."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.engine import InterpretedGame
from gamedsl.engine.records.entries import Entry
from gamedsl.engine.records.record import Record
from gamedsl.engine.state import State
from gamedsl.language.source import atomic_write as writing
from gamedsl.language.source.diagnostic import GameDSLError
from tests.engine.coregames import ALL, three_in_a_row
from tests.engine.plays import GAMES, play


def recorded(name: str, seed: int, most: int = 12) -> tuple[Record, list[State]]:
    game = GAMES[name]
    record = Record.begin(game, name, seed, ("human", "random"))
    states = [game.initial_state()]
    for state, move in play(game, seed, most):
        record = record.plus_move(game, move)
        states.append(state.apply(move))
    return record, states


@pytest.mark.parametrize("name", ALL)
def test_write_read_replay(name: str, tmp_path: Path) -> None:
    record, states = recorded(name, 5)
    record = record.plus_comment("well  played\nboth").plus_refused("X", "r9c9").plus_redraw()
    path = tmp_path / "a.record"
    record.write(path)
    again = Record.read(path)
    assert again == record and again.replay(GAMES[name]) == states
    assert (again.seed, again.seats, again.game) == (5, ("human", "random"), name)
    assert os.listdir(tmp_path) == ["a.record"]


def test_what_a_file_looks_like() -> None:
    record, _ = recorded("odd", 1, 2)
    lines = [line[: line.rindex(" ~")] for line in record.text().splitlines()]
    assert lines[0] == "gamedsl record 1" and lines[1] == "game: odd" and lines[2].startswith("rules: ")
    assert (
        lines[3:5] == ["seed: 1", "seats: human, random"] and lines[5].startswith("1. one: ") and lines[-1] == "end 2"
    )


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_changed_file_is_refused_with_its_line(data: st.DataObject) -> None:
    record, _ = recorded("three", 2)
    text = record.text()
    at = data.draw(st.integers(0, len(text) - 2))
    new = data.draw(st.characters(codec="utf-8", exclude_characters="\r\n"))
    broken = text[:at] + new + text[at + 1 :]
    if broken == text or text[at] == "\n":
        return
    line = text[:at].count("\n") + 1
    try:
        found = Record.parse(broken)
    except GameDSLError as error:
        assert line <= error.diagnostics[0].span.line <= line + 1
    else:  # the first line no longer says that it is a record: a list of moves, which no game will take
        assert line == 1 or broken.splitlines()[line - 1].startswith("#"), found
        if line == 1:
            with pytest.raises(GameDSLError):
                found.replay(GAMES["three"])


@pytest.mark.parametrize("number", range(1, 10))
def test_lines_left_out_swapped_or_cut(number: int) -> None:
    lines = recorded("three", 2)[0].text().splitlines()
    without = "\n".join(lines[: number - 1] + lines[number:])
    swapped = "\n".join([*lines[: number - 1], lines[number], lines[number - 1], *lines[number + 1 :]])
    cut = "\n".join(lines[:number]) + "\n"
    for text in (without, swapped) if number > 1 else ():
        with pytest.raises(GameDSLError, match=f"line {number}:"):
            Record.parse(text)
    with pytest.raises(GameDSLError, match=rf"line {number}: .*cut"):
        Record.parse(cut)


def test_something_after_the_end() -> None:
    text = recorded("three", 2)[0].text()
    with pytest.raises(GameDSLError, match="E0531"):
        Record.parse(text + text)


def test_comments_may_be_added_by_hand() -> None:
    record, states = recorded("three", 2)
    text = record.text().replace("\n2. ", "\n# what a move!\n\n2. ")
    assert Record.parse(text) == record and Record.parse(text).replay(GAMES["three"]) == states


def test_a_list_of_moves_written_by_hand() -> None:
    text = "# the corner\n1. X: r1c1\nO: r2c2  # the middle\n\n3. r3c3\nr1c3\n"
    record = Record.parse(text)
    assert [(e.who, e.text) for e in record.plies] == [("X", "r1c1"), ("O", "r2c2"), ("", "r3c3"), ("", "r1c3")]
    assert len(record.replay(GAMES["three"])) == 5


def test_an_illegal_ply_is_shown_with_its_line() -> None:
    record = Record.parse("r1c1\n# again\nr1c1\n", "moves.txt")
    with pytest.raises(GameDSLError, match=r"E0535.*the square is taken") as caught:
        record.replay(GAMES["three"])
    assert str(caught.value.diagnostics[0].span) == "moves.txt:3:1"
    with pytest.raises(GameDSLError, match="no player"):
        Record.parse("Z: r1c1").replay(GAMES["three"])


def test_other_rules() -> None:
    record, _ = recorded("three", 1)
    with pytest.raises(GameDSLError, match="E0533"):
        record.replay(GAMES["dice"])
    assert record.replay(InterpretedGame(GAMES["three"].program))
    from dataclasses import replace

    other = InterpretedGame(replace(three_in_a_row(), entry=1))
    with pytest.raises(GameDSLError, match="E0533"):
        record.replay(other)


@pytest.mark.parametrize("name", ["fsync", "replace"])
def test_the_old_file_stays_when_writing_fails(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.record"
    old, _ = recorded("three", 1)
    old.write(path)

    def broken(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.os, name, broken)
    with pytest.raises(GameDSLError, match="No space left"):
        recorded("three", 2)[0].write(path)
    monkeypatch.undo()
    assert Record.read(path) == old and os.listdir(tmp_path) == ["a.record"]


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    record, _ = recorded("three", 1)
    for bad in (tmp_path, "/dev/null", tmp_path / "a\0b", tmp_path / "no" / "such" / "folder", tmp_path / ("x" * 5000)):
        with pytest.raises(GameDSLError, match="E0530"):
            record.write(bad)
    assert os.listdir(tmp_path) == []


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    record, _ = recorded("three", 1)
    record.write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and Record.read(tmp_path / "file") == record


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(GameDSLError, match="E0530"):
        Record.read(tmp_path / "nothing")
    with pytest.raises(GameDSLError, match="E0530"):
        Record.read(tmp_path)
    for bad in ("/dev/zero", tmp_path / "a\0b", tmp_path / ("x" * 5000)):
        with pytest.raises(GameDSLError, match="E0530"):
            Record.read(bad)
    (tmp_path / "bytes").write_bytes(b"r1c1\n\xff\xfe\n")
    with pytest.raises(GameDSLError, match="line 2 is not UTF-8"):
        Record.read(tmp_path / "bytes")


@given(st.text(max_size=200) | st.text(max_size=100).map(lambda t: f"gamedsl record 1 ~b8c53c\n{t}"))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(GameDSLError):
        Record.parse(text).replay(GAMES["three"])


# ----------------------------------------------------------------------------------------------------- secrecy


def test_a_record_for_a_seat_tells_no_open_choice() -> None:
    game = GAMES["odd"]
    start = game.initial_state()
    texts = set()
    for move in start.legal_moves(0):
        record = Record.begin(game, "odd").plus_move(game, move)
        texts.add(record.text(game, for_seat=1))
        assert [e.text for e in Record.parse(record.text(game, for_seat=0)).plies] == [str(move)]
    assert texts == {Record.begin(game, "odd").text(game, for_seat=1)}


def test_revealed_choices_are_told() -> None:
    game = GAMES["odd"]
    record, _ = recorded("odd", 1, 2)
    for_seat = Record.parse(record.text(game, for_seat=1))
    assert for_seat.entries == Record.parse(record.text()).entries
    assert for_seat.seed is None  # others' choices may follow from the seed
    tie = Record.begin(game, "odd")
    state = game.initial_state()
    for text, player in (("rock", 0), ("rock", 1), ("paper", 1)):
        tie = tie.plus_move(game, game.parse_move(text, state, player))
    mine, other = (Record.parse(tie.text(game, for_seat=p)) for p in (1, 0))
    assert [(e.who, e.text) for e in mine.plies] == [("one", "rock"), ("two", "rock"), ("two", "paper")]
    assert [(e.who, e.text) for e in other.plies] == [("one", "rock"), ("two", "rock")]


def test_entries() -> None:
    assert Entry("ply", "a", "X", line=3) == Entry("ply", "a", "X", line=9)


@given(st.text(max_size=300), st.text(st.characters(), max_size=300))
@settings(max_examples=100, deadline=None)
def test_whatever_somebody_types_can_be_kept(comment: str, attempt: str) -> None:
    record = recorded("three", 1, 2)[0].plus_comment(comment).plus_refused("X", attempt).plus_refused("O", "\ud800")
    assert Record.parse(record.text()) == record
