"""The Tree-sitter grammar reads every shipped ruleset as the parser does: the same kinds of words, and no error."""

from __future__ import annotations

import ctypes
import hashlib
import json
import random
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest

from tests.editor.colored_texts import LAYOUTS, RULESETS, Kinds, a_mistake, outside_kinds, real_kinds

tree_sitter = pytest.importorskip("tree_sitter")
ROOT = Path(__file__).resolve().parents[2]
EDITORS = ROOT / "editors"
GRAMMAR = EDITORS / "tree-sitter"
NAMED = {"integer": "number", "die": "keyword", **{kind: kind for kind in ("name", "string", "comment", "citation")}}


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> tree_sitter.Language:
    """The grammar as editors build it: from the C files that are here."""
    if not shutil.which("gcc"):
        pytest.skip("needs gcc")
    library = tmp_path_factory.mktemp("grammar") / "gamedsl.so"
    sources = [str(GRAMMAR / "src" / name) for name in ("parser.c", "scanner.c")]
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-I", str(GRAMMAR / "src"), *sources, "-o", str(library)], check=True
    )
    function = ctypes.CDLL(str(library)).tree_sitter_gamedsl
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return tree_sitter.Language(capsule(function(), b"tree_sitter.Language", None))


def leaves(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    if not node.children:
        yield node
    for child in node.children:
        yield from leaves(child)


def kind_of(node: tree_sitter.Node) -> str:
    if node.is_named:
        return NAMED.get(node.type, "error")
    return "keyword" if node.type[0].isalpha() else "sign"


def shown_kinds(text: str, tree: tree_sitter.Tree) -> Kinds:
    """The kind of every character that is not space, as the grammar reads its word."""
    ends = accumulate(len(c.encode()) for c in text)
    place = {0: 0} | {end: i + 1 for i, end in enumerate(ends)}
    return [
        (at, kind_of(leaf))
        for leaf in leaves(tree.root_node)
        if leaf.type != "ERROR"
        for at in range(place[leaf.start_byte], place[leaf.end_byte])
        if not text[at].isspace()
    ]


def nodes(node: tree_sitter.Node) -> Iterator[tuple[str, int, int]]:
    yield node.type, node.start_byte, node.end_byte
    for child in node.children:
        yield from nodes(child)


def point(text: str, at: int) -> tuple[int, int]:
    """The row and the column, in bytes, of a place."""
    begin = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at), len(text[begin:at].encode())


@pytest.mark.slow
def test_every_word_of_the_shipped_rulesets_is_read_as_the_parser_reads_it(language: tree_sitter.Language) -> None:
    parser = tree_sitter.Parser(language)
    assert len(RULESETS) > 70
    for path in RULESETS:
        text = path.read_text(encoding="utf-8")
        tree = parser.parse(text.encode())
        assert not tree.root_node.has_error, path.stem
        assert shown_kinds(text, tree) == real_kinds(text), path.stem


def test_layout(language: tree_sitter.Language) -> None:
    parser = tree_sitter.Parser(language)
    for text in LAYOUTS:
        tree = parser.parse(text.encode())
        assert not tree.root_node.has_error, text
        assert shown_kinds(text, tree) == real_kinds(text), text


@pytest.mark.slow
def test_a_mistake_spoils_no_colors_elsewhere(language: tree_sitter.Language) -> None:
    """After a mistake in one declaration all others are colored as by the parser, and what is read from what was known before it is
    what a first reading gives.
    """
    parser = tree_sitter.Parser(language)
    chance = random.Random(38)
    for path in RULESETS:
        text = path.read_text(encoding="utf-8")
        for _ in range(3):
            start, end, new = edit = a_mistake(text, chance)
            after = text[:start] + new + text[end:]
            known = parser.parse(text.encode())
            places = [(text, start), (text, end), (after, start + len(new))]
            known.edit(*(len(one[:at].encode()) for one, at in places), *(point(one, at) for one, at in places))
            tree = parser.parse(after.encode(), known)
            assert list(nodes(tree.root_node)) == list(nodes(parser.parse(after.encode()).root_node))
            shown, wanted = outside_kinds(text, edit, shown_kinds(after, tree), real_kinds(after))
            assert shown == wanted, (path.stem, text[:start].count("\n"), text[start:end], new)


@pytest.mark.parametrize("stray", ["$", "@", "@.1", "x", "(", "? ?", '"', "é"])
def test_lines_around_a_wrong_one_are_read(language: tree_sitter.Language, stray: str) -> None:
    text = f"move go\n  when c {stray}\n  when d\n\nmove come\n  when e\n"
    tree = tree_sitter.Parser(language).parse(text.encode())
    come = tree.root_node.children[-1]
    assert (come.type, come.text, come.has_error) == ("move", b"move come\n  when e\n", False)
    assert [node.text for node in leaves(tree.root_node) if kind_of(node) == "keyword"] == [
        b"move",
        b"when",
        b"when",
        b"move",
        b"when",
    ]


def corpus() -> Iterator[tuple[str, str, str]]:
    """The cases in the form of `tree-sitter test`: their names, texts and trees."""
    for path in sorted((GRAMMAR / "test" / "corpus").glob("*.txt")):
        parts = re.split(r"(?m)^=+\n(.*)\n=+\n", path.read_text(encoding="utf-8"))
        for name, body in zip(parts[1::2], parts[2::2], strict=True):
            text, tree = re.split(r"(?m)^---\n", body)
            yield name, text, tree


