"""The server: requests of an editor → answers from one state of its texts.

Checks run one after the other on a thread of their own. A text that changed in the meantime is checked again, and what was found
about the older one is dropped, so an editor never sees places of one text with messages of another.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.io_ import run_async, run_websocket
from pygls.lsp.server import LanguageServer

from gamedsl import __version__
from gamedsl.editor.desk import EXAMPLES, Analysis, Desk
from gamedsl.editor.document_check import check_document
from gamedsl.editor.idle_collection import IdleCollection
from gamedsl.editor.position_asking import PositionAsker
from gamedsl.editor.protocol import MESSAGES, Positions, path_of, uri_of
from gamedsl.editor.task_process import MOST_SECONDS, PASSED, SECONDS, Task
from gamedsl.editor.task_runner import TaskRunner
from gamedsl.language.source import Diagnostic, Source

T = TypeVar("T")
STACK = 256 * 1024 * 1024  # of the thread of checks: deep rulesets are checked by deep calls
CONTENT_MODIFIED = -32801
PAUSE, PLAYED = 1.0, 3.0  # seconds without a keystroke, then of random games for the figures
# seconds that a check waits for what an editor asks after the same keystroke: one interpreter runs both threads, so a check that has
# begun delays the answers
BEFORE_A_CHECK = 0.002
TRY_AGAIN_LATER = 1013  # to a WebSocket


class RulesetServer(LanguageServer):
    """The server with its texts."""

    def __init__(self) -> None:
        # Whole texts, so that an older version that arrives late can be dropped: Helix sends quick changes in any order.
        super().__init__("gamedsl", __version__, lsp.TextDocumentSyncKind.Full)
        self.desk = Desk()
        self.versions: dict[str, int] = {}  # of open documents, by address
        self._addresses: dict[str, str] = {}  # of open documents, by path: the editor may know a file by way of a link
        self.collection = IdleCollection()
        self.runner = TaskRunner(self.desk, self._show_results)
        self.shows_board = False
        self.asker = PositionAsker(self.desk)
        self.figures = TaskRunner(self.desk, lambda path: self._refresh_figures())
        self._pause: asyncio.TimerHandle | None = None
        self._playing_seconds = PLAYED
        self._checker = _one_thread()
        self._is_taken = False
        self._tasks: set[asyncio.Task[None]] = set()

    def start_tcp(self, host: str, port: int) -> None:
        """Serve one editor over TCP. Another that connects is refused: the answers to the first would go to it."""
        stop = self._stop_event = threading.Event()
        ended: list[SystemExit] = []

        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if self._refuses():
                writer.close()
                return
            self.protocol.set_writer(writer)
            try:
                await run_async(stop, reader, self.protocol, error_handler=self.report_server_error)
            except SystemExit as end:  # asyncio would print it: this is a task of its own
                ended.append(end)
            self.shutdown()  # type: ignore[no-untyped-call]  # pygls leaves it without types

        async def listen() -> None:
            self._server = await asyncio.start_server(take, host, port)
            await self._server.serve_forever()

        with suppress(asyncio.CancelledError):
            asyncio.run(listen())
        for end in ended:
            raise end

    def _refuses(self) -> bool:
        """Returns whether an editor is connected already; if not, the one that connects now is the one."""
        is_taken, self._is_taken = self._is_taken, True
        return is_taken

    def start_ws(self, host: str, port: int) -> None:
        """Serve one editor over WebSocket. A browser is refused: every page that it shows may try the ports of this machine."""
        from websockets.asyncio.server import ServerConnection, serve  # start-up: most editors do without

        stop = self._stop_event = threading.Event()

        async def take(connection: ServerConnection) -> None:
            if self._refuses():
                await connection.close(TRY_AGAIN_LATER, "another editor is connected")
                return
            await run_websocket(connection, stop, self.protocol, error_handler=self.report_server_error)
            self.shutdown()  # type: ignore[no-untyped-call]  # pygls leaves it without types

        async def listen() -> None:
            self._server = await serve(take, host, port, origins=[None])
            await self._server.serve_forever()

        with suppress(asyncio.CancelledError):
            asyncio.run(listen())

    # ---------------------------------------------------------------------------------------------------- texts

    def address(self, path: str) -> str:
        """The address by which the editor knows a file."""
        return self._addresses.get(path) or uri_of(path)

    def change_text(self, uri: str, version: int, text: str) -> None:
        """Takes a version of an open document, if it is not older than the one that is known."""
        if uri in self.versions and version >= self.versions[uri]:
            self.take_text(uri, version, text)

    def take_text(self, uri: str, version: int, text: str) -> None:
        """Takes the newest text of a document and has it checked, with the open rulesets that depend on it."""
        path = path_of(uri)
        self._addresses[path] = uri
        self.desk.put(path, text)
        self.versions[uri] = version
        self.runner.take_change()
        self.figures.take_change()
        self.collection.postpone()
        self._play_later(path)
        for one in (path, *self.desk.dependents(path)):
            self._later(self._publish(one))

    def close_text(self, uri: str) -> None:
        path = path_of(uri)
        self.desk.close(path)
        self.versions.pop(uri, None)
        self.runner.take_change()
        self.figures.take_change()
        self._show_results(path)
        self._addresses.pop(path, None)

    def source(self, uri: str) -> Source:
        """The text of a document as it is now."""
        path = path_of(uri)
        return self.desk.source(path) or Source(path, "")

    def source_is_other(self, source: Source) -> bool:
        """Whether a text is not the newest one of its file."""
        return self.desk.source(source.path) != source

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --------------------------------------------------------------------------------------------------- checks

    async def found_in(self, path: str) -> tuple[Source, list[Diagnostic]] | None:
        """What a check of the newest text finds; None if the text changed before the answer was known."""
        source = self.desk.open.get(path)
        await asyncio.sleep(BEFORE_A_CHECK)
        if source is None or self.desk.open.get(path) is not source:
            return None
        texts = self.desk.snapshot()

        def work() -> list[Diagnostic] | None:
            if self.desk.open.get(path) is not source:  # written on while this waited
                return None
            return check_document(self.desk, path, texts)

        found = await self.beside(work)
        return None if found is None or self.desk.open.get(path) is not source else (source, found)

    async def beside(self, work: Callable[[], T]) -> T:
        """The result of work that takes long, on the thread of checks: other questions are answered meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(self._checker, work)

    async def analysis(self, path: str) -> Analysis:
        """The check of the newest text of a ruleset, waiting for it."""
        texts = self.desk.snapshot()
        return await self.beside(lambda: self.desk.analyze(path, texts))

    async def _publish(self, path: str) -> None:
        if self.pulls:
            return
        version = self.versions.get(self.address(path))
        answer = await self.found_in(path)
        if answer is not None:
            self._send(self.address(path), version, self._all_of(*answer))
            self.collection.take_answer()

    async def pulled(self, uri: str) -> list[lsp.Diagnostic]:
        """The messages about a document, for an editor that asks for them."""
        path = path_of(uri)
        if path not in self.desk.open:
            return []
        answer = await self.found_in(path)
        if answer is None:
            raise JsonRpcException("the text has changed", CONTENT_MODIFIED)
        self.collection.take_answer()
        return self._all_of(*answer)

    def _all_of(self, source: Source, found: list[Diagnostic]) -> list[lsp.Diagnostic]:
        return self.positions.diagnostics(found, source) + self._results(source)

    def _send(self, uri: str, version: int | None, found: list[lsp.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    # ---------------------------------------------------------------------------------------------------- tasks

    async def run_task(
        self, kind: str, path: str, extent: tuple[int, int] | None = None, seconds: float = SECONDS
    ) -> None:
        """Runs a task on the texts as they are now, and shows its outcome."""
        texts = {p: source.text for p, source in self.desk.snapshot().items()}
        outcome = await self.runner.run(Task(kind, path, texts, extent, seconds))
        if outcome is not None:
            self.window_show_message(lsp.ShowMessageParams(MESSAGES[outcome.level], outcome.message))

    def take_options(self, options: Any) -> None:
        """Takes the options of an editor: ``{"figures": SECONDS, "board": BOOL}``, how long random games are played after a change (0: not
        at all), and whether the editor has the command that shows a game on a board.
        """
        if not isinstance(options, dict):
            return
        self.shows_board = self.shows_board or options.get("board") is True
        seconds = options.get("figures")
        if isinstance(seconds, int | float) and 0 <= seconds <= MOST_SECONDS:
            self._playing_seconds = float(seconds)

    def _play_later(self, path: str) -> None:
        """Has random games played with a ruleset once nobody types, for an editor that shows lenses or hints anew when asked to."""
        if self._pause is not None:
            self._pause.cancel()
        if path.endswith(".gdl") and self._playing_seconds and any(self._refreshed()):
            self._pause = asyncio.get_running_loop().call_later(PAUSE, lambda: self._later(self._play(path)))

    async def _play(self, path: str) -> None:
        answer = await self.found_in(path)
        if answer is not None and not any(d.is_error for d in answer[1]):
            texts = {p: source.text for p, source in self.desk.snapshot().items()}
            await self.figures.run(Task("figures", path, texts, seconds=self._playing_seconds))

    def _refresh_figures(self) -> None:
        lenses, hints = self._refreshed()
        if lenses:
            self._later(self.workspace_code_lens_refresh_async(None))
        if hints:
            self._later(self.workspace_inlay_hint_refresh_async(None))

    def _refreshed(self) -> tuple[bool, bool]:
        """Whether the editor asks for lenses, and for hints, anew when it is asked to."""
        workspace = self.client_capabilities.workspace
        if workspace is None:
            return False, False
        lens, hint = workspace.code_lens, workspace.inlay_hint
        return lens is not None and bool(lens.refresh_support), hint is not None and bool(hint.refresh_support)

    def _results(self, source: Source) -> list[lsp.Diagnostic]:
        return [self.positions.result(mark, source) for mark in self.runner.marks(source.path) if mark.code != PASSED]

    def _show_results(self, path: str) -> None:
        """Shows the results of tasks in a file, with the messages about it if it is open."""
        if path not in self.desk.open:
            source = self.desk.source(path)
            self._send(self.address(path), None, [] if source is None else self._results(source))
        elif not self.pulls:
            self._later(self._publish(path))
        elif self._refreshes:
            self._later(self.workspace_diagnostic_refresh_async(None))
        if path.endswith(EXAMPLES) and self._refreshed()[0]:
            self._later(self.workspace_code_lens_refresh_async(None))

    @property
    def _refreshes(self) -> bool:
        workspace = self.client_capabilities.workspace
        diagnostics = None if workspace is None else workspace.diagnostics
        return diagnostics is not None and bool(diagnostics.refresh_support)

    # ---------------------------------------------------------------------------------------------- the client

    @property
    def positions(self) -> Positions:
        encoding = self.workspace.position_encoding
        return Positions(str(getattr(encoding, "value", encoding)), self.desk.naming, self.address)

    @property
    def pulls(self) -> bool:
        """Whether the editor asks for messages: then none are sent unasked, or it would show them twice."""
        documents = self.client_capabilities.text_document
        return documents is not None and documents.diagnostic is not None


def _one_thread() -> ThreadPoolExecutor:
    """An executor with one thread that takes deep calls."""
    before = threading.stack_size()
    pool = ThreadPoolExecutor(1, "checks")
    threading.stack_size(STACK)
    try:
        pool.submit(lambda: None).result()
    finally:
        threading.stack_size(before)
    return pool
