"""Commands for games with hidden information: ``solve`` by regret minimization, by a linear program and by samples,
and ``exploitability``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_file,
    add_format,
    add_limit,
    add_options,
    add_seed,
    add_time,
    command,
    load_game,
    whole,
)
from gamedsl.cli.output import say, say_json, tell_progress
from gamedsl.cli.solve_by_samples import NAMES, SAMPLERS, approximate, number_text, say_strategy, show_solution
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine import Game, State
    from gamedsl.lab.equilibrium import Equilibrium, GameTree, Method, Profile, Step
    from gamedsl.lab.explore import Progress

COUNTING_SHARE = 0.25  # the share of the time for counting histories, for methods that do not need the tree
METHODS = ("cfr", "cfr+", "lp", *SAMPLERS)
NO_PROMISE = "(no method is known to find an equilibrium of every such game; the gains show how close this one is)"


def add(commands: Subparsers) -> None:
    parser = command(commands, "exploitability", run_exploitability)
    add_file(parser)
    parser.add_argument(
        "--agent", metavar="AGENT", default="random", help="the agent: random, strategy:FILE, mcts:1000, ..."
    )
    parser.add_argument(
        "--samples",
        metavar="N",
        type=whole(1, 1_000_000),
        default=100,
        help="how often to ask a searching agent in every information set",
    )
    add_seed(parser, "the seed of the agent's choices")
    add_limit(parser, None, "stop after this many histories (default: 5M)")
    add_time(parser, 60, "stop counting histories after this many seconds")
    add_format(parser)
    add_options(parser)


def run_exploitability(arguments: argparse.Namespace) -> int:
    from gamedsl.agents import agent_profile, parse_agent
    from gamedsl.lab.equilibrium import sequence_form

    agent = parse_agent(arguments.agent)
    game = load_game(arguments)
    agent.check(game)
    tree = _tree(arguments, game.initial_state(), False, arguments.time)
    profile = agent_profile(sequence_form(tree), agent, arguments.samples, arguments.seed)
    if arguments.format == "json":
        say_json({"agent": agent.text, **_facts(tree), **_profile_json(profile)})
        return int(ExitCode.FINE)
    _say_tree(tree)
    say(
        f"{agent.text} in every seat: exploitability {number_text(profile.exploitability)}, NashConv {number_text(profile.nash_conv)}"
    )
    for name, value, best in zip(game.players, profile.values, profile.best_responses, strict=True):
        say(f"  {name} gets {number_text(value)}, with a best response {number_text(best)}")
    return int(ExitCode.FINE)


# ------------------------------------------------------------------------------------------------------------ solve


def find(arguments: argparse.Namespace, game: Game, state: State) -> int:
    """Finds and shows an equilibrium of a game, as ``gamedsl solve`` asks for it."""
    from gamedsl.lab.base import Clock
    from gamedsl.lab.equilibrium import (
        EXPLOITABILITY,
        SamplingOptions,
        TreeTooLarge,
        find_equilibrium,
        sequence_form,
        strategy_json,
    )

    method: Method = "cfr+" if arguments.method == "auto" else arguments.method
    if method == "lp" and arguments.iterations is not None:
        raise UsageError("a linear program has no iterations to count", help="Use `--method cfr+`.")
    _refuse_positions(arguments, game)
    sampling = SamplingOptions(
        seed=arguments.seed,
        threads=arguments.jobs,
        checkpoint=arguments.checkpoint,
    )
    clock = Clock().within(arguments.time)
    try:
        seconds = clock.left * (COUNTING_SHARE if method in SAMPLERS else 1)
        tree = _tree(arguments, state, arguments.score, seconds)
    except TreeTooLarge as error:
        if method not in SAMPLERS:
            raise error.with_samples() from None
        return approximate(arguments, state, sampling, error.diagnostics[0].message, clock.left)
    found = find_equilibrium(
        sequence_form(tree),
        method,
        exploitability=EXPLOITABILITY if arguments.exploitability is None else arguments.exploitability,
        iterations=arguments.iterations,
        seconds=clock.left,
        sampling=sampling,
        watch=None if arguments.format == "json" else _watch,
    )
    show_solution(arguments, lambda: strategy_json(found), lambda: _json(found), lambda: _say(found, arguments))
    is_done = found.is_reached or arguments.iterations is not None
    return int(ExitCode.FINE if is_done else ExitCode.BOUND)


def _refuse_positions(arguments: argparse.Namespace, game: Game) -> None:
    if game.secrets.hides and (arguments.start is not None or arguments.position is not None):
        raise UsageError(
            "with hidden information, the value of a position depends on what the players believe, and so on how they play "
            "the whole game",
            help="Solve the whole game, without `--from` and `--position`.",
        )


def _tree(arguments: argparse.Namespace, state: State, score: bool, seconds: float) -> GameTree:
    from gamedsl.lab.equilibrium import HISTORIES, game_tree, margins, utilities

    tree = game_tree(
        state,
        limit=HISTORIES if arguments.limit is None else arguments.limit,
        seconds=seconds,
        results=margins if score else utilities,
        watch=None if arguments.format == "json" else _watch_states,
    )
    tell_progress()
    return tree


def _watch_states(p: Progress) -> None:
    tell_progress(f"{p.states:,} positions")


def _watch(step: Step) -> None:
    tell_progress(f"{step.iterations:,} iterations, NashConv {number_text(step.nash_conv)}")


# ------------------------------------------------------------------------------------------------------------- text


def _say_tree(tree: GameTree) -> None:
    names = tree.game.players
    sets = ", ".join(f"{n:,} for {name}" for n, name in zip(tree.set_counts, names, strict=True))
    say(f"{tree.game.title}: {len(tree):,} histories, {len(tree.ends):,} ends; information sets: {sets}")


def _say(found: Equilibrium, arguments: argparse.Namespace) -> None:
    profile = found.profile
    form, names = profile.form, profile.form.tree.game.players
    _say_tree(form.tree)
    steps = "" if found.method == "lp" else f", {found.iterations:,} iteration{'s' * (found.iterations != 1)}"
    if found.resumed:
        say(f"resumed from {arguments.checkpoint} after {found.resumed:,} iterations")
    say(f"{NAMES[found.method]}{steps}: exploitability {number_text(profile.exploitability)}")
    if not found.is_reached and arguments.iterations is None:
        say(f"(time ran out before it was {number_text(found.wanted)})")
    if arguments.curve:
        _say_curve(found)
    if form.is_duel:
        low, high = profile.value_bounds
        say(
            f"best play: {names[0]} gets {number_text(profile.values[0])} (between {number_text(low)} and {number_text(high)})"
        )
    else:
        say("best play:")
        for name, value, gain in zip(names, profile.values, profile.gains, strict=True):
            say(f"  {name} gets {number_text(value)}, and can gain {number_text(gain)} by playing otherwise")
        say(NO_PROMISE)
    _say_strategies(profile, arguments.all_moves)


def _say_curve(found: Equilibrium) -> None:
    say(f"{'iterations':>14}  {'NashConv':>10}  {'seconds':>8}")
    for step in found.curve:
        say(f"{step.iterations:>14,}  {number_text(step.nash_conv):>10}  {step.seconds:>8.2f}")


def _say_strategies(profile: Profile, everything: bool) -> None:
    from gamedsl.lab.equilibrium import set_texts

    tree, form = profile.form.tree, profile.form
    texts = set_texts(tree)
    for seat, name in enumerate(tree.game.players):
        sets = form.sets_of(seat)
        rows = [i for i in range(sets.start, sets.stop) if form.forms.actions[i] > 1]
        rows.sort(key=lambda i: texts[form.order[i]])
        lines = []
        for i in rows:
            number = int(form.order[i])
            odds = zip(tree.actions(number), profile.probabilities(i), strict=True)
            lines.append(f"{texts[number]}: {', '.join(f'{tree.game.action_text(a)} {p:.4f}' for a, p in odds)}")
        say_strategy(name, lines, everything)


# ------------------------------------------------------------------------------------------------------------- JSON


def _facts(tree: GameTree) -> dict[str, Any]:
    sets = dict(zip(tree.game.players, tree.set_counts, strict=True))
    return {
        "game": tree.game.program.name,
        "options": tree.game.options,
        "histories": len(tree),
        "ends": len(tree.ends),
        "information_sets": sets,
    }


def _profile_json(profile: Profile) -> dict[str, Any]:
    names = profile.form.tree.game.players
    bounds = profile.value_bounds if profile.form.is_duel else None
    return {
        "exploitability": profile.exploitability,
        "nash_conv": profile.nash_conv,
        "values": dict(zip(names, profile.values, strict=True)),
        "best_responses": dict(zip(names, profile.best_responses, strict=True)),
        "bounds": None if bounds is None else {"for": names[0], "low": bounds[0], "high": bounds[1]},
    }


def _json(found: Equilibrium) -> dict[str, Any]:
    from gamedsl.lab.equilibrium import strategy_json

    curve = [
        {"iterations": s.iterations, "nash_conv": s.nash_conv, "seconds": round(s.seconds, 6)} for s in found.curve
    ]
    return {
        **_facts(found.profile.form.tree),
        "method": found.method,
        "iterations": found.iterations,
        "resumed": found.resumed,
        "known": found.is_reached,
        **_profile_json(found.profile),
        "curve": curve,
        "players": strategy_json(found)["players"],
    }
