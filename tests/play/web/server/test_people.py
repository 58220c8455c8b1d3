"""Names and messages: hostile input that reaches other people, bounded, kept, and apart from what is secret."""

from __future__ import annotations

import asyncio
import json
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.cli.serve_command import CHATS
from gamedsl.play.web.server import conversation, live_tables, seat_requests
from gamedsl.play.web.server.conversation import Chat, Speakers, talks
from gamedsl.play.web.server.events import ClockRule, Named, Said, event_from, event_json, setup_from, setup_json
from gamedsl.play.web.server.limits import (
    MOST_CALLED,
    MOST_SAID,
    MOST_SPEAKERS,
    MOST_WRITTEN,
    SAID_BURST,
    WRITTEN_LEAST,
)
from gamedsl.play.web.server.refusals import BadData, Refused
from gamedsl.play.web.server.requests import NewTable
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.table_play import Play
from gamedsl.play.web.server.written_lines import MARKS_EACH, clean_line, read_line

from .running import Server
from .tables import HALL, Driven, loaded, new_play
from .test_times import _hall

PEOPLE = NewTable("tic-tac-toe", {}, ("person", "person"), ClockRule(), False)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  Anna\t\n  Karenina ", "Anna Karenina"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),  # the page shows text as text
        ("Bob\u202egnp.exe\u202c", "Bobgnp.exe"),  # marks of direction: overrides, isolates, marks
        ("\u2066a\u2069\u200eb\u200f\u061c", "ab"),
        ("Z\u0301\u0302\u0303\u0304\u0305\u0306", "Ź\u0302\u0303\u0304"),  # three of a stack of marks
        ("a\u200bb\u2060c\ufeff\u00add", "abcd"),  # zero width, soft hyphen
        ("\u3164\u115f\u2800\u200d", ""),  # letters and patterns that show nothing
        ("\u0301", ""),
        ("line\u2028break\x85nul\x00bell\x07", "line break nulbell"),
        ("\U000e0041\U0001f3f4", "\U0001f3f4"),  # tags
        ("\ue000\ufdd0", ""),  # for private use, never a character
        ("שלום علی", "שלום علی"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),  # one emoji of two
        ("a\u200db", "ab"),
        ("e\u200b\u0301", "é"),
    ],
)
def test_lines_are_harmless(written: str, shown: str) -> None:
    assert clean_line(written) == shown


