"""The grammar → a TextMate grammar, for editors that color a text before the language server answers, or without it.

A TextMate grammar reads a text from the top by regular expressions. A declaration is a region that ends where a line is not
indented more; a line is a region inside it, by its first word; a word is a keyword if the word or sign before it allows that in
such a line.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from gamedsl.language.grammars.line_kinds import BEGIN, LineKinds, Pairs, heads, line_kinds
from gamedsl.language.rules import builtin_words
from gamedsl.language.syntax import GOES_ON, HARD_WORDS, language

Rule: TypeAlias = dict[str, Any]

# Words of the language that all highlighters color as operators, and as values.
OPERATORS = frozenset({"and", "or", "not", "in", "within", "disjoint", "meets", "is", "div", "mod"})
CONSTANTS = frozenset({"yes", "no", "none"})
_HARD = frozenset(language().keywords[w] for w in HARD_WORDS)
_KEYWORD = {"name": "keyword.other.gamedsl"}
_B = r"\b"
_NAMELESS = frozenset({"CLAIM", "FORBID"})  # a name after these is one of the rules
_AT_END = r"(?=\s*(?:@\S+\s*)*(?:#.*)?$)"
_BACK = r"^(?=[^\s#)\]}])"  # a line that is not indented: whatever is open there, a declaration begins


def textmate_grammar() -> Rule:
    """Returns the grammar as data."""
    repository: dict[str, Rule] = {"shared": {"patterns": list(_shared())}, "continued": _all_continued()}
    for head, pairs in heads().items():
        repository[f"{head}-first"] = _words(f"{head}-first", pairs)
        kinds = line_kinds()[head]
        for terminal, inside in kinds.keyed.items():
            repository[f"{head}-{terminal}"] = _words(f"{head}-{terminal}", inside)
        # A line without a kind of its own continues the first.
        repository[f"{head}-other"] = _words(f"{head}-other", kinds.other if kinds.other.found else pairs)
        repository[head] = _declaration(kinds)
    repository = _without_repetition(repository)
    repository["declarations"] = {"patterns": [{"include": f"#{head}"} for head in heads()]}
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "gamedsl",
        "scopeName": "source.gamedsl",
        "fileTypes": ["gdl"],
        "patterns": [{"include": "#declarations"}, {"include": "#shared"}],
        "repository": repository,
    }


def _declaration(kinds: LineKinds) -> Rule:
    """A declaration and the lines that are indented more."""
    head = kinds.head
    holds = [{"include": "#declarations"}] if head in ("PART", "IN") else []
    return {
        "begin": rf"^([ \t]*)({_word(head)})\b",
        "beginCaptures": {"2": _scope("keyword.other.declaration")},
        "end": r"^(?!\1[ \t]|[ \t]*(?:#|$))",
        "patterns": [
            *holds,
            _line(r"\G(?=[ \t]*\S)", f"{head}-first", _declared(heads()[head])),
            {"match": r"^\s*#.*$", "name": "comment.line.number-sign.gamedsl"},
            *(_keyed(head, terminal) for terminal in sorted(kinds.keyed)),
            _line(r"^\s*(?=[^\s#])", f"{head}-other"),
        ],
    }


def _keyed(head: str, terminal: str) -> Rule:
    rule = _line(rf"^\s*({_word(terminal)})", f"{head}-{terminal}")
    kind = "keyword.other" if head in ("LOOK", "INFO", "NOTATION", "GAME", "BOARD") else "keyword.control"
    return rule | {"beginCaptures": {"1": _scope(kind)}}


def _line(begin: str, words: str, first: Iterable[Rule] = ()) -> Rule:
    """A logical line: it ends with the line of text, unless a bracket is open there or its last word makes it continue."""
    patterns = [*first, {"include": "#continued"}, {"include": f"#{words}"}]
    return {"begin": begin, "end": rf"$|{_BACK}", "patterns": patterns}


def _all_continued() -> Rule:
    signs = sorted((s for s in GOES_ON if not s[0].isalpha()), key=lambda s: (-len(s), s))
    words = rf"(?<!\bwhat it )\b(?:{_choice(sorted(w for w in GOES_ON if w[0].isalpha()))})"
    return {
        "patterns": [
            _continued(words, "keyword.operator.word"),
            _continued(_choice(map(re.escape, signs)), "keyword.operator"),
        ]
    }


def _continued(last: str, scope: str) -> Rule:
    """The end of a line that continues on the next line with words."""
    return {
        "begin": f"(?:{last}){_AT_END}",
        "beginCaptures": {"0": _scope(scope)},
        "end": r"^(?!\s*(?:#|$))",
        "patterns": [{"include": "#shared"}],
    }


def _declared(pairs: Pairs) -> Iterator[Rule]:
    """The name that a declaration gives."""
    (head,) = pairs.first()
    following = {b for a, b in pairs.found if a == head}
    if "NAME" in following and head not in _NAMELESS:
        yield {"match": r"\G[ \t]+([A-Za-z_]\w*)", "captures": {"1": _scope("entity.name.declaration")}}


def _words(name: str, pairs: Pairs) -> Rule:
    """What stands in a kind of line."""
    texts = language().texts
    keywords = {t for t in pairs.terminals() if t in texts and texts[t][0].isalpha()} | _HARD
    places: dict[str, list[str]] = defaultdict(list)  # words by the places where they are keywords
    leading = []
    for terminal in sorted(filter(_is_soft, keywords)):
        before = pairs.before(terminal) - {BEGIN}
        if before:
            places[_place(before, keywords)].append(_word(terminal))
        if any(texts.get(one) in GOES_ON or one.startswith("LEFT") for one in before):
            leading.append(_word(terminal))
    rules: list[Rule] = [
        {"match": f"{place}(?:{_choice(words)})", "name": _KEYWORD["name"]} for place, words in places.items()
    ]
    if leading:
        rules.append({"match": rf"^\s*({_choice(leading)})", "captures": {"1": _KEYWORD}})
    bracket = {"begin": r"[(\[{]", "end": rf"[)\]}}]|{_BACK}", "patterns": [{"include": f"#{name}"}]}
    return {"patterns": [bracket, *rules, {"include": "#shared"}]}


def _is_soft(terminal: str) -> bool:
    """Whether a word is a name where the parser does not take the keyword."""
    return terminal in language().tables.patterns or language().texts[terminal] not in HARD_WORDS


def _place(before: set[str], keywords: set[str]) -> str:
    """The pattern of a place after some terminals in a line that can hold these keywords."""
    texts = language().texts
    behind: set[str] = set()
    for one in before:
        text = texts.get(one)
        if text is None:
            behind |= {'"', '" '} if one == "STRING" else {r"\w "}
        elif text[0].isalpha():
            behind.add(rf"\b{text} ")
        else:
            behind |= {re.escape(text), re.escape(text) + " "}
    unless = ""
    if r"\w " in behind:  # after a name, that is: after a keyword only if that can precede, or if it is a name there
        behind = {b for b in behind if not b.startswith(r"\b")}
        never = sorted({texts[k] for k in keywords - before})
        names = [k for k in never if k not in HARD_WORDS]
        is_name = _choice(rf"\b{k} {k} |\.{k} " for k in names)
        unless = f"(?:(?<!{_choice(rf'{_B}{k} ' for k in never)})" + (f"|(?<={is_name}))" if names else ")")
    return f"(?<={_choice(sorted(behind))}){unless}"


def _shared() -> Iterator[Rule]:
    """What is the same everywhere."""
    tables = language().tables
    names = builtin_words()
    others = sorted(HARD_WORDS - OPERATORS - CONSTANTS)
    signs = sorted((s for s in language().signs if not re.fullmatch(r"[()\[\]{},:.]", s)), key=lambda s: (-len(s), s))
    for name, pattern in (
        ("comment.line.number-sign", tables.patterns["COMMENT"].replace(r"[^\n]*", ".*$")),
        ("string.quoted.double", tables.patterns["STRING"]),
        ("storage.type.citation", tables.patterns["CITATION"]),
        ("constant.numeric.integer", r"\b[0-9]+\b"),
        ("keyword.operator.word", rf"\b(?:{_choice(sorted(OPERATORS))})\b"),
        ("constant.language", rf"\b(?:{_choice(sorted(CONSTANTS))})\b"),
        ("keyword.control", rf"\b(?:{_choice(others)})\b"),
        ("support.function.builtin", rf"\b(?:{_choice(sorted(names))})\b"),
        ("variable.other", r"\b[A-Za-z_][A-Za-z0-9_]*\b"),
        ("keyword.operator", _choice(map(re.escape, signs))),
    ):
        yield {"name": f"{name}.gamedsl", "match": pattern}


def _word(terminal: str) -> str:
    """The pattern of a keyword."""
    known = language()
    if terminal in known.tables.patterns:
        pattern = known.tables.patterns[terminal]
        return rf"\b{pattern}" if "(?" in pattern else rf"\b{pattern}\b"
    return rf"\b{known.texts[terminal]}\b"


def _scope(name: str) -> Rule:
    return {"name": f"{name}.gamedsl"}


def _choice(words: Iterable[str]) -> str:
    return "|".join(words)


def _without_repetition(repository: dict[str, Rule]) -> dict[str, Rule]:
    """Rules that are equal but for their names become one."""
    first: dict[str, str] = {}
    same = {name: first.setdefault(_text(rule).replace(f'"#{name}"', '"#"'), name) for name, rule in repository.items()}

    def renamed(part: Any) -> Any:
        if isinstance(part, dict):
            return {k: f"#{same[v[1:]]}" if k == "include" and v[1:] in same else renamed(v) for k, v in part.items()}
        return [renamed(one) for one in part] if isinstance(part, list) else part

    return {name: renamed(rule) for name, rule in repository.items() if same[name] == name}


def _text(rule: Rule) -> str:
    return json.dumps(rule, sort_keys=True)
