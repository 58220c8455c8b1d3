"""The entries of a record that a seat may know."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.engine.information.announcements import announcements_at
from gamedsl.engine.information.lookalikes import Steps
from gamedsl.engine.records.entries import NOBODY, Entry


def told_entries(entries: Sequence[Entry], steps: Steps, seat: int) -> tuple[Entry, ...]:
    """The entries of a record as a seat may know them; ``steps`` are the states and moves of its plies.

    If the rules hide something, redraws and the refused attempts of others are left out, because they could reveal it.
    If not, only those during a choice that is still open are left out.
    """
    game = steps[0][0].game
    name = game.players[seat]
    still_open = len(steps) - len(steps[-1][0].pending)
    found: list[Entry] = []
    ply = 0
    for entry in entries:
        if entry.kind == "ply":
            ply += 1
            for told in announcements_at(steps, ply, seat):
                who = NOBODY if told.player is None else game.players[told.player]
                found.append(Entry("ply", told.text, who, entry.line))
            if ply >= still_open and entry.who == name:  # the seat's own choice, while others still choose
                found.append(entry)
        elif (
            entry.kind == "comment"
            or (not game.secrets.hides and (entry.kind == "redraw" or ply < still_open))
            or (entry.kind == "refused" and entry.who == name)
        ):
            found.append(entry)
    return tuple(found)
