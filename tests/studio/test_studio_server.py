"""The server of a studio without a page: what it asks of the disk, and what it says about files elsewhere."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gamedsl.studio.author_files import AuthorFiles
from gamedsl.studio.studio_server import StudioServer, make_studio_server
from tests.patience import PATIENCE

from .running import RULES


@pytest.fixture
def files(tmp_path: Path) -> AuthorFiles:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "row.gdl").write_text(RULES)
    return AuthorFiles(tmp_path / "games", tmp_path / "data")


def run(files: AuthorFiles, work: Callable[[StudioServer], Coroutine[Any, Any, None]]) -> None:
    async def served() -> None:
        server = make_studio_server(files, lambda name, texts: files)
        try:
            await asyncio.wait_for(work(server), PATIENCE)
        finally:
            await server.pool.end()

    asyncio.run(served())


def test_a_disk_that_does_not_answer_keeps_only_waiting_who_needs_it(
    files: AuthorFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()
    read = files.read
    monkeypatch.setattr(files, "read", lambda name: (answers.wait(PATIENCE), read(name))[1])

    async def work(server: StudioServer) -> None:
        opening = asyncio.ensure_future(server.answer({"do": "open", "file": "row.gdl"}))
        merged = await server.answer({"do": "merge", "base": "a\n", "mine": "b\n", "theirs": "a\n"})
        assert merged == {"ok": True, "text": "b\n"} and not opening.done()
        answers.set()
        assert (await opening)["text"] == RULES

    run(files, work)


def test_a_file_that_is_not_touched_is_not_read_again(files: AuthorFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that somebody writes is noticed, whatever was read before."""
    read, reads = files.read, list[str]()
    monkeypatch.setattr(files, "read", lambda name: (reads.append(name), read(name))[1])
    monkeypatch.setattr("gamedsl.studio.studio_server.LOOK_SECONDS", 0.001)
    monkeypatch.setattr("gamedsl.studio.studio_server.SETTLED", -(10**18))  # times here are as exact as they need be

    async def work(server: StudioServer) -> None:
        notified: list[Any] = []
        monkeypatch.setattr(server.protocol, "notify", lambda method, data: notified.append(data))
        await server.answer({"do": "open", "file": "row.gdl"})
        watching = asyncio.ensure_future(server.watch_files())
        while len(reads) < 2:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        assert len(reads) == 2 and notified == []
        (files.root / "row.gdl").write_text("# other\n")
        while not notified:
            await asyncio.sleep(0.001)
        assert [one["text"] for one in notified] == ["# other\n"]
        watching.cancel()

    run(files, work)


def test_a_change_in_the_same_tick_of_the_clock_is_noticed(files: AuthorFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that was read at once, and one of the same length, written after that in the same tick: the file looks the same then."""
    path, clock, looks = files.root / "row.gdl", SimpleNamespace(time_ns=lambda: 10**18), list[str]()
    monkeypatch.setattr("gamedsl.studio.studio_server.LOOK_SECONDS", 0.001)
    monkeypatch.setattr("gamedsl.studio.studio_server.time", clock)
    trace = files.trace
    monkeypatch.setattr(files, "trace", lambda name: (looks.append(name), trace(name))[1])
    os.utime(path, ns=(10**18, 10**18))

    async def look(server: StudioServer, times: int) -> None:
        """Looks as often, and ends the last look."""
        looks.clear()
        watching = asyncio.ensure_future(server.watch_files())
        while len(looks) <= times:
            await asyncio.sleep(0.001)
        watching.cancel()

    async def work(server: StudioServer) -> None:
        notified: list[Any] = []
        monkeypatch.setattr(server.protocol, "notify", lambda method, data: notified.append(data))
        await server.answer({"do": "open", "file": "row.gdl"})
        await look(server, 1)
        with path.open("r+") as file:  # in place
            file.write(RULES.replace("Row", "Won"))
        os.utime(path, ns=(10**18, 10**18))
        clock.time_ns = lambda: 10**18 + 60 * 10**9
        await look(server, 2)
        assert [one["text"] for one in notified] == [RULES.replace("Row", "Won")]

    run(files, work)
