"""What the symbols on a board mean, in the words of the rules: the pieces, the regions, what moves have left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from gamedsl.core import walk
from gamedsl.core.nodes import Const, ElemT, Expr, Get, Leaving, Load, Local, Mark, Op2
from gamedsl.picture.picture import Entry
from gamedsl.picture.values import filled, said

Bound = Mapping[int, int]
_NAME = re.compile(r"[A-Za-z_]\w*$")


def words(name: str) -> str:
    """A name of the rules as people read it."""
    return name.replace("_", " ").strip()


def of_mark(mark: Mark, locals: Bound | None) -> Entry | None:
    """The entry of a rule of the look. Without ``locals`` only that of a rule that says the same for all of them."""
    if mark.kind not in ("show", "stroke", "line", "border"):
        return None
    loose = any(isinstance(p, Local) for p in (*mark.text, *(mark.called or ())))
    owner = owner_of(mark, locals)
    if locals is None and (loose or owner is None or mark.kind == "border"):
        return None
    sign = (mark.style or "light") if mark.kind in ("stroke", "line") else filled(mark.text, locals or {})
    if mark.number is not None and sign:
        sign = f"{sign}1, {sign}2 .."
    if mark.called is not None:
        return _entry(mark, sign, filled(mark.called, locals or {}), "")
    if mark.kind in ("line", "border"):
        return None
    group, text = owner or ("", of_tint(mark, locals or {}))
    if sign.casefold() in (group.casefold(), text.casefold()):
        return None
    return _entry(mark, sign, text, group)


def _entry(mark: Mark, sign: str, text: str, group: str) -> Entry | None:
    if not text or not sign.strip():
        return None
    return Entry(sign, text, mark.colour, group, mark.kind in ("stroke", "line"))


def of_tint(mark: Mark, locals: Bound) -> str:
    """The name of a coloured region: from the look, else its name in the rules; empty for a formula."""
    if mark.called is not None:
        return filled(mark.called, locals)
    return tint_name(mark)


def tint_name(mark: Mark) -> str:
    """What a rule shows, by its name in the rules; empty for a formula."""
    name = "" if mark.what is None else mark.what.span.text.strip()
    return words(name) if _NAME.match(name) else ""


def owner_of(mark: Mark, locals: Bound | None) -> tuple[str, str] | None:
    """Whose pieces a rule shows, and which, if it is one kind of one player (or of nobody)."""
    found: dict[tuple[str, str], None] = {}
    for e in pieces_read(mark) or ():
        owner = _key(e.keys, locals)
        if owner is None:
            return None
        found[(owner, words(e.var.name))] = None
    return next(iter(found)) if len(found) == 1 else None


def pieces_read(mark: Mark) -> list[Get] | None:
    """The pieces that a rule shows some of, as the rule reads them; None if it leaves some out, so that nobody can say whose
    it shows."""
    sources = [e for top in _sources(mark) for e in walk(top)]
    if any(isinstance(e, Op2) and e.op == "minus" for e in sources):
        return None
    return [e for e in sources if isinstance(e, Get) and e.var.role == "piece"]


def _sources(mark: Mark) -> Iterable[Expr]:
    return (*((mark.what,) if mark.what is not None else ()), *(over for _, over in mark.binders))


def _key(keys: tuple[Expr, ...], locals: Bound | None) -> str | None:
    match keys:
        case ():
            return ""
        case (Const(value=value, type=ElemT() as type),):
            return said(type, value)
        case (Load(local=local),) if locals is not None and local.id in locals:
            return said(local.type, locals[local.id])
        case _:
            return None


def of_scars(leavings: tuple[Leaving, ...], schemas: tuple[str, ...], texts: Iterable[str]) -> list[Entry]:
    """The entries of what moves have left on the sheet. ``schemas``: the names of the kinds of move by number."""
    entries: list[Entry] = []
    for text in dict.fromkeys(texts):
        for rule in leavings:
            if rule.text == (text,) and not rule.is_path:
                named = words(schemas[rule.schema]) if rule.schema is not None and rule.schema >= 0 else ""
                called = named if rule.called is None else rule.called
                entries += [Entry(text, called)] if called else []
                break
    return entries
