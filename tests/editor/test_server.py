"""The server, asked by a real client."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from gamedsl.language.rules import check_file, shipped
from gamedsl.language.source import Diagnostic, GameDSLError
from tests.editor.client import Editor, Sessions

ERRORS = Path(__file__).parents[1] / "language" / "errors"
BROKEN = sorted(ERRORS.glob("[EW]*.gdl"))
BOUNDED = {"E0461", "E0462", "E0384"}  # take a second and more each

GAME = """\
players X, O
board grid 3 by 3
option goal: 1..9 = 3
piece mark of player

state
  wins: player -> 0..9

define full(p: player) = count(mark[p]) = goal

move place(c: cell)
  when c in empty
  put mark[me] on c

play
  turns from X
    me plays place
    if full(me) and wins[me] < 9
      add 1 to wins[me]
      win me
    if empty = {}
      draw
"""


def expected(found: list[Diagnostic], path: Path) -> list[tuple[str, int]]:
    """Codes and lines, as an editor shows them."""
    return [(d.code, d.span.line - 1) for d in found if d.span.source.path == str(path)]


def _found(path: Path) -> list[Diagnostic]:
    try:
        return check_file(path)[1]
    except GameDSLError as mistake:
        return list(mistake.diagnostics)


async def _say_the_same(editor: Editor, paths: list[Path]) -> None:
    """The server says of every file what `check` says, at the same lines."""
    for path in paths:
        said = await editor.diagnostics(editor.open(path))
        wanted = expected(_found(path.resolve()), path.resolve())
        assert [(d.code, d.range.start.line) for d in said][: len(wanted)] == wanted or len(said) >= len(wanted)
        assert {d.code for d in said} == {d.code for d in _found(path.resolve())}


def test_files_of_the_error_suite(sessions: Sessions) -> None:
    sessions.run(lambda e: _say_the_same(e, [p for p in BROKEN[::24] if p.stem not in BOUNDED]))


@pytest.mark.slow
def test_all_files_of_the_error_suite(sessions: Sessions) -> None:
    sessions.run(lambda e: _say_the_same(e, BROKEN))


@pytest.mark.slow
def test_all_shipped_rulesets_are_fine(sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        for path in shipped().values():
            uri = editor.open(path)
            assert await editor.diagnostics(uri) == []
            symbols = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(uri))
            assert await editor.client.text_document_document_symbol_async(symbols)

    sessions.run(work)


def test_a_session(tmp_path: Path, sessions: Sessions) -> None:
    """What an author does: types, looks, jumps, renames, formats."""
    path = tmp_path / "mine.gdl"
    path.write_text(GAME, encoding="utf-8")
    (tmp_path / "mine.examples.yaml").write_text("options: {goal: 3}\nexamples: []\n", encoding="utf-8")
    (tmp_path / "wide.gdl").write_text('variant of "mine.gdl" with goal = 4\n', encoding="utf-8")

    async def work(editor: Editor) -> None:
        client = editor.client
        uri = editor.open(path)
        assert await editor.diagnostics(uri) == []

        found = await client.text_document_completion_async(lsp.CompletionParams(**editor.at(uri, "place\n    if", 0)))
        assert isinstance(found, lsp.CompletionList)
        assert [item.label for item in found.items] == ["place"]

        hover = await client.text_document_hover_async(lsp.HoverParams(**editor.at(uri, "wins[me]", 1)))
        assert hover is not None and isinstance(hover.contents, lsp.MarkupContent)
        assert "player → a number (0..9)" in hover.contents.value
        hover = await client.text_document_hover_async(lsp.HoverParams(**editor.at(uri, "count(", 1)))
        assert hover is not None and isinstance(hover.contents, lsp.MarkupContent)
        assert hover.contents.value.startswith("# count\n")

        there = await client.text_document_definition_async(lsp.DefinitionParams(**editor.at(uri, "full(me)", 2)))
        assert [place.range.start for place in there or ()] == [lsp.Position(8, 7)]

        rename = lsp.RenameParams(new_name="target", **editor.at(uri, "goal: 1", 1))
        edit = await client.text_document_rename_async(rename)
        assert edit is not None
        assert {Path(u).name: len(edits) for u, edits in (edit.changes or {}).items()} == {
            "mine.gdl": 2, "wide.gdl": 1, "mine.examples.yaml": 1,
        }  # fmt: skip
        with pytest.raises(JsonRpcException, match="already has a meaning"):
            await client.text_document_rename_async(lsp.RenameParams(new_name="wins", **editor.at(uri, "goal: 1")))

        editor.write(uri, GAME.replace("plays place", "plays plaice").replace("put mark", "put   mark"))
        (wrong,) = await editor.diagnostics(uri)
        assert (wrong.code, wrong.range.start) == ("E0206", lsp.Position(16, 13))
        document = lsp.TextDocumentIdentifier(uri)
        actions = await client.text_document_code_action_async(
            lsp.CodeActionParams(document, wrong.range, lsp.CodeActionContext([wrong]))
        )
        fixes = {action.title: action for action in actions or () if isinstance(action, lsp.CodeAction)}
        cure = fixes["Change `plaice` to `place`"].edit
        assert cure is not None and cure.changes == {uri: (lsp.TextEdit(wrong.range, "place"),)}

        edits = await client.text_document_formatting_async(
            lsp.DocumentFormattingParams(document, lsp.FormattingOptions(2, True))
        )
        assert [edit.new_text for edit in edits or ()] == ["  put mark[me] on c\n"]

    sessions.run(work)


def test_random_edits_end_where_a_fresh_check_ends(tmp_path: Path, sessions: Sessions) -> None:
    """Whatever is typed, answers come in the order of versions, and the last is that of the last text."""
    path = tmp_path / "mine.gdl"

    async def work(editor: Editor) -> None:
        uri = editor.open(path, GAME)
        chance = random.Random(7)
        for _ in range(60):
            text = editor.texts[uri]
            start = chance.randrange(len(text))
            end = min(len(text), start + chance.choice((0, 0, 1, 5)))
            editor.type(uri, start, end, chance.choice(("", "x", " ", "\n", "(", "é𝒳", '"', "  if ")))
            if chance.random() < 0.2:
                await editor.diagnostics(uri)
        said = await editor.diagnostics(uri)
        versions = [p.version for p in editor.published if p.uri == uri]
        assert versions == sorted(versions, key=lambda v: v or 0)
        path.write_text(editor.texts[uri], encoding="utf-8")
        assert sorted(str(d.code) for d in said) == sorted(d.code for d in _found(path))
        editor.write(uri, GAME)
        assert await editor.diagnostics(uri) == []

    sessions.run(work)


@given(st.sets(st.integers(1, 99), min_size=1, max_size=8).flatmap(lambda steps: st.permutations(sorted(steps))))
def test_changes_that_arrive_in_any_order_end_at_the_newest_version(sessions: Sessions, order: list[int]) -> None:
    """Numbers of versions may skip some, as the protocol allows; Helix sends quick changes in any order."""

    async def work(editor: Editor) -> None:
        uri = editor.open_address("untitled:shuffled", GAME)
        editor.published.clear()
        for step in order:
            editor.deliver(uri, 1 + step, GAME.replace("in empty", f"in empty_{step}"))
        (wrong,) = await editor.diagnostics(uri)
        assert f"`empty_{max(order)}`" in wrong.message
        place = lsp.HoverParams(**editor.at(uri, "place"))
        assert await editor.client.text_document_hover_async(place) is not None
        versions = [said.version or 0 for said in editor.published]
        assert versions == sorted(versions)
        editor.close(uri)

    sessions.run(work)


def test_a_change_of_a_closed_document_is_dropped(tmp_path: Path, sessions: Sessions) -> None:
    """It arrived late: the file counts as it is on the disk, and the document can be opened again with a lower version."""

    async def work(editor: Editor) -> None:
        path = tmp_path / "mine.gdl"
        path.write_text(GAME, encoding="utf-8")
        uri = editor.open(path)
        editor.deliver(uri, 50, GAME.replace("plays", "playz"))
        editor.close(uri)
        editor.deliver(uri, 51, "late")
        editor.open(path, GAME.replace("in empty", "in empti"))
        (wrong,) = await editor.diagnostics(uri)
        assert wrong.code == "E0201"
        editor.close(uri)

    sessions.run(work)


def test_a_flood_of_changes_and_cancellations(tmp_path: Path, sessions: Sessions) -> None:
    """A hundred keystrokes with questions that are withdrawn; the server still answers, and about the last text."""

    async def work(editor: Editor) -> None:
        uri = editor.open(tmp_path / "mine.gdl", GAME)
        questions = []
        for number in range(100):
            editor.write(uri, GAME + f"# {number}\n")
            ask = editor.client.text_document_completion_async(lsp.CompletionParams(**editor.at(uri, "place\n    if")))
            questions.append(asyncio.ensure_future(ask))
            if number % 2:
                questions[-1].cancel()
        await asyncio.gather(*questions, return_exceptions=True)
        assert await editor.diagnostics(uri) == []
        assert editor.published[-1].version == 101

    sessions.run(work)


def test_two_files_that_use_each_other(tmp_path: Path, sessions: Sessions) -> None:
    """The cycle is reported in both, and ends when one of the two is mended, without a save."""
    a, b = tmp_path / "a.gdl", tmp_path / "b.gdl"
    game = 'use "{}.gdl" as other\nplayers X, O\nplay\n  play other\n  draw\n'
    a.write_text(game.format("b"), encoding="utf-8")
    b.write_text(game.format("a"), encoding="utf-8")

    async def work(editor: Editor) -> None:
        first, second = editor.open(a), editor.open(b)
        assert "E0430" in {d.code for d in await editor.diagnostics(first)}
        assert "E0430" in {d.code for d in await editor.diagnostics(second)}
        editor.published.clear()
        editor.write(second, "players X, O\nplay\n  draw\n")
        assert await editor.diagnostics(second) == []
        await editor.diagnostics(first, lambda found: "E0430" not in {d.code for d in found})

    sessions.run(work)


def test_an_editor_that_asks_is_not_told_unasked(tmp_path: Path, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        uri = editor.open(tmp_path / "mine.gdl", GAME.replace("by 3", "bye 3"))
        params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
        report = await editor.client.text_document_diagnostic_async(params)
        assert [d.code for d in report.items] == ["E0101"]  # type: ignore[union-attr]
        assert editor.published == []

    sessions.run(work, pulls=True)


def test_a_file_in_a_folder_behind_a_link_keeps_the_name_that_the_editor_gives_it(
    tmp_path: Path, sessions: Sessions
) -> None:
    """As `/tmp` on a Mac, or a home on another disk. Editors look for messages under their own address, and open others anew."""
    (tmp_path / "there").mkdir()
    (tmp_path / "here").symlink_to(tmp_path / "there")

    async def work(editor: Editor) -> None:
        uri = editor.open_address((tmp_path / "here" / "mine.gdl").as_uri(), GAME.replace("empty\n", "empti\n", 1))
        (wrong,) = [d for d in await editor.diagnostics(uri) if d.severity == lsp.DiagnosticSeverity.Error]
        document = lsp.TextDocumentIdentifier(uri)
        context = lsp.CodeActionContext([wrong])
        actions = await editor.client.text_document_code_action_async(
            lsp.CodeActionParams(document, wrong.range, context)
        )
        assert actions
        assert all(list(action.edit.changes) == [uri] for action in actions)  # type: ignore[union-attr, arg-type]
        at = editor.at(uri, "full(me)")
        defined = await editor.client.text_document_definition_async(lsp.DefinitionParams(**at))
        assert [one.uri for one in defined] == [uri]  # type: ignore[union-attr]
        renamed = await editor.client.text_document_rename_async(lsp.RenameParams(new_name="whole", **at))
        assert list(renamed.changes) == [uri]  # type: ignore[union-attr, arg-type]
        (item,) = await editor.client.text_document_prepare_call_hierarchy_async(lsp.CallHierarchyPrepareParams(**at))  # type: ignore[misc]
        assert item.uri == uri

    sessions.run(work)


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "vscode-vfs://github/me/mine.gdl", "file:///tmp/a%00b.gdl"])
def test_a_text_that_has_no_file_has_messages_too(uri: str, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        editor.open_address(uri, GAME.replace("by 3", "bye 3"))
        assert "E0101" in [d.code for d in await editor.diagnostics(uri)]

    sessions.run(work)


def test_columns_count_as_the_protocol_says(tmp_path: Path, sessions: Sessions) -> None:
    """A character beyond the 16-bit ones counts twice."""

    async def work(editor: Editor) -> None:
        uri = editor.open(tmp_path / "mine.gdl", GAME + 'claim "𝒳": always emtpy = {}\n')
        (wrong,) = [d for d in await editor.diagnostics(uri) if d.code == "E0201"]
        assert wrong.range.start.character == len('claim "𝒳": always ') + 1

    sessions.run(work)


def test_examples_have_messages_too(tmp_path: Path, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        uri = editor.open(tmp_path / "mine.examples.yaml", "examples:\n  - name: first\n    legal_cuont: 9\n")
        assert ("E0640", 2) in [(d.code, d.range.start.line) for d in await editor.diagnostics(uri)]

    sessions.run(work)


def test_messages_need_only_the_core() -> None:
    """Neither NumPy nor the compiler is loaded on the way to them."""
    program = """
