"""Games with hidden information: ``python benchmarks/equilibria.py [--games NAME...] [--seconds S] [--json FILE]``.

For each game, in CPU seconds of one core:

- building the tree of histories and its sequence form;
- iterations of CFR and CFR+ a second, summed over histories and over sequences, beside OpenSpiel's C++ (where pyspiel is
  installed), and the seconds to exploitability 0.01 and 0.001 by CFR+;
- NashConv after 1, 10, 100 and 1,000 iterations, ours and OpenSpiel's where it gets that far in the time;
- samples of every seat by external sampling a second, over the tree and without it, beside OpenSpiel's;
- tree search for hidden information (IS-MCTS): simulations a second and utility against random players over ``--plays``
  games, in turns with OpenSpiel's;
- the linear program, and its value.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gamedsl
from gamedsl.agents import parse_agent
from gamedsl.lab.equilibrium import (
    GraphSampler,
    RegretMinimizer,
    SequenceForm,
    find_equilibrium,
    game_tree,
    sequence_form,
)
from gamedsl.lab.equilibrium.linear_program import solve_linear_program
from gamedsl.lab.equilibrium.mccfr import SampledRegretMinimizer

HIDDEN = {"cards": 4, "order": "falling", "bids": "hidden"}
GAMES: dict[str, tuple[str, dict[str, Any], str | None]] = {
    "kuhn": ("kuhn-poker", {}, "kuhn_poker"),
    "kuhn-3": ("kuhn-poker", {"players": 3}, "kuhn_poker(players=3)"),
    "leduc": ("leduc-poker", {}, "leduc_poker"),
    "liars-dice-6": ("liars-dice", {"dice": 1, "sides": 6}, "liars_dice(numdice=1)"),
    "goofspiel-4": (
        "goofspiel",
        HIDDEN,
        "turn_based_simultaneous_game(game=goofspiel(num_cards=4,imp_info=True,points_order=descending))",
    ),
    "dark-hex-2x3": ("dark-hex", {"rows": 2, "columns": 3, "collision": "passes"}, None),
}
CURVE = (1, 10, 100, 1000)
SEARCHED = ("leduc",)  # games of the tree search: OpenSpiel can draw positions that fit in few others
SIMULATIONS = 1000


def rate(run: Callable[[int], object], seconds: float) -> float:
    """Iterations per CPU second."""
    run(1)
    done, step, begun = 0, 1, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        run(step)
        done += step
        step = min(2 * step, 1 + int(done * seconds / max(spent, 1e-3)))
    return done / (time.process_time() - begun)


def timed(make: Callable[[], Any]) -> tuple[Any, float]:
    """A result and its CPU seconds."""
    begun = time.process_time()
    found = make()
    return found, time.process_time() - begun


def ours(form: SequenceForm, seconds: float) -> dict[str, Any]:
    """Rates, curves and times of our own solvers."""
    found: dict[str, Any] = {"rates": {}, "curves": {}, "seconds to": {}}
    for variant in ("cfr", "cfr+"):
        for order in ("histories", "sequences"):
            found["rates"][f"{variant}, {order}"] = rate(RegretMinimizer(form, variant, order).run, seconds)
        solver, curve = RegretMinimizer(form, variant), {}
        for stop in CURVE:
            solver.run(stop - solver.iterations)
            curve[stop] = solver.average.nash_conv
        found["curves"][variant] = curve
    for wanted in (0.01, 0.001):
        run = timed(lambda wanted=wanted: find_equilibrium(form, exploitability=wanted, seconds=60))  # type: ignore[misc]
        found["seconds to"][wanted] = run[1] if run[0].is_reached else None
    found["best responses"] = timed(lambda: solver.average.nash_conv)[1]
    if form.is_duel:
        profile, spent = timed(lambda: solve_linear_program(form))
        found["lp"] = {"seconds": spent, "value": profile.values[0], "nash_conv": profile.nash_conv}
    return found


def theirs(peer: str, seconds: float) -> dict[str, Any]:
    """The same of OpenSpiel's C++; an empty result where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return {}
    game = pyspiel.load_game(peer)
    found: dict[str, Any] = {"rates": {}, "curves": {}}
    for variant, make in (("cfr", pyspiel.CFRSolver), ("cfr+", pyspiel.CFRPlusSolver)):
        solver, done, curve = make(game), 0, {}
        begun = time.process_time()
        for stop in CURVE:
            if done and (time.process_time() - begun) * (stop / done) > 10 * seconds:
                break
            while done < stop:
                solver.evaluate_and_update_policy()
                done += 1
            curve[stop] = pyspiel.nash_conv(game, solver.average_policy())
        found["curves"][variant] = curve
        fresh = make(game)
        found["rates"][variant] = rate(lambda n, s=fresh: [s.evaluate_and_update_policy() for _ in range(n)], seconds)  # type: ignore[misc]
    return found


# -------------------------------------------------------------------------------------------------------- sampling


def sampling(name: str, form: SequenceForm, seconds: float) -> dict[str, float]:
    """Samples of every seat a CPU second, by external sampling: ours over the tree and without it, and OpenSpiel's (which
    samples once for each player in an iteration, too)."""
    ruleset, options, peer = GAMES[name]
    found = {"tree": rate(SampledRegretMinimizer(form, "external").run, seconds)}
    sampler = GraphSampler(gamedsl.load(ruleset, **options).initial_state(), "external")
    sampler.run(2000)  # most positions are known after that
    found["no tree"] = rate(sampler.run, seconds)
    try:
        import pyspiel
    except ImportError:
        return found
    if peer is not None:
        other = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game(peer), 0)
        found["open_spiel"] = rate(lambda n: [other.run_iteration() for _ in range(n)], seconds)
    return found


