"""The studio's editor reads every shipped ruleset as the parser does: the same kinds of words, and no error."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.editor.colored_texts import LAYOUTS, RULESETS, Edit, a_mistake, outside_kinds, real_kinds

ROOT = Path(__file__).resolve().parents[2]
CODEMIRROR = ROOT / "editors" / "codemirror"
KINDS = {"decorator": "citation", "operator": "sign"}


def read(texts: Sequence[tuple[str, Edit | None]]) -> list[dict[str, Any]]:
    """What the editor makes of texts, each with an edit that is made after it was read; see ``test/kinds.mjs``."""
    if not shutil.which("node"):
        assert not os.environ.get("GAMEDSL_NEEDS_NODE"), "install node"
        pytest.skip("needs node")
    given = json.dumps([{"text": text, "then": then} for text, then in texts])
    words = ["node", str(CODEMIRROR / "test" / "kinds.mjs")]
    found = subprocess.run(words, input=given, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    made: list[dict[str, Any]] = json.loads(found.stdout)
    return made


def shown_kinds(text: str, found: dict[str, Any]) -> list[tuple[int, str]]:
    return [
        (at, KINDS.get(kind, kind))
        for start, end, kind in found["tokens"]
        for at in range(start, end)
        if not text[at].isspace()
    ]


@pytest.mark.slow
def test_every_word_of_the_shipped_rulesets_is_colored_as_the_parser_reads_it() -> None:
    texts = [path.read_text(encoding="utf-8") for path in RULESETS]
    assert len(texts) > 70 and all(max(map(ord, text)) < 0x10000 for text in texts), "places are counted in UTF-16"
    for path, text, found in zip(RULESETS, texts, read([(text, None) for text in texts]), strict=True):
        assert found["errors"] == [], path.stem
        assert shown_kinds(text, found) == real_kinds(text), path.stem


def test_the_parser_is_made_of_the_grammar() -> None:
    """The digest is that of the grammar; that the grammar is the newest, another test shows. A long test makes the parser anew."""
    first = (CODEMIRROR / "gamedsl.parser.mjs").read_text(encoding="utf-8").partition("\n")[0]
    assert first.endswith(hashlib.sha256((CODEMIRROR / "gamedsl.grammar").read_bytes()).hexdigest())


@pytest.mark.slow
def test_the_parser_is_what_the_generator_makes(tmp_path: Path) -> None:
    """`npm ci` in editors/codemirror comes first; the generator takes some minutes of processor time."""
    if not (CODEMIRROR / "node_modules" / "@lezer" / "generator").is_dir():
        pytest.skip("needs `npm ci` in editors/codemirror")
    for name in ("gamedsl.grammar", "parser.mjs", "tokens.mjs", "words.json", "package.json"):
        shutil.copy(CODEMIRROR / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(CODEMIRROR / "node_modules")
    subprocess.run(["node", "parser.mjs"], cwd=tmp_path, check=True, capture_output=True)
    for name in ("gamedsl.parser.mjs", "gamedsl.terms.mjs"):
        assert (tmp_path / name).read_bytes() == (CODEMIRROR / name).read_bytes(), name


def test_layout() -> None:
    for text, found in zip(LAYOUTS, read([(text, None) for text in LAYOUTS]), strict=True):
        assert found["errors"] == [], text
        assert shown_kinds(text, found) == real_kinds(text), text


@pytest.mark.slow
def test_a_mistake_spoils_no_colors_elsewhere() -> None:
    """After a mistake in one declaration, which is read from what was known before it, all others are colored as by the parser."""
    chance = random.Random(38)
    texts = [path.read_text(encoding="utf-8") for path in RULESETS]
    asked = [(text, a_mistake(text, chance)) for text in texts for _ in range(3)]
    for (text, (start, end, new)), found in zip(asked, read(asked), strict=True):
        after = text[:start] + new + text[end:]
        shown, wanted = outside_kinds(text, (start, end, new), shown_kinds(after, found), real_kinds(after))
        assert found["same"] and shown == wanted, (text[:start].count("\n"), text[start:end], new)


def test_a_long_text_is_read_from_what_was_known() -> None:
    """Of forty declarations one changes: most of the nodes are those of before."""
    text = "".join(f"define a{i}(b: player) = some c in d: c + {i} = b and not e[{i}]\n\n" for i in range(400))
    at = text.index("a200")
    (found,) = read([(text, (at, at + 4, "other"))])
    assert found["same"] and found["errors"] == [] and found["kept"] > 0.8


def test_folding_and_indentation() -> None:
    """By hand: a block folds to its first line, without the comment after it; what is deeper than the statement above is where the
    editor would put it.
    """
    text = (
        "move go(c: cell)  # why\n  when c in d and\n      e\n  if f\n    skip\n\n  else\n    skip\n# behind\n"
        "piece g\npiece h\nplay\n  repeat\n    draw\n  until i\n"
    )
    (found,) = read([(text, None)])
    assert found["errors"] == []
    assert found["folds"] == [8, 0, 0, 8, 0, 0, 8, 0, 0, 0, 0, 15, 15, 0, 0, 0]
    assert found["columns"] == [0, 2, 6, 2, 4, 4, 2, 4, 4, 0, 0, 0, 2, 4, 2, 2]


@pytest.mark.slow
def test_blocks_of_the_shipped_rulesets_are_where_the_editor_would_put_them() -> None:
    texts = [path.read_text(encoding="utf-8") for path in RULESETS]
    for path, text, found in zip(RULESETS, texts, read([(text, None) for text in texts]), strict=True):
        above = ""
        for whole, columns in zip(text.split("\n"), found["columns"], strict=True):
            line = re.sub(r"\s*[#@].*", "", whole)
            if not line.strip():
                continue
            depth = len(line) - len(line.lstrip())
            if depth > len(above) - len(above.lstrip()) or re.fullmatch(r" *(else|until .*)", line):
                does_without = re.match(r" *(?:game|piece|token)\b|.* plays ", above)
                assert columns == depth or does_without, (path.stem, line)
            above = line
