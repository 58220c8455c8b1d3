"""The table of the classics: ``python benchmarks/library_sizes.py`` writes docs/library.md, ``--check`` fails if it is out of date.

Lines: those with words on them (no empty lines, no comments). Tokens: words, numbers, strings and signs; a string is one
token. *Rules* leaves out what other systems keep outside of a description or have nothing like: ``game``, ``look``,
``notation``, ``info`` and claims. The last column is the first paragraph of a game's test file.
"""

from __future__ import annotations

import ast as python
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from gamedsl.language.source.text import Source
from gamedsl.language.syntax.parse.language import language
from gamedsl.language.syntax.parse.scanner import TextLines

ROOT = Path(__file__).resolve().parents[1]
CLASSICS = ROOT / "rulesets" / "classics"
TESTS = ROOT / "tests" / "games" / "classics"
PAGE = ROOT / "docs" / "library.md"
BESIDE_THE_RULES = {"game", "look", "notation", "info", "claim"}

# Words of Ludii's description of the same game (repository Ludeme/Ludii, files of versions 1.2.7 to 1.3.10): its defines and
# its `game` with the options that give the same rules; brackets, other options and metadata are not counted.
LUDII = {
    "breakthrough": 56, "connect-four": 67, "havannah": 34, "hex": 45, "m-n-k": 29, "reversi": 101, "yavalath": 37,
}  # fmt: skip

HEAD = """\
# The library of classics

Written by `python benchmarks/library_sizes.py`; do not edit.

Known games as rulesets, in `rulesets/classics/`: to play (`gamedsl play hex --set n=7`), to copy from, and to hold
the language and the engine against numbers that come from elsewhere. All of them are checked and formatted, have
examples and a rulebook, are played at random to the end by the tests, and do the same in machine code as in the engine.

Each names a public rule set in its `source`; a comment such as `# FIDE 3.6` says which numbered rule a line carries out,
and where the rule set has no numbers, `# Gasser 2, on mills` names the section or the passage in our own words.

*Lines* are lines with words on them, without empty lines and comments. *Tokens* are words, numbers, strings and signs; a
string counts as one. *Rules* leaves out the declarations `game`, `look`, `notation`, `info` and the claims: what is left is
what other systems call the description of a game. *Words* are its tokens without the signs. A variant's figures are
those of the few lines it is written in.

*Ludii* is the number of words in Ludii's description of the same game, counted in the same way: its `define`s and its
`game`, with the options that give these rules, without metadata and without the other options. Ludii's words often stand
for a whole rule, such as `Line`, `Connected` or `Loop`; here such a rule is written out. Our words contain the options
with what they mean, and the message of every condition.
"""


@dataclass(frozen=True)
class Size:
    """Lines and tokens of a ruleset, all of it and its rules alone."""

    lines: int
    tokens: int
    rule_lines: int
    rule_words: int


def size_of(path: Path) -> Size:
    """Counts a ruleset's lines and tokens."""
    lines = tokens = rule_lines = rule_words = 0
    in_rules = True
    physical = TextLines(Source(str(path), path.read_text(encoding="utf-8")), language())
    for line in map(physical.__getitem__, range(len(physical))):
        if not line.words:
            continue
        if line.indent == 0:
            in_rules = line.words[0].text not in BESIDE_THE_RULES
        lines += 1
        tokens += len(line.words)
        rule_lines += in_rules
        rule_words += sum(word.kind != "sign" for word in line.words) * in_rules
    return Size(lines, tokens, rule_lines, rule_words)


def title_of(path: Path) -> str:
    """The title in the ruleset's ``game`` line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("game "):
            return line[len("game ") :].strip('"')
    return path.stem


def checked_against(name: str) -> str:
    """The first paragraph of the test file named after a game, or of one that names it; and whether a test compares the
    game with OpenSpiel's."""
    own = TESTS / f"test_{name.replace('-', '_')}.py"
    naming = [p for p in sorted(TESTS.glob("test_*.py")) if f'"{name}"' in p.read_text(encoding="utf-8")]
    rooms = [p for p in naming if p.stem != "test_open_spiel"]
    sources = [own] if own.is_file() else sorted(rooms, key=lambda p: p.stem.startswith("test_library"))
    text = python.get_docstring(python.parse(sources[0].read_text(encoding="utf-8"))) if sources else None
    told = " ".join((text or "its examples").split("\n\n")[0].split()).rstrip(".")
    peers = TESTS / "peers.py"
    also = peers.is_file() and re.search(rf'Pair\(\s*"{re.escape(name)}"', peers.read_text(encoding="utf-8"))
    if (TESTS / f"{own.stem}_peer.py").is_file():
        return f"{told}; turn by turn against OpenSpiel"
    return f"{told}; move by move against OpenSpiel" if also else told


def page() -> str:
    """The whole page."""
    paths = sorted(CLASSICS.glob("*.gdl"))
    sizes = {path: size_of(path) for path in paths}
    out = [HEAD, "| Game | Lines | Tokens | Rules: lines | Rules: words | Ludii | Checked against |"]
    out.append("|---|---:|---:|---:|---:|---:|---|")
    for path, s in sizes.items():
        figures = f"{s.lines} | {s.tokens} | {s.rule_lines} | {s.rule_words} | {LUDII.get(path.stem, '')}"
        out.append(f"| {title_of(path)} (`{path.stem}`) | {figures} | {checked_against(path.stem)} |")
    lines, tokens = sum(s.lines for s in sizes.values()), sum(s.tokens for s in sizes.values())
    return "\n".join([*out, "", f"Together {len(paths)} rulesets, {lines} lines, {tokens} tokens.", ""])


def main() -> int:
    text = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text:
            print("docs/library.md is out of date: run python benchmarks/library_sizes.py")
            return 1
        return 0
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
