"""Explains a word that the parser does not accept with the most helpful diagnostic."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from gamedsl.language.source import Diagnostic, Source, Span, lazy_dataclass
from gamedsl.language.syntax.foreign_words import FOREIGN_LINKS, FOREIGN_OPERATORS, FOREIGN_STATEMENTS
from gamedsl.language.syntax.parse.language import HARD_WORDS, Language
from gamedsl.language.syntax.parse.line_repair import repaired
from gamedsl.language.syntax.parse.messages import quoted, syntax_problem
from gamedsl.language.syntax.parse.parse_lines import Line
from gamedsl.language.syntax.parse.push_parser import Token

_COMPARISONS = frozenset(
    {"EQUAL", "UNEQUAL", "LESS", "LESS_EQUAL", "MORE", "MORE_EQUAL", "IN", "WITHIN", "DISJOINT", "MEETS", "IS"}
)
_OPERATORS = _COMPARISONS | frozenset(
    {"OR", "AND", "NOT", "BAR", "AMPERSAND", "DOTS", "PLUS", "MINUS", "TIMES", "DIV", "MOD", "LEFT_BRACKET", "DOT",
     "LEFT_PAREN"}
)  # fmt: skip
_EXPRESSION = frozenset(
    {"IF", "SOME", "EVERY", "NO", "NO_SUCH", "COUNT", "UNION", "SUM", "MAX", "MIN", "REACH", "AFTER", "NOT", "MINUS", "NAME", "INT", "YES",
     "NONE", "MOVES", "ATTEMPTS", "LEFT_PAREN", "LEFT_BRACE"}
)  # fmt: skip
_TYPE = frozenset({"SET", "COUNTDOWN", "STACK", "NAME", "INT", "MINUS", "LEFT_PAREN", "LEFT_BRACE"})
_DECIDES = ("PLAYS", "CHOOSES", "PASSES", "DRAWS")
_PLAIN = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a quoted string",
    "DIE": "a die such as `d6`",
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
}
OPERATOR_WORDS = frozenset({"and", "or", "not", "div", "mod", "in", "is", "within", "disjoint", "meets"})
_MOST_EXPECTED = 8


@lazy_dataclass(frozen=True, slots=True)
class Place:
    """The place where the parser stopped: word ``index`` of ``line``, read as ``token`` where it accepts ``accepts``."""

    source: Source
    language: Language
    line: Line
    index: int
    token: Token
    accepts: frozenset[str]
    start: str

    @property
    def at_line_end(self) -> bool:
        return self.index >= len(self.line.words)

    @property
    def text(self) -> str:
        return "" if self.at_line_end else self.line.words[self.index].text

    @property
    def found(self) -> str:
        return quoted(self.text) if self.text else "the end of the line"

    @property
    def span(self) -> Span:
        if self.at_line_end:
            return Span(self.source, self.line.end, self.line.end + 1)
        word = self.line.words[self.index]
        return Span(self.source, word.start, word.end)

    def words_for(self, terminals: Iterable[str]) -> list[str]:
        """Returns the keywords among some terminals, as they are written."""
        texts = self.language.texts
        return sorted(texts[t] for t in terminals if t in texts and texts[t][0].isalpha())


def explain(place: Place) -> Diagnostic:
    """Returns the diagnostic for an unexpected word."""
    return _special(place) or _unknown_statement(place) or _general(place)


def near(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Returns at most three known words that are similar to a word, most similar first."""
    return tuple(get_close_matches(word, list(known), n=3, cutoff=0.6)) if word else ()


def _special(place: Place) -> Diagnostic | None:
    """Returns the diagnostic of a mistake that has its own message; None if there is none."""
    accepts, kind = place.accepts, place.token.type
    if kind == "_INDENT":
        return syntax_problem("E0125", Span(place.source, place.line.start, place.line.end))
    if kind == "ELSE" and place.index == 0:
        return syntax_problem("E0124", place.span, word="else", opener="if")
    if kind == "THEN" and "_NL" in accepts and place.line.first in ("if", "else"):
        return syntax_problem("E0126", place.span)
    if kind in _COMPARISONS and {"AND", "OR"} <= accepts:
        return syntax_problem("E0123", place.span, expected=_expected(place))
    if kind == "EQUAL" and "PLAYS" in accepts:
        target = place.source.text[place.line.start : place.span.start].strip()
        return syntax_problem("E0130", place.span, target=target)
    if kind == "PERCENT":
        hint = "write `mod` for the remainder of a division"
        return syntax_problem("E0118", place.span, found=place.found, hint=hint)
    if place.text in HARD_WORDS and "NAME" in accepts and not (accepts >= _EXPRESSION - {"NOT"}):
        return syntax_problem("E0122", place.span, found=place.found)
    if place.at_line_end or kind == "$END":
        return syntax_problem("E0120", place.span, expected=_expected(place), hint=_line_end_hint(place))
    return None


def _line_end_hint(place: Place) -> str:
    last = place.line.words[-1].text
    return f"something must follow `{last}`" if len(last) <= 40 else ""


def _statements_stand(accepts: frozenset[str]) -> bool:
    return {"PUT", "SET", "TAKE"} <= accepts


def _unknown_statement(place: Place) -> Diagnostic | None:
    """Returns the diagnostic of a statement whose first word is not a keyword; None for any other mistake. The parser
    has read the word as a player or as an action.
    """
    if place.start != "declaration":
        return None
    first = place.line.words[0]
    if place.index == 0 and _statements_stand(place.accepts):
        return _no_statement(place, first.text)
    verb = place.line.words[place.index].text if not place.at_line_end else ""
    if "PLAYS" not in place.accepts or first.kind not in ("name", "int"):
        return None
    close = near(verb, place.words_for(_DECIDES))
    if close:
        return _general(place, close)
    return _no_statement(place, first.text) if place.index == 1 and place.token.type != "_NL" else None


