"""A recorded game as a page to step through: one HTML file with every position, for one seat or for viewers who may
see everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine import Announcement, LogEntry, Ply, Record, SeatLog, Sheet, full_announcement
from gamedsl.play.web.logged import describe_entry, describe_logged, describe_told
from gamedsl.play.web.page_facts import describe_game
from gamedsl.play.web.single_file import one_file

if TYPE_CHECKING:
    from gamedsl.engine import Exploration, Game, Move, State

Json: TypeAlias = dict[str, Any]
Steps: TypeAlias = list[tuple["State", "Move | None"]]

_RECENT = 100  # plies before a position that may have brought what lies there, such as dice
_START = """
const read = (id) => JSON.parse(document.getElementById(id).textContent);
globalThis.shown = $replay.mount(document.getElementById("page"), $replay.recordedTable(read("play")));
"""


def recorded_page(game: Game, record: Record, seat: int | None = None) -> str:
    """The text of the HTML file. ``seat``: show only what this seat may know; None: everything.

    Raises ``GameDSLError`` with the line for an illegal ply."""
    log = _log(list(record.steps(game)), seat)
    positions = [describe_logged(log, at) for at in (0, *(one.at for one in log.entries))]
    play = {
        "game": describe_game(game),
        "positions": positions,
        "plies": [describe_entry(one) for one in log.entries],
        "record": record.text() if seat is None else record.text(game, seat),
    }
    return one_file(game.title, "replay", _START, {"play": play})


def explored_page(game: Game, exploration: Exploration, steps: Steps) -> str:
    """The text of the HTML file of an exploration: every position of its tree, with comments and marks. ``steps``: those
    of the exploration in this game."""
    sheets, told, plies, viewer = [Sheet()], [list[Announcement]()], list[Json](), SeatLog(None, everything=True)
    for branch, (after, move) in zip(exploration.branches[1:], steps[1:], strict=True):
        assert branch.parent is not None and move is not None
        one = full_announcement(move)
        sheets.append(sheets[branch.parent].after_announced(steps[branch.parent][0], [one], after))
        told.append([*told[branch.parent][-_RECENT:], one])
        plies.append({**describe_entry(LogEntry(len(sheets) - 1, 0, one, sheets[-1].said)), "parent": branch.parent})
    notes = [
        {"comment": b.comment, "circles": [list(c) for c in b.circles], "arrows": [[*a, *z] for a, z in b.arrows]}
        for b in exploration.branches
    ]
    play = {
        "game": describe_game(game),
        "positions": [
            describe_told(viewer, state, sheet, log) for (state, _), sheet, log in zip(steps, sheets, told, strict=True)
        ],
        "plies": plies,
        "notes": notes,
        "at": exploration.at,
        "record": exploration.source.text,
    }
    return one_file(game.title, "replay", _START, {"play": play})


def describe_step(steps: Steps, seat: int | None = None) -> Json:
    """The ``position`` after the last of these steps, as it is shown to a seat, or to viewers who may see everything."""
    return describe_logged(_log(steps, seat), len(steps) - 1)


def _log(steps: Steps, seat: int | None) -> SeatLog:
    log = SeatLog(seat, everything=seat is None)
    log.follow([Ply(*step) for step in steps])
    return log
