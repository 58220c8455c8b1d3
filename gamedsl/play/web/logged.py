"""The log of a viewer as the page's data: the nodes of its tree, and the position at each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import fallen, scars_of
from gamedsl.play.web.position_data import describe_position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gamedsl.engine import Announcement, Game, LogEntry, SeatLog, Sheet, State

Json: TypeAlias = dict[str, Any]

ROOT: Json = {"id": 0, "parent": None, "seat": None, "text": "", "secret": False}


def describe_entry(entry: LogEntry) -> Json:
    """A line of a log as a node of the page's tree, which is a single line."""
    one = entry.announcement
    text = "" if one.move is not None and one.move.kind == "drawing" else one.text
    found: Json = {"id": entry.number, "parent": entry.number - 1, "seat": one.player, "text": text}
    return {**found, "secret": not one.is_whole, **({"said": list(entry.said)} if entry.said else {})}


def describe_logged(log: SeatLog, at: int, played_by: tuple[str, ...] = ()) -> Json:
    """The ``position`` of the page's data at a moment of a log. Once the viewer has seen the game end by its rules, it shows what
    the results may tell."""
    told = [one.announcement for one in log.entries if one.at <= at]
    return describe_told(log, log.moments[at].state, log.sheets[at], told, played_by)


def describe_told(
    log: SeatLog, state: State, sheet: Sheet, told: Sequence[Announcement], played_by: tuple[str, ...] = ()
) -> Json:
    """The same for a position to which the plies lead that were ``told``, which the log need not have."""
    last = told[-1] if told else None
    return describe_position(
        state,
        log.seat,
        scars=scars_of(sheet, state),
        last=None if last is None else last.move,
        last_text="" if last is None else _said(state.game, last),
        played_by=played_by,
        fallen=fallen(told),
        is_open=log.everything,
        over=log.end,
    )


def _said(game: Game, one: Announcement) -> str:
    name = "chance" if one.player is None else game.players[one.player]
    what = "draws" if one.move is not None and one.move.kind == "drawing" else one.text
    return f"{name}: {what}"
