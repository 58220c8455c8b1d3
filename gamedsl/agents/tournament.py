"""Round-robin tournaments: seating, plays, outcomes."""

from __future__ import annotations

import ctypes
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import combinations, product
from random import Random
from threading import Event
from typing import TYPE_CHECKING

from gamedsl.agents.agent import Agent
from gamedsl.agents.position import CHANCE, DRAWING, END, TOGETHER, Position, Rules, compiled
from gamedsl.language.source import UsageError

if TYPE_CHECKING:
    from gamedsl.engine import Game, State

MOST_PLIES = 10_000  # a longer play is broken off and counts as a tie


@dataclass(frozen=True)
class Pairing:
    """A scheduled play: ``seats[p]`` is the number of the agent that plays for player p."""

    number: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """The outcome of one play. ``returns``: each player's utility. ``finished``: the play reached its end."""

    pairing: Pairing
    returns: tuple[float, ...]
    plies: int
    finished: bool = True

    def points(self) -> tuple[tuple[int, float], ...]:
        """Returns (number, points) of the two agents: 1 for the greater mean utility over its seats, half each if
        equal.
        """
        means = []
        for agent in sorted(set(self.pairing.seats)):
            got = [u for u, a in zip(self.returns, self.pairing.seats, strict=True) if a == agent]
            means.append((agent, sum(got) / len(got)))
        (a, mine), (b, other) = means
        share = 0.5 if abs(mine - other) < 1e-9 else float(mine > other)
        return (a, share), (b, 1.0 - share)


def pairings(agents: int, players: int, rounds: int) -> list[Pairing]:
    """Returns a round-robin schedule: each round has every pair of agents in every seating that uses both."""
    tables = [
        tuple(pair[k] for k in filling)
        for pair in combinations(range(agents), 2)
        for filling in product((0, 1), repeat=players)
        if len(set(filling)) == 2
    ]
    return [Pairing(n, seats) for n, seats in enumerate(tables * rounds)]


def play_tournament(
    game: Game,
    agents: Sequence[Agent],
    rounds: int,
    seed: int,
    threads: int = 1,
    stop: Event | None = None,
    start: State | None = None,
) -> Generator[Outcome, None, None]:
    """Yields outcomes as they arrive. ``stop`` ends the run early. ``start``: where every play begins (None: the first
    position).

    The same seed gives the same plays for any number of threads, unless an agent's budget is a time. Raises
    ``UsageError`` if an agent can't play the game.
    """
    if game.num_players < 2:
        raise UsageError("a tournament needs a game for two players or more")
    for agent in agents:
        agent.check(game)
    compiled(game)
    stop = stop or Event()
    todo = iter(pairings(len(agents), game.num_players, rounds))
    try:
        if threads <= 1:
            for pairing in todo:
                yield play(game, agents, pairing, seed, stop, start)
            return
        yield from _beside_each_other(game, agents, todo, seed, threads, stop, start)
    finally:
        stop.set()


def _beside_each_other(
    game: Game,
    agents: Sequence[Agent],
    todo: Iterator[Pairing],
    seed: int,
    threads: int,
    stop: Event,
    start: State | None,
) -> Iterator[Outcome]:
    with ThreadPoolExecutor(threads) as pool:
        running: set[Future[Outcome]] = set()
        try:
            while True:
                while len(running) < threads and (pairing := next(todo, None)) is not None:
                    running.add(pool.submit(play, game, agents, pairing, seed, stop, start))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda f: f.result().pairing.number):
                    yield future.result()
        finally:
            stop.set()


def play(
    game: Game, agents: Sequence[Agent], pairing: Pairing, seed: int, stop: Event, start: State | None = None
) -> Outcome:
    """Plays once, entirely on compiled rules (unless an agent needs the whole play). Drawings and chance outcomes are
    sampled."""
    if any(agents[a].uses_states for a in pairing.seats):
        return _play_with_history(game, agents, pairing, seed, stop, start)
    native = compiled(game)
    rules = Rules(native)
    block = native.initial(rules.context) if start is None else native.pack(start, rules.context)
    rng, past = Random(f"{seed} {pairing.number}"), list[int]()
    for plies in range(MOST_PLIES):
        position, kind = _position(rules, bytes(block))
        if kind == END or stop.is_set():
            return Outcome(pairing, position.returns(), plies, kind == END)
        if kind == CHANCE:
            weights = [position.ask("weight", k) for k in range(position.action_count())]
            action = rng.choices(range(len(weights)), weights)[0]
        elif kind == DRAWING:
            action = rng.randrange(position.action_count())
        else:
            seat = rules.call("seat", ctypes.addressof(block))
            if start is None or start == game.initial_state():
                position = replace(position, past=tuple(past))
            action = _chosen(agents[pairing.seats[seat]], position, rng)
        rules.call("step", ctypes.addressof(block), action)
        past.append(action)
    return Outcome(pairing, (0.0,) * game.num_players, MOST_PLIES, False)


def _play_with_history(
    game: Game, agents: Sequence[Agent], pairing: Pairing, seed: int, stop: Event, start: State | None
) -> Outcome:
    """Plays once on the engine's states, which know how they came about."""
    state, rng = start or game.initial_state(), Random(f"{seed} {pairing.number}")
    for plies in range(MOST_PLIES):
        if state.is_terminal or stop.is_set():
            return Outcome(pairing, tuple(float(r) for r in state.returns), plies, state.is_terminal)
        if state.to_act:
            seat = state.to_act[0]
            move = agents[pairing.seats[seat]].choose(state, rng.getrandbits(62), seat)
        else:
            move = state.propose(rng)
        state = state.apply(move)
    return Outcome(pairing, (0.0,) * game.num_players, MOST_PLIES, False)


def _chosen(agent: Agent, position: Position, rng: Random) -> int:
    seed = rng.getrandbits(62)
    return agent.action(position, seed) if position.action_count() > 1 else 0


def _position(rules: Rules, block: bytes) -> tuple[Position, int]:
    """Returns the position of a block for the acting player, without the others' secret choices, and the kind of
    stop.
    """
    first, movers = rules.pending
    begin, end = 8 * first, 8 * (first + movers)
    nth = sum(any(block[k : k + 8]) for k in range(begin, end, 8))
    kind = Position(rules, block).ask("kind")
    if kind != TOGETHER or not nth:
        return Position(rules, block), kind
    return Position(rules, block[:begin] + bytes(end - begin) + block[end:], nth), kind
