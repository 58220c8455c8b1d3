"""Minimal edits that make a line parse: a word inserted, replaced or removed where the parser stopped.

``repaired`` is for the line of a board and needs only its words. ``repairs`` is for any line and needs the parser's
state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches

from gamedsl.language.source import Edit, Fix, Source, Span, lazy_dataclass
from gamedsl.language.syntax.parse.language import HARD_WORDS, Language
from gamedsl.language.syntax.parse.push_parser import PushParser, Token, UnexpectedToken
from gamedsl.language.syntax.parse.scanner import Word

_MOST_REPAIRS = 3

# Words of other systems and of everyday English, and the corresponding words of the language.
SYNONYMS = {
    "and": (",", "with"), "plus": ("with",), "except": ("without",), "minus": ("without",), "but": ("without",),
    "of": ("by",), "x": ("by",), "square": ("grid",), "rectangle": ("grid",), "rect": ("grid",), "line": ("track",),
    "hexagonal": ("hex",), "hexhex": ("hex",), "numbered": ("named by numbers",), "lettered": ("named by letters",),
}  # fmt: skip


def repaired(language: Language, words: list[str], index: int, start: str, allowed: list[str]) -> str:
    """Returns the line with one edit near the word at ``index``, or an empty string if none helps. ``allowed``: the
    words that the parser accepts there.
    """
    found: list[tuple[int, str]] = []
    for candidate in _candidates(words, index, allowed):
        names = _names_in(language, candidate, start)
        if names is not None:
            found.append((names, " ".join(candidate).replace(" ,", ",")))
    return min(found, key=lambda one: one[0])[1] if found else ""


def _candidates(words: list[str], index: int, allowed: list[str]) -> Iterator[list[str]]:
    before, behind = words[:index], words[index:]
    found = behind[0] if behind else ""
    for put in SYNONYMS.get(found, ()):
        yield [*before, *put.split(), *behind[1:]]
    near = sorted(allowed, key=lambda w: -SequenceMatcher(None, w, found).ratio())
    if near and SequenceMatcher(None, near[0], found).ratio() >= 0.6:
        yield [*before, near[0], *behind[1:]]
    if len(before) > 2 and before[-1].isalpha():
        yield [*before[:-1], *behind]
    for put in sorted(allowed, key=lambda w: w == "at"):
        yield [*before, put, *behind]
    if behind:
        yield [*before, *behind[1:]]


def _names_in(language: Language, words: list[str], start: str) -> int | None:
    """Returns the number of words that a line reads as names rather than keywords; None if it is not a complete line."""
    names = 0
    terminals = {text: name for name, text in language.texts.items()}
    parser = language.push(start)
    for word in words:
        kinds = [terminals.get(word, ""), "INT" if word.isdecimal() else "NAME" if word.isidentifier() else ""]
        kind = next((k for k in kinds if k and k in parser.accepts()), None)
        if kind is None:
            return None
        names += kind == "NAME"
        parser.feed(Token(kind, word))
    return names if "_NL" in parser.accepts() else None


# -------------------------------------------------------------------------------------------------- where the parser is


@lazy_dataclass(frozen=True, slots=True)
class StoppedLine:
    """A line in which the parser stopped at word ``index``, where it accepts ``accepts``. ``before``: the parser where
    the line begins; ``terminal``: returns the terminal of a word where the parser accepts those of a row.
    """

    source: Source
    language: Language
    words: Sequence[Word]
    index: int
    before: PushParser
    accepts: frozenset[str]
    terminal: Callable[[Word, Mapping[str, object]], str]

    def repairs(self) -> tuple[Fix, ...]:
        """Returns the edits of one word that make the whole line parse: those that read the fewest keywords as names."""
        found: list[tuple[int, int, Fix]] = []
        for order, (words, fix) in enumerate(self._candidates()):
            odd = self._odd_names(words)
            if odd is not None:
                found.append((odd, order, fix))
        found.sort(key=lambda one: one[:2])
        return tuple(fix for odd, _, fix in found if odd == found[0][0])[:_MOST_REPAIRS]

    def _candidates(self) -> Iterator[tuple[list[Word | Token], Fix]]:
        words, at = list(self.words), self.index
        texts = {text: name for name, text in self.language.texts.items()}
        accepted = [self.language.texts[t] for t in sorted(self.accepts) if t in self.language.texts]
        accepted = [text for text in accepted if text not in HARD_WORDS and (text.isalpha() or text in ",:)]}->..=")]
        wrong = words[at].text if at < len(words) else ""
        close = get_close_matches(wrong, accepted, n=3, cutoff=0.6)
        first = sorted((t for t in accepted if t.isalpha()), key=lambda t: (t != "put", t)) if at == 0 else []
        for text in dict.fromkeys([*close, *first]):
            token = Token(texts[text], text)
            yield [*words[:at], token, *words[at + 1 :]], self._change(at, text)
        for one in (at, at - 1):
            if 0 <= one < len(words) and len(words) > 1:
                yield [*words[:one], *words[one + 1 :]], self._removal(one)
        for text in accepted:
            yield [*words[:at], Token(texts[text], text), *words[at:]], self._insertion(at, text)

    def _change(self, at: int, text: str) -> Fix:
        word = self.words[at]
        span = Span(self.source, word.start, word.end)
        return Fix(f"Change `{word.text}` to `{text}`", (Edit(span, text),))

    def _removal(self, at: int) -> Fix:
        word = self.words[at]
        start, end = word.start, word.end
        if at + 1 < len(self.words):
            end = self.words[at + 1].start
        elif at:
            start = self.words[at - 1].end
        return Fix(f"Remove `{word.text}`", (Edit(Span(self.source, start, end), ""),))

    def _insertion(self, at: int, text: str) -> Fix:
        if at and not text.isalpha() and text in ",:)]}":
            place, new = self.words[at - 1].end, text
        elif at < len(self.words):
            place, new = self.words[at].start, f"{text} "
        else:
            place, new = self.words[-1].end, f" {text}"
        return Fix(f"Insert `{text}`", (Edit(Span(self.source, place, place), new),))

    def _odd_names(self, words: Sequence[Word | Token]) -> int | None:
        """Returns the number of keywords that a line reads as names; None if it does not parse."""
        parser, odd = self.before.fork(), 0
        try:
            for word in words:
                if isinstance(word, Token):
                    parser.feed(word)
                    continue
                kind = self.terminal(word, parser.row())
                odd += kind == "NAME" and word.text in self.language.keywords
                parser.feed(Token(kind, word.text))
            parser.feed(Token("_NL", ""))
        except UnexpectedToken:
            return None
        return odd
