"""The paper: marks that plies leave on it, and when it may be redrawn. Never part of the position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gamedsl.engine.information.bindings import bindings
from gamedsl.engine.information.gains import Gain, gains_of
from gamedsl.engine.information.plies import moves_made
from gamedsl.engine.information.takings import Taking, takings_after
from gamedsl.engine.information.unknown_values import NotKnown
from gamedsl.engine.moves import Move
from gamedsl.engine.notation import value_words
from gamedsl.engine.play.actions import mover_of
from gamedsl.engine.stop import evaluate_at
from gamedsl.engine.values import bits
from gamedsl.language.core import Sign, offset, sign_of
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.information.announcements import Announcement
    from gamedsl.engine.state import PartEnd, State
    from gamedsl.language.boards import Domain

REFUSAL = -1


@lazy_dataclass(frozen=True)
class PaperMark:
    """A mark on the paper. ``on``: its places by domain and index, in order along a path (none: beside the board);
    ``part``: the part on whose board it is; ``ply``: the number of the ply that left it; ``mover``: the player of the
    part who made that ply, if a player did; ``sign``: the piece that is drawn large over all places; ``called``: its
    name in the legend."""

    text: str
    on: tuple[tuple[Domain, int], ...]
    is_path: bool
    part: int
    until_redrawn: bool
    ply: int
    mover: int | None = None
    sign: Sign | None = None
    called: str = ""


@lazy_dataclass(frozen=True)
class Sheet:
    """What is on the paper. ``may_redraw``: since the last redraw, a ply has left a mark that lasts until the next one,
    or a refused attempt has allowed a redraw. Redrawing never changes the position.

    ``ended``: the parts that have ended, in order; ``closed``: the marks on the paper of each of them when it ended;
    ``said``: the sentences of the rules after the last ply; ``gains``: what plies added to the scores that are shown;
    ``taken``: the pieces that players have taken from others.
    """

    left: tuple[PaperMark, ...] = ()
    may_redraw: bool = False
    plies: int = 0
    ended: tuple[PartEnd, ...] = ()
    closed: tuple[tuple[PaperMark, ...], ...] = ()
    said: tuple[str, ...] = ()
    gains: tuple[Gain, ...] = ()
    taken: tuple[Taking, ...] = ()

    def after_announced(self, before: State, announced: Sequence[Announcement], state: State) -> Sheet:
        """The paper after the plies that became known together."""
        moves = [one.move for one in announced if one.move is not None]
        sheet = self
        for move in moves:
            sheet = sheet.after(before, move, state, moves)
        return sheet

    def after(self, before: State, move: Move, state: State, known: Sequence[Move] = ()) -> Sheet:
        """The paper after a ply from ``before`` to ``state``. A part that restarts gets new paper. ``known``: all plies
        that became known together with this one, in order, itself included; the scores rise with the last of them."""
        new = tuple(_left(before, move, self.plies + 1)) if move.kind != "chance" else ()
        lying = (*self.left, *new)
        left = tuple(x for x in lying if x.part not in state.entered)
        offered = self.may_redraw or any(x.until_redrawn for x in new)
        if state.entered:
            offered = any(x.until_redrawn for x in left)
        ended = tuple(one for one in state.ended if all(one is not known for known in self.ended))
        now = {id(one) for one in state.ended}  # by another ply that became known together with this one
        earlier = ((*marks, *_of_part(new, one.part)) if id(one) in now else marks for one, marks in self.closed_parts)
        closed = (*earlier, *(_of_part(lying, one.part) for one in ended))
        said = tuple(dict.fromkeys(_said(before, move, state)))
        over = [one.part for one in (*self.ended, *ended) if one.part]
        is_over = any(one.part for one in ended)
        text = f"game {over.count(over[-1])}" if is_over else move.text
        restarted = {v.index for v in before.game.scores_shown if v.part in state.entered}
        gains = tuple(g for g in self.gains if g.variable not in restarted)
        if not known or move is known[-1]:
            texts = {} if is_over else _by_player(before, move, known)
            gains += gains_of(before, move, state, text, texts)
        taken = takings_after(self.taken, before, move, state)
        return Sheet(left, offered, self.plies + 1, (*self.ended, *ended), closed, said, gains, taken)

    @property
    def closed_parts(self) -> Iterator[tuple[PartEnd, tuple[PaperMark, ...]]]:
        """The parts that have ended, each with the marks on its paper at that time."""
        return zip(self.ended, self.closed, strict=True)

    def refused(self, state: State) -> Sheet:
        """The paper after a refused attempt."""
        matching = [x for x in _rules(state) if x.schema == REFUSAL and _holds(state, x, {})]
        said = tuple(_text(x.text, {}) for x in matching if x.is_said)
        rules = [x for x in matching if not x.is_said]
        if not rules:
            return replace(self, said=said or self.said)
        new = tuple(y for x in rules if x.text for y in _seen_marks(state, x, {}, self.plies))
        return replace(self, left=(*self.left, *new), may_redraw=True, said=said or self.said)

    def redrawn(self) -> Sheet:
        """The redrawn paper: only lasting marks are kept."""
        return replace(self, left=tuple(x for x in self.left if not x.until_redrawn), may_redraw=False)


def _of_part(marks: Iterable[PaperMark], part: int) -> tuple[PaperMark, ...]:
    return tuple(mark for mark in marks if mark.part == part)


def _rules(state: State) -> tuple[n.Leaving, ...]:
    return state.game.program.parts[state.part].leavings


def _left(before: State, move: Move, ply: int) -> Iterator[PaperMark]:
    """The marks that a ply leaves, evaluated in the position before it."""
    mover = mover_of(before.whole, move.player)
    for rule in _rules(before):
        if not rule.is_said and rule.schema in (None, move.schema):
            known = _known(rule, move, mover)
            yield from (replace(mark, mover=mover) for mark in _seen_marks(before, rule, known, ply))


def _by_player(before: State, move: Move, known: Sequence[Move]) -> dict[int, str]:
    """The simultaneous choices by player of the part, in notation; without players who share a seat."""
    whole = before.whole
    if whole.kind != "together":
        return {}
    seats = list(whole.game.code.blocks[whole.block].queries["seats"](whole.slots))
    chosen = {one.player: one.text for one in known or moves_made(whole, move)}
    return {mover: chosen[seat] for mover, seat in enumerate(seats) if seat in chosen and seats.count(seat) == 1}


def _said(before: State, move: Move, after: State) -> Iterator[str]:
    """The sentences of the rules after a ply: for its kind of move, and for conditions that it has made true, in the
    part in which it was made and in the part around it."""
    mover = mover_of(before.whole, move.player) if move.kind != "chance" else None
    for part in dict.fromkeys((before.part, 0)):
        there = _last_of(part, after)
        for rule in before.game.program.parts[part].leavings:
            if rule.is_said and rule.schema is not None and rule.schema == move.schema:
                yield from (mark.text for mark in _seen_marks(before, rule, _known(rule, move, mover), 0))
            elif rule.is_said and rule.schema is None:
                earlier = {mark.text for mark in _seen_marks(before, rule, {}, 0)}
                yield from (mark.text for mark in _seen_marks(there, rule, {}, 0) if mark.text not in earlier)


def _last_of(part: int, after: State) -> State:
    """The position of a part after a ply: if the ply has ended the part, the last position in it."""
    end = next((one for one in after.ended if one.part == part), None)
    if end is None:
        return after
    return after.view_of(end.last)


def _known(rule: n.Leaving, move: Move, mover: int | None) -> dict[int, int]:
    """The values of a rule's names for a move: the mover, and the parameters."""
    known: dict[int, int] = {}
    if rule.me is not None and mover is not None:
        known[rule.me.id] = mover
    if rule.schema is not None:
        known |= {p.id: a for p, a in zip(rule.params, move.args, strict=True)}
    return known


