"""Search where something is hidden: whether positions that fit are found, at what cost, how fast the search is, and how strong.

python benchmarks/hidden_information.py beliefs [NAME ...]   # a random play of each ruleset that hides something
python benchmarks/hidden_information.py speed [NAME ...]     # fixed cost of a search, iterations a CPU second
python benchmarks/hidden_information.py strength [-n 200]    # plays of mcts:1000 against random
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean

import gamedsl
from gamedsl import Game, GameDSLError, State
from gamedsl.agents import Mcts, parse_agents, play_tournament
from gamedsl.agents.beliefs.particle_filter import ParticleFilter
from gamedsl.agents.position import NoPosition, Position, Rules, compiled

RULESETS = Path(__file__).parents[1] / "rulesets"
SIZES: dict[str, dict[str, str]] = {"liars-dice": {"dice": "1"}, "goofspiel": {"cards": "4", "bids": "hidden"}}
STRENGTH = (
    "kuhn-poker",
    "leduc-poker",
    "liars-dice",
    "goofspiel",
    "sealed-bid-auction",
    "phantom-tic-tac-toe",
    "dark-hex",
)
ITERATIONS = 1000  # of a search
SEARCHES = 32
MOST_DECISIONS = 60  # of a play


def shipped(names: list[str]) -> Iterator[tuple[str, Game]]:
    """The rulesets that hide something."""
    for name in names or [path.stem for path in sorted(RULESETS.rglob("*.gdl"))]:
        try:
            game = gamedsl.load(name, **SIZES.get(Path(name).stem, {}))
        except GameDSLError as mistake:
            print(f"{name}: {mistake}")
            continue
        if game.secrets.hides:
            yield Path(name).stem, game


def decisions(game: Game, seed: int) -> Iterator[State]:
    """The states of a random play at which a player decides."""
    state, rng = game.initial_state(), Random(seed)
    while not state.is_terminal:
        if state.kind == "drawing":
            return
        if state.kind != "chance":
            yield state
        state = state.apply(state.propose(rng) if state.kind == "chance" else rng.choice(state.legal_moves()))


def beliefs(names: list[str]) -> None:
    print(f"{'ruleset':24} decisions  found  ms a decision: mean     most   different positions: mean")
    for name, game in shipped(names):
        particle_filter, took, different, found = (
            ParticleFilter(game, Rules(compiled(game))),
            list[float](),
            list[int](),
            0,
        )
        particle_filter.belief(particle_filter.observed((), 0))  # the kernels are compiled here
        for state in islice(decisions(game, 1), MOST_DECISIONS):
            began = time.process_time()
            try:
                belief = particle_filter.belief(particle_filter.observed(Position.of(state).played(), state.to_act[0]))
                different.append(len({row.tobytes() for row in belief.particles.states}))
                found += 1
            except NoPosition:
                pass
            took.append(1000 * (time.process_time() - began))
        here = f"{mean(took):14.1f} {max(took):8.0f} {mean(different or [0]):12.1f}"
        print(f"{name:24} {len(took):9} {found:6} {here:>32}", flush=True)


def speed(names: list[str]) -> None:
    """Searches at decisions of random games. Each length of search begins with a game of its own, which remembers nothing."""
    print(
        f"{'ruleset':24} ms a search: fixed   iterations a CPU second: in searches of {ITERATIONS:,}, without the fixed part"
    )
    for name, _ in shipped(names):
        spent = dict[int, float]()
        for iterations in (1, 1 + ITERATIONS):
            again = gamedsl.load(name, **SIZES.get(name, {}))
            states = [
                s for seed in range(4) for s in islice(decisions(again, seed), SEARCHES // 4) if s.count_moves() > 1
            ]
            Mcts(1, None).study(states[0])
            began = time.process_time()
            for seed, state in enumerate(states):
                with suppress(NoPosition):
                    Mcts(iterations, None).study(state, seed)
            spent[iterations] = (time.process_time() - began) / len(states)
        fixed, whole = spent[1], spent[1 + ITERATIONS]
        rates = f"{ITERATIONS / whole:12,.0f} {ITERATIONS / max(1e-9, whole - fixed):12,.0f}"
        print(f"{name:24} {1000 * fixed:10.2f} {rates}", flush=True)


def strength(names: list[str], games: int) -> None:
    print(f"{'ruleset':24} {games} games, mcts:1000 against random: won, drawn, lost, mean utility")
    for name, game in shipped(names or list(STRENGTH)):
        points, gains = [0, 0, 0], list[float]()
        for outcome in play_tournament(game, parse_agents("mcts:1000,random"), games // 2):
            points[int(2 * dict(outcome.points())[0])] += 1
            gains += [u for u, a in zip(outcome.returns, outcome.pairing.seats, strict=True) if a == 0]
        print(f"{name:24} {points[2]} {points[1]} {points[0]} {mean(gains):+.3f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("beliefs", "speed", "strength"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("-n", type=int, default=200)
    given = parser.parse_args()
    if given.what == "strength":
        strength(given.names, given.n)
    else:
        {"beliefs": beliefs, "speed": speed}[given.what](given.names)
