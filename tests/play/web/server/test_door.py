"""Connections that say nothing, or say it slowly, take nothing from those who play."""

from __future__ import annotations

import logging
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from gamedsl.play.web.server.connection_guard import ConnectionGuard
from gamedsl.play.web.server.limits import MOST_LINE, MOST_LOGGED, Limits
from gamedsl.play.web.server.logs import Short, Throttle

from .running import PATIENCE, Server
from .test_running import seated

FILES = 400  # that the server may open: its room is 144, of which half is kept for seats


class Small(Server):
    """A server with few descriptors."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        limits = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({FILES}, {FILES}));"
        run = f"{limits} from gamedsl.cli.main import main; sys.exit(main())"
        self.folder = folder
        command = [
            sys.executable,
            "-c",
            f"import sys; {run}",
            "serve",
            "--port",
            "0",
            "--data",
            str(folder),
            *arguments,
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert "http://" in said, self.process.stderr.read() if self.process.stderr else said
        self.address = said.split()[2].removesuffix("/")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Small]:
    found = Small(tmp_path, "tic-tac-toe", "--tables", "1000")
    yield found
    found.kill()


def half_open(server: Server, number: int, opened: ExitStack, text: bytes, source: str = "127.0.0.1") -> list[Any]:
    """Connections that begin a request and never end it."""
    host, port = server.address.removeprefix("http://").split(":")
    found = []
    for _ in range(number):
        one = opened.enter_context(socket.create_connection((host, int(port)), PATIENCE, (source, 0)))
        with suppress(OSError):
            one.sendall(text)
        found.append(one)
    return found


BEGUN = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{"


@pytest.mark.parametrize("text", [b"", BEGUN, BODY])
def test_half_open_requests_stop_nobody(server: Small, text: bytes) -> None:
    """More than the server may open files. Seated players go on, others still come, and the log stays short."""
    _, (x, o) = seated(server, "tic-tac-toe")
    with ExitStack() as opened:
        half_open(server, 2 * FILES, opened, text)
        for ply, action in enumerate((0, 3, 1)):
            mover, other = (x, o) if ply % 2 == 0 else (o, x)
            assert mover.play(action)["ok"]
            other.wait(ply + 1)
            mover.wait(ply + 1)
        assert server.get("/api/lobby")["games"]
        table, keys = server.make("tic-tac-toe")
        assert server.join(table, keys[0]).seen()["turn"]["to_act"] == [0]
        assert o.play(4)["ok"]
    complaints = server.stop()
    assert len(complaints) < 5000 and "Traceback" not in complaints


def test_watchers_keep_no_player_out(server: Small) -> None:
    """All of one address watch; its oldest has to go when somebody of another comes, and whoever has a seat stays."""
    table, (x, o) = seated(server, "tic-tac-toe")
    watching = [server.join(table) for _ in range(60)]
    with ExitStack() as opened:
        half_open(server, FILES, opened, BEGUN)
        assert x.play(0)["ok"]
        o.wait(1)
        again, keys = server.make("tic-tac-toe")
        assert server.join(again, keys[1]).seen()
    assert any(one.seen() for one in watching)


@pytest.mark.slow
def test_a_request_must_come_whole_within_a_time(server: Small) -> None:
    with ExitStack() as opened:
        for one in half_open(server, 3, opened, BEGUN):
            one.settimeout(30)
            with suppress(ConnectionResetError):
                assert one.recv(100) == b""


@pytest.mark.slow
def test_eleven_hundred_half_open_requests(tmp_path: Path) -> None:
    """With the system's usual limit of 1,024 files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8000), hard))
    server = Server(tmp_path, "tic-tac-toe")
    try:
        _, (x, o) = seated(server, "tic-tac-toe")
        with ExitStack() as opened:
            half_open(server, 1100, opened, BEGUN, "127.0.0.2")
            assert x.play(0)["ok"]
            o.wait(1)
            assert server.get("/api/lobby")["games"]
        assert len(server.stop()) < 5000
    finally:
        server.process.kill()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# ------------------------------------------------------------------------------------------------------- by hand


class _Transport:
    def __init__(self, address: str) -> None:
        self.address, self.is_aborted = address, False

    def get_extra_info(self, _: str) -> tuple[str, int]:
        return self.address, 1

    def abort(self) -> None:
        self.is_aborted = True


def come(door: ConnectionGuard, address: str) -> Any:
    transport: Any = _Transport(address)
    return door.admit(transport)


def test_a_network_has_so_many_connections() -> None:
    """A /64 of IPv6 is one network. Its own oldest that says nothing makes room for its next."""
    door = ConnectionGuard(Limits(connections=3), 1000)
    first = [come(door, f"2001:db8::{i}") for i in range(3)]
    assert come(door, "2001:db8::ffff") and first[0].transport.is_aborted and not first[1].transport.is_aborted
    for one in [*first[1:], *door.visitors]:
        one.is_waiting = False
    assert come(door, "2001:db8::5") is None and come(door, "2001:db8:0:1::5") is not None
    assert not first[1].transport.is_aborted
    proxied = ConnectionGuard(Limits(connections=1), 1000, frozenset({"127.0.0.1"}))
    assert all(come(proxied, "127.0.0.1") for _ in range(9))


def test_half_of_the_room_is_for_seats() -> None:
    """Ten places: five without a seat. The silent go first, then the oldest of whoever has most; seats never."""
    door = ConnectionGuard(Limits(), 10)
    seats = [come(door, f"192.0.2.{i}") for i in range(4)]
    for one in seats:
        door.seat(one)
    busy = [come(door, "198.51.100.1") for _ in range(4)]
    for one in busy:
        one.is_waiting = False
    silent = come(door, "198.51.100.2")
    assert come(door, "198.51.100.3") and silent.transport.is_aborted and not busy[0].transport.is_aborted
    assert come(door, "198.51.100.4") and come(door, "198.51.100.5")
    assert busy[0].transport.is_aborted or busy[1].transport.is_aborted or len(door.visitors) <= 5
    assert not any(one.transport.is_aborted for one in seats) and door.seated == 4
    for one in seats:
        door.leave(one)
        door.leave(one)
    assert door.seated == 0 and sum(door.of_network.values()) == len(door.visitors)


def test_the_log_is_bounded() -> None:
    throttle, form = Throttle(), Short("%(message)s")
    lines = [
        logging.LogRecord("x", logging.ERROR, "", 0, "x" * (2 * MOST_LINE), (), None) for _ in range(10 * MOST_LOGGED)
    ]
    kept = [form.format(one) for one in lines if throttle.filter(one)]
    assert len(kept) == MOST_LOGGED and max(map(len, kept)) == MOST_LINE
