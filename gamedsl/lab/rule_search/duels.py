"""Plays games between players of different strength, whose moves compiled code chooses."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import CTX_USED, Native
from gamedsl.lab.base import Ints
from gamedsl.lab.rule_search import duel_kernel

BUDGET = 20_000_000  # steps of a game and its playouts
ARENA = 1 << 22  # words for noted positions: of a game, and of a playout of it


@dataclass(frozen=True)
class DuelGames:
    """Games: per game its ``status`` (see ``duel_kernel``), ``plies``, and ``results`` (utilities; shape (games, players))."""

    status: Ints
    plies: Ints
    results: npt.NDArray[np.float64]


def play_duels(native: Native, playouts: Ints, seed: int, most: int, opening: int) -> DuelGames:
    """Plays a game for every row of ``playouts``, shape (games, players): how many playouts a player makes of each action
    (0: plays at random). ``most``: a longer game is left unfinished. ``opening``: plies that are chosen at random.
    """
    context = native.context(ARENA, most)
    start = np.frombuffer(bytearray(native.initial(context)), np.int64)
    fields = np.ctypeslib.as_array((ctypes.c_int64 * (CTX_USED + 1)).from_address(context.pointer))
    entries = np.array([native.address(name) for name in duel_kernel.ENTRIES], np.int64)
    games, players = playouts.shape
    found = DuelGames(np.zeros(games, np.int64), np.zeros(games, np.int64), np.zeros((games, players)))
    seeds = np.random.SeedSequence(seed).generate_state(games, np.uint64)
    duel = duel_kernel.Duel(entries, context.pointer, fields[CTX_USED:], start, most, opening, BUDGET)
    room = duel_kernel.Room(
        np.zeros_like(start), np.zeros_like(start), np.zeros(players), np.zeros(1, np.uint64), np.zeros(1, np.int64)
    )
    for k in range(games):  # one by one, so that a signal can end them
        at = slice(k, k + 1)
        duel_kernel.play(duel, room, seeds[at], playouts[at], found.status[at], found.plies[at], found.results[at])
    return found
