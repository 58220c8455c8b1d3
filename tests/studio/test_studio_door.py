"""Who may speak with a studio, and about what: the key, Origin, Host, files outside, requests of any form."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.patience import PATIENCE

from .running import RULES, Studio, Talk


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    folder = tmp_path_factory.mktemp("games")
    (folder / "row.gdl").write_text(RULES)
    found = Studio(tmp_path_factory.mktemp("data"), str(folder))
    yield found
    complaints = [line for line in found.stop().splitlines() if "refused (host)" not in line]
    assert complaints == []


@pytest.fixture(scope="module")
def talk(studio: Studio) -> Talk:
    return Talk(studio)


@pytest.mark.parametrize("greeting", ["forged", "", None, 7, ["x"]])
def test_a_key_that_is_forged_opens_nothing(studio: Studio, greeting: Any) -> None:
    for first in (json.dumps({"do": "hello", "key": greeting}), json.dumps(greeting), "no json"):
        socket = studio.socket()
        socket.send(first)
        assert json.loads(socket.recv(PATIENCE))["kind"] == "refused"
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(PATIENCE)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4403


def test_a_page_of_another_site_is_refused_even_with_the_key(studio: Studio) -> None:
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        with pytest.raises(InvalidStatus):
            studio.socket(origin=origin)


def test_a_request_under_another_name_is_refused(studio: Studio) -> None:
    """As of a page whose own name was made to point here (DNS rebinding)."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(
            urllib.request.Request(studio.address, headers={"Host": "evil.example"}), timeout=PATIENCE
        )
    assert refused.value.code == 421


def test_no_other_site_may_show_the_page_in_a_frame(studio: Studio) -> None:
    with urllib.request.urlopen(studio.address, timeout=PATIENCE) as answer:
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors 'self'" in policy and "unsafe" not in policy
        assert studio.key not in answer.read().decode()


def test_a_message_that_names_a_file_outside_is_refused(talk: Talk, studio: Studio) -> None:
    inside = talk.welcome["root"]
    for uri in ("file:///etc/passwd", f"{inside}/../x.gdl", f"{inside}/%2e%2e/x.gdl", f"{inside}x/y.gdl"):
        answer = talk.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert answer["message"] == "this names a file outside of the folder", uri
    assert talk.call("textDocument/documentSymbol", {"textDocument": {"uri": f"{inside}/row.gdl"}})[0]["name"]
    for name in ("../x.gdl", "/etc/passwd", "row.txt"):
        assert not talk.ask(do="open", file=name)["ok"]
        assert not talk.ask(do="position", file=name)["ok"]


def test_a_link_does_not_say_which_files_exist_outside(talk: Talk, studio: Studio) -> None:
    def links(file: str) -> Any:
        talk.number += 1
        document = {"uri": f"{talk.welcome['root']}/links{talk.number}.gdl", "languageId": "gamedsl", "version": 1}
        opened = {"textDocument": document | {"text": f'game "G"\nuse "{file}" as other\n'}}
        talk.socket.send(json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened}))
        return talk.call("textDocument/documentLink", {"textDocument": {"uri": document["uri"]}})

    assert [link["target"] for link in links("row.gdl")] == [f"{talk.welcome['root']}/row.gdl"]
    assert len(links("tic-tac-toe.gdl")) == 1  # a shipped one
    for file in ("/etc/passwd", "/etc/no-such-file", "../../../../../../etc/passwd", "..", "."):
        assert links(file) == [], file


def test_requests_of_any_form_are_answered_and_harm_nothing(talk: Talk) -> None:
    bad: list[dict[str, Any]] = [
        {}, {"do": 7}, {"do": "nonsense"}, {"do": "save"}, {"do": "save", "file": "row.gdl", "text": 7, "stamp": ""},
        {"do": "position", "file": "row.gdl", "plies": 7}, {"do": "position", "file": "row.gdl", "plies": [[0]]},
        {"do": "position", "file": "row.gdl", "options": [["n", "99"]]}, {"do": "position", "file": "row.gdl", "options": [["x", "1"]]},
        {"do": "position", "file": "row.gdl", "at": -1}, {"do": "position", "file": "row.gdl", "seed": True},
        {"do": "play", "file": "row.gdl", "action": 10**9, "seat": 0}, {"do": "play", "file": "row.gdl", "action": 0},
        {"do": "play", "file": "row.gdl", "seat": 0}, {"do": "play", "file": "row.gdl", "action": 0, "seat": 99},
        {"do": "judge", "file": "row.gdl", "seat": 0, "strokes": [[["x"]]]}, {"do": "why", "file": "row.gdl", "seat": 0, "actions": ["x"]},
        {"do": "choose", "file": "row.gdl", "seat": 0, "agent": "mcts:9999s"}, {"do": "load", "file": "row.gdl", "record": "x"},
        {"do": "saved", "file": "row.gdl", "when": "x"}, {"do": "new", "name": "../x", "like": "hex"},
        {"do": "new", "name": "x", "like": "../.."}, {"do": "new", "link": "gamedsl:x#x"}, {"do": "new", "link": 7}, {"do": "link"},
    ]  # fmt: skip
    for request in bad:
        answer = talk.ask(**request)
        assert answer["ok"] is False and answer["message"] and "Traceback" not in answer["message"], request
    good = talk.ask(do="position", file="row.gdl", plies=[[0, "a1"]])
    assert good["ok"] and good["plies"] == [[0, "a1"]]