def _seen_marks(state: State, rule: n.Leaving, known: dict[int, int], ply: int) -> list[PaperMark]:
    """The marks of a rule; none if they depend on something hidden from the observer of this state."""
    try:
        return list(_marks(state, rule, known, ply))
    except NotKnown:
        return []


def _marks(state: State, rule: n.Leaving, known: dict[int, int], ply: int) -> Iterator[PaperMark]:
    """One mark per binding for which the rule's condition holds."""
    for values in bindings(state, rule.binders, known):
        if _holds(state, rule, values):
            on = tuple(place for e in rule.on for place in _places(state, e, values))
            part = state.game.program.parts[state.part]
            sign = None if rule.large is None else sign_of(part, rule.large, values)
            mark = PaperMark(_text(rule.text, values), on, rule.is_path, part.index, rule.until_redrawn, ply, sign=sign)
            yield replace(mark, called=rule.called or "") if sign is not None else mark


def _holds(state: State, rule: n.Leaving, values: Mapping[int, int]) -> bool:
    try:
        return rule.when is None or bool(evaluate_at(state, rule.when, values))
    except NotKnown:
        return False


def _places(state: State, e: n.Expr, values: Mapping[int, int]) -> list[tuple[Domain, int]]:
    """The elements that an expression denotes: a single one, those of a set, or none."""
    value = evaluate_at(state, e, values)
    match e.type:
        case n.SetT(domain):
            return [(domain, i) for i in bits(value)]
        case n.ElemT(domain):
            return [(domain, value)]
        case n.OptT(n.ElemT(domain)):
            return [(domain, value - 1)] if value else []
        case _:
            return []


def _text(pieces: tuple[str | n.Local, ...], values: Mapping[int, int]) -> str:
    """The text with the bound values filled in by name."""
    out = []
    for p in pieces:
        if isinstance(p, str):
            out.append(p)
        else:
            out.append(value_words(p.type)[values[p.id] - offset(p.type)])
    return "".join(out)
