"""The meanings of the symbols on a board, in the words of the rules: pieces, regions, and the traces of moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from gamedsl.engine.picture.picture import Enlarged, Entry, Trail
from gamedsl.engine.picture.value_words import filled
from gamedsl.language.core import SEATS, colored_players, owner_of, words
from gamedsl.language.core import nodes as n

Bound = Mapping[int, int]
_NAME = re.compile(r"[A-Za-z_]\w*$")


def of_mark(mark: n.Mark, locals: Bound | None) -> Entry | None:
    """The entry of a rule of the look, if it has one. ``locals`` None: only if the entry is the same for all of
    them."""
    if mark.kind not in ("show", "stroke", "line", "border"):
        return None
    if any(isinstance(over, n.Const) and not over.value for _, over in mark.binders):
        return None  # with these options it shows nothing
    loose = any(isinstance(p, n.Local) for p in (*mark.text, *(mark.called or ())))
    owner = owner_of(mark, locals)
    if locals is None and (loose or owner is None or mark.kind == "border"):
        return None
    sign = (mark.style or "light") if mark.kind in ("stroke", "line") else filled(mark.text, locals or {})
    if mark.number is not None and sign:
        sign = f"{sign}1, {sign}2 .."
    whose = (owner or ("", "")) if mark.kind == "show" else ("", "")
    if mark.called is not None:
        return _entry(mark, sign, filled(mark.called, locals or {}), "", whose)
    if mark.kind in ("line", "border"):
        return None
    group, text = owner or ("", of_tint(mark, locals or {}))
    if sign.casefold() in (group.casefold(), text.casefold()):
        return None
    return _entry(mark, sign, text, group, whose)


def _entry(mark: n.Mark, sign: str, text: str, group: str, whose: tuple[str, str]) -> Entry | None:
    if not text or not sign.strip():
        return None
    shape = "letter" if mark.kind == "border" else mark.shape or ""  # beside the board there are letters, not pieces
    return Entry(sign, text, mark.colour, group, mark.kind in ("stroke", "line"), shape, whose[1], whose[0])


def of_trails(part: n.Part, trails: Iterable[Trail]) -> list[Entry]:
    """The entries of lines that players have drawn, one for each player."""
    owners = sorted({(t.owner, t.style) for t in trails if t.owner is not None})
    names, colours = part.players.names, colored_players(part)
    return [
        Entry(style, f"drawn by {words(names[owner])}", colours[owner] or SEATS[owner % len(SEATS)], "", True)
        for owner, style in owners
    ]


def of_enlarged(enlarged: Iterable[Enlarged]) -> list[Entry]:
    """The entries of signs that are drawn large."""
    found = [(e.glyph, e.called) for e in enlarged if e.called]
    return [Entry(g.text, called, g.colour, "", False, g.shape, g.piece, g.owner) for g, called in dict.fromkeys(found)]


def of_tint(mark: n.Mark, locals: Bound) -> str:
    """The name of a colored region: from the look, else its name in the rules; empty for a formula."""
    if mark.called is not None:
        return filled(mark.called, locals)
    return tint_name(mark)


def tint_name(mark: n.Mark) -> str:
    """The name in the rules of what a rule of the look shows; empty for a formula."""
    name = "" if mark.what is None else mark.what.span.text.strip()
    return words(name) if _NAME.match(name) else ""


def of_scars(leavings: tuple[n.Leaving, ...], schemas: tuple[str, ...], texts: Iterable[str]) -> list[Entry]:
    """The entries of the marks that moves have left on the sheet. ``schemas``: the names of the kinds of move, by
    number."""
    entries: list[Entry] = []
    for text in dict.fromkeys(texts):
        for rule in leavings:
            if rule.text == (text,) and not rule.is_path:
                named = words(schemas[rule.schema]) if rule.schema is not None and rule.schema >= 0 else ""
                called = named if rule.called is None else rule.called
                entries += [Entry(text, called)] if called else []
                break
    return entries
