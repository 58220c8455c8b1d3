"""Finds the kinds of moves that are announced as hidden to some other seat, and the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from gamedsl.engine import Game, Move, State, announcements_at
from gamedsl.lab.base import Clock
from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk_statements, written
from gamedsl.language.source import Span, lazy_dataclass

GAMES = 6  # playouts examined
LONGEST = 60  # plies per playout
SECONDS = 4.0  # for all of them


@lazy_dataclass(frozen=True)
class HiddenAnnouncement:
    """A kind of move that other seats do not fully see.

    ``name``: of the kind of move, or of a chance event. ``told``: what another seat was told instead, such as ``lay
    (hidden)`` (empty: nothing). ``reason``, ``place``: why, and the place in the rules.
    """

    name: str
    told: str
    reason: str
    place: Span

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "told": self.told, "reason": self.reason, "line": self.place.line}

    @property
    def line(self) -> str:
        """The announcement as one line of text."""
        instead = f"`{self.told}`" if self.told else "nothing"
        return (
            f"hidden    {self.name}: others see {instead}; {self.reason} ({self.place.source.path}:{self.place.line})"
        )


def hidden_announcements(start: State, clock: Clock | None = None, seed: int = 0) -> list[HiddenAnnouncement]:
    """Returns the hidden announcements in some playouts, each kind of move once, in the order of first occurrence."""
    if not start.game.secrets.hides:
        return []
    clock, found = (clock or Clock()).within(SECONDS), dict[tuple[str, bool], HiddenAnnouncement]()
    for number in range(GAMES):
        rng = Random(f"announced {seed}/{number}")
        steps: list[tuple[State, Move | None]] = [(start, None)]
        while not steps[-1][0].is_terminal and len(steps) <= LONGEST and not clock.is_over:
            before = steps[-1][0]
            move = before.propose(rng)
            steps.append((before.apply(move), move))
            for one in _hidden(steps):
                found.setdefault((one.name, bool(one.told)), one)
    return list(found.values())


def _hidden(steps: list[tuple[State, Move | None]]) -> Iterator[HiddenAnnouncement]:
    (before, _), (after, move) = steps[-2:]
    if after.pending or move is None or before.kind == "together":
        return
    for seat in range(before.game.num_players):
        if seat != move.player:
            told = announcements_at(steps, len(steps) - 1, seat)
            if not all(one.is_whole for one in told) or not told:
                reason, place = _reason(before, move)
                yield HiddenAnnouncement(move.name, told[0].text if told else "", reason, place)


def _reason(before: State, move: Move) -> tuple[str, Span]:
    """Returns why a move is hidden, and where: a parameter that only its mover is told, or the first hidden variable
    it changes.
    """
    game, end = before.game, before.terminator
    if move.schema is not None:
        schema = game.program.schemas[move.schema]
        for param in schema.params:
            if param.secret:
                return f"`{param.local.name}` is seen by its mover alone", schema.span
    for s in _statements(game, before, move):
        var = written(s)
        if var is not None and var.seen != "all" and var.role != "temp":
            whom = "only its owner sees" if var.seen == "owner" else "nobody sees"
            return f"it changes `{var.name.rsplit('.', 1)[-1]}`, which {whom}", s.span
    place = game.program.schemas[move.schema].span if move.schema is not None else end.span
    return "another ply may look the same", place


def _statements(game: Game, before: State, move: Move) -> Iterable[n.CoreStmt]:
    """Yields the statements that a move executes up to the next branch or stop."""
    match before.terminator:
        case n.Decide(alternatives=alternatives) | n.DecideTogether(alternatives=alternatives):
            if move.schema is not None:
                yield from _inside(game, game.program.schemas[move.schema].effect)
            blocks = [a.target for a in alternatives if a.schema == move.schema and a.registers]
        case n.Choose(target=target) | n.Chance(target=target):
            blocks = [target]
        case _:
            blocks = []
    for block in blocks:
        passed = set[int]()
        while block not in passed:
            passed.add(block)
            here = game.program.blocks[block]
            yield from _inside(game, here.statements)
            block = here.end.target if isinstance(here.end, n.Goto) else block


def _inside(game: Game, statements: tuple[n.CoreStmt, ...]) -> Iterator[n.CoreStmt]:
    for s in walk_statements(statements):
        yield s
        if isinstance(s, n.Effect):
            yield from _inside(game, game.program.schemas[s.schema].effect)
