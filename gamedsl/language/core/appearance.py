"""The visual differences between the things that a look shows, in the browser (even without color) and in a terminal.

``static/pieces.js`` draws the forms that ``page_form`` returns. The checker warns of two kinds of things that look
alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import NamedTuple

from gamedsl.language.boards import elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core.node_tables import memoized
from gamedsl.language.core.traverse import free_locals, walk
from gamedsl.language.source import node

CHESSMEN = frozenset({"pawn", "knight", "bishop", "rook", "queen", "king"})
COLOURS = frozenset({"white", "black", "red", "blue", "green", "yellow", "orange", "purple", "cyan", "magenta", "grey"})
SEATS = ("red", "blue", "green", "yellow", "purple", "cyan")  # colors of players without one
SIGNS = 6  # marks on the pieces of players, beside their colors
# CIE lightness of the fill colors in static/colours.js
_LIGHTNESS = {
    "white": 84, "black": 8, "red": 45, "blue": 46, "green": 51, "yellow": 74, "orange": 62, "purple": 43, "cyan": 57,
    "magenta": 47, "grey": 58,
}  # fmt: skip
MOST_BINDINGS = 64  # of the loops in a rule
LEAST_CONTRAST = 15  # of lightness
_NAME = re.compile(r"[A-Za-z_]\w*$")

Bound = Mapping[int, int]


@node()
class Thing:
    """A kind of thing that a rule of a look shows. ``name``: in the words of the rules. ``owner``: the index of a
    player.
    """

    kind: str  # piece or line
    name: str
    on: str  # the kind of place
    sign: str
    numbered: bool
    colour: str
    shape: str
    style: str
    owner: int | None
    piece: str


class Sign(NamedTuple):
    """The appearance of a piece, and its owner and kind."""

    text: str
    colour: str | None
    shape: str
    owner: str
    piece: str


def words(name: str) -> str:
    """Returns a name of the rules as people read it, without underscores."""
    return name.replace("_", " ").strip()


def owner_of(mark: n.Mark, locals: Bound | None) -> tuple[str, str] | None:
    """Returns the owner (empty: nobody) and the kind of the pieces that a rule shows; None if it is not just one kind."""
    found: dict[tuple[str, str], None] = {}
    for e in pieces_read(mark) or ():
        owner = _key(e.keys, locals)
        if owner is None:
            return None
        found[(owner, words(e.var.name))] = None
    return next(iter(found)) if len(found) == 1 else None


def pieces_read(mark: n.Mark) -> list[n.Get] | None:
    """Returns the pieces of which a rule shows some, as it reads them; None if it subtracts a set, so that their owner
    is unclear.
    """
    sources = [e for top in _sources(mark) for e in walk(top)]
    if any(isinstance(e, n.Op2) and e.op == "minus" for e in sources):
        return None
    return [e for e in sources if isinstance(e, n.Get) and e.var.role == "piece"]


def _sources(mark: n.Mark) -> Iterable[n.Expr]:
    return (*((mark.what,) if mark.what is not None else ()), *(over for _, over in mark.binders))


def _key(keys: tuple[n.Expr, ...], locals: Bound | None) -> str | None:
    match keys:
        case ():
            return ""
        case (n.Const(value=value, type=n.ElemT(domain)),):
            return words(domain.names[value])
        case (n.Load(local=n.Local(id=id, type=n.ElemT(domain))),) if locals is not None and id in locals:
            return words(domain.names[locals[id]])
        case _:
            return None


def sign_of(part: n.Part, piece: n.Get, locals: Bound) -> Sign:
    """Returns the appearance of a piece: the sign, color and shape of the first rule of the look that shows it, or
    else its owner or name as the sign.
    """
    wanted = (_key(piece.keys, locals) or "", words(piece.var.name))
    for mark in part.looks:
        if mark.kind == "show":
            for bound in constant_bindings(mark):
                text = filled_sign(mark.text, bound)
                if owner_of(mark, bound) == wanted and text is not None:
                    return Sign(text, mark.colour, mark.shape or "", *wanted)
    return Sign(wanted[0] or wanted[1], None, "", *wanted)


@memoized
def colored_players(part: n.Part) -> tuple[str, ...]:
    """Returns the colors of a part's players: their names, or else the colors of their pieces in the look; empty
    strings unless all players have a different one.
    """
    names = part.players.names
    colours = [name.casefold() if name.casefold() in COLOURS else "" for name in names]
    if not all(colours):
        shown = colours_of_pieces(part)
        colours = [shown.get(words(name), "") for name in names]
    return tuple(colours) if all(colours) and len(set(colours)) == len(colours) else ("",) * len(names)


def colours_of_pieces(part: n.Part) -> dict[str, str]:
    """Returns, by player, the color in which the look first shows that player's pieces."""
    found: dict[str, str] = {}
    for mark in part.looks:
        if mark.kind == "show" and mark.colour:
            for owner in _owners(mark):
                found.setdefault(owner, mark.colour)
    return found


