"""The marks that players have chosen, which replace the signs of the look only in what people see and type.

Records, saves, positions and observations do not contain them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from gamedsl.engine import NotKnown, evaluate_at
from gamedsl.engine.picture.picture import Aside, Entry, Fallen, Glyph, Picture
from gamedsl.language.core import chosen_signs, words
from gamedsl.language.source import GameDSLError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import State


@lazy_dataclass(frozen=True)
class Marks:
    """The signs that marks replace. ``signs``: by player, in the words of the rules, the sign of the look and the mark.
    If the sign is the name of the player, the mark replaces the name as well."""

    signs: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @cached_property
    def names(self) -> dict[str, str]:
        """The marks that replace names of players, by name."""
        own = {owner: mark for owner, (sign, mark) in self.signs.items() if owner == sign}
        return own | {owner.replace(" ", "_"): mark for owner, mark in own.items()}

    def shown(self, text: str) -> str:
        """A text with marks in place of names."""
        return _exchanged(text, self.names)

    def typed(self, text: str) -> str:
        """A text with names in place of marks."""
        return _exchanged(text, {mark: name for name, mark in self.names.items()})

    def picture(self, picture: Picture) -> Picture:
        """A picture with marks in place of signs and names, except in its text of the last move."""
        if not self.signs:
            return picture
        shown = self.shown
        spots = {
            place: replace(spot, glyphs=tuple(map(self._glyph, spot.glyphs)), below=tuple(map(self._glyph, spot.below)))
            for place, spot in picture.spots.items()
        }
        return replace(
            picture,
            spots=spots,
            seats=tuple(replace(s, name=shown(s.name), roles=_all(shown, s.roles)) for s in picture.seats),
            enlarged=tuple(replace(e, glyph=self._glyph(e.glyph), called=shown(e.called)) for e in picture.enlarged),
            lines=tuple(replace(x, text=shown(x.text)) for x in picture.lines),
            tints=tuple(replace(t, text=shown(t.text)) for t in picture.tints),
            asides=tuple(map(self._aside, picture.asides)),
            over=tuple(map(self.shown, picture.over)),
            bubbles=_all(shown, picture.bubbles),
            legend=tuple(map(self._entry, picture.legend)),
            fallen=tuple(Fallen(shown(f.what), _all(shown, f.values)) for f in picture.fallen),
            outcome=shown(picture.outcome),
        )

    def _glyph(self, glyph: Glyph) -> Glyph:
        sign, mark = self.signs.get(words(glyph.owner), ("", ""))
        if not mark or glyph.sign != sign:
            return glyph
        return replace(glyph, text=mark + ("" if glyph.number is None else str(glyph.number)))

    def _aside(self, aside: Aside) -> Aside:
        values = _all(self.shown, aside.values)
        return replace(aside, label=self.shown(aside.label), values=values, because=self.shown(aside.because))

    def _entry(self, entry: Entry) -> Entry:
        sign, mark = self.signs.get(words(entry.owner), ("", ""))
        is_own = bool(mark) and not entry.is_stroke and entry.sign in (sign, f"{sign}1, {sign}2 ..")
        own = entry.sign if not is_own else mark if entry.sign == sign else f"{mark}1, {mark}2 .."
        return replace(entry, sign=own, text=self.shown(entry.text), group=self.shown(entry.group))


NO_MARKS = Marks()


def marks_at(state: State, chosen: Sequence[str]) -> Marks:
    """The marks of the players in a state, and of their roles in parts. ``chosen``: the marks by seat; empty for a
    player who keeps the sign of the look."""
    if not any(chosen):
        return NO_MARKS
    found: dict[str, tuple[str, str]] = {}
    active = state.part
    for part in sorted(state.game.program.parts, key=lambda part: part.index == active):
        for role, sign in enumerate(chosen_signs(part)):
            if not sign:
                continue
            with suppress(NotKnown, GameDSLError):
                seat = role if part.index == 0 else evaluate_at(state, part.seats[role])
                if chosen[seat]:
                    found[words(part.players.names[role])] = (sign, chosen[seat])
    return Marks(found)


def with_marks(picture: Picture, state: State, chosen: Sequence[str]) -> Picture:
    """The picture of a state with marks in place of signs and names. Past boards have the marks of the roles that
    players had there."""
    past = tuple(
        replace(
            one,
            caption=marks_at(one.end.last, chosen).shown(one.caption),
            picture=with_marks(one.picture, one.end.last, chosen),
        )
        for one in picture.past
    )
    return marks_at(state, chosen).picture(replace(picture, past=past) if past else picture)


def _all(change: Callable[[str], str], texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(change, texts))


def _exchanged(text: str, by: Mapping[str, str]) -> str:
    """A text with whole words exchanged, all at once."""
    if not by:
        return text
    one = "|".join(rf"(?<!\w){re.escape(w)}(?!\w)" if w[0].isalnum() else re.escape(w) for w in by)
    return re.sub(one, lambda found: by[found[0]], text)