@given(st.text(st.characters(exclude_categories=["Cs"])) | st.text("ae\u0301\u200b\u200d\u202e \n\u3164é\U0001f469"))
def test_a_clean_line_stays_as_it_is(written: str) -> None:
    line = clean_line(written)
    assert clean_line(line) == line and line == unicodedata.normalize("NFC", line)
    kinds = [unicodedata.category(c) for c in line]
    assert not {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"} & set(kinds)
    assert all(c in "\u200c\u200d" for c, kind in zip(line, kinds, strict=True) if kind == "Cf")
    runs = "".join(kind[0] if kind[0] == "M" else " " for kind in kinds).split()
    assert all(len(run) <= MARKS_EACH for run in runs)


@pytest.mark.parametrize("value", [None, 7, ["a"], {"a": 1}, "x" * (MOST_CALLED + 1), "\ufb2c" * MOST_CALLED])
def test_only_short_strings_are_read(value: Any) -> None:
    """The last is composed of three characters each."""
    with pytest.raises(Refused):
        read_line({"name": value}, "name", MOST_CALLED)


# ------------------------------------------------------------------------------------------------------- secrets


def say(play: Play, seat: int | None, text: str, at: int = 1, name: str = "") -> None:
    for event, after in seat_requests.said(play, seat, text, name, at):
        play.check(event)
        play.take(event, after)


def call(play: Play, seat: int, name: str) -> None:
    for event, after in seat_requests.named(play, seat, name, 1):
        play.check(event)
        play.take(event, after)


def frames(table: Driven, seat: int | None) -> list[str]:
    """What a viewer was sent, and then the messages."""
    return [*table.frames[seat], *(one for one in (table.sockets[seat].messages(),) if one is not None)]


def test_a_message_does_not_show_whether_somebody_has_chosen() -> None:
    """Two games that differ in a choice made in secret: the other seat and spectators get the same bytes, as a message has no
    number of the log. The seat that has chosen knows it."""
    secret, open_ = Driven(loaded("rock-paper-scissors")), Driven(loaded("rock-paper-scissors"))
    secret.make(secret.play.state.legal_moves(0)[0])
    for table in (secret, open_):
        call(table.play, 0, "Anna")
        say(table.play, 0, "Your turn?", 5)
        table.look()
    for seat in (1, None):
        assert secret.frames[seat] == open_.frames[seat] and _said(secret, seat) == _said(open_, seat)
    assert "Your turn?" in _said(secret, 1) and "Anna" in secret.frames[1][-1]
    assert secret.frames[0] != open_.frames[0]


def _said(table: Driven, seat: int | None) -> str:
    table.sockets[seat].sent_said = []
    return table.sockets[seat].messages() or ""


def test_spectators_hear_as_late_as_they_see(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HALL, "chat", "all")
    table = Driven(loaded("kuhn-poker"), delay=60.0)
    now = table.table.run.now()
    say(table.play, 0, "I have the king", now)
    say(table.play, None, "hello", now, "Guest")
    assert "king" in _said(table, 1) and "king" not in _said(table, None) and "hello" in _said(table, None)
    say(table.play, 0, "I had the queen", now - 61_000)
    assert "queen" in _said(table, None) and "king" not in _said(table, None)
    told = json.loads(_said(table, 1))["said"]
    assert [(one["seat"], one["name"], one["text"]) for one in told] == [
        (0, "", "I have the king"), (None, "Guest", "hello"), (0, "", "I had the queen"),
    ]  # fmt: skip
    assert set(told[0]) == {"seat", "name", "text", "at"}


def test_messages_are_sent_once_and_change_no_position() -> None:
    table = Driven(loaded("tic-tac-toe"))
    before = {seat: list(found) for seat, found in table.frames.items()}
    say(table.play, 0, "one")
    assert json.loads(table.sockets[1].messages() or "") | {"said": 0} == {"kind": "messages", "from": 0, "said": 0}
    say(table.play, 1, "two")
    assert [one["text"] for one in json.loads(table.sockets[1].messages() or "")["said"]] == ["two"]
    assert table.sockets[1].messages() is None
    table.look()
    assert table.frames == before
    assert "two" not in table.play.record(None).text()


def test_who_talks() -> None:
    assert [(chat, talks(chat, 0), talks(chat, None)) for chat in ("seats", "all", "off")] == [
        ("seats", True, False), ("all", True, True), ("off", False, False),
    ]  # fmt: skip
    assert CHATS == get_args(Chat) == ("seats", "all", "off")
    table = Driven(loaded("tic-tac-toe"))
    say(table.play, 0, "for seats alone")
    assert table.sockets[None].messages() is None and not table.sockets[None].talks


# ------------------------------------------------------------------------------------------------------- bounds


def test_floods_are_refused_and_belong_to_their_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "SAID_RATE", 0.0)
    speakers = Speakers()
    for who in (0, 1, "a network"):
        for _ in range(SAID_BURST):
            speakers.admit(who)
        with pytest.raises(Refused, match="too many messages"):
            speakers.admit(who)
    for i in range(3 * MOST_SPEAKERS):
        try:
            speakers.admit(f"network {i}")
        except Refused as refused:
            assert refused.code == "rate"
    assert len(speakers.buckets) <= MOST_SPEAKERS + 1