@pytest.mark.parametrize(("name", "text", "tree"), list(corpus()), ids=[name for name, _, _ in corpus()])
def test_corpus(language: tree_sitter.Language, name: str, text: str, tree: str) -> None:
    found = str(tree_sitter.Parser(language).parse(text.encode()).root_node)
    assert found == re.sub(r"\s+\)", ")", " ".join(tree.split())), name


def queries() -> list[str]:
    """The queries for rulesets. (Files of examples are YAML, and Helix has the queries for that.)"""
    folders = ("tree-sitter/queries", "helix/queries/gamedsl", "zed/languages/gamedsl")
    return sorted(f"{folder}/{path.name}" for folder in folders for path in (EDITORS / folder).glob("*.scm"))


@pytest.mark.parametrize("name", queries())
def test_queries_fit_the_grammar(language: tree_sitter.Language, name: str) -> None:
    """Each finds something in a shipped ruleset, in every editor's folder."""
    query = tree_sitter.Query(language, (EDITORS / name).read_text(encoding="utf-8"))
    tree = tree_sitter.Parser(language).parse((ROOT / "rulesets" / "tic-tac-toe.gdl").read_bytes())
    assert tree_sitter.QueryCursor(query).captures(tree.root_node)


@pytest.mark.parametrize("folder", ["tree-sitter/queries", "helix/queries/gamedsl", "zed/languages/gamedsl"])
def test_every_word_has_a_color(language: tree_sitter.Language, folder: str) -> None:
    """The colors say the same as the kinds, by the names that the editor has for them."""
    query = tree_sitter.Query(language, (EDITORS / folder / "highlights.scm").read_text(encoding="utf-8"))
    text = (ROOT / "rulesets" / "tic-tac-toe.gdl").read_text(encoding="utf-8")
    tree = tree_sitter.Parser(language).parse(text.encode())
    captures = tree_sitter.QueryCursor(query).captures(tree.root_node)
    colors = {node.start_byte: color for color, found in captures.items() for node in found}
    kinds = {
        "keyword": "keyword", "constant": "keyword", "comment": "comment", "string": "string", "number": "number",
        "attribute": "citation", "operator": "sign", "punctuation": "sign", "variable": "name", "function": "name",
        "type": "name", "property": "name",
    }  # fmt: skip
    for leaf in leaves(tree.root_node):
        color = colors.get(leaf.start_byte, "variable")
        assert (kinds[color.partition(".")[0]] == kind_of(leaf)) or (color, kind_of(leaf)) == (
            "constant.numeric.integer",
            "number",
        )


def test_the_parser_is_made_of_the_grammar() -> None:
    """`python -m scripts.tree_sitter_parser` makes it anew. That the grammar is the newest, another test shows."""
    first = (GRAMMAR / "src" / "parser.c").read_text(encoding="utf-8").partition("\n")[0]
    assert first.endswith(hashlib.sha256((GRAMMAR / "grammar.js").read_bytes()).hexdigest())


@pytest.mark.slow
def test_the_parser_is_what_the_generator_makes(tmp_path: Path) -> None:
    from scripts.tree_sitter_parser import VERSION, generate, generator

    command = generator()
    if command is None:
        pytest.skip(f"needs tree-sitter {VERSION}; `.ci/debian-tools` fetches it")
    for name in ("grammar.js", "package.json"):
        shutil.copy(GRAMMAR / name, tmp_path)
    generate(command, tmp_path)
    for made in sorted((tmp_path / "src").rglob("*.[ch]")):
        assert made.read_bytes() == (GRAMMAR / made.relative_to(tmp_path)).read_bytes(), made.name


def test_versions_are_those_of_the_package() -> None:
    import gamedsl

    package = json.loads((GRAMMAR / "package.json").read_text(encoding="utf-8"))
    about = json.loads((GRAMMAR / "tree-sitter.json").read_text(encoding="utf-8"))
    zed = tomllib.loads((EDITORS / "zed" / "extension.toml").read_text(encoding="utf-8"))
    assert {package["version"], about["metadata"]["version"], zed["version"]} == {gamedsl.__version__}


def test_the_extension_for_zed_says_what_zed_documents() -> None:
    """Zed itself is not to be had where tests run. From `docs/src/extensions/languages.md` of zed-industries/zed, as of 2026."""
    folder = EDITORS / "zed"
    about = tomllib.loads((folder / "extension.toml").read_text(encoding="utf-8"))
    config = tomllib.loads((folder / "languages" / "gamedsl" / "config.toml").read_text(encoding="utf-8"))
    assert about["schema_version"] == 1 and set(about["grammars"]) == {config["grammar"]}
    assert (ROOT / about["grammars"]["gamedsl"]["path"] / "src" / "parser.c").exists()
    assert about["language_servers"]["gamedsl"]["languages"] == [config["name"]]
    keys = {"name", "grammar", "path_suffixes", "line_comments", "tab_size", "brackets"}
    assert set(config) == keys and config["path_suffixes"] == ["gdl"]
    names = {
        "attribute", "boolean", "comment", "constant", "function", "keyword", "number", "operator", "property",
        "punctuation.bracket", "punctuation.delimiter", "string", "type", "variable", "variable.special",
    }  # fmt: skip
    more = {"brackets": {"open", "close"}, "indents": {"indent", "end"}, "outline": {"name", "item", "context"}}
    for path in (folder / "languages" / "gamedsl").glob("*.scm"):
        used = set(re.findall(r"(?<=@)[a-z.]+", re.sub(r"(?m)^;.*", "", path.read_text(encoding="utf-8"))))
        assert used <= more.get(path.stem, {"comment.inclusive", "string"} if path.stem == "overrides" else names), path
    cargo = tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))
    assert cargo["package"]["version"] == about["version"] and cargo["lib"]["crate-type"] == ["cdylib"]
