"""What the parser makes of a word, by what it has read: which words are keywords there, and what must follow them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from gamedsl.language.grammars.line_kinds import edge_terminals, productions
from gamedsl.language.grammars.narrow_rules import Part
from gamedsl.language.syntax import GOES_ON, HARD_WORDS, language, line_starters

ANY_NAME = "x"  # stands for the names that are no word of the language
LAYOUT = ("_NL", "_INDENT", "_DEDENT")
_SAMPLES = {"INT": "1", "STRING": '"x"', "DIE": "d6", "_NL": "", "_INDENT": "", "_DEDENT": ""}


Gap = Literal["none", "space", "line"]  # after a word; in brackets, a space may be a new line


class Pending(NamedTuple):
    """The text since a word that is read by what follows: ``pattern`` must match it, or must not."""

    pattern: str
    matches: bool
    text: str


class Context(NamedTuple):
    """What decides how the next word is read.

    ``keywords``: words that are no names here; ``guarded``: terminals that the parser takes if their patterns match; ``is_joined``: the
    last word has no space after it; ``is_new``: the line goes on in a new one, which a word that begins lines would end.
    """

    keywords: tuple[str, ...] = ()
    guarded: tuple[str, ...] = ()
    is_joined: bool = False
    is_new: bool = False
    pending: tuple[Pending, ...] = ()


class Reading(NamedTuple):
    """A way to read a terminal: the words that it can be, what is after it, and the context there."""

    words: frozenset[str]
    gap: Gap
    after: Context


def state_after(state: int, part: str) -> int:
    return language().tables.rows[state][part]


@cache
def special_words() -> frozenset[str]:
    """Returns the words of the language that can be names where they are no keywords."""
    return (frozenset(language().keywords) | {text_of(name) for name in _guards()}) - HARD_WORDS


@cache
def _guards() -> dict[str, str]:
    """Returns the patterns of the terminals that look ahead, in the order in which they are tried."""
    return {name: pattern for found in language().guarded.values() for name, pattern in found if "(?" in pattern}


def text_of(terminal: str) -> str:
    return _SAMPLES.get(terminal) or language().texts.get(terminal, "")


def is_word(terminal: str) -> bool:
    return terminal == "NAME" or text_of(terminal)[:1].isalnum()


@cache
def context_for(context: Context, part: Part) -> Context | None:
    """Returns what a context means for the words with which a part of a rule can begin; None if it cannot follow."""
    if part.symbol == "declaration":  # each is parsed on its own
        return Context()
    firsts = edge_terminals(part.symbol, last=False)
    words = {t for t in firsts if is_word(t)}
    if context.is_joined and words == firsts and not part.is_inner_else:
        return None
    texts = {text_of(t) for t in words}
    if context.is_new and len(words) == len(firsts) and texts <= line_starters() and "NAME" not in words:
        return None
    return Context(
        context.keywords if "NAME" in firsts else (),
        tuple(name for name in context.guarded if "NAME" in firsts or text_of(name) in texts),
        context.is_joined and bool(words),
        context.is_new and ("NAME" in firsts or not texts.isdisjoint(line_starters())),
        tuple(p for p in context.pending if any(_can_fail(p, t) for t in firsts)),
    )


@cache
def readings(part: Part, state: int, context: Context) -> tuple[Reading, ...]:
    """Returns the ways to read a terminal where the parser is in a state."""
    terminal = part.symbol
    if context.is_joined and is_word(terminal) and not part.is_inner_else:
        return ()
    found: dict[tuple[Pending, ...], set[str]] = {}
    for text in part.form if terminal == "NAME" and part.form else _texts(terminal):
        if (context.is_new and text in line_starters()) or (terminal == "NAME" and text in context.keywords):
            continue
        judged = [_judged(p, text) for p in context.pending]
        if None not in judged:
            still = tuple(p for some in judged for p in some or ()) + _begun(terminal, text, context)
            found.setdefault(still, set()).add(text)
    keywords, guarded = _tried(state_after(state, terminal))
    return tuple(
        Reading(
            frozenset(some),
            gap,
            Context(
                keywords,
                guarded,
                is_word(terminal) and gap == "none",
                gap == "line",
                tuple(_spaced(p, gap != "none") for p in still),
            ),
        )
        for still, some in found.items()
        for gap in _gaps(part)
    )


def _gaps(part: Part) -> tuple[Gap, ...]:
    if part.symbol in LAYOUT:
        return ("none",)
    return ("space", "none", "line") if goes_on(part) and not part.is_inside else ("space", "none")


def goes_on(part: Part) -> bool:
    """Returns whether a line may end after a terminal and go on with the next one."""
    if part.symbol == "ELSE":
        return part.is_inner_else
    return text_of(part.symbol) in GOES_ON or part.symbol.startswith("LEFT")


@cache
def _tried(state: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the words that are keywords in a state of the parser, and the guarded terminals that it tries."""
    row, known = language().tables.rows[state], language()
    keywords = {text for text, name in known.keywords.items() if name in row} - HARD_WORDS
    return tuple(sorted(keywords)), tuple(name for name in _guards() if name in row)


