"""The commands of the lenses, and where messages about other files stand."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from websockets.asyncio import client
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.typing import Origin

from gamedsl.editor.task_process import Task, run_task
from tests.editor.client import Editor, Sessions
from tests.patience import PATIENCE

# O moves second: the shortest game in which O takes b2 has two moves. The board is full after four.
GAME = """\
players X, O
board grid 2 by 2
piece mark of player

move place(c: cell)
  when c in empty
  put mark[me] on c

play
  turns from X
    me plays place
    if empty = {}
      draw

claim "center": never b2 in mark[O]
claim "short": ends within 4 plies
"""
EXAMPLES = """\
examples:
  - name: first
    moves: [place a1]
    to_move: O
  - name: second
    legal_count: 3
"""


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    path = tmp_path / "mine.gdl"
    path.write_text(GAME, encoding="utf-8")
    path.with_name("mine.examples.yaml").write_text(EXAMPLES, encoding="utf-8")
    return path


async def _lenses(editor: Editor, uri: str) -> list[tuple[int, lsp.Command]]:
    found = await editor.client.text_document_code_lens_async(lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri)))
    return [(one.range.start.line, one.command) for one in found or () if one.command is not None]


async def _results(editor: Editor, uri: str, count: int) -> list[tuple[Any, int]]:
    """The codes and lines of the results that stand in a file, once there are so many."""
    while True:
        said = next((p.diagnostics for p in reversed(editor.published) if p.uri == uri), ())
        found = [(d.code, d.range.start.line) for d in said if not re.match("[EW][0-9]", str(d.code))]
        if len(found) == count:
            return found
        await editor.news()


def test_every_lens_is_a_command_of_the_server(ruleset: Path, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        announced = editor.capabilities.execute_command_provider
        assert announced is not None
        uri = editor.open(ruleset)
        lenses = await _lenses(editor, uri)
        lenses += await _lenses(editor, editor.open(ruleset.with_name("mine.examples.yaml")))
        assert (
            {command.command for _, command in lenses}
            == set(announced.commands) - {"gamedsl.game"}
            == {"gamedsl.test", "gamedsl.verify"}
        )
        assert [line for line, command in lenses if command.command == "gamedsl.verify"] == [14, 15]

    sessions.run(work)


def test_examples_of_the_texts_in_the_editor(ruleset: Path, sessions: Sessions) -> None:
    """A failing example is marked where it stands, saved or not, until a text changes."""

    async def work(editor: Editor) -> None:
        uri = editor.open(ruleset)
        ((_, command),) = [one for one in await _lenses(editor, uri) if one[1].command == "gamedsl.test"]
        shown = await editor.execute(command.command, *command.arguments or ())
        assert shown is not None and shown.type is lsp.MessageType.Error
        assert shown.message == "mine.gdl: 1 of 2 examples failed: second"
        beside = ruleset.with_name("mine.examples.yaml")
        examples = beside.resolve().as_uri()
        assert await _results(editor, examples, 1) == [("example-failed", 4)]

        editor.open(beside)  # to look at it takes nothing back
        said = await editor.diagnostics(examples, lambda found: len(found) == 1)
        assert said[0].message.startswith("second\n")
        editor.write(examples, EXAMPLES.replace("3", "4"))
        assert await editor.diagnostics(examples) == []
        shown = await editor.execute("gamedsl.test", examples)
        assert shown is not None and shown.message == "mine.gdl: 2 examples passed"

        editor.write(uri, GAME.replace("empty\n  put", "empty and c != a1\n  put"))
        shown = await editor.execute("gamedsl.test", str(ruleset))
        assert shown is not None and shown.message == "mine.gdl: 2 of 2 examples failed: first; second"
        assert len(await editor.diagnostics(examples, lambda found: len(found) == 2)) == 2
        editor.write(uri, GAME)
        assert await editor.diagnostics(examples, lambda found: found == []) == []
        editor.write(uri, "players X,")
        shown = await editor.execute("gamedsl.test", str(ruleset))
        assert shown is not None and "mine.gdl:1:" in shown.message and shown.type is lsp.MessageType.Error

    sessions.run(work)


def test_one_claim(ruleset: Path, sessions: Sessions) -> None:
    """The verdict on the claim under the cursor, with the shortest game, and no word about the others."""

    async def work(editor: Editor) -> None:
        uri = editor.open(ruleset, "# a line that is not saved\n" + GAME)
        center, short = [one for one in await _lenses(editor, uri) if one[1].command == "gamedsl.verify"]
        shown = await editor.execute(center[1].command, *center[1].arguments or (), PATIENCE)
        assert shown is not None and shown.type is lsp.MessageType.Error
        first, *moves = shown.message.splitlines()
        assert first.startswith("violated: center")
        assert [move.partition(":")[0] for move in moves] == ["1. X", "2. O"] and moves[1].endswith("b2")
        (violated,) = await editor.diagnostics(uri, lambda found: len(found) == 1)
        assert (violated.code, violated.range.start.line) == ("claim-violated", 15)

        shown = await editor.execute(short[1].command, *short[1].arguments or (), PATIENCE)
        assert shown is not None and shown.message.startswith("proved: short")
        said = await editor.diagnostics(uri, lambda found: len(found) == 2)
        assert (said[1].code, said[1].severity) == ("claim-proved", lsp.DiagnosticSeverity.Hint)
        editor.write(uri, GAME)
        assert await editor.diagnostics(uri) == []
        with pytest.raises(JsonRpcException, match="no claim at line 3"):
            await editor.execute("gamedsl.verify", str(ruleset), 3)
        for arguments in ((), (7,), (None, 3)):
            with pytest.raises(JsonRpcException, match="the first argument"):
                await editor.execute("gamedsl.verify", *arguments)

    sessions.run(work)


def test_an_editor_that_asks_is_told_to_ask_again(ruleset: Path, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        uri = editor.open(ruleset)
        await editor.execute("gamedsl.verify", str(ruleset), 14, PATIENCE)
        while not editor.refreshed:
            await editor.news()
        params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
        report = await editor.client.text_document_diagnostic_async(params)
        assert [d.code for d in report.items] == ["claim-violated"]  # type: ignore[union-attr]
        assert editor.published == []

    sessions.run(work, pulls=True)


def test_a_keystroke_ends_a_task(ruleset: Path, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        uri = editor.open(ruleset)
        running = [asyncio.ensure_future(editor.execute("gamedsl.verify", str(ruleset), line)) for line in (14, 15)]
        await _lenses(editor, uri)  # answered after the commands have begun, and while they run
        editor.write(uri, GAME + "# more\n")
        await asyncio.gather(*running)
        assert [one.message for one in editor.shown[-2:]] == ["the text changed before the result was known"] * 2
        assert await editor.diagnostics(uri) == []

    sessions.run(work)


def test_a_missing_library(ruleset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the extra, as the command does."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in [name for name in sys.modules if name.startswith("gamedsl.lab.")]:
        monkeypatch.delitem(sys.modules, name)
    outcome = run_task(Task("verify", str(ruleset), {}))
    assert outcome.message.splitlines() == [
        "NumPy is not installed", "It comes with the extra `native`: pip install 'gamedsl[native]'.",
    ]  # fmt: skip


def test_a_message_stands_where_its_file_is_named(tmp_path: Path, sessions: Sessions) -> None:
    """Of two used files the second is wrong, then a file that only the second uses."""
    part = "players X, O\nplay\n  draw\n"
    user = 'use "{}.gdl" as one\n' + "players X, O\nplay\n  play one\n  draw\n"
    for name, text in {"good": part, "deep": part, "between": user.format("deep")}.items():
        (tmp_path / f"{name}.gdl").write_text(text, encoding="utf-8")
    main = 'use "good.gdl" as a\nuse "between.gdl" as b\nplayers X, O\nplay\n  play a\n  play b\n  draw\n'
    (tmp_path / "main.gdl").write_text(main, encoding="utf-8")

    async def work(editor: Editor) -> None:
        uri = editor.open(tmp_path / "main.gdl")
        start = {d.code for d in await editor.diagnostics(uri)}
        for name, broken in (("deep", "players X, O\nplay\n  drawn\n"), ("between", user.format("deep") + "x y\n")):
            editor.published.clear()
            other = editor.open(tmp_path / f"{name}.gdl", broken)
            said = await editor.diagnostics(uri, lambda found: any(d.code not in start for d in found))
            wrong = [d for d in said if d.message.startswith(f"in {name}.gdl")]
            assert wrong and {(d.range.start.line, d.range.start.character) for d in wrong} == {(1, 4)}, said
            editor.write(other, (tmp_path / f"{name}.gdl").read_text(encoding="utf-8"))
            await editor.diagnostics(uri, lambda found: {d.code for d in found} == start)

    sessions.run(work)


async def second(way: str, port: int) -> None:
    """Another editor connects while one is connected: it is turned away."""
    if way == "tcp":
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        writer.close()
        return
    async with client.connect(f"ws://127.0.0.1:{port}") as other:
        with pytest.raises(ConnectionClosedError, match="another editor is connected"):
            await asyncio.wait_for(other.recv(), PATIENCE)


@pytest.mark.parametrize("way", ["tcp", "ws"])
def test_servers_at_a_port(way: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "gamedsl.cli.main", "lsp", f"--{way}", f"127.0.0.1:{port}"], stderr=subprocess.PIPE
    )

    async def connect(editor: Editor) -> None:
        while True:  # it listens after a second or so
            assert process.poll() is None, process.communicate()[1]
            try:
                await (
                    editor.client.start_tcp("127.0.0.1", port)
                    if way == "tcp"
                    else editor.client.start_ws("127.0.0.1", port)
                )
                return
            except OSError:
                await asyncio.sleep(0.1)

    async def session() -> None:
        editor = Editor()
        await asyncio.wait_for(connect(editor), PATIENCE)
        if way == "ws":
            with pytest.raises(InvalidStatus, match="403"):
                await client.connect(f"ws://127.0.0.1:{port}", origin=Origin("https://example.org"))
        result = await asyncio.wait_for(editor.greet(), PATIENCE)
        assert result.server_info is not None and result.server_info.name == "gamedsl"
        await second(way, port)
        lenses = lsp.CodeLensParams(lsp.TextDocumentIdentifier("file:///nothing.gdl"))
        found = editor.client.text_document_code_lens_async(lenses)
        assert list(await asyncio.wait_for(found, PATIENCE) or ()) == [], "the first editor keeps its answers"
        await editor.stop()

    try:
        asyncio.run(session())
        assert process.communicate(timeout=PATIENCE)[1] == b""
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


def test_a_session_over_standard_streams_ends_without_a_word() -> None:
    """The server closes standard output at its end, and the command flushes it after that."""
    messages = b""
    for number, method in enumerate(("initialize", "shutdown", "exit")):
        asked = {"jsonrpc": "2.0", "method": method, "params": {"capabilities": {}} if number == 0 else None}
        body = json.dumps(asked | ({"id": number} if method != "exit" else {})).encode()
        messages += b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    words = [sys.executable, "-m", "gamedsl.cli.main", "lsp"]
    found = subprocess.run(words, input=messages, capture_output=True, timeout=PATIENCE, check=False)
    assert (found.returncode, found.stderr) == (0, b"")
