"""``tournament``: games between agents."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_file,
    add_format,
    add_games,
    add_options,
    add_seed,
    command,
    load_game,
    whole,
)
from gamedsl.cli.interruption import INTERRUPTED
from gamedsl.cli.output import is_quiet, say, say_json
from gamedsl.cli.sharding import add_sharding, shard_runner
from gamedsl.cli.starting_position import add_start, starting_state
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gamedsl.agents import Agent, Outcome
    from gamedsl.engine import Game
    from gamedsl.lab.statistics import SequentialTest

ROUNDS, MOST_ROUNDS = 10, 5000  # without and with a sequential test


def add(commands: Subparsers) -> None:
    tournament = command(commands, "tournament", run_tournament)
    add_file(tournament)
    tournament.add_argument(
        "--agents",
        metavar="AGENTS",
        required=True,
        help="two or more agents, such as random, easy, mcts:2s, mcts:5000, ab:2s or ab:d6 (required)",
    )
    how_many = tournament.add_mutually_exclusive_group()
    how_many.add_argument(
        "--rounds",
        metavar="N",
        type=whole(1, 999_999),
        help="mirrored pairs of games for each pair of agents and each seating (default: 10; with --sprt, at most 5000)",
    )
    add_games(how_many, None, "the number of games in all, rounded up to whole rounds (default: 10 rounds)", least=1)
    add_seed(tournament)
    add_sharding(tournament)
    tournament.add_argument(
        "--opening",
        metavar="PLIES",
        type=whole(0, 1000),
        default=0,
        help="play this many plies at random at the start of each pair",
    )
    tournament.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        type=_two_numbers,
        help="stop as soon as it is known which of these differences the first of two agents has over the second "
        "(default: plays all rounds)",
    )
    tournament.add_argument(
        "--errors",
        metavar="A,B",
        type=_two_numbers,
        default=(0.05, 0.05),
        help="the error rates of --sprt (default: 0.05,0.05)",
    )
    add_start(tournament)
    add_format(tournament)
    add_options(tournament)


def run_tournament(arguments: argparse.Namespace) -> int:
    """Plays a round robin and reports the results. When interrupted, reports those available and returns exit code
    130."""
    # for start-up: agents and statistics need numpy
    from gamedsl.agents import MatchConditions, PairScores, pairings, parse_agents, play_tournament
    from gamedsl.cli.match_scores import scores_as_json

    agents = parse_agents(arguments.agents)
    test = _check(arguments, agents)
    game = load_game(arguments)
    one_round = len(pairings(len(agents), game.num_players, 1))
    rounds = arguments.rounds or (MOST_ROUNDS if test else ROUNDS)
    rounds = rounds if arguments.games is None else -(-arguments.games // one_round)
    planned = rounds * one_round
    outcomes: list[Outcome] = []
    began, interrupted = time.monotonic(), False
    is_first = arguments.start is None and arguments.position is None
    start = None if is_first else starting_state(game, arguments.start, arguments.position)
    conditions = MatchConditions(arguments.seed, arguments.opening, start)
    scores = PairScores(test)
    with shard_runner(arguments) as runner:
        games = play_tournament(game, agents, rounds, conditions, runner)
        try:
            for outcome in games:
                outcomes.append(outcome)
                _progress(len(outcomes), planned)
                if scores.add(outcome):
                    break
        except KeyboardInterrupt:
            interrupted = True
        games.close()
    _progress(0, 0)
    found = report(game, agents, outcomes, arguments.seed, rounds) | scores_as_json(scores, agents)
    found |= {"planned": planned, "opening": arguments.opening, "interrupted": interrupted}
    found |= {"seconds": round(time.monotonic() - began, 3)}
    if arguments.format == "json":
        say_json(found)
    else:
        _say_tables(game, found)
    return INTERRUPTED if interrupted else int(ExitCode.FINE)


def _check(arguments: argparse.Namespace, agents: Sequence[Agent]) -> SequentialTest | None:
    # numpy
    from gamedsl.lab.statistics import SequentialTest

    texts = [a.text for a in agents]
    if len(texts) < 2:
        raise UsageError("a tournament needs at least two agents", help="Write `--agents random,mcts:1000`.")
    twice = next((x for x in texts if texts.count(x) > 1), None)
    if twice is not None:
        raise UsageError(f"the agent `{twice}` is given twice")
    if arguments.sprt is None:
        return None
    if len(texts) != 2:
        raise UsageError(
            "a sequential test compares two agents", help="Write `--agents mcts:1000,mcts:500 --sprt 0,50`."
        )
    return SequentialTest(*arguments.sprt, *arguments.errors)


def report(game: Game, agents: Sequence[Agent], outcomes: Sequence[Outcome], seed: int, rounds: int) -> dict[str, Any]:
    """The results as plain data: a row per agent (best first), per pair and per seat."""
    from gamedsl.lab.statistics import rate

    n = len(agents)
    points = [[0.0] * n for _ in agents]
    games = [[[0, 0, 0] for _ in agents] for _ in agents]  # won, drawn, lost
    for outcome in outcomes:
        (a, mine), (b, other) = outcome.points()
        points[a][b] += mine
        points[b][a] += other
        games[a][b][int(2 - 2 * mine)] += 1
        games[b][a][int(2 - 2 * other)] += 1
    ratings = rate(points) if outcomes else None
    rows = []
    for i, agent in enumerate(agents):
        won, drawn, lost = (sum(pair[k] for pair in games[i]) for k in range(3))
        played = won + drawn + lost
        row = {"agent": agent.text, "games": played, "won": won, "drawn": drawn, "lost": lost}
        row |= {"score": round(sum(points[i]) / played, 4) if played else None}
        row |= {"elo": round(ratings.elo[i], 1), "margin": round(ratings.margin[i], 1)} if ratings else {}
        row |= {"settings": agent.settings(game)} if played else {}
        rows.append(row)
    pairs = [
        {
            "first": agents[i].text,
            "second": agents[j].text,
            **dict(zip(("won", "drawn", "lost"), games[i][j], strict=True)),
        }
        for i in range(n)
        for j in range(i + 1, n)
    ]
    return {
        "game": game.program.name, "options": game.options, "digest": game.digest, "seed": seed, "rounds": rounds,
        "played": len(outcomes), "unfinished": sum(not o.finished for o in outcomes),
        "agents": sorted(rows, key=lambda r: -r.get("elo", 0.0)), "pairs": pairs, "seats": _seats(game, outcomes),
        "propped": bool(ratings and ratings.propped),
    }  # fmt: skip


def _seats(game: Game, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    found = []
    for p, name in enumerate(game.players):
        got = [o.returns[p] for o in outcomes]
        mean = round(sum(got) / len(got), 4) if got else None
        found.append({"player": name, "above": sum(u > 0 for u in got), "below": sum(u < 0 for u in got), "mean": mean})
    return found


def _say_tables(game: Game, found: dict[str, Any]) -> None:
    # for start-up: it needs numpy
    from gamedsl.cli.match_scores import pair_lines

    plays = f"{found['played']} of {found['planned']} games" if found["interrupted"] else f"{found['played']} games"
    say(f"{game.title}: {plays}, seed {found['seed']}, {found['seconds']:.1f} s")
    width = max(len("agent"), *(len(r["agent"]) for r in found["agents"]))
    say(f"  {'agent'.ljust(width)}  games    won  drawn   lost  score    Elo   95 %")
    for r in found["agents"]:
        counts = "".join(f"{r[key]:>7}" for key in ("games", "won", "drawn", "lost"))
        rated = f"{r['score']:>6.0%} {r['elo']:>+6.0f} {'±' + format(r['margin'], '.0f'):>6}" if r["games"] else ""
        say(f"  {r['agent'].ljust(width)}{counts} {rated}".rstrip())
    for line in pair_lines(found):
        say("  " + line)
    for r in found["agents"]:
        if r.get("settings"):
            say(f"  {r['agent']} uses {r['settings']}")
    for seat in found["seats"] if found["played"] else []:
        say(f"  as {seat['player']}: {seat['above']} gained, {seat['below']} lost, mean {seat['mean']:+.2f}")
    if found["propped"] and found["played"]:
        say("  (an agent won or lost every game, so the ratings include an additional drawn game for every pair)")
    if found["unfinished"]:
        say(f"  ({found['unfinished']} games were stopped early and count as draws)")


def _progress(done: int, planned: int) -> None:
    """Shows progress on standard error if that is a terminal. ``planned`` 0 clears the line."""
    if sys.stderr.isatty() and not is_quiet():
        text = f"{done} of {planned} games" if planned else ""
        sys.stderr.write("\r" + text.ljust(40) + ("" if planned else "\r"))
        sys.stderr.flush()


def _two_numbers(text: str) -> tuple[float, float]:
    try:
        first, second = (float(x) for x in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not two numbers with a comma between them") from None
    return first, second