def _owners(mark: n.Mark) -> Iterator[str]:
    """Yields the players whose pieces a rule shows, for all values of its loops over constant sets."""
    for bound in constant_bindings(mark):
        owner = owner_of(mark, bound)
        if owner is not None and owner[0]:
            yield owner[0]


def constant_bindings(mark: n.Mark) -> Iterator[Bound]:
    """Yields the combined values of a rule's loops over constant sets, at most ``MOST_BINDINGS``."""
    constant = [(local.id, elements(over.value)) for local, over in mark.binders if isinstance(over, n.Const)]
    for values in islice(product(*(members for _, members in constant)), MOST_BINDINGS):
        yield {name: value for (name, _), value in zip(constant, values, strict=True)}


# ---------------------------------------------------------------------------------------------------- what is shown


def things_of(part: n.Part) -> list[list[Thing]]:
    """Returns, for each rule of a part's look, the kinds of things that it shows: one per player that it concerns.
    Rules whose signs vary have none. A rule that names no piece but shows the sign of one counts as showing that piece
    (as another player knows it).
    """
    found = [list(_things_of(part, mark)) for mark in part.looks]
    known = {(t.sign, t.colour): t for things in reversed(found) for t in things if t.piece}
    return [
        [known.get((t.sign, t.colour), t) if t.kind == "piece" and not t.piece else t for t in things]
        for things in found
    ]


def _things_of(part: n.Part, mark: n.Mark) -> Iterator[Thing]:
    if mark.kind not in ("show", "stroke", "line") or (mark.called is not None and not "".join(map(str, mark.called))):
        return
    own = _players_of(part, mark)
    for player in range(part.players.size) if own is not None else (None,):
        bound = {} if own is None or player is None else {own.id: player}
        sign, called = filled_sign(mark.text, bound), filled_sign(mark.called or (), bound)
        if sign is None or called is None or (mark.kind == "show" and not sign.strip()):
            continue
        owner, piece = owner_of(mark, bound) or ("", "")
        number = next((i for i, name in enumerate(part.players.names) if words(name) == owner), player)
        name = called or " of ".join(x for x in (piece, owner) if x) or _formula(mark)
        if mark.kind != "show" and player is not None:
            name = f"{name} of {words(part.players.names[player])}"
        domain = getattr(getattr(mark.what, "type", None), "domain", None)
        yield Thing(
            "piece" if mark.kind == "show" else "line", name, getattr(domain, "name", ""), sign, mark.number is not None,
            mark.colour or "", mark.shape or "", mark.style or "light", number, piece,
        )  # fmt: skip


def _players_of(part: n.Part, mark: n.Mark) -> n.Local | None:
    """Returns the local of a rule that ranges over all players and on which the appearance depends; None unless there
    is exactly one.
    """
    used = {p.id for p in mark.text if isinstance(p, n.Local)}
    used |= {local for e in mark.reads for local in free_locals(e)}
    used |= {local for _, over in mark.binders for local in free_locals(over)}
    found = [
        b
        for b, over in mark.binders
        if isinstance(b.type, n.ElemT) and b.type.domain == part.players and b.id in used
        if isinstance(over, n.Const) and over.value == (1 << part.players.size) - 1  # of all players, not of some
    ]
    return found[0] if len(found) == 1 else None


