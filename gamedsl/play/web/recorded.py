"""A recorded game as a page to step through: one HTML file with every position, for one seat or for viewers who may
see everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine import Announcement, Record, Sheet, announced_plies, full_announcement
from gamedsl.engine.picture import fallen, scars_of
from gamedsl.play.web.page_facts import describe_game
from gamedsl.play.web.position_data import describe_position
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
    steps: Steps = list(record.steps(game))
    plies = _plies(steps, seat)
    sheets = _sheets(steps, plies, seat)
    told = [one for _, one in plies]
    positions = [_position(steps[0][0], sheets[0], [], seat)]
    positions += [_position(steps[at][0], sheets[at], told[: i + 1], seat) for i, (at, _) in enumerate(plies)]
    play = {
        "game": describe_game(game),
        "positions": positions,
        "plies": [_ply(one, sheets[at]) for at, one in plies],
        "record": record.text() if seat is None else record.text(game, seat),
    }
    return one_file(game.title, "replay", _START, {"play": play})


def explored_page(game: Game, exploration: Exploration, steps: Steps) -> str:
    """The text of the HTML file of an exploration: every position of its tree, with comments and marks. ``steps``: those
    of the exploration in this game."""
    sheets, told, plies = [Sheet()], [list[Announcement]()], list[Json]()
    for branch, (after, move) in zip(exploration.branches[1:], steps[1:], strict=True):
        assert branch.parent is not None and move is not None
        one = full_announcement(move)
        sheets.append(sheets[branch.parent].after_announced(steps[branch.parent][0], [one], after))
        told.append([*told[branch.parent][-_RECENT:], one])
        plies.append({"parent": branch.parent, **_ply(one, sheets[-1])})
    notes = [
        {"comment": b.comment, "circles": [list(c) for c in b.circles], "arrows": [[*a, *z] for a, z in b.arrows]}
        for b in exploration.branches
    ]
    play = {
        "game": describe_game(game),
        "positions": [
            _position(state, sheet, log, None) for (state, _), sheet, log in zip(steps, sheets, told, strict=True)
        ],
        "plies": plies,
        "notes": notes,
        "at": exploration.at,
        "record": exploration.source.text,
    }
    return one_file(game.title, "replay", _START, {"play": play})


def describe_step(steps: Steps, seat: int | None = None) -> Json:
    """The ``position`` after the last of these steps, as it is shown to a seat, or to viewers who may see everything."""
    plies = _plies(steps, seat)
    return _position(steps[-1][0], _sheets(steps, plies, seat)[-1], [one for _, one in plies], seat)


def _plies(steps: Steps, seat: int | None) -> list[tuple[int, Announcement]]:
    if seat is not None:
        return list(announced_plies(steps, seat))
    return [(at, full_announcement(move)) for at, (_, move) in enumerate(steps) if move is not None]


def _sheets(steps: Steps, plies: list[tuple[int, Announcement]], seat: int | None) -> list[Sheet]:
    """The paper after every step, as far as the viewer knows it."""
    sheets = [Sheet()]
    for at in range(1, len(steps)):
        announced = [one for when, one in plies if when == at]
        before, after = (steps[i][0] if seat is None else steps[i][0].seen_by(seat) for i in (at - 1, at))
        sheets.append(sheets[-1].after_announced(before, announced, after))
    return sheets


def _ply(one: Announcement, sheet: Sheet) -> Json:
    found: Json = {"seat": one.player, "text": one.text}
    return {**found, "said": list(sheet.said)} if sheet.said else found


def _position(state: State, sheet: Sheet, told: list[Announcement], seat: int | None) -> Json:
    last = told[-1] if told else None
    who = "" if last is None else "chance" if last.player is None else state.game.players[last.player]
    return describe_position(
        state,
        seat,
        scars=scars_of(sheet, state),
        last=None if last is None else last.move,
        last_text="" if last is None else f"{who}: {last.text}",
        fallen=fallen(told),
        is_open=seat is None,
    )
