"""What comes from outside and is not as it must be is refused with a code, and nothing else happens."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamedsl.engine import Record
from gamedsl.language.source import GameDSLError
from gamedsl.play.web.server import limits
from gamedsl.play.web.server.hosts import Hosts

from .running import PATIENCE, Server
from .tables import ROOT, loaded
from .test_running import seated
from .test_uploads import RULES

LONE = "\\ud800"  # in JSON: half of a surrogate pair


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("tables"), "abs-trac-toe", "tic-tac-toe", "--uploads", "--tables", "1000")
    yield found
    complaints = found.stop()
    assert "Traceback" not in complaints


LINE = [[0, 0], [1, 1]]


@pytest.mark.parametrize("do", ["judge", "draw"])
@pytest.mark.parametrize(
    "strokes",
    [
        [["no such stroke", LINE]],
        [["", LINE]],
        [["", []]],
        [["stroke 1", [[i, 0] for i in range(limits.MOST_POINTS + 1)]]],
        [["stroke 1", LINE]] * (limits.MOST_STROKES + 1),
        [["stroke 1", [[i % 9, 0] for i in range(limits.MOST_POINTS)]]] * 11,
        [["stroke 1", [[1e7, 0], [0, 0]]]],
        [["stroke 1", [[0, 0, 0]]]],
        [["x" * 101, LINE]],
        [["stroke 1"]],
        [["stroke 1", LINE]] * 20,
    ],
)
def test_strokes_that_are_not_those_to_be_drawn(server: Server, do: str, strokes: list[object]) -> None:
    _, (x, _) = seated(server, "abs-trac-toe")
    told = x.ask(do, strokes=strokes, stamp=x.update["stamp"])
    assert told["code"] in ("malformed", "illegal") and told["reasons"][0]["message"]
    assert x.ask("look", node=0)["ok"]  # the socket goes on


def test_halves_of_surrogate_pairs(server: Server) -> None:
    seats = '"seats": ["person", "person"]'
    for body in (
        f'{{"game": "tic-tac-toe", "options": {{"n": "{LONE}"}}, {seats}}}',
        f'{{"game": "tic-tac-toe", "options": {{"{LONE}": "3"}}, {seats}}}',
        f'{{"game": "{LONE}", {seats}}}',
        f'{{"game": "tic-tac-toe", {seats}, "{LONE}": 1}}',
    ):
        assert server.status("/api/tables", body.encode()) == 400
    text = json.dumps(f"{RULES}# ")[:-1] + LONE + '"'
    assert server.status("/api/uploads", f'{{"text": {text}}}'.encode()) == 400
    table, (x, _) = seated(server, "tic-tac-toe")
    for frame in (f'{{"do": "{LONE}", "id": 1}}', f'{{"do": "look", "id": 1, "node": 0, "x": ["{LONE}"]}}'):
        x.socket.send(frame)
        assert x.read()["code"] == "malformed"
    stranger = server.join(table, greets=False)
    stranger.socket.send(f'{{"do": "hello", "key": "{LONE}"}}')
    while stranger.error is None:
        stranger.read()
    assert stranger.error["code"] == "malformed"


@pytest.mark.parametrize("place", range(6))
def test_a_record_with_half_of_a_surrogate_pair(place: int) -> None:
    game = loaded("tic-tac-toe")
    record = Record.begin(game, "tic-tac-toe").plus_move(game, game.initial_state().legal_moves()[0])
    lines = record.text().splitlines()
    at = place % len(lines)
    lines[at] = lines[at].replace(" ~", "\ud800 ~")
    for text in ("\n".join(lines), lines[at], "game: tic-tac-toe\n1. X: \ud800\n"):
        with pytest.raises(GameDSLError) as found:
            Record.parse(text)
        assert found.value.diagnostics[0].code == "E0531"


def test_every_limit_of_the_server_is_stated_once() -> None:
    """And the reference lists those that a client can meet."""
    for path in (ROOT / "gamedsl/play/web/server").rglob("*.py"):
        again = re.findall(r"^(MOST_[A-Z_]+)\b.* = ", path.read_text(), re.M)
        assert path.name == "limits.py" or not again, f"{path.name}: {again}"
    page = (ROOT / "docs/reference/server.md").read_text().partition("## Limits")[2].partition("\n## ")[0]
    for value in (
        limits.MOST_FRAME, limits.MOST_BODY, limits.MOST_STROKES, limits.MOST_POINTS, limits.MOST_DRAWN, limits.MOST_TEXT,
        limits.MOST_EVENTS, limits.MOST_OPTIONS, limits.MOST_STRIKES, limits.MOST_UPLOADS, limits.MOST_RUNNING,
        limits.Limits().sockets, limits.Limits().all_sockets, limits.HELLO_SECONDS, limits.ANSWER_SECONDS,
    ):  # fmt: skip
        assert re.search(rf"\b{value:,.0f}\b", page), value


# ------------------------------------------------------------------------------------------------------- HTTP


def answered(server: Server, *lines: str, body: str = "") -> bytes:
    """The bytes that a request is answered with."""
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(("\r\n".join([*lines, "", ""]) + body).encode("latin-1"))
        found = b""
        while piece := connection.recv(65536):
            found += piece
    return found


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "203.0.113.7", "[2001:db8::1]", "a b", "localhost@evil.example", "", "x" * 300]
)  # fmt: skip
def test_names_of_other_sites_are_refused(server: Server, host: str) -> None:
    """DNS rebinding: evil.example may point to 127.0.0.1, and then its page and this server are one site for a browser."""
    for path in ("/", "/api/lobby", "/static/board.js"):
        found = answered(server, f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close")
        assert found.startswith((b"HTTP/1.1 421 ", b"HTTP/1.1 400 ")), found[:80]
    opened = answered(
        server, "GET /live/xxxxxxxxxxxx HTTP/1.1", f"Host: {host}", "Connection: Upgrade", "Upgrade: websocket",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )  # fmt: skip
    assert opened.startswith((b"HTTP/1.1 403 ", b"HTTP/1.1 400 ")), opened[:80]


def test_a_request_without_a_name_is_refused(server: Server) -> None:
    assert answered(server, "GET / HTTP/1.0").startswith(b"HTTP/1.1 421 ")
    assert answered(server, "GET / HTTP/1.1", "Connection: close").startswith(b"HTTP/1.1 400 ")
    assert answered(server, "GET / HTTP/1.1", "Host: localhost", "Host: localhost").startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "host", ["localhost:80", "LOCALHOST", "games.localhost.", "127.0.0.1", "127.8.8.8:1", "[::1]:9"]
)
def test_this_machine_is_known(server: Server, host: str) -> None:
    assert answered(server, "GET / HTTP/1.1", f"Host: {host}", "Connection: close").startswith(b"HTTP/1.1 200 ")


def test_names_that_the_owner_gives() -> None:
    hosts = Hosts.of("127.0.0.1", ["play.example.org"])
    assert hosts.know("play.example.org") and hosts.know("Play.Example.Org.:443") and not hosts.know("example.org")
    assert not hosts.know("192.168.1.5") and not hosts.know("0.0.0.0")
    everywhere = Hosts.of("0.0.0.0")
    assert everywhere.know("192.168.1.5:8000") and everywhere.know("[fd00::1]") and not everywhere.know("pc.example")
    assert Hosts.of("192.168.1.5").know("192.168.1.5:80") and not Hosts.of("192.168.1.5").know("192.168.1.6")
    assert Hosts.of("::").know("[fd00::1]:8000") and Hosts.of("fd00::1").know("[fd00::1]")


def test_the_option_gives_names(tmp_path: Path) -> None:
    named = Server(tmp_path, "tic-tac-toe", "--host-name", "play.example.org", "--host-name", "games.example")
    try:
        for host, answer in (("play.example.org", b"200"), ("games.example:8000", b"200"), ("example.org", b"421")):
            found = answered(named, "GET / HTTP/1.1", f"Host: {host}", "Connection: close")
            assert found.startswith(b"HTTP/1.1 " + answer)
    finally:
        named.kill()


@pytest.mark.parametrize("encoding", ["chunked", "Chunked"])
def test_a_length_given_twice_is_refused_and_what_follows_is_not_read(server: Server, encoding: str) -> None:
    """Behind a proxy that believes the other of the two, the rest would be another visitor's request."""
    smuggled = "GET /api/lobby HTTP/1.1\r\nHost: localhost\r\n\r\n"
    found = answered(
        server, "POST /api/tables HTTP/1.1", "Host: localhost", f"Content-Length: {5 + len(smuggled)}",
        f"Transfer-Encoding: {encoding}", body=f"0\r\n\r\n{smuggled}",
    )  # fmt: skip
    assert found.startswith(b"HTTP/1.1 400 ") and found.count(b"HTTP/1.1 ") == 1
