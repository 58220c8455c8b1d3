"""The rules of the grammar without what the parser refuses only after it has read a declaration: parts in a wrong order or twice,
kinds that cannot be removed, and sets whose variables are no names.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from gamedsl.language.grammars.line_kinds import Production, productions
from gamedsl.language.syntax import REMOVABLE


class Part(NamedTuple):
    """A part of a rule. ``form``: which of its alternatives are meant (empty: all); of a name, the words that it can be. ``is_inside``: it
    is in brackets.
    """

    symbol: str
    form: tuple[Any, ...] = ()
    is_inside: bool = False

    @property
    def is_inner_else(self) -> bool:
        return self[:2] == INNER_ELSE[:2]


Parts = tuple[Part, ...]
INNER_ELSE = Part("ELSE", ("inner",))  # that of an expression: the line may end before and after it
_Seen = frozenset[str]  # what a list has held

# Symbols of one of several kinds, whose order and number matters, and what can be there once, by the name under which it counts.
_ITEMS = ("_piece_part", "_move_line", "_plays_line")
_ONCE = {kind: kind for kind in ("naming", "start", "without", "mistake", "written", "may_pass", "stuck")} | {
    "stacking": "stacking",
    "seen": "seen",
    "each": "amount",
    "in_supply": "amount",
}

# Forms of expressions: variables of a set; the same or a tuple of variables; `x in S` with either; several that end so.
_VARIABLES, _PATTERN = ("variables",), ("pattern",)
_MEMBER, _MEMBER_OF_PATTERN, _MEMBERS = ("member", _VARIABLES), ("member", _PATTERN), ("members",)
_PAREN = ("LEFT_PAREN", "expr", "RIGHT_PAREN")
_TUPLE = ("LEFT_PAREN", "expr", "COMMA", "_exprs", "RIGHT_PAREN")
_FILTER = ("LEFT_BRACE", "_exprs", "COLON", "expr", "RIGHT_BRACE")


@cache
def alternatives(part: Part) -> tuple[Parts, ...]:
    """Returns the alternatives of a part."""
    plain = part._replace(is_inside=False)
    ways = [found for parts in productions()[part.symbol] for found in _narrowed(plain, parts)]
    return tuple(tuple(_bracketed(found, part.is_inside)) for found in ways)


def _bracketed(parts: Parts, is_inside: bool) -> Iterator[Part]:
    depth = int(is_inside)
    for part in parts:
        depth += part.symbol.startswith("LEFT")
        yield part._replace(is_inside=depth > 0)
        depth -= part.symbol.startswith("RIGHT")


def _narrowed(part: Part, parts: Production) -> Iterator[Parts]:
    symbol, form, _ = part
    whole = tuple(map(Part, parts))
    if form[:1] == ("only",):
        yield from [(form[1],)] if parts == (form[1].symbol,) else []
    elif form[:1] == ("list",):
        yield from _listed(part, parts)
    elif symbol == "piece_name":
        yield from [whole] if (len(parts) > 1) == (form == ("long",)) else []
    elif form:
        yield from _of_form(symbol, form, parts)
    elif symbol == "if_expr":
        yield tuple(INNER_ELSE if part.symbol == "ELSE" else part for part in whole)
    elif symbol == "removal":
        yield (whole[0], Part("NAME", REMOVABLE), *whole[2:])
    elif parts == _FILTER:
        yield (whole[0], Part("_exprs", _MEMBERS), *whole[2:])
    else:
        yield from (found for found, _ in _ordered(parts, frozenset()))


def _of_form(symbol: str, form: tuple[Any, ...], parts: Production) -> Iterator[Parts]:
    """Yields an alternative of expressions in some form, if it has any."""
    whole = tuple(map(Part, parts))
    if symbol == "ref" and form in (_VARIABLES, _PATTERN):
        yield whole
    elif parts == _PAREN or (len(parts) == 1 and symbol != "_exprs" and parts[0] in productions()):
        yield tuple(Part(p, form) if p in productions() else Part(p) for p in parts)
    elif form == _PATTERN and parts == _TUPLE:
        yield tuple(Part(p, _VARIABLES) if p in productions() else Part(p) for p in parts)
    elif form[0] == "member" and parts[1:2] == ("IN",):
        yield (Part(parts[0], form[1]), *whole[1:])
    elif form == _MEMBERS and parts == ("expr",):
        yield (Part("expr", _MEMBER_OF_PATTERN),)
    elif form in (_VARIABLES, _MEMBERS) and (symbol == "_exprs" or parts[-2:] == ("COMMA", "expr")):
        *first, last = parts
        end = _VARIABLES if form == _VARIABLES else _MEMBER if last == "expr" else _MEMBERS
        yield (*(Part(p, _VARIABLES) if p in productions() else Part(p) for p in first), Part(last, end))


def _ordered(parts: Production, seen: _Seen) -> Iterator[tuple[Parts, _Seen]]:
    """Yields the ways to read the parts of a rule, and what has been seen after each."""
    if not parts:
        yield (), seen
        return
    for part, after in _choices(parts[0], seen):
        for others, last in _ordered(parts[1:], after):
            yield (part, *others), last


def _choices(symbol: str, seen: _Seen) -> Iterator[tuple[Part, _Seen]]:
    if symbol in _ITEMS:
        for (kind,) in productions()[symbol]:
            for form in (("short",), ("long",)) if kind == "piece_name" else ((),):
                after = _after_kind(symbol, Part(kind, form), seen)
                if after is not None:
                    yield Part(symbol, ("only", Part(kind, form))), after
    elif _is_ordered_list(symbol):
        yield from ((Part(symbol, ("list", seen, end)), end) for end in _ends(symbol, seen))
    elif symbol not in _ONCE:
        yield Part(symbol), seen
    elif _ONCE[symbol] not in seen:
        yield Part(symbol), seen | {_ONCE[symbol]}


def _after_kind(item: str, kind: Part, seen: _Seen) -> _Seen | None:
    """Returns what has been seen after a kind of item; None if it cannot be there."""
    name = _ONCE.get(kind.symbol, kind.symbol)
    if name in seen and kind.symbol in _ONCE:
        return None
    if item == "_piece_part":  # names come first, and only the last of them says more
        is_name = kind.symbol == "piece_name"
        if ("more" in seen) if is_name else not seen:
            return None
        return seen | {name} | ({"more"} if kind.form != ("short",) else set())
    if kind.symbol == "guard":  # guards come before statements
        return None if seen else seen
    return seen | {name}


def _is_ordered_list(symbol: str) -> bool:
    return any(parts[0] == symbol and parts[-1] in (*_ITEMS, *_ONCE) for parts in productions().get(symbol, ()))


@cache
def _ends(symbol: str, start: _Seen) -> tuple[_Seen, ...]:
    """Returns what can have been seen at the end of a list."""
    found: dict[_Seen, None] = {}
    pending = [start]
    while pending:
        seen = pending.pop()
        for parts in productions()[symbol]:
            if parts[0] != symbol:
                new = [after for _, after in _ordered(parts, seen) if after not in found]
                found |= dict.fromkeys(new)
                pending += new
    return tuple(found)


def _listed(part: Part, parts: Production) -> Iterator[Parts]:
    """Yields an alternative of a list, which is read from the left, between two states of what has been seen."""
    symbol, (_, start, end), _ = part
    if parts[0] != symbol:
        yield from (found for found, after in _ordered(parts, start) if after == end)
        return
    for middle in _ends(symbol, start):
        for found, after in _ordered(parts[1:], middle):
            if after == end:
                yield (Part(symbol, ("list", start, middle)), *found)
