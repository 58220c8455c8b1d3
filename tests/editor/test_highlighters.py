"""The highlighters color every word of the shipped rulesets as the parser reads it."""

from __future__ import annotations

import bisect
import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pygments.token import Comment, Keyword, Name, Number, String

from gamedsl.language.grammars.derived_files import DERIVED
from gamedsl.language.rules.pygments_lexer import RulesetLexer
from gamedsl.language.syntax import token_kinds

ROOT = Path(__file__).resolve().parents[2]
VSCODE = ROOT / "editors" / "vscode"
RULESETS = sorted([*ROOT.glob("rulesets/**/*.gdl"), *ROOT.glob("templates/**/*.gdl")])
SCOPES = {
    "comment": "comment",
    "string": "string",
    "storage.type.citation": "citation",
    "constant.numeric": "number",
    "keyword.operator.gamedsl": "sign",
    "keyword": "keyword",
    "constant.language": "keyword",
    "entity.name": "name",
    "support.function": "name",
    "variable": "name",
}
PYGMENTS = {
    Comment: "comment",
    String: "string",
    Name.Decorator: "citation",
    Number: "number",
    Keyword: "keyword",
    Name: "name",
}
# One word of 10,000 may differ: a name that is spelled like a keyword, where that keyword could stand too.
WRONG = 1 / 10_000


def needs_node() -> None:
    """The libraries of the extension come by ``npm ci`` in its folder."""
    if shutil.which("node") and (VSCODE / "node_modules").exists():
        return
    assert not os.environ.get("GAMEDSL_NEEDS_NODE"), "run `npm ci` in editors/vscode"
    pytest.skip("needs node, and `npm ci` in editors/vscode")


def node(*words: str, given: Any = None) -> str:
    needs_node()
    found = subprocess.run(
        ["node", *words], input=json.dumps(given), capture_output=True, text=True, cwd=VSCODE, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


@cache
def real_kinds(path: Path) -> list[tuple[int, str, str]]:
    text = path.read_text(encoding="utf-8")
    return [(p.start, p.kind, p.text) for p in token_kinds(text) if p.kind not in ("space", "sign")]


def textmate_kinds(texts: list[str]) -> Iterator[dict[int, str]]:
    """The kind at every place of each text, as VS Code colors it."""
    for text, pieces in zip(texts, json.loads(node("test/kinds.mjs", given=texts)), strict=True):
        starts = [start for start, _, _ in pieces]
        assert text.isascii() or all(ord(c) < 0x10000 for c in text), "places are counted in UTF-16"
        yield {
            start: next((kind for prefix, kind in SCOPES.items() if scope.startswith(prefix)), "")
            for start in range(len(text))
            if (place := bisect.bisect(starts, start) - 1) >= 0
            for scope in [pieces[place][2]]
        }


@pytest.mark.parametrize("name", DERIVED)
def test_files_are_those_that_the_grammar_makes(name: str) -> None:
    """`python -m gamedsl.language.grammars.derived_files` rewrites them."""
    assert (ROOT / name).read_text(encoding="utf-8") == DERIVED[name]()


def test_textmate_colors_words_as_the_parser_reads_them() -> None:
    wrong, words = [], 0
    for path, found in zip(RULESETS, textmate_kinds([p.read_text(encoding="utf-8") for p in RULESETS]), strict=True):
        for start, kind, text in real_kinds(path):
            words += 1
            if found.get(start) != kind:
                wrong.append((path.stem, start, text, kind, found.get(start)))
    assert words > 20_000 and len(wrong) <= WRONG * words, wrong
    assert all({kind, other} == {"keyword", "name"} for _, _, _, kind, other in wrong), wrong


def test_pygments_colors_words_as_the_parser_reads_them() -> None:
    for path in RULESETS:
        text = path.read_text(encoding="utf-8")
        found = {}
        for start, kind, _ in RulesetLexer().get_tokens_unprocessed(text):
            found[start] = next((name for one, name in PYGMENTS.items() if kind in one), "")
        assert [(start, found[start]) for start, _, _ in real_kinds(path)] == [(s, k) for s, k, _ in real_kinds(path)]


def test_what_is_never_closed_ends_where_a_declaration_begins() -> None:
    text = 'define a = some c in (cell: "x\nmove go\n  when share = 3\n'
    (found,) = textmate_kinds([text])
    assert found[text.index("move")] == "keyword" and found[text.index("when")] == "keyword"
    assert found[text.index("share")] == "name"


@pytest.mark.slow  # .ci/run does the same
def test_scopes_of_the_grammar_and_commands_of_the_extension() -> None:
    needs_node()
    found = subprocess.run(["npm", "test"], capture_output=True, text=True, cwd=VSCODE, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.slow
def test_the_extension_is_packed() -> None:
    needs_node()
    found = subprocess.run(["npm", "run", "package"], capture_output=True, text=True, cwd=VSCODE, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    manifest = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))
    with zipfile.ZipFile(VSCODE / "gamedsl.vsix") as packed:
        names = {name.removeprefix("extension/") for name in packed.namelist()}
    contributed = manifest["contributes"]
    used = {
        manifest["main"],
        contributed["languages"][0]["configuration"],
        contributed["grammars"][0]["path"],
        contributed["snippets"][0]["path"],
        contributed["yamlValidation"][0]["url"],
    }
    assert {name.removeprefix("./") for name in used} <= names
    assert not [name for name in names if "node_modules" in name or name.startswith(("src/", "test/"))]


def test_the_version_of_the_extension_is_that_of_the_package() -> None:
    import gamedsl

    assert json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))["version"] == gamedsl.__version__
