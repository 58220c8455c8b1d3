"""How long an editor waits: a real client types into every shipped ruleset and asks the language server.

``python benchmarks/editor.py [NAMES ...] [--keys 20]`` prints a Markdown table: milliseconds by ruleset and method, the median
and the 95th percentile from a keystroke to its diagnostics, and the medians of the other answers. Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from gamedsl.language.rules import shipped

COLUMNS = ("diagnostics p50", "p95", "completion", "hover", "references", "outline", "colors", "format")


class Typist:
    """A client that waits for the diagnostics of a version."""

    def __init__(self) -> None:
        self.client = LanguageClient("benchmark", "1")
        self.seen: dict[str, int] = {}
        self.news = asyncio.Event()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.seen[params.uri] = params.version or 0
            self.news.set()

    async def wait(self, uri: str, version: int) -> None:
        while self.seen.get(uri) != version:
            self.news.clear()
            await self.news.wait()


async def measure(typist: Typist, path: Path, keys: int) -> list[float]:
    """The columns of one ruleset: a name is typed into its last `play`, letter by letter, and taken back."""
    uri, text = path.as_uri(), path.read_text(encoding="utf-8")
    client = typist.client
    item = lsp.TextDocumentItem(uri, "gamedsl", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    await typist.wait(uri, 1)
    row = max(0, text.count("\n") - 1) if "\nplay" not in text else text[: text.rindex("\nplay") + 1].count("\n")
    document = lsp.TextDocumentIdentifier(uri)
    place = lsp.Position(row + 1, len(text.splitlines()[row + 1]) if row + 1 < len(text.splitlines()) else 0)
    waits = []
    for key in range(keys):
        typed = key % 2 == 0
        end = lsp.Position(place.line, place.character + (0 if typed else 1))
        change = lsp.TextDocumentContentChangePartial(lsp.Range(place, end), "x" if typed else "")
        version = lsp.VersionedTextDocumentIdentifier(key + 2, uri)
        began = time.perf_counter()
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [change]))
        await typist.wait(uri, key + 2)
        waits.append(time.perf_counter() - began)
    at: dict[str, Any] = {"text_document": document, "position": place}
    others = [
        await _median(lambda: client.text_document_completion_async(lsp.CompletionParams(**at))),
        await _median(lambda: client.text_document_hover_async(lsp.HoverParams(**at))),
        await _median(
            lambda: client.text_document_references_async(lsp.ReferenceParams(lsp.ReferenceContext(True), **at))
        ),
        await _median(lambda: client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))),
        await _median(lambda: client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document))),
        await _median(
            lambda: client.text_document_formatting_async(
                lsp.DocumentFormattingParams(document, lsp.FormattingOptions(2, True))
            )
        ),
    ]
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
    waits.sort()
    return [1000 * x for x in (statistics.median(waits), waits[int(len(waits) * 0.95) - 1], *others)]


async def _median(ask: Any, times: int = 3) -> float:
    found = []
    for _ in range(times):
        began = time.perf_counter()
        answer: Awaitable[Any] = ask()
        await answer
        found.append(time.perf_counter() - began)
    return statistics.median(found)


async def run(names: list[str], keys: int) -> None:
    typist = Typist()
    await typist.client.start_io(sys.executable, "-m", "gamedsl.cli.main", "lsp")
    await typist.client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
    typist.client.initialized(lsp.InitializedParams())
    print(f"| ruleset | {' | '.join(COLUMNS)} |")
    print("|---|" + "---:|" * len(COLUMNS))
    rows = []
    for name in names:
        row = await measure(typist, shipped()[name].resolve(), keys)
        rows.append(row)
        print(f"| {name} | {' | '.join(f'{x:.0f}' for x in row)} |", flush=True)
    for title, pick in (("median", statistics.median), ("largest", max)):
        print(f"| **{title}** | {' | '.join(f'{pick(column):.0f}' for column in zip(*rows, strict=True))} |")
    await typist.client.shutdown_async(None)
    typist.client.exit(None)
    await typist.client.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="rulesets (all that are shipped)")
    parser.add_argument("--keys", type=int, default=20, help="keystrokes into each")
    arguments = parser.parse_args()
    asyncio.run(run(arguments.names or list(shipped()), arguments.keys))
