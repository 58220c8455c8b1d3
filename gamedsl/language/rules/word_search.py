"""A search of the language and the codes for a word, for ``gamedsl explain WORD``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.source import codes, explain, lazy_dataclass, title
from gamedsl.language.syntax import word_entries

Best: TypeAlias = Callable[[Iterable[tuple[str, str, str]]], tuple[tuple[str, str], ...]]
MOST = 8  # hits of each kind
_ENDINGS = ("ations", "ation", "ings", "ing", "ions", "ion", "ies", "ed", "es", "s", "e", "y")
_SHORTEST = 3  # letters of a stem
# Words of players and designers, by stem, and the corresponding words of the language.
TOPICS: dict[str, tuple[str, ...]] = {
    "auct": ("reveal", "seen"),
    "bag": ("draw", "discard", "shuffle"),
    "bluff": ("seen", "reveal"),
    "captur": ("remove", "take"),
    "card": ("deal", "shuffle", "draw", "pop"),
    "condit": ("when", "if"),
    "connect": ("component", "reach", "connected", "path"),
    "constraint": ("when", "forbid"),
    "cycl": ("repetition", "note"),
    "dic": ("roll", "random"),
    "direct": ("direction", "ray"),
    "fog": ("seen", "reveal"),
    "forc": ("when", "max", "or"),
    "hand": ("seen", "deal"),
    "hidden": ("seen", "reveal", "unnamed"),
    "illegal": ("when", "forbid", "mistake"),
    "import": ("use", "variant"),
    "jump": ("straight", "between", "ray"),
    "ko": ("repetition", "note"),
    "limit": ("at", "count", "max"),
    "loop": ("repeat", "each", "until"),
    "los": ("lose", "rank"),
    "luck": ("roll", "random"),
    "match": ("repeat", "use", "play"),
    "must": ("when", "forbid"),
    "opt": ("option", "variant"),
    "order": ("turns", "after", "again"),
    "parameter": ("option", "move"),
    "player": ("players", "turns"),
    "point": ("rank", "score"),
    "probab": ("roll", "random"),
    "promot": ("put", "chooses"),
    "random": ("random", "roll", "shuffle", "deal"),
    "restrict": ("when", "forbid", "never"),
    "rul": ("when", "move", "play"),
    "scor": ("rank", "score"),
    "secret": ("seen", "everyone"),
    "setup": ("setup", "put", "shuffle"),
    "simultaneou": ("everyone",),
    "stalemat": ("stuck",),
    "superko": ("repetition", "note"),
    "territor": ("component", "spaces", "reach"),
    "tie": ("draw",),
    "turn": ("turns", "turn", "again"),
    "variabl": ("state", "let", "set"),
    "victor": ("win", "rank"),
    "win": ("win", "rank"),
}
_EXAMPLE = re.compile(r"^```.*?^```$", re.S | re.M)


@lazy_dataclass(frozen=True)
class Related:
    """The hits of a search, as pairs of name and summary: forms of the language, builtins, and codes."""

    forms: tuple[tuple[str, str], ...]
    builtins: tuple[tuple[str, str], ...]
    codes: tuple[tuple[str, str], ...]

    def __bool__(self) -> bool:
        return bool(self.forms or self.builtins or self.codes)

    def lines(self) -> Iterator[str]:
        """Yields the hits as lines of Markdown, by kind."""
        for heading, hits in (("Forms", self.forms), ("Builtins", self.builtins), ("Codes", self.codes)):
            if hits:
                yield f"## {heading}"
                yield ""
                yield from (f"- `{name}`: {text}" for name, text in hits)
                yield ""


def related(word: str) -> Related:
    """Returns the hits of one word or several, those in a name first. Endings do not count: ``scoring`` finds
    ``score``.
    """
    stems = [stem(one) for one in re.findall(r"\w+", word.lower())]
    finds = [_finder(one) for one in stems]
    named = {word for one in stems for word in TOPICS.get(one, ())}
    if not finds:
        return Related((), (), ())

    def best(rows: Iterable[tuple[str, str, str]]) -> tuple[tuple[str, str], ...]:
        """Returns the best of the rows (name, summary, further text) in which all words occur, without the further
        text.
        """
        ranked = [
            (_rank(finds, row), number, row[:2])
            for number, row in enumerate(rows)
            if all(any(find(text) for text in row) for find in finds)
        ]
        return tuple(hit for _, _, hit in sorted(ranked)[:MOST])

    entries = [(set(e.words), e.form.splitlines()[0], e.meaning) for e in word_entries()]
    functions = [({name}, b.signature, b.text) for name, b in BUILTINS.items()]
    pages = [(code, title(code), _EXAMPLE.sub("", explain(code))) for code in codes()]
    return Related(_with_topics(entries, named, best), _with_topics(functions, named, best), best(pages))


def _with_topics(rows: list[tuple[set[str], str, str]], named: set[str], best: Best) -> tuple[tuple[str, str], ...]:
    """Returns the rows of a topic's words, followed by the hits in all rows."""
    first = [(shown, _first_sentence(text)) for words, shown, text in rows if words & named]
    hits = best((shown, _first_sentence(text), " ".join((*words, text))) for words, shown, text in rows)
    return tuple(dict.fromkeys([*first, *hits]))[:MOST]


def _rank(finds: list[Callable[[str], bool]], row: tuple[str, str, str]) -> int:
    """Returns the number of the column (from 1) up to which all words occur."""
    return next(n for n in range(1, 4) if all(any(find(text) for text in row[:n]) for find in finds))


def stem(word: str) -> str:
    """Returns a word without its ending, if enough of it is left."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word.removesuffix(ending)
    return word


def _finder(of: str) -> Callable[[str], bool]:
    found = re.compile(rf"(?<![A-Za-z]){re.escape(of)}(?:{'|'.join(_ENDINGS)}|ers?|ors?|ive|able)?(?![A-Za-z])", re.I)
    return lambda text: found.search(text) is not None


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s", " ".join(text.split()), maxsplit=1)[0]
