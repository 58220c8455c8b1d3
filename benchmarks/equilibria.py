"""Games with hidden information: ``python benchmarks/equilibria.py [--games NAME...] [--seconds S] [--json FILE]``.

For each game, in CPU seconds of one core:

- building the tree of histories and its sequence form;
- iterations of CFR and CFR+ a second, summed over histories and over sequences, beside OpenSpiel's C++ (where pyspiel is
  installed), and the seconds to exploitability 0.01 and 0.001 by CFR+;
- NashConv after 1, 10, 100 and 1,000 iterations, ours and OpenSpiel's where it gets that far in the time;
- the linear program, and its value.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gamedsl
from gamedsl.check.equilibrium import (
    RegretMinimizer,
    SequenceForm,
    find_equilibrium,
    game_tree,
    sequence_form,
    solve_linear_program,
)

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


def measured(name: str, seconds: float) -> dict[str, Any]:
    """All figures of a game."""
    ruleset, options, peer = GAMES[name]
    tree, building = timed(lambda: game_tree(gamedsl.load(ruleset, **options).initial_state()))
    form, forming = timed(lambda: sequence_form(tree))
    facts = {"histories": len(tree), "information sets": tree.set_counts, "tree": building, "sequence form": forming}
    return facts | {"ours": ours(form, seconds), "open_spiel": theirs(peer, seconds) if peer else {}}


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
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = {}
    for name in given.games:
        found[name] = measured(name, given.seconds)
        show(name, found[name])
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