import sys
from gamedsl.editor.desk import Desk
from gamedsl.editor.document_check import check_document
import gamedsl.editor.server, gamedsl.editor.features
desk = Desk()
desk.put("/x.gdl", "players X, O\\nplay\\n  win x\\n")
desk.put("/x.examples.yaml", "examples: []\\n")
for path in desk.open:
    check_document(desk, path, desk.snapshot())
print([m for m in ("numpy", "llvmlite", "numba", "starlette") if m in sys.modules])
"""
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_what_mentions_what(tmp_path: Path, sessions: Sessions) -> None:
    """The hierarchy of calls, from a definition upwards into a variant, and from a move downwards."""
    game = GAME.replace("  when c in empty\n", "  when free(c)\n").replace(
        "move place", "define free(c: cell) = c in empty and not full(me)\n\nmove place"
    )
    path = tmp_path / "mine.gdl"
    path.write_text(game, encoding="utf-8")
    variant = 'variant of "mine.gdl"\nmove place(c: cell)\n  when full(me) or free(c)\n  put mark[me] on c\n'
    (tmp_path / "wide.gdl").write_text(variant, encoding="utf-8")

    async def work(editor: Editor) -> None:
        client, uri = editor.client, editor.open(path)
        above = await client.text_document_prepare_call_hierarchy_async(
            lsp.CallHierarchyPrepareParams(**editor.at(uri, "full(p:"))
        )
        (item,) = above or ()
        assert (item.name, item.detail, item.range.start.line) == ("full", "define", 8)
        found = await client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(item))
        callers = [(Path(c.from_.uri).name, c.from_.name, [r.start.line for r in c.from_ranges]) for c in found or ()]
        assert [(name, lines) for _, name, lines in callers[:1]] == [("free", [10])]
        assert ("wide.gdl", "place", [2]) in callers and ("mine.gdl", [19]) in [
            (file, rows) for file, _, rows in callers
        ]

        below = await client.text_document_prepare_call_hierarchy_async(
            lsp.CallHierarchyPrepareParams(**editor.at(uri, "place\n    if"))
        )
        calls = await client.call_hierarchy_outgoing_calls_async(lsp.CallHierarchyOutgoingCallsParams((below or ())[0]))
        assert [(c.to.name, [r.start for r in c.from_ranges]) for c in calls or ()] == [("free", [lsp.Position(13, 7)])]
        nothing = lsp.CallHierarchyPrepareParams(**editor.at(uri, "goal: 1"))
        assert not await client.text_document_prepare_call_hierarchy_async(nothing)

    sessions.run(work)


def test_a_long_text_is_colored_while_others_are_asked_about(tmp_path: Path, sessions: Sessions) -> None:
    """An answer about a short text overtakes the colors of a long one, asked for first."""
    long = GAME + "".join(f"define full_{n}(p: player) = count(mark[p]) = goal\n" for n in range(3000))

    async def work(editor: Editor) -> None:
        short, uri = editor.open(tmp_path / "short.gdl", GAME), editor.open(tmp_path / "long.gdl", long)
        await editor.diagnostics(short)
        done: list[str] = []

        async def tokens() -> int:
            wanted = lsp.SemanticTokensParams(lsp.TextDocumentIdentifier(uri))
            found = await editor.client.text_document_semantic_tokens_full_async(wanted)
            done.append("colors")
            return 0 if found is None else len(found.data)

        async def hover() -> None:
            await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at(short, "wins[me]", 1)))
            done.append("hover")

        colors = asyncio.ensure_future(tokens())
        await asyncio.gather(colors, hover())
        assert done == ["hover", "colors"] and colors.result() > 5 * 3000 * 5

    sessions.run(work)


def test_whoever_types_without_a_pause_does_not_gather_garbage() -> None:
    """After an answer, young objects are collected if there are many; never before the server takes the collection over."""
    program = """
import asyncio, gc
from gamedsl.editor.idle_collection import YOUNG, IdleCollection
async def count(begins):
    collection = IdleCollection()
    if begins:
        collection.begin()
    else:
        gc.set_threshold(10**9, 10, 10)
    kept = [[] for _ in range(YOUNG + 1000)]
    collection.take_answer()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return gc.get_count()[0] > YOUNG
print(asyncio.run(count(False)), asyncio.run(count(True)))
"""
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["True", "False"]
