"""The grammar → a grammar for constrained decoding, in the dialect of Lark that llguidance and XGrammar read.

A decoder knows no indentation and does not ask a parser whether a word is a keyword at its place, so there are rules for each level of
indentation, and for each place with other keywords. A line of level k begins with 2 k spaces. The words of the grammar become terminals
with the space after them; a line may continue after a sign or word after which it must.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable
from string import ascii_lowercase, ascii_uppercase, digits

from gamedsl.language.grammars.contextual_rules import INDENTATION, Terminal, Use, contextual_rules
from gamedsl.language.grammars.read_contexts import ANY_NAME, special_words, text_of
from gamedsl.language.grammars.shared_rules import shared_rules
from gamedsl.language.source import UNFIT
from gamedsl.language.syntax import HARD_WORDS, MOST_NUMBER

_HEAD = "// Made from grammar/gamedsl.lark by `python -m gamedsl.language.grammars.derived_files`: do not edit.\n"
_UNFIT = UNFIT.replace("\\ud800-\\udfff", "")  # without surrogates, which are no text
_COMMENT = rf"(#([^{_UNFIT}]|\t)*)?"
_NOTES = rf"(@[A-Za-z0-9]([A-Za-z0-9._()\-]*[A-Za-z0-9_)])?[ \t]*)*{_COMMENT}"
_NEXT = rf"{_NOTES}\n([ \t]*{_COMMENT}\n)*[ \t]*"  # to the next line, which continues this one
_REST = "[A-Za-z0-9_]*"
# No part of a pattern has to be given back: the decoder reads ahead once.
_SHARED = {
    "BLANK": rf"/[ \t]*{_COMMENT}\n/",
    "LINE_END": rf"/{_NOTES}\n/",
    "GAP": r"/[ \t]*/",
    "GAP_S": r"/[ \t]+/",
    "NEXT": f"/{_NEXT}/",
    "MORE": rf"/[ \t]*({_NEXT})?/",
    "MORE_S": rf"/[ \t]+({_NEXT})?|{_NEXT}/",
    "LINE": r"/\n[ \t]*/",
    "ANY_LINE": r"/(\n[ \t]*)?/",
}
_PATTERNS = {
    "INT": f"/0*([0-9]{{1,9}}|{MOST_NUMBER})/",
    "STRING": rf'/"([^"\\{_UNFIT}]|\\["\\])*"/',
    "DIE": "/d[0-9]+/",
}


def decoding_grammar() -> str:
    """Returns the grammar. Takes half a minute."""
    rules = shared_rules(*contextual_rules())
    terminals = dict.fromkeys(
        p for bodies in rules.values() for body in bodies for p in body if isinstance(p, Terminal)
    )
    names: dict[Hashable, str] = {}
    used: Counter[str] = Counter()
    for rule in rules:
        plain = _rule_name(rule)
        used[plain] += 1
        names[rule] = plain if used[plain] == 1 else f"{plain}_{used[plain]}"
    kinds = dict.fromkeys(t.words for t in terminals if t.name == "NAME")
    numbers = {words: f"NAME_{number}" for number, words in enumerate(kinds, 1)}
    begun: dict[str, str] = {}  # patterns of names by their first letter, and what they are called
    patterns: dict[str, str] = {}
    for terminal in terminals:
        names[terminal], patterns[names[terminal]] = _terminal(terminal, numbers, begun)
    names |= {t: "line_end" for t in terminals if t.name == "_NL"}
    lines = [
        f"{names[r]}: {' | '.join(' '.join(names[p] for p in body) for body in found)}" for r, found in rules.items()
    ]
    patterns = {name: pattern for name, pattern in sorted(patterns.items()) if name != "_NL"} | _SHARED
    patterns |= {name: pattern for pattern, name in begun.items()}
    words = "".join(f"{name}: {pattern}\n" for name, pattern in patterns.items())
    return (
        f"{_HEAD}\nstart: BLANK* {names[next(iter(rules))]}*\nline_end: LINE_END BLANK*\n"
        + "\n".join(lines)
        + f"\n{words}"
    )


def _rule_name(rule: Hashable) -> str:
    if not isinstance(rule, Use):
        return "r_rest"
    name = "r_" + re.sub(r"\W+|__+", "_", "_".join(part.symbol for part in rule.parts)).strip("_").lower()
    return name if rule.level < 0 else f"{name}_{rule.level}"


def _terminal(terminal: Terminal, numbers: dict[frozenset[str], str], begun: dict[str, str]) -> tuple[str, str]:
    """Returns the name and the pattern of a terminal."""
    name, gaps, words, goes_on, is_new, level = terminal
    if name == INDENTATION:
        return f"{name}_{level}", f'"{"  " * level}"'
    spaced = "MORE" if goes_on or "line" in gaps else "GAP"
    after, suffix = {
        frozenset(): ("", ""),
        frozenset({"none"}): ("", "_N"),
        frozenset({"space"}): (f" {spaced}_S", "_S"),
        frozenset({"line"}): (" NEXT", "_L"),
        frozenset({"space", "line"}): (" MORE_S", "_S"),
        frozenset({"none", "line"}): (" NEXT?", "_NL"),
        frozenset({"none", "space"}): (f" {spaced}", ""),
        frozenset({"none", "space", "line"}): (" MORE", ""),
    }[gaps]
    if name == "NAME":
        return numbers[words] + suffix, _name_pattern(words, begun) + after
    before = "LINE " if is_new else "ANY_LINE " if name.startswith(("RIGHT", "INNER")) else ""
    pattern = _PATTERNS.get(name) or f'"{text_of(name.removeprefix("INNER_"))}"'
    return f"{'L' if is_new else 'C' if spaced == 'MORE' else 'T'}_{name}{suffix}", before + pattern + after


def _name_pattern(words: frozenset[str], begun: dict[str, str]) -> str:
    """Returns the pattern of names. Those that begin with the same letter share theirs with other kinds of names, in ``begun``."""
    if ANY_NAME not in words:
        return f"/({'|'.join(sorted(words))})/"
    refused = HARD_WORDS | (special_words() - words)
    firsts = sorted({word[0] for word in refused})
    ways = [f"/[{_ranges(set(ascii_lowercase + ascii_uppercase + '_') - set(firsts))}]{_REST}/"]
    for letter in firsts:
        pattern = f"/{letter}{_completion(letter, {word for word in refused if word[0] == letter})}/"
        ways.append(begun.setdefault(pattern, f"NAME_{letter.upper()}_{len(begun)}"))
    return f"({' | '.join(ways)})"


def _completion(begun: str, refused: set[str]) -> str:
    """Returns the pattern of what completes these letters to a name other than some words."""
    words = {word for word in refused if word.startswith(begun)}
    following = sorted({word[len(begun)] for word in words if word != begun})
    ways = [letter + _completion(begun + letter, words) for letter in following]
    others = f"[{_ranges(set(ascii_lowercase + ascii_uppercase + digits + '_') - set(following))}]{_REST}"
    return f"({'|'.join([others, *ways])})" + ("" if begun in words else "?")


def _ranges(letters: set[str]) -> str:
    """Returns letters as they are written in brackets."""
    found: list[list[str]] = []
    for letter in sorted(letters):
        if found and ord(letter) == ord(found[-1][-1]) + 1:
            found[-1].append(letter)
        else:
            found.append([letter])
    return "".join("".join(run) if len(run) < 3 else f"{run[0]}-{run[-1]}" for run in found)