def _begun(terminal: str, text: str, context: Context) -> tuple[Pending, ...]:
    """Returns what a word makes pending: the patterns tried before its terminal must not match, and its own must."""
    tried = [name for name in context.guarded if text_of(name) == text]
    before = tried[: tried.index(terminal)] if terminal in tried else tried
    own = (Pending(_guards()[terminal], True, text),) if terminal in _guards() else ()
    return (*(Pending(_guards()[name], False, text) for name in before), *own)


@cache
def _judged(pending: Pending, text: str) -> tuple[Pending, ...] | None:
    """Returns what is pending after one more word: nothing or one; None if the word cannot follow. No text: the line ends."""
    if text[:1].isalpha() and text not in re.findall("[a-z]+", pending.pattern.partition("(?=")[2]):
        text = ANY_NAME  # which the pattern does not distinguish from it
    read = pending.text + text if text else pending.text.rstrip()
    ways = {bool(re.match(pending.pattern, read + more)) for more in ("", *(_following(read) if text else ()))}
    if len(ways) == 2:
        return (pending._replace(text=read),)
    return () if ways == {pending.matches} else None


def _following(read: str) -> Iterator[str]:
    """Yields what can follow a text: a space and one word."""
    for text in (ANY_NAME, *_SAMPLES.values(), *language().keywords, *language().signs):
        yield f" {text}"
        if not (read[-1:].isalnum() and text[:1].isalnum()):
            yield text


@cache
def _can_fail(pending: Pending, terminal: str) -> bool:
    """Returns whether what is pending can turn out wrong at a terminal or at those that can follow it."""
    for text in _texts(terminal):
        judged = _judged(pending, text)
        if judged is None:
            return True
        for still in judged:
            for gap in (True, False):
                followers = _followers()[terminal]
                if any(
                    _can_fail(_spaced(still, gap), t)
                    for t in followers
                    if gap or not (is_word(terminal) and is_word(t))
                ):
                    return True
    return False


@cache
def _followers() -> dict[str, frozenset[str]]:
    """Returns the terminals that follow each terminal somewhere."""
    found: dict[str, set[str]] = {}
    for alternatives in productions().values():
        for left, right in (pair for parts in alternatives for pair in pairwise(parts)):
            for terminal in edge_terminals(left, last=True):
                found.setdefault(terminal, set()).update(edge_terminals(right, last=False))
    return {name: frozenset(some) for name, some in found.items()}


def _texts(terminal: str) -> Iterable[str]:
    return (ANY_NAME, *sorted(special_words())) if terminal == "NAME" else (text_of(terminal),)


def _spaced(pending: Pending, is_spaced: bool) -> Pending:
    return pending._replace(text=pending.text + " ") if is_spaced else pending