def test_a_seat_fills_its_own_room_only() -> None:
    """The bytes of a seat have a bound that follows from the limits: four for a character, twelve where JSON escapes one."""
    play, size = new_play(loaded("tic-tac-toe")), 0
    with pytest.raises(Refused, match="no more"):
        while True:
            [(event, _)] = seat_requests.said(play, 0, "\U0001f600" * MOST_SAID, "", 2**53 - 1)
            play.take(event)
            size += len(json.dumps(event_json(event), ensure_ascii=False).encode())
    assert MOST_WRITTEN < size < 5 * MOST_WRITTEN
    with pytest.raises(Refused):
        for name in ("Anna", "") * 5:
            call(play, 0, name)
    call(play, 1, "Bob")
    say(play, 1, "I can still write")
    say(play, None, "so can I", name="Guest")
    for i in range(MOST_WRITTEN // WRITTEN_LEAST + 1):  # the shortest names are counted too
        try:
            call(play, 1, "ab"[i % 2])
        except Refused:
            break
    else:
        raise AssertionError("names without end")


def test_messages_take_no_room_from_the_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(live_tables, "MOST_EVENTS", 2)

    async def scenario() -> None:
        hall = _hall(tmp_path, Run.begin())
        table = await hall.make(PEOPLE)
        for i in range(5):
            await table.request(lambda play, now, i=i: seat_requests.said(play, 0, f"message {i}", "", now))  # type: ignore[misc]
        for seat in (0, 1):
            await table.request(lambda play, now: seat_requests.made(play, play.state.legal_moves()[0], now))
            await table.request(lambda play, now, seat=seat: seat_requests.named(play, seat, "Anna", now))  # type: ignore[misc]
        with pytest.raises(Refused, match="full"):
            await table.request(lambda play, now: seat_requests.made(play, play.state.legal_moves()[0], now))
        hall.stop()

    asyncio.run(scenario())


def test_an_empty_message_is_none() -> None:
    with pytest.raises(Refused):
        say(new_play(loaded("tic-tac-toe")), 0, clean_line("\u200b\u202e"))


# ------------------------------------------------------------------------------------------------------- kept


def test_a_restart_finds_names_and_messages(tmp_path: Path) -> None:
    async def scenario() -> None:
        hall = _hall(tmp_path, Run.begin())
        table = await hall.make(PEOPLE)
        await table.request(lambda play, now: seat_requests.named(play, 1, "Bob", now))
        await table.request(lambda play, now: seat_requests.said(play, 1, "hi \U0001f600", "", now))
        await table.request(lambda play, now: seat_requests.resigned(play, 0, now))
        await table.request(lambda play, now: seat_requests.said(play, 0, "good game", "", now))  # after the end too
        hall.stop()
        again = _hall(tmp_path, Run.begin())
        found = (await again.table(table.name)).play
        assert found.names == ("", "Bob") and [one.text for one in found.said] == ["hi \U0001f600", "good game"]
        assert found.written == table.play.written
        again.stop()

    asyncio.run(scenario())


@pytest.mark.parametrize("event", [Named(1, 0, "Anna"), Said(1, 1, "hi"), Said(1, None, "hi", "Guest")])
def test_the_log_of_names_and_messages(event: Named | Said) -> None:
    assert event_from(json.loads(json.dumps(event_json(event)))) == event
    for field in ("at", "text" if isinstance(event, Said) else "name"):
        with pytest.raises(BadData):
            event_from(event_json(event) | {field: None})
    with pytest.raises(BadData):
        new_play(loaded("tic-tac-toe")).check(replace(event, seat=2))


def test_in_a_rematch_everybody_keeps_their_name() -> None:
    play = new_play(loaded("tic-tac-toe"))
    call(play, 0, "Anna")
    setup = seat_requests.swapped(play, "the first table", Run(2, 0))
    assert setup_from(json.loads(json.dumps(setup_json(setup)))) == setup
    assert Play(play.game, setup).names == ("", "Anna")
    assert Play(play.game, replace(setup, names=("a", "b", "c"))).names == ("", "")
    with pytest.raises(BadData):
        setup_from({**setup_json(setup), "names": "ab"})


def test_a_killed_server_has_every_message_that_it_answered(tmp_path: Path) -> None:
    server = Server(tmp_path, "tic-tac-toe", "--chat", "all")
    table, keys = server.make("tic-tac-toe")
    anna, guest = server.join(table, keys[0]), server.join(table)
    assert anna.ask("name", name="Anna\u202e")["ok"] and anna.ask("say", text="<i>hello</i>\n")["ok"]
    assert guest.ask("say", text="I watch", name="Guest")["ok"] and guest.ask("name", name="X")["code"] == "seat"
    assert guest.ask("say", text="x" * (MOST_SAID + 1), name="Guest")["code"] == "malformed"
    assert guest.ask("say", text="no name")["code"] == "malformed"
    server.kill()
    server = Server(tmp_path, "tic-tac-toe")  # now for the seats alone
    bob, other = server.join(table, keys[1]), server.join(table)
    assert bob.seen() and bob.update["names"] == ["Anna", ""]
    said = bob.read()
    assert said["kind"] == "messages"
    assert [(one["seat"], one["name"], one["text"]) for one in said["said"]] == [
        (0, "", "<i>hello</i>"), (None, "Guest", "I watch"),
    ]  # fmt: skip
    assert other.ask("say", text="may I?", name="Guest")["code"] == "chat"
    assert "Traceback" not in server.stop()
