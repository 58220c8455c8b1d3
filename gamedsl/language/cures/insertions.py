"""Cures that insert or move something: a declaration, a line, an ending, an entry of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamedsl.language.cures.mistake import Place, shown
from gamedsl.language.cures.word_cures import Cure, some_player
from gamedsl.language.source import Edit, Fix


def declare(template: str, after: tuple[str, ...] = ("game", "variant", "use", "players", "option", "type")) -> Cure:
    """Returns a cure that adds a declaration after the last of those that usually precede it. ``{}`` is replaced by
    the name that the message quotes; line breaks separate several lines.
    """

    def cure(place: Place) -> Iterator[Fix]:
        text = template.format(*place.names[:1]) if "{}" in template and place.names else template
        if "{}" in text:
            return
        at = _place_after(place, after)
        yield place.fix(f"Add {shown(text.splitlines()[0])}", at, at, text + "\n")

    return cure


def _place_after(place: Place, words: tuple[str, ...]) -> int:
    """Returns the start of the row after the last declaration that begins with one of some words."""
    view = place.view
    last = 0
    for number, line in enumerate(view.lines):
        if line.indent == 0 and line.first in words:
            last = view.block_end(number)
    if last == 0:
        return view.whole_lines(0, 1).start if view.lines else 0
    return min(len(view.source.text), view.row_end(view.lines[last - 1].end) + 1)


def line_below(text: str) -> Cure:
    """Returns a cure that adds a line at the end of the block that begins with the marked line; ``{me}``: a player."""

    def cure(place: Place) -> Iterator[Fix]:
        number = place.line_number
        if number is None:
            return
        view = place.view
        end = view.block_end(number)
        has_block = end > number + 1
        indent = view.lines[number + 1].indent if has_block else view.lines[number].indent + 2
        new = text.format(me=some_player(place))
        at = view.row_end(view.lines[end - 1].end)
        yield place.fix(f"Add {shown(new)}", at, at, "\n" + " " * indent + new)

    return cure


def line_above(text: str, holder: str = "") -> Cure:
    """Returns a cure that adds a line above the marked one, or as the first line of the block inside ``holder``."""

    def cure(place: Place) -> Iterator[Fix]:
        number = place.line_number
        while number is not None and holder and _parent_word(place, number) != holder:
            number = place.view.parent(number)
        if number is None:
            return
        line = place.view.lines[number]
        if holder:
            parent = place.view.parent(number)
            line = place.view.lines[(parent or 0) + 1]
        at = place.view.row_start(line.start)
        yield place.fix(f"Add {shown(text)}", at, at, " " * line.indent + text + "\n")

    return cure


def _parent_word(place: Place, number: int) -> str:
    parent = place.view.parent(number)
    return "" if parent is None else place.view.lines[parent].first


def add_bindings(place: Place) -> Iterator[Fix]:
    """Binds the players that the message lists, each to a player of the ruleset that is not bound yet."""
    line = place.line
    if line is None:
        return
    wanted = [w.strip() for w in place.found.message.partition(":")[2].split(",")]
    players = _players(place)
    bound = {w.text for w in line.words}
    free = [p for p in players if p not in bound]
    if wanted and len(free) >= len(wanted):
        new = ", ".join(f"{one} = {p}" for one, p in zip(wanted, free, strict=False))
        joint = ", " if "with" in bound else " with "
        end = place.span.end
        yield place.fix(f"Bind {shown(new)}", end, end, joint + new)


def _players(place: Place) -> list[str]:
    for line in place.view.lines:
        if line.first == "players":
            return [w.text for w in line.words[1:] if w.kind == "name"]
    return []


def bind_another(place: Place) -> Iterator[Fix]:
    """Changes the last of two equal bindings to a player that is still free."""
    words = place.words()
    free = [p for p in _players(place) if p not in {w.text for w in words}]
    if free and words:
        yield place.fix(f"Bind `{free[0]}`", words[-1].start, words[-1].end, free[0])


def add_row(place: Place) -> Iterator[Fix]:
    """Adds the first row that a table lacks, with the value of its last row."""
    number = place.line_number
    if number is None:
        return
    view = place.view
    end = view.block_end(number)
    last = view.lines[end - 1]
    colon = next((w for w in last.words if w.text == ":"), None)
    row = place.advised[0] if place.advised else ""
    if end > number + 1 and colon is not None and ":" in row:
        value = view.source.text[colon.end : last.end].strip()
        new = f"{row.partition(':')[0]}: {value}"
        at = view.row_end(last.end)
        yield place.fix(f"Add {shown(new)}", at, at, "\n" + " " * last.indent + new)


def move_up(place: Place) -> Iterator[Fix]:
    """Moves a guard before the first effect of its move."""
    number = place.line_number
    parent = None if number is None else place.view.parent(number)
    if number is None or parent is None:
        return
    view = place.view
    first = next(i for i in range(parent + 1, number + 1) if view.lines[i].first != "when")
    yield _moved(place, number, view.row_start(view.lines[first].start), "Move it before the effects")


def move_last(place: Place) -> Iterator[Fix]:
    """Moves a row to the end of its table."""
    number = place.line_number
    parent = None if number is None else place.view.parent(number)
    if number is None or parent is None:
        return
    last = place.view.lines[place.view.block_end(parent) - 1]
    at = place.view.row_end(last.end)
    yield _moved(place, number, min(at + 1, len(place.source.text)), "Move it to the end")


def _moved(place: Place, number: int, at: int, title: str) -> Fix:
    span = place.view.whole_lines(number, number + 1)
    text = place.source.text[span.start : span.end]
    lead = "" if at == 0 or place.source.text[at - 1] == "\n" else "\n"
    return Fix(title, (Edit(place.stretch(at, at), lead + text), Edit(span, "")), safe=False)


def repeat_parameter(place: Place) -> Iterator[Fix]:
    """Adds the parameters that a notation omits at the end of its string."""
    line = place.line
    missing = re.findall(r"\w+", place.found.message.rpartition(":")[2])
    text = next((w for w in line.words if w.kind == "string"), None) if line else None
    if text is not None and missing:
        new = "".join(f" {{{name}}}" for name in missing)
        yield place.fix(f"Add {shown(new.strip())}", text.end - 1, text.end - 1, new)


_FIRST_LINES = {
    "turns": "skip",
    "play": "draw",
    "phase": "draw",
    "move": "stop",
    "action": "stop",
    "state": "value: 0..9",
}


def first_line(place: Place) -> Iterator[Fix]:
    """Adds a line below one that needs some: the simplest that is allowed there."""
    number = place.line_number
    if number is None:
        return
    line = place.view.lines[number]
    new = _FIRST_LINES.get(line.first, "draw")
    while number is not None and line.first not in _FIRST_LINES:
        if place.view.lines[number].first in ("move", "action"):
            new = "stop"
        number = place.view.parent(number)
    at = place.view.row_end(line.end)
    yield place.fix(f"Add {shown(new)}", at, at, "\n" + " " * (line.indent + 2) + new)


def name_winner(place: Place) -> Iterator[Fix]:
    """Adds a player after ``win`` or ``lose`` at the end of a line."""
    line, who = place.line, some_player(place)
    if line is not None and who and line.words[-1].text in ("win", "lose"):
        yield place.fix(f"Add `{who}`", line.end, line.end, f" {who}")


def add_supply(place: Place) -> Iterator[Fix]:
    """Adds the number of pieces to their declaration."""
    for line in place.view.lines:
        if line.first == "piece" and place.names and place.names[0] in [w.text for w in line.words]:
            many = "each" if "player" in [w.text for w in line.words] else "in supply"
            yield place.fix(f"Add `10 {many}`", line.end, line.end, f", 10 {many}")
            return


def as_definition(place: Place) -> Iterator[Fix]:
    """Turns a variable that keeps its initial value into a definition."""
    number, line = place.line_number, place.line
    found = re.fullmatch(r"(\w+): [^=]+? = (.+)", place.source.text[line.start : line.end]) if line else None
    parent = None if number is None else place.view.parent(number)
    if found is None or number is None or parent is None:
        return
    view = place.view
    alone = view.block_end(parent) == number + 1 and parent == number - 1
    removed = view.whole_lines(parent if alone else number, number + 1)
    at = view.whole_lines(parent, parent + 1).start
    new = f"define {found[1]} = {found[2]}"
    if alone:
        yield Fix(f"Write {shown(new)}", (Edit(removed, new + "\n"),))
    else:
        yield Fix(f"Write {shown(new)}", (Edit(place.stretch(at, at), new + "\n\n"), Edit(removed, "")))


def below_advised(place: Place) -> Iterator[Fix]:
    """Moves the declaration below the line that the help quotes."""
    number = place.line_number
    if number is None or not place.advised:
        return
    span = place.view.whole_lines(number, place.view.block_end(number))
    rows = place.source.text[span.start : span.end].splitlines(keepends=True)
    text = place.advised[0] + "\n" + "".join(f"  {row}" if row.strip() else row for row in rows)
    yield Fix(f"Put it below {shown(place.advised[0])}", (Edit(span, text),))


def exchange_everywhere(old: str, new: str) -> Cure:
    """Returns a cure that exchanges some words wherever they begin a line."""

    def cure(place: Place) -> Iterator[Fix]:
        text = place.source.text
        edits = [
            Edit(place.stretch(line.start, line.start + len(old)), new)
            for line in place.view.lines
            if text.startswith(old, line.start)
        ]
        if edits:
            yield Fix(f"Write {shown(new)}", tuple(edits))

    return cure
