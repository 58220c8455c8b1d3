"""The panel beside the board: the game, the player to move, phase, supplies and counters, the last move, the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamedsl.engine.picture import Entry, Picture, Seat
from gamedsl.engine.picture import Line as Drawn
from gamedsl.play.terminal.render.box_drawing import LIGHT, WEIGHTS, bar
from gamedsl.play.terminal.render.canvas import Ink, Line, Run, line, padded, side_by_side, widest, width
from gamedsl.play.terminal.render.mark_glyphs import tint_legend
from gamedsl.play.terminal.render.plain_diagonals import plain_diagonals
from gamedsl.play.terminal.render.viewport import Viewport, clean

_BOLD, _DIM = Ink(bold=True), Ink(dim=True)
SHORT = 30  # characters


def panel(picture: Picture, viewport: Viewport, columns: int, rows: int, most: int = 1000) -> list[Line]:
    """The lines, at most ``columns`` wide. If there are more than ``rows``, counters go in two columns, and then lines
    that fit side by side are joined. If there are more than ``most``, symbols are not explained.
    """
    head = _head(picture, viewport)
    explained = _legend(picture, viewport, columns)
    tail = [*explained, *_tail(picture, viewport)]
    drawn = plain_diagonals(picture, viewport)
    listed = _listed([one for one in picture.lines if one not in drawn])
    counters = [
        line(clean(text, viewport.ascii))
        for text in (*_counters(picture), *_hidden(picture), *_stacked(picture), *listed)
    ]
    room = rows - len(head) - len(tail)
    lines = [*head, *_folded(counters, columns, room), *tail]
    if len([piece for x in lines for piece in wrapped(x, columns)]) > rows:
        lines = _paired([*head, *counters, *tail], columns)
    whole = [piece for x in lines for piece in wrapped(x, columns)]
    if len(whole) > most and explained:
        return panel(replace(picture, legend=()), viewport, columns, rows, most)
    return whole


def _counters(picture: Picture) -> list[str]:
    """The lines beside the board. Scores are explained if that is short, if the game is over, or if lines score, which
    a terminal cannot draw through the pieces on them."""
    lines = {place for one in picture.scored if len(one.places) > 1 for place in one.places}
    return [
        f"{x.text} {x.because}"
        if x.because and (picture.outcome or len(x.because) <= SHORT or not lines.isdisjoint(x.places))
        else x.text
        for x in picture.asides
    ]


def _hidden(picture: Picture) -> list[str]:
    """How many things are hidden where everybody knows it."""
    return [held.told for held in picture.held if held.told]


def _head(picture: Picture, viewport: Viewport) -> list[Line]:
    lines = [line(clean(picture.title, viewport.ascii), _BOLD)]
    if picture.subtitle:
        lines.append(line(clean(picture.subtitle, viewport.ascii)))
    if picture.phase:
        lines.append(line(f"phase: {picture.phase}"))
    room = max((len(_names(s)) for s in picture.seats), default=0)
    lines += [_seat(s, room, viewport) for s in picture.seats]
    lines += [line(clean(fallen.text, viewport.ascii), _BOLD) for fallen in picture.fallen]
    return lines


def _names(seat: Seat) -> str:
    return seat.name + (f" ({', '.join(seat.roles)})" if seat.roles else "")


def _seat(seat: Seat, room: int, viewport: Viewport) -> Line:
    arrow = (">" if viewport.ascii else "▶") if seat.acts else " "
    name = clean(_names(seat), viewport.ascii)
    played = f"  {seat.played_by}" if seat.played_by else ""
    return (Run(f"{arrow} {name.ljust(room) if played else name}", _BOLD if seat.acts else Ink()), Run(played, _DIM))


def _listed(lines: Sequence[Drawn]) -> list[str]:
    """The lines between places, which a terminal cannot draw, by their names in the legend."""
    ends: dict[str, list[str]] = {}
    for x in lines:
        source, target = x.ends
        if source.place != target.place:
            ends.setdefault(x.text or "lines", []).append(f"{source.name}-{target.name}")
    return [f"{text}: {', '.join(found)}" for text, found in ends.items()]


def _stacked(picture: Picture) -> list[str]:
    """What lies in the stacks of the board, of which a terminal draws the top."""
    if picture.board is None:
        return []
    return [
        f"{picture.board.domains[domain].names[index]} from the bottom: {', '.join(g.sign for g in (*spot.below, *spot.glyphs))}"
        for (domain, index), spot in picture.spots.items()
        if spot.below
    ]


def _tail(picture: Picture, viewport: Viewport) -> list[Line]:
    lines: list[Line] = [line(text, ink) for text, ink in tint_legend(picture, viewport) if text.strip()]
    lines += [line(clean(f'"{text}"', viewport.ascii), Ink(bold=True)) for text in picture.bubbles]
    if picture.redraw:
        lines.append(line("the sheet may be redrawn (redraw)", _DIM))
    if picture.last:
        lines.append(line(clean(f"last: {picture.last}", viewport.ascii)))
    if picture.outcome:
        lines.append(line(clean(picture.outcome, viewport.ascii), _BOLD))
    return lines


def _legend(picture: Picture, viewport: Viewport, columns: int) -> list[Line]:
    """The meaning of the symbols: a line for every owner of several kinds of pieces, the rest one after the other."""
    entries = picture.legend
    if len({e.text for e in entries if e.group}) == 1:  # one kind of piece: only its owner needs to be named
        entries = tuple(replace(e, text=e.group, group="") if e.group else e for e in entries)
    groups = dict.fromkeys(e.group for e in entries)
    lines: list[Line] = []
    for group in groups:
        lines += _row([e for e in entries if e.group == group], f"{group}: " if group else "", viewport, columns)
    return lines


def _row(entries: Sequence[Entry], head: str, viewport: Viewport, columns: int) -> list[Line]:
    """Entries on as few lines as possible; an entry is never broken unless it is wider than a line."""
    lines: list[Line] = []
    current: Line = line(clean(head, viewport.ascii), _DIM)
    empty = True
    for entry in entries:
        piece = _entry(entry, viewport)
        gap = () if empty else (Run("  " if not head else ", ", _DIM),)
        if not empty and width(current) + width(gap) + width(piece) > columns:
            lines.append(current)
            current, gap = (Run("  ", _DIM),) if head else (), ()
        current, empty = (*current, *gap, *piece), False
    return [*lines, current]


def _entry(entry: Entry, viewport: Viewport) -> Line:
    sign = clean(entry.sign, viewport.ascii)
    if entry.is_stroke:
        sign = bar(WEIGHTS.get(entry.sign, LIGHT), False, viewport.ascii) * 2
    return Run(sign, Ink(colour=entry.colour, bold=True)), Run(f" {clean(entry.text, viewport.ascii)}", _DIM)


def _folded(lines: list[Line], columns: int, room: int) -> list[Line]:
    """The lines, in two columns if one would be too long and two are not too wide."""
    if len(lines) <= max(room, 1):
        return lines
    half = -(-len(lines) // 2)
    left, right = lines[:half], lines[half:]
    if widest(left) + 2 + widest(right) > columns:
        return _paired(lines, columns)
    return side_by_side([padded(x, widest(left)) for x in left], right, 2)


def _paired(lines: list[Line], columns: int) -> list[Line]:
    """The lines, with neighbors joined on one line if there is room for both."""
    out: list[Line] = []
    for x in lines:
        if out and widest([out[-1]]) + 3 + widest([x]) <= columns:
            out[-1] = (*out[-1], Run(" | ", _DIM), *x)
        else:
            out.append(x)
    return out


def wrapped(of: Line, columns: int) -> list[Line]:
    """A line cut at spaces into lines that fit."""
    lines: list[Line] = []
    current: list[Run] = []
    used = 0
    for text, ink in ((w, run.ink) for run in of for w in _words(run.text)):
        if used and used + len(text.rstrip()) > columns:
            lines.append(_stripped(current))
            current, used = [Run("  ")], 2
            text = text.lstrip()
        while len(text) > columns > 2:
            current.append(Run(text[: columns - used], ink))
            lines.append(tuple(current))
            text, current, used = text[columns - used :], [Run("  ")], 2
        current.append(Run(text, ink))
        used += len(text)
    return [*lines, tuple(current)]


def _stripped(runs: Sequence[Run]) -> Line:
    """A line without the spaces at its end."""
    *rest, last = runs
    return (*rest, Run(last.text.rstrip(), last.ink))


def _words(text: str) -> list[str]:
    """A string in pieces, each with the spaces after it."""
    pieces: list[str] = []
    for word in text.split(" "):
        pieces.append(word + " ")
    if pieces:
        pieces[-1] = pieces[-1][:-1]
    return [p for p in pieces if p]
