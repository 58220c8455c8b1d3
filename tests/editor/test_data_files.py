"""Files beside a ruleset and rulesets as data, in a real client: messages, completion, hover, lenses, outline."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from gamedsl import load
from gamedsl.editor.data_cursor import cursor
from gamedsl.editor.desk import EXAMPLES, Desk
from gamedsl.editor.document_check import check_document
from gamedsl.editor.example_completions import Ground, example_completions, question
from gamedsl.editor.example_lenses import example_places
from gamedsl.editor.example_meanings import example_hover
from gamedsl.editor.position_facts import game_asked
from gamedsl.engine import Record
from gamedsl.language.rules import find_ruleset, parse_source, read_text, shipped
from gamedsl.language.source import Source, resource_path
from gamedsl.language.syntax import dump_json, dump_yaml, parse_ruleset
from tests.editor.client import Editor, Sessions

GAME = """\
game "Small"
  clauses "clauses/small.yaml"

players X, O
option goal: 1..9 = 3
option first: player = X
board grid 3 by 3
piece mark of player

move place(c: cell) written "{c}"
  when c in empty "that square is taken"  @1
  put mark[me] on c

play
  turns from first
    me plays place                        @2
    if count(mark[me]) = goal
      win me
"""
CLAUSES = """\
- number: "1"
  text: "A square is taken once."
- number: "2"
  text: "Players alternate."
- number: "4"
  text: "Nobody cites this one."
"""
EXAMPLE = """\
examples:
  - name: one mark
    options: {{ goal: 2 }}
    moves: [a1, b2]
    {}
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "clauses").mkdir()
    (tmp_path / "clauses" / "small.yaml").write_text(CLAUSES, encoding="utf-8")
    path = tmp_path / "small.gdl"
    path.write_text(GAME, encoding="utf-8")
    return path


def document(uri: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(uri)


async def complete(editor: Editor, uri: str, text: str) -> list[lsp.CompletionItem]:
    """Writes a text and asks what can follow at its mark `|`, which is not written, until the server says that this is all."""
    editor.write(uri, text.replace("|", "", 1))
    where: dict[str, Any] = {"text_document": document(uri), "position": editor.position(uri, text.index("|"))}
    while True:
        found = await editor.client.text_document_completion_async(lsp.CompletionParams(**where))
        assert isinstance(found, lsp.CompletionList)
        if not found.is_incomplete:
            return list(found.items)


def written(items: list[lsp.CompletionItem]) -> list[str]:
    return [item.text_edit.new_text for item in items if item.text_edit is not None]


async def hover(editor: Editor, uri: str, words: str, inside: int = 0) -> str:
    found = await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at(uri, words, inside)))
    return found.contents.value if found is not None and isinstance(found.contents, lsp.MarkupContent) else ""


async def titles(editor: Editor, uri: str) -> list[tuple[int, str]]:
    found = await editor.client.text_document_code_lens_async(lsp.CodeLensParams(document(uri)))
    return [(one.range.start.line, one.command.title) for one in found or () if one.command is not None]


# ------------------------------------------------------------------------------------------------------------ examples


