"""``compare``: what distinguishes two versions of a game."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_format,
    add_games,
    add_limit,
    add_options,
    add_seed,
    command,
    read_options,
    whole,
)
from gamedsl.cli.interruption import interruptible
from gamedsl.cli.output import say, say_json
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.agents import Agent
    from gamedsl.engine import Game
    from gamedsl.lab.metrics import MeasuredPlayer
    from gamedsl.lab.variants import FigureTest, VersionComparison, VersionPlan


def add(commands: Subparsers) -> None:
    compare = command(commands, "compare", run_compare)
    compare.add_argument("old", metavar="OLD", help="the old version: a file or the name of a shipped ruleset")
    compare.add_argument("new", metavar="NEW", help="the new version")
    add_plan(compare, games=10_000, limit=20_000)


def add_plan(
    parser: argparse.ArgumentParser, games: int, limit: int, number: str = "the number of random games of each version"
) -> None:
    add_games(parser, games, number, least=2)
    parser.add_argument(
        "--search", metavar="AGENT",
        help="where random games show no difference, also let this agent play, such as mcts:100 (default: none)",
    )  # fmt: skip
    parser.add_argument(
        "--searched", metavar="N", type=whole(2, 1_000_000), default=20, help="the number of games of that agent"
    )
    add_seed(parser)
    add_limit(parser, limit, "solve a version if this many positions suffice; 0 solves none")
    add_format(parser)
    add_options(parser)


def run_compare(arguments: argparse.Namespace) -> int:
    from gamedsl.engine import InterpretedGame
    from gamedsl.lab.variants import compare_versions
    from gamedsl.language.rules import load_program

    options = read_options(arguments.settings)
    old, new = (InterpretedGame(load_program(file, options)) for file in (arguments.old, arguments.new))
    if old.players != new.players:
        raise UsageError(
            f"the versions have different players: {', '.join(old.players)}; {', '.join(new.players)}",
            help="Set the options so that both have the same players.",
        )
    plan = version_plan(arguments, old, new)
    with interruptible() as interruption:
        found = compare_versions(old, new, plan, interruption.stop.is_set)
    if arguments.format == "json":
        head = {"old": arguments.old, "new": arguments.new, "seed": arguments.seed, "games": arguments.games}
        say_json(head | comparison_as_json(found))
    else:
        for line in _comparison_text(found, f"{old.title}, {arguments.old} and {arguments.new}", arguments):
            say(line)
    return int(ExitCode.FINE)


def version_plan(arguments: argparse.Namespace, *games: Game) -> VersionPlan:
    """Returns the plan of the command line. Raises the reason if its agent cannot play one of the games."""
    from gamedsl.lab.variants import VersionPlan

    player = None if arguments.search is None else read_player(arguments.search)
    for game in games:
        if player is not None:
            player(game)
    identity = "" if arguments.search is None else f"{arguments.search} {read_content(arguments.search)}"
    return VersionPlan(
        arguments.games, arguments.seed, arguments.limit, player=player, searched=arguments.searched, identity=identity
    )


def read_player(text: str) -> Callable[[Game], MeasuredPlayer]:
    """Returns a function that makes the player of an agent's specification for a game."""
    from gamedsl.agents import parse_agent

    return partial(_make_player, parse_agent(text))


def _make_player(agent: Agent, game: Game) -> MeasuredPlayer:
    from gamedsl.agents import measured

    agent.check(game)
    return measured(agent)


def read_content(text: str) -> str:
    """Returns a digest of the file by which an agent plays, empty if there is none. Raises ``GameDSLError`` if it cannot
    be read.
    """
    from gamedsl.agents import parse_agent

    content: str = getattr(parse_agent(text), "content", "")
    return content


def comparison_as_json(found: VersionComparison) -> dict[str, Any]:
    """Returns a comparison as plain data; docs/reference/metrics.md describes its fields."""
    return {
        "random": [_test(t) for t in found.random], "searched": [_test(t) for t in found.searched],
        "old_value": found.old_value, "new_value": found.new_value, "line": list(found.line),
        "difference": None if found.difference is None else found.difference.to_json(),
        "same": found.is_same, "alike": found.is_alike, "fails": found.fails, "effect": found.effect,
        "games": found.games, "unfinished": list(found.unfinished),
    }  # fmt: skip


def _test(test: FigureTest) -> dict[str, Any]:
    return {
        "figure": test.name, "old": test.old, "new": test.new, "effect": test.effect, "p": test.p,
        "corrected": test.corrected,
    }  # fmt: skip


def _comparison_text(found: VersionComparison, title: str, arguments: argparse.Namespace) -> Iterator[str]:
    yield f"{title}: {arguments.games:,} random games of each, seed {arguments.seed}"
    for tests, name in ((found.random, "random games"), (found.searched, arguments.search)):
        if tests:
            yield f"  {name:<28} {'old':>10} {'new':>10}   p (corrected)"
            yield from (f"  {t.name:<28} {t.old:>10.4g} {t.new:>10.4g}   {_p(t)}" for t in tests)
    if found.fails:
        yield "the rules of the new version go wrong"
    elif not found.random:
        yield "no random games: players draw, or the rules go wrong"
    if found.old_value is not None and found.new_value is not None:
        yield f"first player with best play: {found.old_value:+g}, then {found.new_value:+g}"
    if found.difference is not None:
        yield f"they part: {found.difference.text}"
    elif found.is_same:
        yield "they part in no game (all positions were compared)"
    else:
        yield "no game was found in which they part"


def _p(test: FigureTest) -> str:
    return "< 0.0001" if test.corrected < 0.0001 else f"{test.corrected:.4f}"