# ----------------------------------------------------------------------------------------------------- tree search


def searching(name: str, plays: int) -> dict[str, dict[str, float]]:
    """Utility a game of the seat that searches (both seats in turn), and simulations a CPU second. Games of ours and of
    OpenSpiel's in turns."""
    ruleset, options, peer = GAMES[name]
    game = gamedsl.load(ruleset, **options)
    runs: dict[str, Callable[[int], tuple[float, int, float]]] = {"ours": lambda i: our_game(game, i)}
    try:
        import pyspiel
    except ImportError:
        pass
    else:
        other = pyspiel.load_game(peer)
        runs["open_spiel"] = lambda i: their_game(other, i)
    for run in runs.values():
        run(0)
    sums = {who: [0.0, 0, 0.0] for who in runs}
    for i in range(plays):
        for who, run in runs.items():
            sums[who] = [a + b for a, b in zip(sums[who], run(i), strict=True)]
    return {
        who: {"utility": total / plays, "simulations a second": searches * SIMULATIONS / spent}
        for who, (total, searches, spent) in sums.items()
    }


def our_game(game: gamedsl.Game, number: int) -> tuple[float, int, float]:
    """One game: the utility of the seat that searches, its searches, and their CPU seconds."""
    agent, rng, seat = parse_agent(f"mcts:{SIMULATIONS}"), random.Random(number), number % game.num_players
    state, searches, spent = game.initial_state(), 0, 0.0
    while not state.is_terminal:
        if state.kind == "chance" or state.current_player != seat:
            state = state.apply(state.propose(rng))
            continue
        begun = time.process_time()
        move = agent.choose(state, rng.getrandbits(62), seat)
        spent, searches = spent + time.process_time() - begun, searches + 1
        state = state.apply(move)
    return float(state.returns[seat]), searches, spent


def their_game(game: Any, number: int) -> tuple[float, int, float]:
    """The same by OpenSpiel's IS-MCTS with random playouts, as its examples set it."""
    import pyspiel

    rng, seat = random.Random(number), number % game.num_players()
    bot = pyspiel.ISMCTSBot(number + 1, pyspiel.RandomRolloutEvaluator(1, number + 1), 5.0, SIMULATIONS)
    state, searches, spent = game.new_initial_state(), 0, 0.0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        elif state.current_player() != seat:
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            begun = time.process_time()
            action = bot.step(state)
            spent, searches = spent + time.process_time() - begun, searches + 1
            state.apply_action(action)
    return state.returns()[seat], searches, spent


# ----------------------------------------------------------------------------------------------------------- games


def measured(name: str, seconds: float, plays: int) -> dict[str, Any]:
    """All figures of a game."""
    ruleset, options, peer = GAMES[name]
    tree, building = timed(lambda: game_tree(gamedsl.load(ruleset, **options).initial_state()))
    form, forming = timed(lambda: sequence_form(tree))
    facts = {"histories": len(tree), "information sets": tree.set_counts, "tree": building, "sequence form": forming}
    found = facts | {"ours": ours(form, seconds), "open_spiel": theirs(peer, seconds) if peer else {}}
    found["sampling"] = sampling(name, form, seconds)
    if name in SEARCHED and plays:
        found["searching"] = searching(name, plays)
    return found


def show(name: str, row: dict[str, Any]) -> None:
    mine, other = row["ours"], row["open_spiel"]
    print(f"{name}: {row['histories']:,} histories, sets {row['information sets']}")
    print(f"  tree {row['tree']:.2f} s, sequence form {row['sequence form']:.2f} s")
    for kind, value in mine["rates"].items():
        peer = other.get("rates", {}).get(kind.partition(",")[0])
        print(
            f"  {kind}: {value:,.0f} a second" + (f", OpenSpiel {peer:,.1f}: {value / peer:.0f} times" if peer else "")
        )
    for variant, curve in mine["curves"].items():
        print(f"  NashConv {variant}: " + ", ".join(f"{n}: {v:.8f}" for n, v in curve.items()))
        if other:
            print(f"    OpenSpiel: {', '.join(f'{n}: {v:.8f}' for n, v in other['curves'][variant].items())}")
    rates = row["sampling"]
    print("  external sampling a second: " + ", ".join(f"{kind} {value:,.0f}" for kind, value in rates.items()))
    if "open_spiel" in rates:
        print(f"    {rates['tree'] / rates['open_spiel']:.1f} times OpenSpiel's")
    for who, told in row.get("searching", {}).items():
        print(f"  tree search, {who}: " + ", ".join(f"{kind} {value:,.2f}" for kind, value in told.items()))
    reached = ", ".join(f"{x}: {'-' if s is None else f'{s:.3f} s'}" for x, s in mine["seconds to"].items())
    print(f"  exploitability {reached}; best responses {mine['best responses']:.4f} s")
    if "lp" in mine:
        print(
            f"  linear program {mine['lp']['seconds']:.2f} s: value {mine['lp']['value']:.9f}, NashConv {mine['lp']['nash_conv']:.1e}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--seconds", type=float, default=1.0, help="for each rate")
    parser.add_argument("--plays", type=int, default=200, help="games of the tree search; 0: none")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = {}
    for name in given.games:
        found[name] = measured(name, given.seconds, given.plays)
        show(name, found[name])
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
