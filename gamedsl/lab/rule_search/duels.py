"""Plays games between players of different strength, whose moves compiled code chooses."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import Native
from gamedsl.engine import Game
from gamedsl.lab.base import Ints
from gamedsl.lab.rule_search import duel_kernel
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

ENTRIES = ("initial", "error", *duel_kernel.ENTRIES)  # that are compiled
BUDGET = 20_000_000  # steps of a game and its playouts
MOST_CHOICES = 1 << 14  # moves of a position; with more, a game is given up
ARENA = 1 << 22  # words for noted positions: of a game, and of a playout of it


@lazy_dataclass(frozen=True)
class DuelGames:
    """Games: per game its ``status`` (see ``duel_kernel``), ``plies``, ``results`` (utilities; shape (games, players)), and
    ``steps`` that it took with all that the players tried."""

    status: Ints
    plies: Ints
    results: npt.NDArray[np.float64]
    steps: Ints

    def followed_by(self, more: DuelGames) -> DuelGames:
        """Returns these games and more of them."""
        return DuelGames(*(np.concatenate([getattr(g, f.name) for g in (self, more)]) for f in fields(DuelGames)))


def duel_code(program: n.Program, game: Game, baseline: bool) -> Native:
    """Returns compiled rules that ``play_duels`` can play. ``baseline``: see ``Native``."""
    return Native(program, game, keep=False, baseline=baseline, only=ENTRIES)


def play_duels(native: Native, players: Ints, seed: int, most: int, opening: int) -> DuelGames:
    """Plays a game for every row of ``players``, shape (games, seats, 2): how many playouts a player makes of each action
    (0: plays at random), and how many plies it looks ahead (0 to 12; from 4 on, only forced ones).
    ``most``: a longer game is left unfinished. ``opening``: plies that are chosen at random.
    """
    context = native.context(ARENA, most)
    start = np.frombuffer(bytearray(native.initial(context)), np.int64)
    entries = np.array([native.address(name) for name in duel_kernel.ENTRIES], np.int64)
    games, seats, _ = players.shape
    found = DuelGames(
        np.zeros(games, np.int64), np.zeros(games, np.int64), np.zeros((games, seats)), np.zeros(games, np.int64)
    )
    seeds = np.random.SeedSequence(seed).generate_state(games, np.uint64)
    duel = duel_kernel.Duel(entries, context.pointer, context.used_field, start, most, opening, BUDGET)
    room = duel_kernel.Room(
        np.zeros_like(start),
        np.zeros((duel_kernel.TRIALS, start.size), np.int64),
        np.zeros(seats),
        np.zeros(1, np.uint64),
        np.zeros(MOST_CHOICES),
        np.zeros(2, np.int64),
        np.zeros(duel_kernel.FARTHEST, np.int64),
        np.zeros(duel_kernel.FARTHEST, np.int64),
        np.zeros(MOST_CHOICES, np.int64),
        np.zeros((MOST_CHOICES, 2)),
    )
    for k in range(games):  # one by one, so that a signal can end them
        at = slice(k, k + 1)
        duel_kernel.play(duel, room, seeds[at], players[at], found.status[at], found.plies[at], found.results[at])
        found.steps[k] = room.spent[0]
    return found
