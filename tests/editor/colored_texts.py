"""Texts for highlighters: all shipped rulesets, the layouts that none of them has, and mistakes in them."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from gamedsl.language.syntax import token_kinds

ROOT = Path(__file__).resolve().parents[2]
RULESETS = sorted([*ROOT.glob("rulesets/**/*.gdl"), *ROOT.glob("templates/**/*.gdl")])
Edit = tuple[int, int, str]
Kinds = list[tuple[int, str]]


@cache
def real_kinds(text: str) -> Kinds:
    """The kind of every character that is not space, as the parser reads its word."""
    pieces = [p for p in token_kinds(text) if p.kind != "space"]
    return [(p.start + i, p.kind) for p in pieces for i, c in enumerate(p.text) if not c.isspace()]


# What the shipped rulesets do not show: lines that go on, and what ends them.
LAYOUTS = (
    'game "a"',
    "",
    "\n# only a comment\n",
    'game "a" # why\n  by "b"   # who\n# between\n\n  source "c"\n#end',
    "define a =\n  1 +\n  2\ndefine b = 3\n",
    "define a = if b then 1\nelse 2\ndefine c = d\n  and e\nor f\n",
    "define a = (b,\n  c,  # why\n\n  d)\ndefine e = {f,\ng, h}\n",
    "define a = b in\n  c @3.1 @3.2\nmove go @4\n  @5\n  when a = # x\n    b\n",
    "play\n  turns from a\n    b plays go\n      stuck\n        skip\n    if c\n      skip\n    else if d\n      skip\n"
    "    else\n      skip\n  repeat\n    skip\n  until e\n  draw\n",
    "board drawing up to 4 spaces\n  a: closed curve\n    crosses what it meets\n    simple\n  b: straight line\npiece c\n",
    "part duel\n  state\n    a: 0..1 = 0\n  play\n    draw\npart other\n  play\n    draw\n",
    "state\n\ta: 0..1 = 0\n    b: 0..1 = 1\n",
    "define a = count(b) + (count c in d: e) + max(1, 2)\ndefine f = max of g for h in i or 0\n",
    'define a = (b or\n  c)\ninfo\n  goal "} (" if a\n',
)


def declarations(text: str) -> list[int]:
    """Where declarations begin."""
    return [m.start() for m in re.finditer(r"(?m)^[a-z]", text)]


def a_mistake(text: str, chance: random.Random) -> Edit:
    """A half-written line, a lost word or a stray sign, somewhere inside of a line."""
    lines = [m for m in re.finditer(r"(?m)^.*\S.*$", text) if not m[0].lstrip().startswith("#")]
    line = chance.choice(lines)
    words = list(re.finditer(r"\w+|[^\w\s]", line[0]))
    word = chance.choice(words)
    start, end = line.start() + word.start(), line.start() + word.end()
    return chance.choice(
        [(start, line.end(), ""), (start, end, ""), (start, start, chance.choice(["x ", "( ", "= ", "when ", "] "]))]
    )


def outside_kinds(text: str, edit: Edit, *kinds: Kinds) -> list[Kinds]:
    """The kinds of characters of a text after an edit, without those of the declaration in which the edit was made."""
    start, end, new = edit
    grown = len(new) - (end - start)
    begin = max([at for at in declarations(text) if at <= start], default=0)
    following = min([at for at in declarations(text) if at > start], default=len(text)) + grown
    return [[kind for kind in one if not begin <= kind[0] < following] for one in kinds]
