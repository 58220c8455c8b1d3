"""Who plays in ``playouts.py``: the compiled rules, the hand-written programs, OpenSpiel, the interpreter; and how far they are apart."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

from limit.programs import Program

import gamedsl
from gamedsl.language.boards.drawing import arrange
from gamedsl.language.core.nodes import DrawingT

SHORT = 0.02  # seconds of the first call, to see how long a play takes


@dataclass
class Count:
    """What some plays brought. ``first``, ``second``: wins of the seats, unknown to OpenSpiel; ``lead``: the sum of the first
    player's utilities; ``plies``: the sum of the lengths, None when unknown; ``cycles``: of the processor, a move; ``variance``: of the
    lengths, known where a program counts plies as the compiled rules do."""

    plays: int = 0
    seconds: float = 0.0
    lead: float = 0.0
    first: int | None = None
    second: int | None = None
    plies: float | None = None
    cycles: float | None = None
    variance: float | None = None

    def add(self, other: Count) -> None:
        self.plays += other.plays
        self.seconds += other.seconds
        self.lead += other.lead
        self.cycles = other.cycles
        self.variance = other.variance
        if other.first is not None and other.second is not None:
            self.first = (self.first or 0) + other.first
            self.second = (self.second or 0) + other.second
        if other.plies is not None:
            self.plies = (self.plies or 0.0) + other.plies

    @property
    def rate(self) -> float:
        """Plays per CPU second."""
        return self.plays / self.seconds if self.seconds > 0 else math.nan


Contestant = Callable[[float, int], Count | None]


# ------------------------------------------------------------------------------------------------ contestants
def in_chunks(seconds: float, play: Callable[[int, int], Count]) -> Count:
    """Calls ``play(how many, first number)`` until the CPU time is used: a few plays at first, then nearly all at once."""
    total, chunk = Count(), 1
    while total.seconds < seconds:
        start = time.process_time()
        found = play(chunk, total.plays)
        found.seconds = time.process_time() - start
        total.add(found)
        if total.seconds < SHORT:
            chunk *= 4
        else:
            chunk = max(1, int(min(total.rate * (seconds - total.seconds), total.rate * seconds / 2)))
    return total


def ours(game: gamedsl.Game, lockstep: bool = False) -> Contestant | None:
    """The compiled rules; None when there is no such form."""
    native = import_module("gamedsl.compiler").compile_program(game.program)
    if lockstep and native.lockstep is not None:
        return None
    native.playouts(1, 0, lockstep=lockstep)  # what is made once: drawings

    def run(seconds: float, seed: int) -> Count:
        def play(n: int, first: int) -> Count:
            t = native.playouts(n, seed, first=first, lockstep=lockstep)
            lengths = float(t.plies)
            return Count(t.plays, 0.0, float(t.sums[0]), t.wins[0], t.losses[0], lengths)

        return in_chunks(seconds, play)

    return run


def limit(program: Program, form: str, *more: str) -> Contestant:
    """A hand-written program; it measures its own CPU time. ``more``: words that it is called with beside the usual."""

    def run(seconds: float, seed: int) -> Count | None:
        found: Any = program.run(form, str(seconds), str(seed), *more)
        if found is None:
            return None
        first, second = found["wins"]
        plies = found["plies"] * found["playouts"]
        spent, cycles = found["cpu_seconds"], found["cycles_per_ply"]
        return Count(
            found["playouts"], spent, first - second, first, second, plies, cycles, found.get("plies_variance")
        )

    return run


def drawings_text(game: gamedsl.Game) -> str:
    """The drawings that compiled plays choose from, for a program of limit/: how many; of each the numbers of spaces and
    borders, and every border's spaces as a set of bits."""
    var = next(v for v in game.program.variables if isinstance(v.type, DrawingT))
    native = import_module("gamedsl.compiler").compile_program(game.program)
    found = [arrange(var.type.plan, drawing) for drawing in native.pool.finished()]
    lines = [str(len(found))]
    for a in found:
        sides = " ".join(str(sum(1 << s for s in b.spaces)) for b in a.borders)
        lines.append(f"{len(a.spaces)} {len(a.borders)} {sides}")
    return "\n".join(lines) + "\n"


def peer(name: str, parameters: dict[str, Any]) -> Contestant | None:
    """OpenSpiel: a tree search of one simulation, which evaluates the start by as many rollouts as asked for. Chance that
    comes before the first decision is drawn once a call."""
    try:
        spiel: Any = import_module("pyspiel")
        game = spiel.load_game(name, parameters)
    except (ImportError, RuntimeError):
        return None

    def run(seconds: float, seed: int) -> Count:
        def play(n: int, first: int) -> Count:
            number = (seed * 1_000_003 + first) % (1 << 31)
            evaluator = spiel.RandomRolloutEvaluator(n, number)
            bot = spiel.MCTSBot(game, evaluator, 1.0, 1, 64, False, 1, False)
            state, rng = game.new_initial_state(), Random(number)
            while state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            root = bot.mcts_search(state)
            return Count(n, 0.0, root.total_reward * n)

        return in_chunks(seconds, play)

    return run


def interpreter(game: gamedsl.Game) -> Contestant:
    """The engine, one play after the other."""

    def run(seconds: float, seed: int) -> Count:
        rng = Random(seed)

        def play(n: int, first: int) -> Count:
            del first
            found = Count(n, first=0, second=0)
            for _ in range(n):
                state = game.initial_state()
                while not state.is_terminal:
                    state = state.apply(state.propose(rng))
                value = float(state.returns[0])
                found.lead += value
                found.first, found.second = (found.first or 0) + (value > 0), (found.second or 0) + (value < 0)
            return found

        return in_chunks(seconds, play)

    return run


# ------------------------------------------------------------------------------------------------- agreement
def apart(a: float, b: float, variance: float, n: int, m: int) -> float:
    """How far two means are apart, in standard errors."""
    error = math.sqrt(variance * (1 / n + 1 / m))
    return abs(a - b) / error if error > 0 else (0.0 if a == b else math.inf)


def deviation(a: Count, b: Count) -> float:
    """The largest of the differences in wins of the first, of the second, in the mean utility and in the mean length."""
    n, m = a.plays, b.plays
    found = []
    known = a if a.first is not None else b
    if a.first is not None and b.first is not None:
        for x, y in ((a.first, b.first), (a.second, b.second)):
            share = ((x or 0) + (y or 0)) / (n + m)
            found.append(apart((x or 0) / n, (y or 0) / m, share * (1 - share), n, m))
    if known.first is not None and known.second is not None:
        variance = (known.first + known.second) / known.plays - (known.lead / known.plays) ** 2
        found.append(apart(a.lead / n, b.lead / m, variance, n, m))
    variance_of_length = a.variance if a.variance is not None else b.variance
    if variance_of_length is not None and a.plies is not None and b.plies is not None:
        found.append(apart(a.plies / n, b.plies / m, variance_of_length, n, m))
    return max(found, default=0.0)
