"""How long an editor waits: a real client types into every shipped ruleset and asks the language server.

``python benchmarks/editor.py [NAMES ...] [--places 5] [--write]`` prints a table by ruleset and one by method: milliseconds of
processor time that the server takes between a keystroke, or a question after one, and its answer. On a core of its own an editor waits
that long; the clock of the same run is printed below. Every text is new to the server: a name gets two letters, which are taken back,
while a comment at the end of the text grows. Everything is done three times, with other letters, a keystroke seven times, and the
quickest counts, as other programs share the core and its caches. All rulesets get one letter, then the next, so that a slow minute
spoils one time of each. ``--write`` writes the page docs/reference/editor-speed.md.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from gamedsl.language.rules import shipped

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "editor-speed.md"
DIAGNOSTICS, COMPLETION = "diagnostics", "completion"
WANTED = {DIAGNOSTICS: (30, 100), COMPLETION: (50, 50)}  # milliseconds: median, 95th percentile
COLUMNS = ("hover", "references", "rename", "outline", "colors", "quick fixes", "format")
INTRO = """\
# How long an editor waits

Written by `python benchmarks/editor.py --write`, which types into every shipped ruleset with a real client over standard input and \
output; do not edit.
All figures are milliseconds of processor time of the server between a keystroke, or a question after one, and its answer: on a core \
of its own an editor waits that long. Every text is new to the server; two of three do not parse or name something unknown. \
Completion is asked in the same moment as its keystroke, everything else after the diagnostics. The server waits two milliseconds \
before a check, for questions that come with the keystroke; they are not counted.
Everything is done three times, with other letters, a keystroke seven times, and the quickest counts: the others also hold what \
programs on the same core did to its caches.
"""
LETTERS = ("q", "j", "w")
MORE_LETTERS = ("z", "v", "k", "b")  # for diagnostics, which take longest and so are disturbed most

Times = dict[str, list[float]]


class Typist:
    """A client that waits for the diagnostics of a version, and reads the processor time of its server."""

    def __init__(self) -> None:
        self.client = LanguageClient("benchmark", "1")
        self.seen: dict[str, int] = {}
        self.news = asyncio.Event()
        self.pid = 0

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]  # pygls
        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.seen[params.uri] = params.version or 0
            self.news.set()

    async def start(self) -> None:
        await self.client.start_io(sys.executable, "-m", "gamedsl.cli.main", "lsp")
        self.pid = self.client._server.pid  # type: ignore[union-attr]  # pygls has no public way to the process
        await self.client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
        self.client.initialized(lsp.InitializedParams())

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()  # type: ignore[no-untyped-call]  # pygls

    async def wait(self, uri: str, version: int) -> None:
        while self.seen.get(uri) != version:
            self.news.clear()
            await self.news.wait()

    def cpu(self) -> float:
        """Seconds of processor time of the server and its threads."""
        found = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            found += int((task / "schedstat").read_text(encoding="ascii").split()[0])
        return found / 1e9


class Document:
    """An open ruleset into which somebody types."""

    def __init__(self, typist: Typist, path: Path) -> None:
        self.typist, self.uri = typist, path.as_uri()
        self.text, self.version = path.read_text(encoding="utf-8").rstrip("\n") + "\n#", 1
        item = lsp.TextDocumentItem(self.uri, "gamedsl", 1, self.text)
        typist.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        self.document = lsp.TextDocumentIdentifier(self.uri)

    def places(self, count: int) -> list[int]:
        """The ends of words all over the text, outside comments."""
        code = re.sub(r'#.*|"[^"\n]*"', lambda found: " " * len(found[0]), self.text)
        ends = [found.end() for found in re.finditer(r"\b[a-z_]+\b", code)]
        return ends[:: max(1, len(ends) // count)][:count]

    def position(self, offset: int) -> lsp.Position:
        row = self.text.rfind("\n", 0, offset) + 1
        return lsp.Position(self.text.count("\n", 0, offset), len(self.text[row:offset].encode("utf-16-le")) // 2)

    def type(self, start: int, end: int, new: str) -> None:
        """Replaces a stretch, and lets the comment at the end grow, which makes the text one that was never there."""
        self.text = self.text[:start] + new + self.text[end:] + "."
        self.version += 1
        version = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = lsp.TextDocumentContentChangeWholeDocument(self.text)
        self.typist.client.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [change]))

    async def checked(self) -> None:
        await self.typist.wait(self.uri, self.version)

    def close(self) -> None:
        self.typist.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.document))


def questions(typist: Typist, document: Document, offset: int) -> dict[str, Callable[[], Awaitable[Any]]]:
    """What an editor asks about a place, by the name of the column."""
    client, text = typist.client, document.document
    place = document.position(offset)
    at: dict[str, Any] = {"text_document": text, "position": place}
    whole = lsp.Range(lsp.Position(0, 0), document.position(len(document.text)))
    here = lsp.Range(place, place)
    options = lsp.FormattingOptions(2, True)
    context = lsp.CodeActionContext([])
    return {
        COMPLETION: lambda: client.text_document_completion_async(lsp.CompletionParams(**at)),
        "hover": lambda: client.text_document_hover_async(lsp.HoverParams(**at)),
        "signature": lambda: client.text_document_signature_help_async(lsp.SignatureHelpParams(**at)),
        "definition": lambda: client.text_document_definition_async(lsp.DefinitionParams(**at)),
        "references": lambda: client.text_document_references_async(
            lsp.ReferenceParams(lsp.ReferenceContext(True), **at)
        ),
        "highlights": lambda: client.text_document_document_highlight_async(lsp.DocumentHighlightParams(**at)),
        "rename": lambda: client.text_document_prepare_rename_async(lsp.PrepareRenameParams(**at)),
        "outline": lambda: client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text)),
        "folding": lambda: client.text_document_folding_range_async(lsp.FoldingRangeParams(text)),
        "selection": lambda: client.text_document_selection_range_async(lsp.SelectionRangeParams(text, [place])),
        "colors": lambda: client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(text)),
        "hints": lambda: client.text_document_inlay_hint_async(lsp.InlayHintParams(text, whole)),
        "lenses": lambda: client.text_document_code_lens_async(lsp.CodeLensParams(text)),
        "links": lambda: client.text_document_document_link_async(lsp.DocumentLinkParams(text)),
        "quick fixes": lambda: client.text_document_code_action_async(lsp.CodeActionParams(text, here, context)),
        "format": lambda: client.text_document_formatting_async(lsp.DocumentFormattingParams(text, options)),
    }


class Stopwatch:
    """Times by method, of the processor and of the clock."""

    def __init__(self, typist: Typist) -> None:
        self.typist = typist
        self.taken: dict[tuple[str, int], list[float]] = defaultdict(list)
        self.clock: Times = defaultdict(list)

    async def take(self, method: str, place: int, work: Awaitable[Any]) -> None:
        """Notes how long work at a place takes."""
        cpu, clock = self.typist.cpu(), time.perf_counter()
        await work
        self.clock[method].append(1000 * (time.perf_counter() - clock))
        self.taken[method, place].append(1000 * (self.typist.cpu() - cpu))

    @property
    def cpu(self) -> Times:
        """By method, the shortest time at every place."""
        found: Times = defaultdict(list)
        for (method, _), times in self.taken.items():
            found[method].append(min(times))
        return found


async def measure(typist: Typist, path: Path, count: int, letter: str, watch: Stopwatch) -> None:
    """All methods for one ruleset with one letter, at places all over its text."""
    document = Document(typist, path)
    await document.checked()

    async def key(start: int, end: int, new: str) -> None:
        document.type(start, end, new)
        await document.checked()

    async def complete(start: int, end: int, new: str) -> None:
        document.type(start, end, new)
        await questions(typist, document, start + len(new))[COMPLETION]()

    for place in document.places(count):
        await watch.take(DIAGNOSTICS, 3 * place, key(place, place, letter))
        await watch.take(DIAGNOSTICS, 3 * place + 1, key(place + 1, place + 1, "x"))
        await watch.take(DIAGNOSTICS, 3 * place + 2, key(place, place + 2, ""))
    if letter in LETTERS:
        for place in document.places(count):
            await watch.take(COMPLETION, 2 * place, complete(place, place, letter))
            await document.checked()
            await watch.take(COMPLETION, 2 * place + 1, complete(place, place + 1, ""))
            await document.checked()
        for place in document.places(max(2, count // 3)):
            for method in questions(typist, document, place):
                if method != COMPLETION:
                    await key(place, place, "")
                    await watch.take(method, place, questions(typist, document, place)[method]())
    document.close()


def p95(times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]


def by_ruleset(found: dict[str, Stopwatch]) -> list[str]:
    head = ["ruleset", "diagnostics p50", "p95", "completion p50", "p95", *COLUMNS]
    lines = [f"| {' | '.join(head)} |", "|---|" + "---:|" * (len(head) - 1)]
    for name, watch in sorted(found.items(), key=lambda one: -p95(one[1].cpu[DIAGNOSTICS])):
        row = []
        for method in (DIAGNOSTICS, COMPLETION):
            row += [statistics.median(watch.cpu[method]), p95(watch.cpu[method])]
        row += [statistics.median(watch.cpu[method]) for method in COLUMNS]
        lines.append(f"| {name} | {' | '.join(f'{x:.0f}' for x in row)} |")
    return lines


def by_method(found: dict[str, Stopwatch]) -> list[str]:
    lines = ["| method | p50 | p95 | largest median | of |", "|---|---:|---:|---:|---|"]
    for method in next(iter(found.values())).cpu:
        every = [x for watch in found.values() for x in watch.cpu[method]]
        worst = max(found, key=lambda name: statistics.median(found[name].cpu[method]))
        largest = statistics.median(found[worst].cpu[method])
        lines.append(f"| {method} | {statistics.median(every):.1f} | {p95(every):.1f} | {largest:.1f} | {worst} |")
    return lines


def verdicts(found: dict[str, Stopwatch]) -> list[str]:
    """How many rulesets keep the bounds, and which do not."""
    lines = []
    for method, (middle, high) in WANTED.items():
        missing = [
            name
            for name, watch in found.items()
            if statistics.median(watch.cpu[method]) > middle or p95(watch.cpu[method]) > high
        ]
        bounds = f"a median under {middle} ms and a 95th percentile under {high} ms"
        kept = f"{len(found) - len(missing)} of {len(found)} rulesets"
        lines.append(f"Wanted for {method}: {bounds}; kept by {kept}." + _without(missing))
    return lines


def _without(missing: list[str]) -> str:
    return f" Not by: {', '.join(sorted(missing))}." if missing else ""


async def run(names: list[str], places: int) -> dict[str, Stopwatch]:
    typist = Typist()
    await typist.start()
    found = {name: Stopwatch(typist) for name in names}
    for letter in (*LETTERS, *MORE_LETTERS):
        for number, name in enumerate(names):
            await measure(typist, shipped()[name].resolve(), places, letter, found[name])
            print(f"{letter} {number + 1}/{len(names)} {name}", file=sys.stderr, flush=True)
    await typist.stop()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="rulesets (all that are shipped)")
    parser.add_argument("--places", type=int, default=5, help="places in each at which is typed")
    parser.add_argument("--write", action="store_true", help="write the page")
    arguments = parser.parse_args()
    found = asyncio.run(run(arguments.names or list(shipped()), arguments.places))
    lines = [INTRO, *(f"{line}\n" for line in verdicts(found)), *by_method(found), "", *by_ruleset(found)]
    text = "\n".join(lines) + "\n"
    print(text)
    for method in (DIAGNOSTICS, COMPLETION):
        clock = [x for watch in found.values() for x in watch.clock[method]]
        print(
            f"by the clock, with whatever else ran: {method} p50 {statistics.median(clock):.1f}, p95 {p95(clock):.1f}"
        )
    if arguments.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
