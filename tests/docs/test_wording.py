"""Rulebooks, messages and docs keep to the style sheet: patterns of translated sentences do not come back.

The patterns are looked for in the rulebooks as they are printed, the pages of codes, the pages of the docs that people
write, and all strings of two words and more of the package, of the web page and of templates of pages. What stands
between backticks is code. ``ALLOWED`` lists the exceptions, with their reasons.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from gamedsl.language.rules import load_program, shipped
from gamedsl.play.terminal.texts.rulebook_text import rulebook

from ..source_trees import nodes_of

ROOT = Path(__file__).resolve().parents[2]
PATTERNS = {
    "a clause that begins with a bare `who`: write `the player who`": r"(?:^|[.:;] )Who\b(?![^.]*\?)|; who\b|\b(?:so does|but) who\b",
    "`own` without a possessive: write `their own`": r"\b(?:the|an|with|no|as|by) own\b",
    "`is no X`: write `is not an X`": r"(?<![Tt]here )\b(?:is|are|was|were) no (?!longer|more|such|other)",
    "`tell` without a person: write show, say or report": r"\b(?:tells?|telling)\b(?! (?:apart|them apart|you|players|everybody))"
    r"|\b(?:is|are|was|were|be|been) told\b|\btold (?:as|by|with|only)\b",
    "`behind`: write `after` or `beyond`": r"\b[Bb]ehind\b",
    "a contraction: write `cannot`, `does not`": r"\b[A-Za-z]+n't\b|\b(?:[Ii]t|[Tt]hat|[Ll]et|[Ww]hat|[Tt]here)'s\b(?! (?:own|first))"
    r"|\b(?:you|they|we)'re\b",
    "`play` as a noun: write `game` or `playout`": r"\b(?:a|the|this|each|every|one|saved|recorded|whole|your|all|many) plays?\b"
    r"(?!-| block| statement| by itself| computes)|\b(?:random|other|more|fewer|these|those|few|two|three) plays\b"
    r"|(?:[0-9]|[}]) plays(?=$|[.,;:)])|\bplays (?:a|per) second|\b(?:of plays|plays of)\b"
    r"|\bplays (?:were|are|end|ended|that (?:was|were|end))\b",
    "`a text`: write `a string`": r"\b(?:[Aa]|this|the same|two|one) text\b(?! (?:file|form|editor))|\b[Tt]exts\b",
    "British spelling": r"\b(?:colour|neighbour|centre|behaviour|favour|recognis|normalis|minimis|maximis|optimis|summaris|serialis"
    r"|misspelt|for ever\b)\w*",
    "German verbs: write `are connected`, `other than`, `in several ways`": r"\bh[au]ngs? together\b|\belse than\b"
    r"|\bon (?:two|several|many|all) ways\b|\bgo(?:es)? round\b",
    "`also here`: write `even here`, or put `too` at the end": r"\balso (?:here|when|what|where)\b",
    "`so many`: write `that many`": r"\bso many\b",
    "`(s)`": r"\w\(s\)",
    "`towards`: write `toward`": r"\btowards\b",
}
OF_MESSAGES = {  # rulebooks may say that a man stands in the way, and that a game goes on
    "`leave out`: write `omit`": r"\b[Ll]eav(?:e|es|ing)\b[^.;:]{0,40} out\b|\bleft out\b",
    "`go on`: write `continue`": r"(?<!\bgame )\b(?:go|goes|going|went) on\b(?! forever)",
    "`stand`: write `be`": r"\b(?:[Ss]tands?|stood|standing)\b(?! for)",
    "the time `is over`: write `runs out`": r"\btime (?:is|was) over\b",
    "`no ... any more`: write `no longer`": r"\bany more\b",
    "a passive without the actor: name gamedsl, the page, the checker": r"\b(?:is|are) (?:refused|asked)\b",
}
COMPILED = {name: re.compile(pattern) for name, pattern in PATTERNS.items()}
COMPILED_OF_MESSAGES = COMPILED | {name: re.compile(pattern) for name, pattern in OF_MESSAGES.items()}
SENTENCE = re.compile(r"[A-Za-z}][\w'’,;:.)]* [\w({“]")  # two words, or a gap and a word
ALLOWED = {
    "Onitama, rules of play (Arcane Wonders, 2014)": "a title",
    "{} may tell": "the words of a claim: `claim results may tell x`",
    "{} may tell {}": "the words of a claim: `claim results may tell x`",
    # part of the Core, of which earlier versions took the digest of their records
    "{} is put where a piece stands": "in records of version 0.1",
    "{} is put where another piece stands": "in records of version 0.1",
    "no {} stands where it is moved from": "in records of version 0.1",
    "nothing stands where it is moved from": "in records of version 0.1",
    "no piece with `{}` stands there": "in records of version 0.1",
}
DOCS = ("*.md", "docs/*.md", "docs/guide", "docs/tutorial", "docs/cookbook", "docs/explanation", "docs/language")
WRITTEN_BY_HAND = ("server.md", "wasm.md", "web.md")  # of the reference
OTHERS = {"CHANGELOG.md", "glossary.md", "library.md"}
# names of the language
QUOTED = ("may tell", "tell moves apart", "tell the move apart")


def found(texts: Iterable[tuple[str, str]], patterns: Mapping[str, re.Pattern[str]] = COMPILED) -> list[str]:
    return [
        f"{place}: {name}: {text}"
        for place, text in texts
        if text not in ALLOWED
        for sentence in [re.sub(r"\{\w+\}", "{}", re.sub(r"`[^`]*`", "`x`", text))]
        for name, pattern in patterns.items()
        if pattern.search(sentence)
    ]


def strings_of_rulesets() -> Iterator[tuple[str, str]]:
    for folder in ("rulesets", "templates"):
        for path in sorted((ROOT / folder).rglob("*.gdl")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line.split("  #")[0]):
                    if SENTENCE.search(text):
                        yield f"{path.name}:{number}", text


def lines_of_pages() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "gamedsl/language/source/pages").glob("*.md")):
        text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
        for line in text.splitlines():
            yield path.stem, line


@cache
def strings_of_the_package() -> tuple[tuple[str, str], ...]:
    """All strings that look like sentences, but no docstrings; a gap of an f-string is ``{}``."""
    texts: list[tuple[str, str]] = []
    for path in sorted(p for p in (ROOT / "gamedsl").rglob("*.py") if p.name != "__init__.py"):  # those list names
        nodes = nodes_of(path)
        skipped = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                skipped.update(id(part) for part in node.values)
                parts = [str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values]
                texts.append((f"{path.name}:{node.lineno}", "".join(parts)))
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
                if SENTENCE.search(node.value):
                    texts.append((f"{path.name}:{node.lineno}", node.value))
    return tuple(texts)


def lines_of_docs() -> Iterator[tuple[str, str]]:
    """Sentences of the pages that people write, without code, links and quotations of the program."""
    patterns = [place if place.endswith(".md") else f"{place}/*.md" for place in DOCS]
    pages = {p for pattern in patterns for p in ROOT.glob(pattern) if p.name not in OTHERS}
    for path in sorted(pages | {ROOT / "docs" / "reference" / name for name in WRITTEN_BY_HAND}):
        text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
        for line in re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`\n]*`", "`x`", text)).splitlines():
            for quoted in QUOTED:
                line = line.replace(quoted, "")
            yield str(path.relative_to(ROOT)), line


def test_pages_of_the_docs() -> None:
    assert found(lines_of_docs()) == []


def test_rulesets_and_templates() -> None:
    assert found(strings_of_rulesets()) == []


def lines_of_rulebooks() -> Iterator[tuple[str, str]]:
    """What players read of every ruleset: its texts, sentences that are made for it, and the list of clauses."""
    for name in shipped():
        for line in rulebook(load_program(name), columns=10_000):
            yield name, line


def test_printed_rulebooks() -> None:
    assert found(lines_of_rulebooks()) == []


def strings_of_the_web_page() -> Iterator[tuple[str, str]]:
    """The strings of the scripts, line by line: a quoted string, or the text of a template between its gaps."""
    for path in sorted((ROOT / "gamedsl/play/web/static").glob("*.js")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.lstrip().startswith(("//", "/*", "*")):
                continue
            for quoted in re.findall(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`', line.split("  // ")[0]):
                text = re.sub(r"\$\{[^}]*\}", "{}", quoted[1:-1]).replace("\\`", "`")
                if SENTENCE.search(text):
                    yield f"{path.name}:{number}", text


def sentences_of_templates() -> Iterator[tuple[str, str]]:
    """What templates of pages say between their tags, attributes that are read, and strings in their expressions."""
    for path in sorted(
        p for kind in ("*.html", "*.md") for p in (ROOT / "gamedsl").rglob(kind) if "pages" not in p.parts
    ):
        written = path.read_text(encoding="utf-8")
        strings = [
            text for code in re.findall(r"\{[{%].*?[}%]\}", written, re.S) for text in re.findall(r'"([^"]*)"', code)
        ]
        shown = re.sub(r"\{#.*?#\}|\{%.*?%\}", "\n", re.sub(r"\{\{.*?\}\}", "{}", written, flags=re.S), flags=re.S)
        named = re.findall(r'(?:title|alt|aria-label|placeholder)="([^"]*)"', shown)
        for text in (*strings, *named, *re.sub(r"<[^>]*>", "\n", shown).splitlines()):
            if SENTENCE.search(text):
                yield path.name, text


def test_templates_of_pages() -> None:
    assert found(sentences_of_templates(), COMPILED_OF_MESSAGES) == []


def test_sentences_of_templates_are_found() -> None:
    """They were once overlooked: a report called its random games otherwise."""
    assert {"{} random games", "a game that shows it"} <= {text for _, text in sentences_of_templates()}


def test_pages_of_codes() -> None:
    assert found(lines_of_pages(), COMPILED_OF_MESSAGES) == []


def test_strings_of_the_package() -> None:
    assert found(strings_of_the_package(), COMPILED_OF_MESSAGES) == []


def test_strings_of_the_web_page() -> None:
    assert found(strings_of_the_web_page(), COMPILED_OF_MESSAGES) == []


@pytest.mark.parametrize(
    ("bad", "good"),
    [
        ("Who cannot move loses.", "A player who cannot move loses."),
        ("two sides of the own color", "two sides of their own color"),
        ("this is no diagram", "there is no diagram"),
        ("the legend tells it", "the legend tells you"),
        ("the square behind it", "the square beyond it"),
        ("it can't move", "it cannot move"),
        ("the play is over", "the player plays on"),
        ("a text in quotes", "a text file"),
        ("the cells hang together", "the cells are connected"),
        ("also when it is empty", "even when it is empty"),
        ("40 plays", "40 games"),
        ("{} plays", "{} playouts"),
        ("random plays", "random games"),
    ],
)
def test_the_patterns_can_fail(bad: str, good: str) -> None:
    assert len(found(iter([("", bad)]))) == 1 and found(iter([("", good)])) == []
