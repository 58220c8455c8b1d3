"""Gathers the contents of a report: rules, playouts, coverage, value, and the graph of a small game."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.claims import Verification, VerifyConfig, verify
from gamedsl.lab.coverage import Coverage, InstrumentedGame, gathered, run_plays
from gamedsl.lab.examples import OptionValue
from gamedsl.lab.explore import Limits
from gamedsl.lab.report.state_graphs import StateGraph, state_graph
from gamedsl.lab.search import Budget
from gamedsl.lab.shards import ShardRunner
from gamedsl.lab.simulate import Simulation, simulate_within
from gamedsl.lab.solve import Solved, solve
from gamedsl.language.rules import check_file, load_program
from gamedsl.language.source import Diagnostic, GameDSLError, lazy_dataclass

VERIFIED = 50_000  # positions examined for the claims
COVERED, COVERED_PLIES = 50, 500  # playouts for the coverage, and the number of plies after which no further one begins


@lazy_dataclass(frozen=True)
class Report:
    """The contents of a report.

    ``seed``: of all playouts. ``solved``: None if the value was not found within the limit. ``graph``: None if
    there are too many positions to draw. ``findings``: diagnostics of the checker. ``judged_by``: the largest numbers of
    positions and of games by which the claims were judged. ``covered``: the number of playouts for the coverage.
    """

    game: Game
    seed: int
    simulation: Simulation
    coverage: Coverage
    solved: Solved | None
    graph: StateGraph | None
    findings: tuple[Diagnostic, ...]
    verification: Verification
    judged_by: tuple[int, int]
    covered: int


def make_report(
    file: str,
    options: Mapping[str, OptionValue] | None = None,
    *,
    plays: int = 1000,
    seed: int = 0,
    states: int = 100,
    limit: int = 20_000,
    seconds: float | None = 30.0,
) -> Report:
    """Gathers everything for a report.

    ``plays``: maximum number of playouts. ``states``: maximum number of positions drawn. ``limit``: maximum number
    of positions examined for the value. ``seconds``: time limit for each of the playouts, the value, and the
    claims (None: none; then everything is counted, and the same on every machine). If fewer playouts were made than
    requested, the report says so.

    Raises ``GameDSLError`` if the ruleset is wrong, or its rules fail in a playout.
    """
    program = load_program(file, options or {})
    game, probed = InterpretedGame(program), InstrumentedGame(program)
    covered, plies = run_plays(probed, min(plays, COVERED), seed, COVERED_PLIES)
    games = "game" if covered == 1 else "games"
    coverage = gathered([probed], "random", f"{covered:,} random {games} (seed {seed}), {plies:,} plies", False)
    solved, graph = _solved(game, limit, seconds), None
    if solved is not None and solved.complete and solved.positions <= states:
        graph = state_graph(game.initial_state(), states)
    verification = verify(
        file,
        options,
        config=VerifyConfig(
            limits=Limits(VERIFIED, seconds=seconds),
            budget=Budget(min(plays, COVERED), inf if seconds is None else seconds, seed),
            runner=ShardRunner() if seconds is None else None,
        ),
    )
    if seconds is None and verification.graph is not None:
        verification.graph.seconds = 0.0  # how long it took is different every time
    findings = tuple(check_file(file, options or {})[1])
    simulation = simulate_within(game, plays, seed, seconds)
    judged_by = VERIFIED, min(plays, COVERED)
    return Report(game, seed, simulation, coverage, solved, graph, findings, verification, judged_by, covered)


def _solved(game: Game, limit: int, seconds: float | None) -> Solved | None:
    """Returns the value if the game is small and can be solved, else None."""
    try:
        found = solve(game.initial_state(), method="graph", limit=limit, seconds=seconds)
    except GameDSLError:
        return None
    return found if found.known else None
