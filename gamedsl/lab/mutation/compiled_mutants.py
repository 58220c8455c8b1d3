"""Compares a mutant with the original along many playouts of compiled rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import numpy as np

from gamedsl.compiler import Native, NativeError
from gamedsl.engine import Game, Move, State
from gamedsl.lab.mutation.effort import Effort, TimedEffort
from gamedsl.lab.mutation.plays import Label, Node, Recorded, Start
from gamedsl.lab.simulate import FAILED, NativePlays, Plan, moves_of
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError

FEWEST, MOST = 16, 4096  # playouts per batch
MOST_PLIES = 2000
PER_PLAY = ("status", "plies", "results")
IN_ALL = ("profile", "totals")


class CompiledPlays:
    """Holds the original's compiled code, which serves all mutants. ``code_of``: returns the code of rules that are compiled
    already; None: optimized code is compiled here."""

    def __init__(
        self, seed: int, effort: Effort | None = None, code_of: Callable[[Game], Native] | None = None
    ) -> None:
        self.seed, self.effort = seed, effort or TimedEffort()
        self._code_of = code_of or (lambda game: Native(game.program, game, keep=False))
        self._code: dict[int, tuple[Game, Native | None]] = {}

    def differing(
        self, originals: Mapping[Start, Node], mutants: Mapping[Start, Node], seconds: float
    ) -> tuple[Recorded | None, int]:
        """Searches for a playout whose result, length or numbers of choices differ under the mutant's rules.

        Returns the first one found, as the original plays it, and how many playouts were compared. ``seconds``: the
        time limit for the playouts; no code is compiled after it.
        """
        until, plays = self.effort.now() + seconds, 0
        sides: dict[Start, tuple[NativePlays, NativePlays]] = {}
        code: dict[int, tuple[Game, Native | None]] = {}
        for start in mutants:
            if sides and self.effort.now() > until:
                break
            one = self._plays(originals[start].state, self._code)
            other = self._plays(mutants[start].state, code) if one is not None else None
            if one is not None and other is not None:
                sides[start] = one, other
        size, first, until = FEWEST, 0, self.effort.now() + seconds
        while sides and self.effort.now() < until:
            for start, (one, other) in sides.items():
                number, plies = _first_difference(one, other, first, size)
                self.effort.count_compiled(size + plies)
                if number is not None:
                    return _recorded(start, originals[start], one.plan, number), plays
                plays += size
            first += size
            size = min(2 * size, MOST)
        return None, plays

    def _plays(self, start: State, known: dict[int, tuple[Game, Native | None]]) -> NativePlays | None:
        """Returns the playouts from a position; None if the rules cannot be compiled or players draw."""
        game = start.game
        if id(game) not in known:
            known[id(game)] = game, self._compiled(game)
        native = known[id(game)][1]
        plan = Plan.of(game, start=start, seed=self.seed, most=MOST_PLIES)
        return None if native is None else NativePlays(plan, native)

    def _compiled(self, game: Game) -> Native | None:
        if not can_compile(game):
            return None
        try:
            return self._code_of(game)
        except NativeError:
            return None


def can_compile(game: Game) -> bool:
    """Whether playouts of this game can be compiled (not if players draw)."""
    return not any(isinstance(b.end, n.DecideDrawing) for b in game.program.blocks)


def _first_difference(one: NativePlays, other: NativePlays, first: int, plays: int) -> tuple[int | None, int]:
    """Returns the number of the first playout of a batch that differs between the two sides (None if there is none), and
    the number of plies of the first side."""
    left, right = one.counted(first, plays), other.counted(first, plays)
    plies = int(left.plies.sum())
    for number in range(plays):
        if any(not np.array_equal(getattr(left, name)[number], getattr(right, name)[number]) for name in PER_PLAY):
            return first + number, plies
        if left.status[number] == FAILED:
            return None, plies  # later playouts are unknown
    if _same(left, right, IN_ALL):
        return None, plies
    differs = (size for size in count(first) if not _same(one.counted(size, 1), other.counted(size, 1), IN_ALL))
    return next(differs), plies


def _same(left: Any, right: Any, names: tuple[str, ...]) -> bool:
    return all(np.array_equal(getattr(left, name), getattr(right, name)) for name in names)


def _recorded(start: Start, node: Node, plan: Plan, number: int) -> Recorded:
    """Replays a playout of the original on the engine."""
    nodes, labels = [node], list[Label]()
    for move in moves_of(plan, number):
        label = label_of(move, node)
        try:
            node = node.then(label)
        except GameDSLError:
            break
        nodes.append(node)
        labels.append(label)
    return Recorded(start, tuple(nodes), tuple(labels))


def label_of(move: Move, node: Node) -> Label:
    """Returns what a move is called at a node."""
    if node.sight.kind == "drawing":
        return move
    if node.sight.kind == "together" and move.player is not None:
        return f"{node.state.game.players[move.player]}: {move}"
    return str(move)