def test_completion_in_examples(game: Path, sessions: Sessions) -> None:
    """Keys, options with their values, seats, clauses; and of the position that the moves lead to, what is so there. By hand:
    of nine squares two are taken, X is to move, and a1 is refused.
    """

    async def work(editor: Editor) -> None:
        editor.open(game)
        uri = editor.open(game.with_name("small" + EXAMPLES), EXAMPLE.format("to_move: X"))

        async def at(line: str) -> list[str]:
            return written(await complete(editor, uri, EXAMPLE.format(line)))

        keys = await at("|")
        assert {"illegal: ", "clauses: ", "only: "} <= set(keys) and not {"name: ", "moves: "} & set(keys)
        items = await complete(editor, uri, EXAMPLE.format("").replace("goal: 2", "goal: |"))
        assert [(i.label, i.detail) for i in items][1:4] == [("2", None), ("3", "in force"), ("4", None)]
        assert written(await complete(editor, uri, EXAMPLE.format("").replace("goal: 2", "|"))) == ["goal: ", "first: "]
        moves = EXAMPLE.format("").replace("b2]", "|]")
        assert written(await complete(editor, uri, moves)) == ["b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
        assert (await at("legal: [|"))[:7] == ["b1", "c1", "a2", "c2", "a3", "b3", "c3"]
        assert await at("legal_count: |") == ["7"]
        assert (await at("to_move: |"))[:2] == ["X", "O"]
        assert await at("clauses: [|") == ['"1"', '"2"', '"4"']
        assert await at('illegal: [{ move: a1, says: "|" }]') == ["that square is taken"]
        assert (await at("illegal: [{ move: a1, clause: |"))[0] == '"1"'
        assert (await at("board: [|"))[0] == '". . ."'
        assert {"count", "mark"} <= {i.label for i in await complete(editor, uri, EXAMPLE.format('value: { "|": 1 }'))}
        assert await at('value: { "count(ma|": 1 }') and "count(mark" in await at('value: { "count(ma|": 1 }')

        later = EXAMPLE.format("").replace("moves: [a1, b2]", "moves: [a1, b2, c3]\n    to_move: |")
        assert (await complete(editor, uri, later))[0].label == "end"  # X has two marks, and the goal is 2
        assert written(await complete(editor, uri, later.replace("to_move: |", "result: { winners: [|"))) == ["X", "O"]

    sessions.run(work)


def test_messages_in_examples_know_the_ruleset(game: Path, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        editor.open(game)
        wrong = EXAMPLE.format('to_move: Y\n    clauses: ["9"]\n    result: { winners: [Z] }').replace("goal", "gaol")
        uri = editor.open(game.with_name("small" + EXAMPLES), wrong)
        found = await editor.diagnostics(uri)
        assert [(d.code, d.range.start.line, d.message.splitlines()[0]) for d in found] == [
            ("E0643", 2, "this value does not fit: the ruleset has no option gaol"),
            ("E0643", 4, "this value does not fit: the ruleset has no player Y"),
            ("E0643", 5, "this value does not fit: the ruleset has no clause 9"),
            ("E0643", 6, "this value does not fit: the ruleset has no player Z"),
        ]
        editor.write(uri, EXAMPLE.format("to_move: X"))
        assert await editor.diagnostics(uri) == []

    sessions.run(work)


def test_a_change_of_the_ruleset_reaches_its_examples(game: Path, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        rules = editor.open(game)
        uri = editor.open(game.with_name("small" + EXAMPLES), EXAMPLE.format("to_move: Y"))
        assert [d.code for d in await editor.diagnostics(uri)] == ["E0643"]
        editor.write(rules, GAME.replace("X, O", "X, Y"))
        await editor.diagnostics(uri, lambda found: not found)

    sessions.run(work)


def test_hover_in_examples(game: Path, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        editor.open(game)
        text = EXAMPLE.format('illegal: [{ move: a1, clause: "1" }]')
        uri = editor.open(game.with_name("small" + EXAMPLES), text)
        legal = await hover(editor, uri, "b2")
        assert legal.startswith("**b2**: O place") and "Legal here." in legal and "move place(c: cell)" in legal
        refused = await hover(editor, uri, "a1, clause")
        assert "Refused: that square is taken (@1 A square is taken once.)" in refused
        assert await hover(editor, uri, '"1"', 1) == "**@1** A square is taken once."
        assert (await hover(editor, uri, "goal")).startswith("**goal**: an option")
        assert (
            await hover(editor, uri, "illegal")
            == "**illegal**: Moves that are refused, with the clause and words of the reason."
        )

    sessions.run(work)


def test_lenses_of_examples(game: Path, sessions: Sessions) -> None:
    """Each example runs alone, and the lens above it says how it ended."""
    text = "examples:\n  - name: good\n    legal_count: 9\n\n  - name: bad\n    legal_count: 8\n"

    async def work(editor: Editor) -> None:
        editor.open(game)
        path = game.with_name("small" + EXAMPLES)
        uri = editor.open(path, text)
        symbols = await editor.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document(uri)))
        assert [one.name for one in symbols or ()] == ["good", "bad"]
        assert await titles(editor, uri) == [(0, "Run the examples"), (1, "Run this example"), (4, "Run this example")]
        said = await editor.execute("gamedsl.test", str(path), 1)
        assert said is not None and said.message == "small.gdl: 1 example passed"
        assert (1, "passed") in await titles(editor, uri)
        assert await editor.diagnostics(uri) == []
        said = await editor.execute("gamedsl.test", str(path))
        assert said is not None and said.message == "small.gdl: 1 of 2 examples failed: bad"
        found = await titles(editor, uri)
        assert (1, "passed") in found and (4, "failed: 9 moves are legal, not 8") in found
        await editor.diagnostics(
            uri, lambda marks: [(d.code, d.range.start.line) for d in marks] == [("example-failed", 4)]
        )

    sessions.run(work)


def test_a_game_for_the_board(game: Path) -> None:
    """An editor with a board is offered the game that leads to an example, and the one that violates a claim; by hand: with a goal of
    one mark the first move wins.
    """
    shared = "options: { goal: 2 }\nopenings:\n  corner: [a1]\n"
    text = (
        f"{shared}examples:\n  - name: good\n    opening: corner\n    moves: [b2]\n    to_move: X\n"
        "  - name: set\n    set: { goal: 1 }\n    to_move: X\n  - name: wrong\n    moves: [a1, a1]\n    to_move: X\n"
    )
    rules = GAME + "\nclaim never count(mark[X]) = 1\n"

    async def work() -> None:
        editor = Editor()
        editor.shows_board = True
        await editor.start()
        try:
            ruleset, path = editor.open(game, rules), game.with_name("small" + EXAMPLES)
            uri = editor.open(path, text)
            offered = [line for line, title in await titles(editor, uri) if title == "Play from here"]
            assert offered == [4, 11]

            async def asked(file: Path, line: int) -> Any:
                wanted = lsp.ExecuteCommandParams("gamedsl.game", [str(file), line])
                return await editor.client.workspace_execute_command_async(wanted)

            found = await asked(path, 4)
            assert [list(ply) for ply in found["plies"]] == [[0, "a1"], [1, "b2"]]
            assert (found["options"]["goal"], found["seats"], found["ruleset"]) == ("2", 2, str(game))
            assert Record.parse(found["record"]).replay(load(str(game), goal=2))[-1].to_act == (0,)
            assert await asked(path, 11) is None

            line = rules.count("\n", 0, rules.index("claim"))
            assert (line, "Show its game on the board") not in await titles(editor, ruleset)
            await editor.execute("gamedsl.verify", str(game), line)
            assert (line, "Show its game on the board") in await titles(editor, ruleset)
            found = await asked(game, line)
            assert [ply[0] for ply in found["plies"]] == [0]
        finally:
            await editor.stop()

    asyncio.run(work())


def test_random_plies_come_after_the_moves_and_before_what_follows(game: Path) -> None:
    """As ``gamedsl test`` plays an example: its moves, the random plies, then the moves of ``then``."""
    parsed = {str(game): parse_source(Source(str(game), GAME))}

    def plies(**more: Any) -> list[str]:
        found = game_asked(str(game), parsed, {"example": {"moves": ["a1"], "random": {"seed": 1, "plies": 2}, **more}})
        assert found is not None
        return [text for _, text in found["plies"]]

    played = plies()
    assert played[0] == "a1" and len(played) == 3
    free = next(cell for cell in ("b2", "c3", "b1", "c1") if cell not in played)
    assert plies(then=[free]) == [*played, free]


@pytest.mark.parametrize("wrong", ["5", "[a]", "no", "{ a: 5 }"])
def test_values_of_another_shape_do_not_stop_completion_and_hover(wrong: str) -> None:
    """While a file is written, anything may stand where options, openings or moves will."""
    head = f"options: {wrong}\nopenings: {wrong}\nexamples:\n  - name: x\n    options: {wrong}\n    then: {wrong}\n    "
    for line in ("legal_count: |", "opening: |", "opening: a|", "moves: |", "moves: [a1, |]", "then: [|]"):
        text, start = (head + line).replace("|", ""), (head + line).index("|")
        place = cursor(Source("/x" + EXAMPLES, text), start)
        assert place is not None
        ground = Ground(None, None, {})
        assert isinstance(example_completions(place, ground, None), list)
        assert isinstance(example_hover(place, ground, None), str)
        asked = question(place)
        assert asked is None or isinstance(asked["openings"], dict)


def test_floods_and_random_edits_of_examples(game: Path, sessions: Sessions) -> None:
    """Keystrokes anywhere with questions that are withdrawn: every question is answered, and the last answer is about the last text."""

    async def work(editor: Editor) -> None:
        editor.open(game)
        path = game.with_name("small" + EXAMPLES)
        uri = editor.open(path, EXAMPLE.format("to_move: X"))
        chance = random.Random(5)
        questions: list[asyncio.Future[Any]] = []
        for number in range(60):
            text = editor.texts[uri]
            start = chance.randrange(len(text))
            editor.type(
                uri,
                start,
                min(len(text), start + chance.choice((0, 0, 1, 4))),
                chance.choice(("", "x", " ", "\n", "[", '"', ": ", "𝒳")),
            )
            where: dict[str, Any] = {"text_document": document(uri), "position": editor.position(uri, start)}
            questions.append(
                asyncio.ensure_future(editor.client.text_document_completion_async(lsp.CompletionParams(**where)))
            )
            questions.append(asyncio.ensure_future(editor.client.text_document_hover_async(lsp.HoverParams(**where))))
            if number % 2:
                questions[-1].cancel()
                questions[-2].cancel()
        found = await asyncio.gather(*questions, return_exceptions=True)
        assert not [one for one in found if isinstance(one, JsonRpcException) and "cancel" not in str(one).lower()]
        editor.write(uri, EXAMPLE.format("to_move: Y"))
        assert [d.code for d in await editor.diagnostics(uri)] == ["E0643"]
        assert written(await complete(editor, uri, EXAMPLE.format("legal_count: |"))) == ["7"]

    sessions.run(work)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_prefix_of_shipped_examples_keeps_its_outline(name: str) -> None:
    """What is named on complete lines before the cursor is in the outline of what is written so far, and the place is answered."""
    ruleset = find_ruleset(name)
    text = ruleset.with_name(ruleset.stem + EXAMPLES).read_text(encoding="utf-8")
    whole = [(one.name, one.start) for one in example_places(Source("/x" + EXAMPLES, text))]
    for end in range(0, min(len(text), 6000), 61):
        source = Source("/x" + EXAMPLES, text[:end])
        row = text.rfind("\n", 0, end) + 1
        before = [one for one in whole if text.find("\n", one[1]) < row and text.find("\n", one[1]) >= 0]
        assert [(one.name, one.start) for one in example_places(source)][: len(before)] == before
        found = cursor(source, end)
        if found is not None:
            example_completions(found, Ground(None, None, {}), None)


# ------------------------------------------------------------------------------------------------------ clauses


def test_an_index_of_clauses(game: Path, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        editor.open(game, GAME.replace("= goal\n", "= goal             @3\n"))
        uri = editor.open(game.parent / "clauses" / "small.yaml")
        assert [(d.code, d.range.start.line) for d in await editor.diagnostics(uri)] == [("W0906", 4)]
        assert await titles(editor, uri) == [
            (0, "cited at small.gdl:11"),
            (2, "cited at small.gdl:16"),
            (4, "not cited"),
        ]
        assert await hover(editor, uri, '"2"', 1) == "**@2** Players alternate.\n\nCited at small.gdl:16."
        items = await complete(editor, uri, CLAUSES + "- number: |\n")
        assert [(i.label, i.detail) for i in items] == [("3", "cited at small.gdl:17")] and written(items) == ['"3"']
        assert written(await complete(editor, uri, CLAUSES + '- number: "3"\n  |\n')) == ["text: "]
        editor.write(uri, CLAUSES.replace('"4"', '"1"'))
        assert [(d.code, d.range.start.line) for d in await editor.diagnostics(uri)] == [("E0643", 4)]
        editor.write(uri, CLAUSES.replace('text: "Players', 'txet: "Players'))
        assert [(d.code, d.range.start.line) for d in await editor.diagnostics(uri)] == [("E0640", 3)]

    sessions.run(work)


def test_citations_that_only_explain_are_not_counted(game: Path) -> None:
    """As `gamedsl check` counts them: lines of `info`, but for `presentation`."""

    def said(line: str) -> list[str]:
        desk = Desk()
        text = GAME.replace("play\n  turns", f"info\n  {line} @4\nplay\n  turns")
        desk.put(str(game), text)
        index = str(game.parent / "clauses" / "small.yaml")
        desk.put(index, CLAUSES)
        (warned,) = [d.message for d in desk.analyze(str(game)).found if d.code == "W0906"] or [""]
        found = [d.message for d in check_document(desk, index, desk.snapshot())]
        assert bool(warned) == bool(found)
        return found

    assert said('goal "Get three."') == ["no line of small.gdl cites the clause 4"]
    assert said('presentation "Marks are drawn."') == []


def test_rules_are_checked_against_the_index_that_is_open(game: Path) -> None:
    desk, index = Desk(), game.parent / "clauses" / "small.yaml"
    desk.put(str(game), GAME.replace("= goal\n", "= goal             @3\n"))

    def codes() -> list[str]:
        return [d.code for d in desk.analyze(str(game)).found]

    assert codes() == ["W0906", "E0443"]
    desk.put(str(index), CLAUSES.replace('"4"', '"3"'))
    assert codes() == [] and desk.clauses(str(game))["3"] == "Nobody cites this one."
    assert str(game) in desk.dependents(str(index))
    desk.put(str(index), CLAUSES + "- 5")
    assert codes() == ["E0444"]
    desk.close(str(index))
    assert codes() == ["W0906", "E0443"]
    index.write_text(CLAUSES.replace('"4"', '"3"'), encoding="utf-8")  # another program saves it
    assert codes() == []
    index.unlink()
    assert codes() == ["E0444"]
    desk.put(str(index), CLAUSES.replace('"4"', '"3"'))  # not saved yet
    assert codes() == []


# ------------------------------------------------------------------------------------------------ rulesets as data


@pytest.mark.parametrize("ending", ["json", "yaml"])
def test_a_ruleset_as_data(tmp_path: Path, sessions: Sessions, ending: str) -> None:
    tree, _ = parse_ruleset(Source("/x.gdl", GAME.replace('\n  clauses "clauses/small.yaml"', "")))
    assert tree is not None
    text = dump_json(tree) if ending == "json" else dump_yaml(tree)

    async def work(editor: Editor) -> None:
        uri = editor.open(tmp_path / f"small.{ending}", text)
        assert await editor.diagnostics(uri) == []
        symbols = await editor.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document(uri)))
        assert sorted((one.name for one in symbols or () if one.name in ("place", "mark")), reverse=True) == [
            "place",
            "mark",
        ]
        spot = text.index("plays")
        assert "me plays place" in await hover(editor, uri, text[spot : spot + 20])

        quote = '"' if ending == "json" else ""
        kind = f"{quote}kind{quote}: "
        items = await complete(editor, uri, text.replace(f"{kind}{quote}move_decl{quote}", f"{kind}|", 1))
        assert f"{quote}move_decl{quote}" in written(items) and f"{quote}plays{quote}" not in written(items)
        begun = "kind: move_decl\n    |\n" if ending == "yaml" else '"kind": "move_decl", |'
        items = await complete(
            editor, uri, text.replace("kind: move_decl\n", begun, 1).replace('"kind": "move_decl",', begun, 1)
        )
        assert {"also", "notes"} <= {i.label for i in items} and not {"kind", "options"} & {i.label for i in items}
        plays = text.index("place", text.index("plays"))
        items = await complete(editor, uri, f"{text[:plays]}|{text[plays:]}")
        assert {"place", "goal"} <= {i.label for i in items}
        editor.write(uri, text.replace("move_decl", "mov_decl"))
        assert "E0622" in {d.code for d in await editor.diagnostics(uri)}

    sessions.run(work)


def test_colors_and_words_of_rules_are_not_given_to_data(game: Path, sessions: Sessions) -> None:
    async def work(editor: Editor) -> None:
        for path in (
            game.with_name("small" + EXAMPLES),
            game.parent / "clauses" / "small.yaml",
            game.with_name("other.json"),
        ):
            uri = editor.open(path, "[]\n")
            tokens = await editor.client.text_document_semantic_tokens_full_async(
                lsp.SemanticTokensParams(document(uri))
            )
            assert tokens is not None and list(tokens.data) == []
            labels = {i.label for i in await complete(editor, uri, "|")}
            assert not {"move", "board", "players"} & labels

    sessions.run(work)


# ------------------------------------------------------------------------------------------- all files that ship

FILES = sorted(resource_path("rulesets").rglob("*.yaml"), key=lambda p: p.stat().st_size)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_shipped_files_have_no_messages_and_every_place_is_answered(path: Path) -> None:
    """At one place of twenty, whatever stands there, and with everything after it missing."""
    desk = Desk()
    source = desk.put(str(path), path.read_text(encoding="utf-8"))
    assert check_document(desk, str(path), desk.snapshot()) == []
    for offset in range(0, len(source.text), max(20, len(source.text) // 60)):
        for text in (source.text, source.text[:offset]):
            found = cursor(Source(source.path, text), offset)
            if found is not None and path.name.endswith(EXAMPLES):
                example_completions(found, Ground(None, None, {}), None)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_values_in_shipped_examples_are_offered(name: str) -> None:
    """Where an example names an option's value, a player or a clause, that is among what can be written there."""
    ruleset = find_ruleset(name)
    path = ruleset.with_name(ruleset.stem + EXAMPLES)
    desk = Desk()
    desk.put(str(ruleset), read_text(ruleset).text)
    analysis = desk.analyze(str(ruleset))
    source = Source(str(path), path.read_text(encoding="utf-8"))
    ground = Ground(analysis.source, analysis.env, analysis.clauses)
    for words in ("to_move: ", "winners: [", "clause: "):
        place = re.search(re.escape(words) + r"\"?(?=\w)", source.text)
        if place is not None:
            found = cursor(source, place.end())
            assert found is not None
            labels = {one.label for one in example_completions(found, ground, None)}
            assert found.text in labels, words
