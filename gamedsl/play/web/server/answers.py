"""Requests from a socket -> answers. Every request is listed here and in docs/reference/server.md."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.language.source import GameDSLError
from gamedsl.play.web import describe_position, describe_preview, describe_reasons, judge_strokes
from gamedsl.play.web.server import seat_requests
from gamedsl.play.web.server.limits import (
    MOST_ACTION,
    MOST_CALLED,
    MOST_MARK,
    MOST_SAID,
    MOST_STAMP,
    MOST_TRIED_PLIES,
)
from gamedsl.play.web.server.planned_answers import check_may_plan, planned, walked
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.requests import Request, actions, line, lines, strokes, text, whole
from gamedsl.play.web.server.sockets import address_of
from gamedsl.play.web.server.variations import check_may_explore, variation
from gamedsl.play.web.server.written_lines import read_line

if TYPE_CHECKING:
    from gamedsl.play.web.server.sockets import Socket
    from gamedsl.play.web.server.table_play import Play
    from gamedsl.play.web.server.views import Account

Json: TypeAlias = dict[str, Any]
Doer: TypeAlias = "Callable[[Socket, int, Request], Awaitable[Json]]"  # for a seat
Asker: TypeAlias = "Callable[[Socket, Request], Awaitable[Json]]"  # for anybody
_OK: Json = {"ok": True}


async def answer(socket: Socket, request: Request) -> Json:
    """The answer to a request, without its number. Raises ``Refused``."""
    if request.do in _ASKING:
        return await _ASKING[request.do](socket, request)
    if request.do not in _DOING:
        raise Refused("malformed", "there is no such request")
    if socket.seat is None:
        raise Refused("seat", "spectators can only watch")
    return await _DOING[request.do](socket, socket.seat, request)


# ------------------------------------------------------------------------------------------------------- for a seat


async def _play(socket: Socket, seat: int, request: Request) -> Json:
    """Makes the move of the requested action, which was chosen in the position with the request's stamp."""
    action, stamp = whole(request.fields, "action", 0, MOST_ACTION), text(request.fields, "stamp", MOST_STAMP)

    def decide(play: Play, now: int) -> seat_requests.Decided:
        _check_stamp(socket, stamp)
        return seat_requests.made(play, seat_requests.action_move(play, seat, action), now)

    await socket.table.request(decide, socket.lag)
    return _OK


async def _draw(socket: Socket, seat: int, request: Request) -> Json:
    """Draws the requested strokes in the position with the request's stamp."""
    drawn, stamp = strokes(request.fields, "strokes"), text(request.fields, "stamp", MOST_STAMP)

    def decide(play: Play, now: int) -> seat_requests.Decided:
        _check_stamp(socket, stamp)
        return seat_requests.made(play, seat_requests.drawn_move(play, seat, drawn), now)

    await socket.table.request(decide, socket.lag)
    return _OK


def _check_stamp(socket: Socket, stamp: str) -> None:
    """Refuses a move for another position than the present one, so that a move sent twice is made once."""
    if socket.table.view(socket.seat).stamp != stamp:
        raise Refused("stale", "the position has changed meanwhile")


def _simple(decide: Callable[[Play, int, int], seat_requests.Decided]) -> Doer:
    async def do(socket: Socket, seat: int, request: Request) -> Json:
        await socket.table.request(lambda play, now: decide(play, seat, now))
        return _OK

    return do


async def _mark(socket: Socket, seat: int, request: Request) -> Json:
    """Chooses the mark of this seat; an empty mark stands for the usual sign."""
    mark = text(request.fields, "mark", MOST_MARK)
    await socket.table.request(lambda play, now: seat_requests.marked(play, seat, mark, now))
    return _OK


async def _name(socket: Socket, seat: int, request: Request) -> Json:
    """Gives the player of this seat a name; an empty one takes it away."""
    name = read_line(request.fields, "name", MOST_CALLED)
    if name != socket.table.play.names[seat]:
        socket.table.speakers.admit(seat)
    await socket.table.request(lambda play, now: seat_requests.named(play, seat, name, now))
    return _OK


async def _plan(socket: Socket, seat: int, request: Request) -> Json:
    """Prepares answers to the others, instead of all before: lines of plies from the position with the request's stamp
    on, each of which ends with a move of this seat. Nobody else learns of them before they are made."""
    wanted, stamp = lines(request.fields, "lines"), text(request.fields, "stamp", MOST_STAMP)
    socket.table.speakers.admit(seat)

    def decide(play: Play, now: int) -> seat_requests.Decided:
        _check_stamp(socket, stamp)  # with three players, a line could be legal in another position too
        return planned(play, seat, wanted, now)

    await socket.table.request(decide)
    return _OK


async def _imagine(socket: Socket, seat: int, request: Request) -> Json:
    """The position after a line of plies from the present one, and after one more action (-1: none); for the choice of
    answers."""
    wanted, action = line(request.fields, "line"), whole(request.fields, "action", -1, MOST_ACTION)

    def imagined(play: Play) -> Json:
        check_may_plan(play, seat)
        state, texts, _ = walked(play, wanted, None if action < 0 else action)
        shown = state.to_act[0] if not state.is_terminal and state.kind == "player" else None
        return {"position": describe_position(state, shown, last_text=texts[-1] if texts else ""), "line": list(texts)}

    return {"ok": True, "imagined": await socket.table.look(imagined, socket.table.play)}


