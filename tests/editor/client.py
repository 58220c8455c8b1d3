"""An editor: a real client of the server, over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from tests.patience import PATIENCE

T = TypeVar("T")


class Editor:
    """Open documents with their texts and versions, and what the server said about them."""

    def __init__(self) -> None:
        self.client = LanguageClient("test", "1")
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: list[lsp.PublishDiagnosticsParams] = []
        self.shown: list[lsp.ShowMessageParams] = []
        self.shows_board = False
        self.refreshed = self.lens_refreshed = 0
        self.capabilities = lsp.ServerCapabilities()
        self._news = asyncio.Event()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.append(params)
            self._news.set()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def show(params: lsp.ShowMessageParams) -> None:
            self.shown.append(params)

        @self.client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)
        def refresh_lenses(*_: Any) -> None:
            self.lens_refreshed += 1
            self._news.set()

        @self.client.feature(lsp.WORKSPACE_DIAGNOSTIC_REFRESH)
        def refresh(*_: Any) -> None:
            self.refreshed += 1
            self._news.set()

    async def start(self, pulls: bool = False) -> lsp.InitializeResult:
        await self.client.start_io(sys.executable, "-m", "gamedsl.cli.main", "lsp")
        return await self.greet(pulls)

    async def greet(self, pulls: bool = False, figures: float | None = None) -> lsp.InitializeResult:
        """Initializes a server that is connected already. ``figures``: the editor shows those, of so many seconds of games."""
        documents = lsp.TextDocumentClientCapabilities(diagnostic=lsp.DiagnosticClientCapabilities() if pulls else None)
        workspace = lsp.WorkspaceClientCapabilities(
            diagnostics=lsp.DiagnosticWorkspaceClientCapabilities(True),
            code_lens=None if figures is None else lsp.CodeLensWorkspaceClientCapabilities(True),
        )
        capabilities = lsp.ClientCapabilities(text_document=documents, workspace=workspace)
        result = await self.client.initialize_async(
            lsp.InitializeParams(
                capabilities=capabilities, initialization_options={"figures": figures, "board": self.shows_board}
            )
        )
        self.capabilities = result.capabilities
        self.client.initialized(lsp.InitializedParams())
        return result

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def open(self, path: Path, text: str | None = None) -> str:
        """Opens a file, with a text other than its own if one is given. Returns its address."""
        return self.open_address(path.resolve().as_uri(), path.read_text(encoding="utf-8") if text is None else text)

    def open_address(self, uri: str, text: str) -> str:
        """Opens a document by its address. Returns the address."""
        self.texts[uri], self.versions[uri] = text, 1
        item = lsp.TextDocumentItem(uri, "gamedsl", 1, self.texts[uri])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return uri

    def close(self, uri: str) -> None:
        self.versions[uri] = 0
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    def write(self, uri: str, text: str) -> int:
        """Changes the text of a document. Returns its new version."""
        self.deliver(uri, self.versions[uri] + 1, text)
        return self.versions[uri]

    def type(self, uri: str, start: int, end: int, new: str) -> int:
        """Replaces a stretch of a document. Returns its new version."""
        text = self.texts[uri]
        return self.write(uri, text[:start] + new + text[end:])

    def deliver(self, uri: str, version: int, text: str) -> None:
        """Sends a version of a document, in whatever order; the highest one that was sent is its text."""
        if version > self.versions[uri]:
            self.texts[uri], self.versions[uri] = text, version
        document = lsp.VersionedTextDocumentIdentifier(version, uri)
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    def position(self, uri: str, offset: int) -> lsp.Position:
        before = self.texts[uri][:offset]
        row = before.rfind("\n") + 1
        return lsp.Position(before.count("\n"), len(before[row:].encode("utf-16-le")) // 2)

    def at(self, uri: str, words: str, inside: int = 0) -> dict[str, Any]:
        """The parameters of a request about the place where some words stand."""
        offset = self.texts[uri].index(words) + inside
        return {"text_document": lsp.TextDocumentIdentifier(uri), "position": self.position(uri, offset)}

    async def diagnostics(
        self, uri: str, fits: Callable[[list[lsp.Diagnostic]], bool] = lambda found: True
    ) -> list[lsp.Diagnostic]:
        """What the server says about the newest version: the last word, once it fits."""
        while True:
            said = next((p for p in reversed(self.published) if p.uri == uri), None)
            if said is not None and said.version == self.versions[uri] and fits(list(said.diagnostics)):
                return list(said.diagnostics)
            await self.news()

    async def news(self) -> None:
        """Waits for the next message of the server about a text."""
        self._news.clear()
        await asyncio.wait_for(self._news.wait(), PATIENCE)

    async def execute(self, command: str, *arguments: Any) -> lsp.ShowMessageParams | None:
        """Runs a command of the server. Returns the message that it shows, if any."""
        before = len(self.shown)
        await self.client.workspace_execute_command_async(lsp.ExecuteCommandParams(command, list(arguments)))
        return self.shown[-1] if len(self.shown) > before else None


class Sessions:
    """Editors that are connected to servers, one for each kind, for all tests of a module: a server takes a second to start."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.editors: dict[bool, Editor] = {}

    def run(self, work: Callable[[Editor], Awaitable[T]], pulls: bool = False) -> T:
        """Does something with an editor; ``pulls``: one that asks for messages."""

        async def session() -> T:
            if pulls not in self.editors:
                self.editors[pulls] = Editor()
                await self.editors[pulls].start(pulls)
            return await work(self.editors[pulls])

        return self.loop.run_until_complete(session())

    def close(self) -> None:
        for editor in self.editors.values():
            self.loop.run_until_complete(editor.stop())
        self.loop.close()