def filled_sign(template: tuple[str | n.Local, ...], bound: Bound) -> str | None:
    """Returns a text of the look with these values filled in; None if one is missing."""
    found = ""
    for p in template:
        if isinstance(p, str):
            found += p
        elif p.id in bound and isinstance(p.type, n.ElemT):
            found += words(p.type.domain.names[bound[p.id]])
        else:
            return None
    return found


def _formula(mark: n.Mark) -> str:
    text = "" if mark.what is None else " ".join(mark.what.span.text.split())
    return words(text) if _NAME.match(text) else text


# -------------------------------------------------------------------------------------------------------- appearance


class Labels(NamedTuple):
    """Whether the page writes signs on the discs of a part, and whether it keeps their case (otherwise upper case)."""

    shown: bool
    cased: bool


def labels_of(part: n.Part, default_kinds: int = 0) -> Labels:
    """Decides on signs: they are written if they distinguish a player's pieces. ``default_kinds``: the number of kinds
    of pieces that are shown if the look shows none.
    """
    signs: dict[str, set[str]] = {}
    for mark in part.looks:
        text = "".join(p for p in mark.text if isinstance(p, str))
        owner = owner_of(mark, None)
        if mark.kind == "show" and text and owner and owner[0] and not mark.shape:
            signs.setdefault(owner[0], set()).add(text)
    shown = default_kinds > 1 or any(len(found) > 1 for found in signs.values())
    return Labels(shown, any(len({s.casefold() for s in found}) < len(found) for found in signs.values()))


def alike_on(part: n.Part, a: Thing, b: Thing, labels: Labels) -> list[str]:
    """Returns where two kinds of things look alike: in the browser, in a terminal, or both."""
    if a.kind != b.kind or a.on != b.on or a.name == b.name:
        return []
    found = []
    if (page_form(part, a, labels) == page_form(part, b, labels)) and _contrast(part, a, b) < LEAST_CONTRAST:
        found.append("in the browser")
    same_text = (a.sign, a.numbered) == (b.sign, b.numbered) if a.kind == "piece" else a.on and a.style == b.style
    if same_text:
        found.append("in a terminal")
    return found


def page_form(part: n.Part, thing: Thing, labels: Labels) -> tuple[object, ...]:
    """Returns the form of a thing that the page draws, without its color."""
    if thing.kind == "line":
        return ("line", thing.style)
    word, owner = _word(part, thing), thing.owner
    sign = 0 if owner is None or word in ("white", "black") else owner % SIGNS
    known = thing.piece or owner is not None
    if thing.shape in CHESSMEN:
        return (thing.shape, sign)
    match thing.shape:
        case "crowned" | "ring" | "cross":
            return (thing.shape, sign if thing.shape == "crowned" else 0)
        case "block" | "star" | "triangle" | "diamond":
            return (thing.shape, thing.numbered, 0 if thing.numbered or owner is None else owner % 2)
        case "letter":
            return ("letter", thing.sign, thing.numbered)
        case "seeds":
            return ("seeds",)
    if not known and thing.shape != "disc":
        return ("disc", "", True, 0) if thing.numbered and word else ("letter", thing.sign, thing.numbered)
    if owner is None and len(thing.sign) > 1:
        return ("block", thing.sign, thing.numbered)
    label = (thing.sign if labels.cased else thing.sign.upper()) if labels.shown else ""
    return ("disc", label, thing.numbered, sign)


def _word(part: n.Part, thing: Thing) -> str:
    if thing.kind == "line" or thing.owner is None:
        return thing.colour
    return colored_players(part)[thing.owner] or thing.colour or SEATS[thing.owner % len(SEATS)]


def _contrast(part: n.Part, a: Thing, b: Thing) -> int:
    light = [
        _LIGHTNESS.get(_word(part, thing) or ("grey" if thing.kind == "piece" else "black"), 58) for thing in (a, b)
    ]
    return abs(light[0] - light[1])