async def _rematch(socket: Socket, seat: int, request: Request) -> Json:
    """Asks for another game, which begins once every person at the table has asked."""
    await socket.hall.rematch(socket.table, seat)
    return _OK


async def _retry(socket: Socket, seat: int, request: Request) -> Json:
    """Makes the agents that failed think again."""
    await socket.table.retry()
    return _OK


async def _why(socket: Socket, seat: int, request: Request) -> Json:
    """The reasons why none of some actions is legal; none if one is."""
    tried, play = actions(request.fields, "actions"), socket.table.play
    if seat not in play.to_act or play.state.kind == "drawing":
        raise Refused("turn", "it is not your turn")
    try:
        return {"ok": True, "reasons": await socket.table.look(describe_reasons, play.state, tried, seat)}
    except GameDSLError as error:
        raise Refused("illegal", "there is no such action") from error


async def _preview(socket: Socket, seat: int, request: Request) -> Json:
    """What the seat would see after a legal action, if nothing is hidden."""
    action, play = whole(request.fields, "action", 0, MOST_ACTION), socket.table.play
    if seat not in play.to_act:
        raise Refused("turn", "it is not your turn")
    try:
        return {"ok": True, "preview": await socket.table.look(describe_preview, play.state, action, seat)}
    except GameDSLError as error:
        raise Refused("illegal", "there is no such action") from error


async def _judge(socket: Socket, seat: int, request: Request) -> Json:
    """The faults of strokes, before they are drawn."""
    drawn, play = strokes(request.fields, "strokes"), socket.table.play
    if seat not in play.to_act or play.state.kind != "drawing":
        raise Refused("turn", "there is nothing for you to draw")
    try:
        return {"ok": True, "judged": await socket.table.look(judge_strokes, play.state, drawn)}
    except ValueError as error:  # not the strokes that are due
        raise Refused("malformed", str(error)) from error


# ------------------------------------------------------------------------------------------------------ for anybody


async def _say(socket: Socket, request: Request) -> Json:
    """A message to all at the table; `name` is that of a spectator."""
    seat, written = socket.seat, read_line(request.fields, "text", MOST_SAID)
    name = read_line(request.fields, "name", MOST_CALLED) if seat is None else ""
    if not socket.talks:
        raise Refused("chat", "you cannot write messages at this table")
    socket.table.speakers.admit(socket.hall.links.owner(address_of(socket.ws)) if seat is None else seat)
    await socket.table.request(lambda play, now: seat_requests.said(play, seat, written, name, now))
    return _OK


async def _look(socket: Socket, request: Request) -> Json:
    """A past position, as this viewer saw it."""
    account = await _account(socket)
    node = whole(request.fields, "node", 0, len(account.entries))
    return {"ok": True, "position": await socket.table.look(account.position, socket.table.play, node)}


async def _record(socket: Socket, request: Request) -> Json:
    """The record, with only what this viewer may know."""
    table = socket.table
    if table.delay and (socket.seat is None or not table.play.is_over):
        raise Refused("secret", "only players get the record of a game with hidden information, and only after the end")
    record = await table.look(table.play.record, socket.seat)
    return {"ok": True, "record": record.text()}


async def _study(socket: Socket, request: Request) -> Json:
    """An evaluation of a position, available after the end if the rules hide nothing."""
    play = socket.table.play
    if not play.is_over:
        raise Refused("no", "positions are evaluated only after the end")
    if play.game.secrets.hides:
        raise Refused("secret", "an evaluation would reveal what is hidden")
    account = await _account(socket)
    state = account.state(whole(request.fields, "node", 0, len(account.entries)))
    if state.kind not in ("player", "together"):
        raise Refused("no", "there is nothing to evaluate here")
    if socket.studies:
        raise Refused("rate", "the last evaluation is not finished")
    socket.studies = True
    try:
        return {"ok": True, "study": await socket.hall.thinkers.study(state, socket.table.place)}
    finally:
        socket.studies = False


async def _explore(socket: Socket, request: Request) -> Json:
    """The position after a variation: a line of plies from a position of the game that is over, and one more action (-1:
    none), with the outcomes of chance that follow it."""
    wanted = line(request.fields, "line", MOST_TRIED_PLIES)
    action = whole(request.fields, "action", -1, MOST_ACTION)
    check_may_explore(socket.table.play)
    account = await _account(socket)
    state = account.state(whole(request.fields, "node", 0, len(account.entries)))
    found = await socket.table.look(variation, state, wanted, None if action < 0 else action)
    return {"ok": True, "explored": found}


async def _account(socket: Socket) -> Account:
    """What this viewer has been told until now."""
    await socket.table.look(socket.table.view, socket.seat)
    return socket.table.accounts[socket.seat]


_DOING: dict[str, Doer] = {
    "play": _play,
    "draw": _draw,
    "why": _why,
    "preview": _preview,
    "judge": _judge,
    "undo": _simple(seat_requests.asked_undo),
    "offer": _simple(seat_requests.offered_draw),
    "accept": _simple(lambda play, seat, now: seat_requests.answered(play, seat, True, now)),
    "decline": _simple(lambda play, seat, now: seat_requests.answered(play, seat, False, now)),
    "resign": _simple(seat_requests.resigned),
    "rematch": _rematch,
    "mark": _mark,
    "name": _name,
    "plan": _plan,
    "imagine": _imagine,
    "retry": _retry,
}
_ASKING: dict[str, Asker] = {"say": _say, "look": _look, "record": _record, "study": _study, "explore": _explore}
