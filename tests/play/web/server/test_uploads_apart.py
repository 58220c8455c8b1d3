"""A fault of a request is never counted as a fault of the process that serves an upload; paths mean the same everywhere."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from .running import Server
from .test_uploads import RULES, children, seated, upload


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("tables"), "tic-tac-toe", "--uploads", "--tables", "1000")
    yield found
    found.kill()


HOSTILE_NAMES = (
    "%20" * 12,
    "%0a" * 12,
    "%C3%A9" * 12,
    "%00" * 12,
    "a%3Fb%23c%2F%2E%2E%2Fde",
    "-" * 12,
    "%F0%9F%8E%B2" * 12,
)


def test_no_name_of_a_table_ends_the_process_of_its_players(server: Server) -> None:
    table, _, (x, o) = seated(server, upload(server, RULES)["name"])
    before = children(server)
    for name in HOSTILE_NAMES:
        assert server.status(f"/api/tables/{table[:8]}{name}") == 404
        with suppress(InvalidStatus):
            stranger = server.join(f"{table[:8]}{name}")
            while stranger.error is None:
                stranger.read()
            assert stranger.error["code"] == "table"
    assert x.play(0)["ok"]
    o.wait(1)
    assert children(server) == before


def test_no_header_of_a_request_ends_the_process_of_its_players(server: Server) -> None:
    table, _, (x, o) = seated(server, upload(server, RULES)["name"])
    before = children(server)
    for value in ("\u00e9", "a b", "\t", "x" * 9000, ";" * 99):
        server.status(f"/api/tables/{table}", headers={"Content-Type": value, "X-Forwarded-Proto": value})
    assert x.play(0)["ok"]
    o.wait(1)
    assert children(server) == before


@pytest.mark.slow
def test_a_process_that_hangs_is_begun_again(tmp_path: Path) -> None:
    """Stopped, it answers nothing, not even whether it lives; then it is at fault, and the table goes on in another."""
    server = Server(tmp_path, "tic-tac-toe", "--uploads")
    try:
        table, keys, (x, _) = seated(server, upload(server, RULES)["name"])
        assert x.play(0)["ok"]
        for pid in children(server):
            os.kill(pid, signal.SIGSTOP)
        again = server.join(table, keys[1])
        with suppress(TimeoutError):
            again.read()
        assert again.seen()["turn"]["to_act"] == [1]
    finally:
        server.kill()


def test_a_relative_folder_is_the_same_for_the_server_and_its_uploads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = Server(Path("data"), "tic-tac-toe", "--uploads")
    name = upload(first, RULES)["name"]
    table, keys, (x, _) = seated(first, name)
    assert x.play(3)["ok"]
    first.kill()
    kept = tmp_path / "data" / "uploads" / name
    assert {path.name for path in (kept / "rules").iterdir()} == {f"{name}.gdl"}
    assert (kept / "tables" / "tables.sqlite").exists()
    second = Server(Path("data"), "tic-tac-toe", "--uploads")
    try:
        again = second.join(table, keys[1])
        again.seen()
        assert [node["text"] for node in again.nodes[1:]] == ["b2"]
    finally:
        second.kill()