def test_a_game_goes_from_the_first_move_to_a_refusal_with_its_line(talk: Talk) -> None:
    made = talk.ask(do="play", file="row.gdl", plies=[], action=0, seat=0)
    assert made["plies"] == [[0, "a1"]]
    refused = talk.ask(do="play", file="row.gdl", plies=made["plies"], action=0, seat=1)
    assert refused["reasons"][0]["rule"] == 'row.gdl:12: when c in empty "that square is taken"'
    record = talk.ask(do="record", file="row.gdl", plies=made["plies"], name="row.gdl")["record"]
    assert talk.ask(do="load", file="row.gdl", record=record)["plies"] == [[0, "a1"]]


def test_a_message_that_is_too_long_closes_the_socket_and_harms_nobody_else(studio: Studio, talk: Talk) -> None:
    other = Talk(studio)
    with pytest.raises(ConnectionClosed):
        other.socket.send("x" * (5 << 20))
        other.socket.recv(PATIENCE)
    assert talk.ask(do="files")["ok"]


MISFITS = [
    b"\x00\xff", "7", "[]", "null", "1" * 5000, "[" * 100_000, '{"jsonrpc": "2.0", "id": 1}',
    '{"jsonrpc": "2.0", "id": [1], "method": "textDocument/hover", "params": {}}',
    '{"jsonrpc": "2.0", "id": 1, "method": 7, "params": {}}', '{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}}',
    '{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": 7}', '{"jsonrpc": "2.0", "id": 1, "error": 7}',
    '{"jsonrpc": "2.0", "id": "x", "error": {"code": "y"}}', '{"jsonrpc": "2.0", "id": "x", "result": 7}',
]  # fmt: skip


@pytest.mark.parametrize("message", MISFITS, ids=lambda m: str(m[:40]))
def test_a_message_of_any_form_is_refused_and_the_next_one_is_answered(studio: Studio, message: Any) -> None:
    """The module's ``studio`` checks that none of these prints a traceback."""
    talk = Talk(studio)
    talk.socket.send(message)
    if isinstance(message, bytes):
        with pytest.raises(ConnectionClosed) as closed:
            talk.socket.recv(PATIENCE)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1003
    else:
        assert talk.ask(do="files")["files"] == ["row.gdl"]
    talk.socket.close()


def test_the_end_of_one_page_ends_no_other(studio: Studio, talk: Talk) -> None:
    """``exit`` ends the process of a language server."""
    other = Talk(studio)
    other.socket.send(json.dumps({"jsonrpc": "2.0", "method": "exit"}))
    with pytest.raises(ConnectionClosed):
        while True:
            other.socket.recv(PATIENCE)
    assert talk.ask(do="files")["ok"]
    Talk(studio).socket.close()


def test_a_page_that_asks_and_never_listens_keeps_nobody_waiting(studio: Studio, talk: Talk) -> None:
    deaf = Talk(studio)
    asked = {"command": "gamedsl.studio", "arguments": [{"do": "saves", "file": "row.gdl"}]}
    for number in range(100, 3100):
        message = {"jsonrpc": "2.0", "id": number, "method": "workspace/executeCommand", "params": asked}
        deaf.socket.send(json.dumps(message))
    assert talk.ask(do="files")["ok"]
    answers = [json.loads(deaf.socket.recv(PATIENCE)) for _ in range(3000)]
    assert sorted(answer["id"] for answer in answers if "result" in answer) == list(range(100, 3100))
    deaf.socket.close()


@pytest.mark.parametrize("command", ["gamedsl.test", "gamedsl.verify"])
def test_a_command_about_a_file_outside_is_refused(talk: Talk, command: str) -> None:
    for path in ("/etc/passwd", "file:///etc/passwd", "row.gdl"):
        answer = talk.call("workspace/executeCommand", {"command": command, "arguments": [path, None, 1]})
        assert answer["message"] == "this names a file outside of the folder", path


@pytest.mark.parametrize("name", ["x" * 300 + ".gdl", "row.gdl/x.gdl", "x" * 5000 + ".gdl"])
def test_a_name_that_no_file_can_have_is_refused_in_words(talk: Talk, name: str) -> None:
    for do in ("position", "save"):
        answer = talk.ask(do=do, file=name, text="x", stamp="")
        assert answer["ok"] is False and answer["message"] and "Errno" not in answer["message"]
    assert talk.ask(do="open", file=name)["text"] is None
