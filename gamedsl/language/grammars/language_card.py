"""The language on one page, for programs that write rules: every form with its meaning in a sentence, made of
``grammar/words.yaml``, the names of builtins, and whole games.
"""

from __future__ import annotations

import re
from itertools import groupby

from gamedsl.language.rules import builtin_names, signature
from gamedsl.language.source import resource_path
from gamedsl.language.syntax import HARD_WORDS, word_entries

GAMES = ("hex", "cards")
_SHORT = 75  # characters of a meaning

_HEAD = """\
# gamedsl: the language on one page

A ruleset is a text file (`NAME.gdl`) of declarations. Blocks are indented by two spaces; `#` begins a comment; names are ASCII letters, \
digits and `_`; strings are in double quotes. A line continues inside brackets, after an operator, and before `and` or `or`. There \
are no floats, no assignment by `=` (write `set x to 3`), and no variables that change outside `state`. These words are never names: \
{hard}.

Every ruleset needs `players` and exactly one `play`. A move is a name with parameters, guards (`when F "reason"`) and effects; it is \
legal for the parameters for which all guards hold. `me` is the player who acts, `rival` the other of two, `turn` counts. Boards give \
the type `cell` and sets such as `cell`, `empty`; `stone[me]` is the set of places of my stones, `stone` of all. Types: ranges `0..9`, \
`bool`, `player`, `cell`, `{{a, b}}`, `set of T`, `T?` (or none), `A -> B` (a table; read it by `name[a]`). All ranges are finite, and the \
game must end: a loop has a bound.

Work like this: write, check (`gamedsl check NAME.gdl --format json` gives places and edits), then examples (`NAME.examples.yaml`), then \
`gamedsl test`, then claims and `gamedsl verify`. Below, capitals are for what you write: E an expression, F a condition, \
S a set; `...` means more of the same, and ⏎ a new line, indented \
where it is inside the line before.
"""


def language_card() -> str:
    """Returns the page."""
    parts = [_HEAD.format(hard=", ".join(f"`{w}`" for w in sorted(HARD_WORDS)))]
    for group, entries in groupby(word_entries(), lambda entry: entry.group):
        lines = [f"- `{_on_one_line(entry.form)}`{_meaning(entry.meaning)}" for entry in entries]
        parts.append("\n".join([f"## {group[0].upper()}{group[1:]}", "", *lines]) + "\n")
    found = [found for name in builtin_names() if (found := signature(name)) is not None]
    parts.append("## Builtins\n\n" + ", ".join(f"`{label}`" for label, _ in found) + "\n")
    for kind in GAMES:
        text = resource_path("templates", kind, "rules.gdl").read_text(encoding="utf-8")
        parts.append(f"## A whole game: {kind}\n\n```gdl\n{text.replace('$title', kind.capitalize())}```\n")
    return "\n".join(parts)


def _on_one_line(form: str) -> str:
    return re.sub(r"\n\s*", " ⏎ ", form.strip())


def _meaning(meaning: str) -> str:
    first = re.split(r"(?<=[.:;])\s", meaning.strip().replace("\n", " "))[0].rstrip(".:;")
    return f": {first}" if len(first) <= _SHORT else ""
