"""The example of a form → a whole ruleset that checks: what the form does not declare itself comes from a small usual game."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamedsl.language.syntax import WordEntry, format_ruleset, parse_text
from scripts.reference.markdown import ROOT

ORIGINAL = "ORIGINAL.gdl"
USUAL = {
    "players": "players X, O",
    "board": "board grid 5 by 5",
    "piece": "piece mark of player",
    "move": 'move place(c: cell)\n  when c in empty "that cell is taken"\n  put mark[me] on c',
    "play": "play\n  turns from X\n    me plays place\n      stuck\n        draw",
}
WANTED = {
    "players": "",
    "board": r"\b(?:cell|mark|man|edge|rim|top_row)\b",
    "piece": r"\bmark\b",
    "move": r"plays place\b|effect|used place|after place|place |move place$",
    "play": "",
}  # the usual declarations, and what in the rest of the ruleset needs them
HOLDERS = ("look", "info", "notation")  # groups whose examples stand below a word
PLACES = {"declarations": "declaration", "claims": "declaration", "types": "declaration", "effects": "effect"}


def example_ruleset(entry: WordEntry) -> str:
    """The ruleset in which the example of a form stands, in the form of the formatter."""
    if entry.is_whole:
        given = entry.given if entry.given.startswith(entry.example) else f"{entry.given}\n{entry.example}"
        return format_ruleset(parse_text(_with_original(given) + "\n"))
    place = _place(entry)
    given = list(_declarations(entry.given))
    if place == "declaration":
        given += [d for d in _declarations(entry.example) if d not in given]
    if place in HOLDERS:
        head = "notation plain" if place == "notation" else place
        given = [d for d in given if not d.startswith(head)] + [f"{head}\n{_indented(entry.example, 1)}"]
    texts = [*_needed(given, f"{place} {entry.example}"), *given]
    texts = [_with_example(text, place, entry.example) for text in texts]
    return format_ruleset(parse_text("\n\n".join(sorted(texts, key=_order)) + "\n"))


def _with_original(text: str) -> str:
    """A variant of a ruleset with a part, of which nothing in the grammar's folder may know the name: the first that is shipped."""
    if ORIGINAL not in text:
        return text
    for path in sorted((ROOT / "rulesets").glob("*.gdl")):
        if part := re.search(r"^part (\w+)", path.read_text(encoding="utf-8"), re.M):
            return text.replace(ORIGINAL, path.name).replace("in part duel", f"in part {part[1]}")
    raise ValueError("no shipped ruleset has a part")


def _place(entry: WordEntry) -> str:
    if entry.place:
        return entry.place
    if entry.group in HOLDERS:
        return entry.group
    is_declaration = entry.example.split()[0] in ("define", "move", "play")
    return PLACES.get(entry.group, "declaration" if is_declaration else "turn")


def _declarations(text: str) -> Iterator[str]:
    """The declarations of a text, each with the lines below it."""
    for part in re.split(r"\n(?=\S)", text.strip("\n")):
        if part.strip():
            yield part


def _needed(given: list[str], example: str) -> Iterator[str]:
    """The usual declarations that these need: each is wanted by what is declared after it."""
    all_of_it = "\n".join([*given, example])
    for word, wanted in reversed(WANTED.items()):
        start = {"piece": "piece mark", "move": "move place"}.get(word, word)
        if not any(re.match(rf"{start}\b", d) for d in given) and re.search(wanted, all_of_it):
            all_of_it += USUAL[word]
            yield USUAL[word]


def _with_example(text: str, place: str, example: str) -> str:
    """A declaration with the example in it: in the move, in the turns, or at the beginning of the course of play."""
    if place == "effect" and text.startswith("move place"):
        return f"{text}\n{_indented(example, 1)}"
    if place == "turn" and text.split()[0] == "play":
        return f"{text}\n{_indented(example, 2)}"
    if place == "play" and text.split()[0] == "play":
        return f"play\n{_indented(example, 1)}\n{text.partition(chr(10))[2]}"
    return text


ORDER = "game use players option type board shape piece token state table define action move forbid play claim look notation info part"


def _order(text: str) -> int:
    return ORDER.split().index(text.split()[0])


def _indented(text: str, times: int) -> str:
    return "\n".join("  " * times + line for line in text.splitlines())
