"""Whether a game has more positions than some number, found out by random games of compiled rules."""

from __future__ import annotations

from ctypes import addressof, c_int64
from random import Random

from gamedsl.compiler import Native, NativeState
from gamedsl.engine import Game, Move, State
from gamedsl.lab.simulate import CHANCE, DRAWING, END
from gamedsl.language.source import GameDSLError

TRIES = 3  # steps for each position that is wanted
IDLE = 10  # games in a row without a new position


def visits_more(game: Game, native: Native, number: int) -> bool:
    """Whether random games visit more than this many positions, so that the game has more. False if they do not within
    three times as many steps, which shows nothing. Positions that differ in noted positions or drawings count as one.
    """
    rng, seen, left, idle = Random(0), set[bytes](), TRIES * number, 0
    while left > 0 and idle < IDLE and len(seen) <= number:
        known = len(seen)
        left -= max(1, _play(game, native, min(left, number), rng, seen))
        idle = idle + 1 if known == len(seen) else 0
    return len(seen) > number


def fans_out(game: Game, number: int) -> bool:
    """Whether random games show more than this many positions, with all positions that were one move away on the way, as far
    as one player chooses at a time. A list of moves yields many positions, so few lists are needed. ``game``: with compiled
    states. False shows nothing.
    """
    rng, seen, left = Random(0), set[bytes](), TRIES * number
    try:
        while left > 0 and len(seen) <= number:
            state = game.initial_state()
            left -= 1
            while left > 0 and (moves := _moves_of(state)):
                after = [state.apply(move) for move in moves]
                seen.update(one.compared for one in after if isinstance(one, NativeState))
                left -= len(after)
                state = rng.choice(after)
    except GameDSLError:
        return False
    return len(seen) > number


def _moves_of(state: State) -> list[Move]:
    if state.kind == "chance":
        return [move for move, odds in state.chance_outcomes() if odds > 0]
    return state.legal_moves() if state.kind == "player" else []


def _play(game: Game, native: Native, most: int, rng: Random, seen: set[bytes]) -> int:
    """Makes a random game, up to an error, a drawing or this many steps, and adds its positions to ``seen``. Returns the
    number of steps."""
    context = native.context()
    try:
        block = native.pack(game.initial_state(), context)
    except GameDSLError:
        return 0
    record = (c_int64 * (native.move_size + 2))()
    kind, count, weight, move, do = (native.entry(name) for name in ("kind", "count", "weight", "move", "do"))
    ctx, state, out, size = context.pointer, addressof(block), addressof(record), native.value_size
    seen.add(block.raw[:size])
    for step in range(most):
        stop = kind(ctx, state)
        choices = 0 if stop in (END, DRAWING) or stop < 0 else count(ctx, state)
        options = [k for k in range(choices) if stop != CHANCE or weight(ctx, state, k) > 0]
        if not options or move(ctx, state, rng.choice(options), out) < 0 or do(ctx, state, out) < 0:
            return step
        seen.add(block.raw[:size])
    return most
