"""What random games say, as lenses and hints."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from gamedsl.editor.figure_codes import LEGAL, NEVER, WINNER
from gamedsl.editor.line_figures import figures, share_words
from gamedsl.lab.statistics import Estimate
from gamedsl.language.rules import parse_source
from gamedsl.language.source import Source
from tests.editor.client import Editor

# Whoever moves first wins at once with two of the three moves, and loses with the third: X wins two games of three.
GAME = """\
players X, O
board grid 3 by 1
piece mark of player

move place(c: cell)
  when c in empty
  when count(empty) = 3
  put mark[me] on c

move give_up()
  when count(empty) < 2
  put mark[me] on a1

play
  turns from X
    me plays place | give_up
    if a1 in mark[X]
      win O
    if count(empty) = 0
      draw
    if count(empty) = 2
      win X
"""


def test_figures_are_those_of_the_game() -> None:
    found = figures("/x.gdl", {"/x.gdl": parse_source(Source("/x.gdl", GAME))}, 600, 300)
    (winner,) = [f.text for f in found if f.code == WINNER]
    share = re.match(r"X wins (\d+) ± (\d+) %, O wins (\d+) ± \d+ % \(", winner)
    assert share is not None and abs(int(share[1]) - 66.7) <= 3 * int(share[2]) and int(share[1]) + int(share[3]) == 100
    legal = {GAME[f.start :].split("(")[0]: f.text.split(" (")[0] for f in found if f.code == LEGAL}
    assert legal == {"place": "legal in 100 % of plies", "give_up": "never legal"}
    said = {GAME[f.start :].split("\n")[0].strip(): f.text.split(" in ")[0] for f in found if f.code == NEVER}
    assert said["when count(empty) < 2"] == "refused every move" and said["if count(empty) = 0"] == "never true"
    assert said["put mark[me] on a1"] == "never reached" and "when c in empty" in said
    assert said["draw"] == "never reached"


def test_an_interval_in_words() -> None:
    """Half of it, rounded, and never nothing."""
    assert share_words(Estimate(0.51, 0.48, 0.545)) == "51 ± 4 %"
    assert share_words(Estimate(1.0, 0.999, 1.0)) == "100 ± 1 %"


@pytest.mark.slow
def test_figures_arrive_as_lenses_and_go_with_the_next_keystroke(tmp_path: Path) -> None:
    path = tmp_path / "mine.gdl"
    path.write_text(GAME, encoding="utf-8")

    async def lenses(editor: Editor, uri: str) -> list[tuple[int, str]]:
        found = await editor.client.text_document_code_lens_async(lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri)))
        return [(one.range.start.line, one.command.title) for one in found or () if one.command is not None]

    async def session() -> None:
        editor = Editor()
        await editor.client.start_io(sys.executable, "-m", "gamedsl.cli.main", "lsp")
        await editor.greet(figures=0.2)
        uri = editor.open(path)
        assert await lenses(editor, uri) == []
        while not editor.lens_refreshed:
            await editor.news()
        found = dict(await lenses(editor, uri))
        assert found[13].startswith("X wins ") and found[4].startswith("legal in 100 % of plies")
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(30, 0))
        hints = await editor.client.text_document_inlay_hint_async(
            lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), whole)
        )
        assert (lsp.Position(10, 23), "refused every move") in [
            (h.position, str(h.label).split(" in ")[0]) for h in hints or ()
        ]
        editor.write(uri, GAME + "# more\n")
        assert await lenses(editor, uri) == []
        editor.write(uri, GAME.replace("draw", "drow"))
        assert [d.code for d in await editor.diagnostics(uri)]
        await editor.stop()

    asyncio.run(session())