def _no_statement(place: Place, first: str) -> Diagnostic:
    begins = _statement_terminals(place.language)
    known = [word for word, terminal in place.language.keywords.items() if terminal in begins]
    line = place.line
    span = Span(place.source, line.start, line.words[0].end)
    if first == "when":
        return syntax_problem("E0132", span)
    if first == "until":
        return syntax_problem("E0124", span, word="until", opener="repeat")
    foreign = FOREIGN_STATEMENTS.get(first.lower(), "")
    close = () if foreign else near(first, known)
    hint = foreign or (
        ""
        if close
        else "statements begin with words such as `put`, `set`, `add`, `if`, `for`, or with the player who decides"
    )
    return syntax_problem("E0108", span, found=quoted(first), near=close, expected="a statement", hint=hint)


def _statement_terminals(language: Language) -> frozenset[str]:
    """Returns the terminals with which a line of a body or a move can begin."""
    parser = language.push("declaration")
    for kind, text in (("PLAY", "play"), ("_NL", ""), ("_INDENT", "")):
        parser.feed(Token(kind, text))
    return parser.accepts() | {"WHEN", "ELSE", "UNTIL"}


def _general(place: Place, close: tuple[str, ...] = ()) -> Diagnostic:
    close = close or _foreign_word(place) or near(place.text, place.words_for(place.accepts))
    hint = _HINTS[place.line.first](place) if place.line.first in _HINTS else ""
    return syntax_problem("E0101", place.span, found=place.found, expected=_expected(place), near=close, hint=hint)


def _foreign_word(place: Place) -> tuple[str, ...]:
    """Returns the operator or keyword for which another language, or English, has this word, if it can stand here."""
    word = place.text.lower()
    own = FOREIGN_OPERATORS.get(word) or FOREIGN_LINKS.get(word, "")
    return tuple(place.language.texts[t] for t in place.accepts if place.language.texts.get(t) == own)


def _board_hint(place: Place) -> str:
    """Returns a hint for a common mistake in the line of a board, in the words of the line where possible."""
    words = [w.text for w in place.line.words]
    before, behind = words[: place.index], words[place.index + 1 :]
    if place.text == "star" and behind:
        return f"write `board hex star {behind[0]}`"
    if place.text == "in" and "without" in before:
        return f"put a condition in braces: `without {{{before[-1]} in cell: ...}}`"
    if place.text in ("x", "X", "*") and before and behind:
        return f"write `{before[-1]} by {behind[0]}`"
    allowed = [w for w in place.words_for(place.accepts) if w not in OPERATOR_WORDS]
    line = repaired(place.language, words, place.index, place.start, allowed)
    return f"write `{line}`" if line else ""


def _depth_hint(place: Place) -> str:
    """Returns a hint for ``at most N deep`` after the equals sign of a definition, instead of before it."""
    words, start = place.line.words, place.index
    if [w.text for w in words[max(0, start - 2) : start]] == ["at", "most"]:  # so far read as a level of a stack
        start -= 2
    equals = next((w for w in words[:start] if w.text == "="), None)
    if words[start].text != "at" or equals is None:
        return ""
    head = " ".join(place.source.text[words[0].start : equals.start].split())
    bound = " ".join(w.text for w in words[start:])
    return f"put it before the equals sign: `{head} {bound} = ...`"


def _parameters_hint(place: Place) -> str:
    """Returns a hint for ``move place c in S``, whose parameters are written as in a loop."""
    words = place.line.words
    kind, name, *more = (w.text for w in words)
    if place.index != 2 or place.token.type == "STRING":
        return ""
    at = more.index("in") if "in" in more else 0
    if not at or words[at + 1].kind != "name" or at + 1 == len(more):
        return f"put the parameters in brackets, each with its type: `{kind} {name}(c: cell)`"
    what = place.source.text[words[at + 3].start : place.line.end]
    condition = f", and on a line of its own below, `when {more[at - 1]} in {what}`" if kind == "move" else ""
    return f"write `{kind} {name}({more[at - 1]}: cell)` with the type of `{more[at - 1]}`{condition}"


# By the first word of the line.
_HINTS = {"action": _parameters_hint, "board": _board_hint, "define": _depth_hint, "move": _parameters_hint}


def _expected(place: Place) -> str:
    """Lists in words what was expected."""
    left = set(place.accepts) - {"_DEDENT", "$END"}
    said: list[str] = []
    if _statements_stand(place.accepts):
        return "a statement"
    if {"LEFT_BRACE", "NONE", "INT"} <= left:
        left -= _EXPRESSION
        said.append("an expression")
    elif {"COUNTDOWN", "STACK"} <= left:
        left -= _TYPE
        said.append("a type")
    if "PLUS" in left or {"AND", "OR"} <= left:
        left -= _OPERATORS | ({"AT"} if "AMPERSAND" in left else set())  # (otherwise part of a board's shape)
        said.append("an operator")
    plain = [text for terminal, text in _PLAIN.items() if terminal in left]
    rest = sorted(left - _PLAIN.keys(), key=lambda t: (place.language.texts[t][0].isalpha(), place.language.texts[t]))
    said = said[:1] + plain + [quoted(place.language.texts[t]) for t in rest] + said[1:]
    if len(said) > _MOST_EXPECTED:
        said = [*said[:_MOST_EXPECTED], "..."]
    return said[0] if len(said) == 1 else ", ".join(said[:-1]) + " or " + said[-1] if said else ""
