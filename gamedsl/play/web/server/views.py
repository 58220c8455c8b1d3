"""The data sent to one viewer of a table. Everything about a game that a socket ever carries comes from here, and this
module takes it only from the engine's account of what a seat may know."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine import SeatLog
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.logged import ROOT, describe_entry, describe_logged
from gamedsl.play.web.server.agents import SEAT_WORDS
from gamedsl.play.web.server.events import PERSON
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.seat_requests import undo_target

if TYPE_CHECKING:
    from gamedsl.engine import Logged, State
    from gamedsl.play.web.server.table_play import Moment, Play

Json: TypeAlias = dict[str, Any]


class Account(SeatLog):
    """The log of a game for a viewer (a seat; None: a spectator), and the nodes of the page's tree."""

    def __init__(self, seat: int | None) -> None:
        super().__init__(seat)
        self.nodes: list[Json] = [ROOT]

    def follow(self, moments: Sequence[Logged]) -> int:
        kept = super().follow(moments)
        if kept + 1 < len(self.nodes):
            self.nodes = self.nodes[: kept + 1]  # a new list: sockets compare it with the one that they sent
        self.nodes += map(describe_entry, self.entries[kept:])
        return kept

    def position(self, play: Play, node: int | None = None) -> Json:
        """The ``position`` of the page's data at a node (None: now)."""
        seats = tuple("" if who == PERSON else SEAT_WORDS.get(who, who) for who in play.setup.seats)
        return describe_logged(self, len(self.moments) - 1 if node is None else self._at(node), seats)

    def state(self, node: int) -> State:
        """The whole state at a node."""
        return self.moments[self._at(node)].state

    def _at(self, node: int) -> int:
        """The place in ``moments`` that revealed a node."""
        return self.entries[node - 1].at if node else 0


@lazy_dataclass(frozen=True)
class View:
    """The data for all sockets of a viewer after a change. ``body``: JSON fields without the tree and the clocks;
    ``turn`` and ``over`` are in it too."""

    nodes: list[Json]
    body: str
    stamp: str
    turn: Json
    over: bool


def view_of(play: Play, account: Account, moments: Sequence[Moment], notice: str = "", trouble: str = "") -> View:
    """The view of a game at some of its moments, with only what the viewer may know. ``trouble``: what keeps the game
    from going on."""
    account.follow(moments)
    is_now = len(moments) == len(play.moments)
    position = account.position(play)
    over = play.is_over and is_now
    if over and play.verdict is not None:
        position["turn"] |= {"kind": "end", "to_act": [], "kinds": [], "actions": [], "chance": None, "strokes": []}
        position["turn"]["outcome"] = verdict_outcome(play)
    nodes = account.nodes
    stamp = sha256(json.dumps([len(nodes), position], sort_keys=True).encode()).hexdigest()[:16]
    can = {"undo": _can_undo(play, account.seat) and is_now, "go": True, "redraw": False, "load": False}
    told = {
        "position": position,  # in the form of the page's data
        "can": can,  # what this viewer can do now, as in the page's data
        "notice": notice,  # a sentence about the table, or empty
        "trouble": trouble or None,  # what keeps the game from continuing, or null
        "cover": None,  # for a page that several people share; always null here
        "marks": list(play.marks),  # the chosen mark of every seat; empty for the usual sign
        "names": list(play.names),  # the name that the player of every seat has chosen; empty for none
        "plans": _plans(play, account.seat),  # the answers that this seat has prepared: lines of plies
        "stamp": stamp,  # of this position; `play` and `draw` send it back
        "over": over,  # whether the game is over
        "open": _open(play) if is_now else None,  # an offer: `what`, `seat`, and the seats that `agree`; or null
        "rematch": _rematch(play) if is_now else {"seats": [], "table": ""},  # who wants one, and where it is
    }
    return View(nodes, json.dumps(told, ensure_ascii=False, separators=(",", ":"))[1:-1], stamp, position["turn"], over)


def _plans(play: Play, seat: int | None) -> list[list[str]]:
    return [] if seat is None or play.is_over else [list(line) for line in play.plans.get(seat, ())]


def _open(play: Play) -> Json | None:
    if play.open is None:
        return None
    return {"what": play.open.offer.what, "seat": play.open.offer.seat, "agree": sorted(play.open.agree)}


def _rematch(play: Play) -> Json:
    return {"seats": sorted(play.rematch), "table": play.next_table}


def _can_undo(play: Play, seat: int | None) -> bool:
    if seat is None or play.is_over or play.open is not None or play.game.secrets.hides:
        return False
    try:
        undo_target(play, seat)
    except Refused:
        return False
    return True


def verdict_outcome(play: Play) -> Json:
    """The ``outcome`` of a game that the rules did not end. With a loser, the other player of a game for two wins; in
    larger games nobody does."""
    assert play.verdict is not None
    names, loser = play.game.players, play.verdict.loser
    others = [seat for seat in range(len(names)) if seat != loser]
    if loser is None:
        return {"text": "a draw was agreed", "winners": [], "returns": [0] * len(names), "scores": [0] * len(names)}
    text = f"{names[loser]} {'resigned' if play.verdict.how == 'resigned' else 'ran out of time'}"
    winners = others if len(names) == 2 else []
    returns = [-1 if seat == loser else int(seat in winners) for seat in range(len(names))]
    text += f", {names[winners[0]]} wins" if winners else ""
    return {"text": text, "winners": winners, "returns": returns, "scores": [0] * len(names)}
