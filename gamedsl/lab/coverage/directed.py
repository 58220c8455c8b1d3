"""Search-based coverage: compiled rules find games that reach what playouts rarely use; the engine then counts their
lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from itertools import pairwise
from pathlib import Path

from gamedsl.engine import Move
from gamedsl.lab.base import choices, option_values
from gamedsl.lab.coverage.counts import Coverage, gathered
from gamedsl.lab.coverage.instrument import InstrumentedGame
from gamedsl.lab.examples import OptionValue
from gamedsl.lab.search import CoverageGoal, GoalProgram, GuidedSearch, Key, SearchNode, Walker, coverage_goals
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import load_lowered, load_program
from gamedsl.language.source import GameDSLError, UsageError, lazy_dataclass

FIRST_SHARE = 0.4  # share of the time for the current options, if others are tried too
MOST_WALKS = 1_000_000_000
TURN = 2.0  # seconds of search between two checks for progress
IDLE_TURNS = 4  # rounds without progress before other options are tried


@lazy_dataclass()
class Tour:
    """A choice of options with the games found for it."""

    options: dict[str, str]
    probed: InstrumentedGame
    plays: list[list[Move]] = field(default_factory=list)


@lazy_dataclass()
class CoverageSearch:
    """The result of a search.

    ``tours``: one per choice of options. ``goals``: the goals under all choices of options. ``met``: the number of
    plies, over all walks, that met each goal. ``walks``, ``plies``, ``seconds``: the extent of the search.
    """

    tours: list[Tour] = field(default_factory=list)
    goals: dict[Key, CoverageGoal] = field(default_factory=dict)
    met: dict[Key, int] = field(default_factory=dict)
    walks: int = 0
    plies: int = 0
    seconds: float = 0.0

    @property
    def missing(self) -> list[CoverageGoal]:
        """The goals that were not met."""
        return [goal for key, goal in self.goals.items() if key not in self.met]

    @property
    def is_done(self) -> bool:
        return all(key in self.met for key in self.goals)


def searched(
    file: str,
    options: Mapping[str, OptionValue] | None = None,
    *,
    seconds: float = 60.0,
    walks: int = MOST_WALKS,
    seed: int = 0,
    all_options: bool = False,
) -> tuple[Coverage, CoverageSearch]:
    """Searches for games for at most this many seconds and walks, and measures their coverage.

    If the number of walks ends the search, the seed alone determines its result. ``all_options``: also tries other
    values of the options that are not given.

    Raises ``GameDSLError`` if the ruleset is wrong, ``UsageError`` for a missing file, a bad option, or a game in
    which players draw.
    """
    found = _search(file, dict(options or {}), seconds, walks, seed, all_options)
    plays = sum(len(t.plays) for t in found.tours)
    used = [t for t in found.tours if t.plays] or found.tours[:1]
    extent = f"{plays:,} games kept of {found.walks:,} walks of {found.plies:,} plies (seed {seed})"
    extent += f", with {len(used)} choices of options" if len(used) > 1 else ""
    alone = {(a.span.source.path, a.span.line): k in found.met for k, a in found.goals.items() if a.kind == "alone"}
    coverage = gathered([t.probed for t in used], "search", extent, False, alone)
    return replace(coverage, missing=tuple(missing_lines(found))), found


def _search(
    file: str, given: dict[str, OptionValue], seconds: float, walks: int, seed: int, all_options: bool
) -> CoverageSearch:
    values = option_values(load_lowered(file, given)) if all_options else {}
    found = CoverageSearch()
    programs = list(_programs(file, given, values))
    for _, program in programs[: 1 + sum(len(v) - 1 for v in values.values())]:
        found.goals |= {goal.key: goal for goal in coverage_goals(program)}
    for number, (chosen, program) in enumerate(programs):
        left = seconds - found.seconds
        if number and (left <= 0 or found.walks >= walks or found.is_done):
            break
        if any(goal.key not in found.met for goal in coverage_goals(program)):
            share = left * FIRST_SHARE if all_options and not number else left
            _tour(found, program, chosen, share, walks - found.walks, seed + number, patient=not all_options)
    return found


def _programs(
    file: str, given: dict[str, OptionValue], values: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[dict[str, str], n.Program]]:
    """Yields the program with its current options, then with a growing number of them changed; skips choices that are
    not allowed.
    """
    for chosen in choices(values, given):
        try:
            yield chosen, load_program(file, {**given, **chosen})
        except GameDSLError:
            if not chosen:
                raise


def _tour(
    found: CoverageSearch,
    program: n.Program,
    options: dict[str, str],
    seconds: float,
    walks: int,
    seed: int,
    patient: bool,
) -> None:
    """Searches with one choice of options and keeps games that meet something new."""
    if any(isinstance(b.end, n.DecideDrawing) for b in program.blocks):
        raise UsageError("a search for games is not possible where players draw; use `--method random`", code="E0001")
    goals = GoalProgram(program, found.met)
    found.goals |= {goal.key: goal for goal in goals.goals if goal.key not in found.goals}
    guided = GuidedSearch(goals, Walker(goals), seed, found.met)
    _run(guided, seconds, walks, patient)
    found.seconds += guided.reached.seconds
    found.walks += guided.reached.walks
    found.plies += guided.reached.plies
    tour = Tour(options, InstrumentedGame(program))
    for node in covering_nodes(guided):
        tour.plays.append(replay_counting(guided.walker, node, tour.probed))
    found.tours.append(tour)
    for key, hit in guided.reached.hits.items():
        found.met[key] = found.met.get(key, 0) + hit.times


def _run(guided: GuidedSearch, seconds: float, walks: int, patient: bool) -> None:
    """Runs until the time or the walks are used up, all goals are met, or (unless ``patient``) several rounds make no
    progress.
    """
    if patient:
        guided.run(seconds, walks)
        return
    idle, reached = 0, guided.reached
    while guided.open and reached.seconds < seconds and reached.walks < walks and idle < IDLE_TURNS:
        before = len(guided.open)
        guided.run(min(TURN, seconds - reached.seconds), walks - reached.walks)
        idle = 0 if len(guided.open) < before else idle + 1


# ----------------------------------------------------------------------------------------------- test-suite reduction


def covering_nodes(guided: GuidedSearch) -> list[SearchNode]:
    """Selects a small set of nodes whose games meet every goal that was met, preferring nodes that meet many."""
    walker, hits = guided.walker, guided.reached.hits
    goals = {goal.key: i for i, goal in enumerate(guided.goals.goals)}
    nodes = list({id(h.node): h.node for h in hits.values()}.values())
    along = {id(s): walker.met_along(s) for s in nodes}
    left = {goals[key] for key in hits}
    kept: list[SearchNode] = []
    for node in sorted(nodes, key=lambda s: (-len(along[id(s)]), s.depth)):
        own = {goals[key] for key, h in hits.items() if h.node is node}
        if (along[id(node)] | own) & left:
            kept.append(node)
            left -= along[id(node)] | own | _answered(guided, node, left)
    return kept


def _answered(guided: GuidedSearch, node: SearchNode, left: set[int]) -> set[int]:
    """Returns the goals whose questions are answered at some position of the game that leads to a node."""
    found: set[int] = set()
    for q in guided.goals.questions:
        if q.goal in left and not q.moves and q.goal not in found:
            if any(guided.walker.ask(q, s.data) == 0 for s in node.trail()):
                found.add(q.goal)
    return found


def replay_counting(walker: Walker, node: SearchNode, probed: InstrumentedGame) -> list[Move]:
    """Replays the game that leads to a node on the engine and counts; at every position all moves are tried before one
    is made.
    """
    probed.counts.now = 0
    state = probed.game.initial_state()
    moves: list[Move] = []
    trail = node.trail()
    for before, after in pairwise(trail):
        probed.counts.now += 1
        for player in state.to_act:
            state.legal_moves(player, mistakes=True)
        moves.append(walker.move(before, after.action, state))
        state = state.apply(moves[-1])
    probed.counts.now += 1
    for player in state.to_act:
        state.legal_moves(player, mistakes=True)
    return moves


def missing_lines(found: CoverageSearch) -> Iterator[str]:
    """Yields the unmet goals, one per line: place, kind, and text."""
    words = {
        "first": "never refused anything", "alone": "was never the only reason", "yes": "never held", "no": "always held",
        "line": "never done", "move": "never made", "stop": "never reached", "end": "never reached",
        "stuck": "somebody could always move", "pass": "nobody passed",
    }  # fmt: skip
    for goal in sorted(found.missing, key=lambda a: (a.span.source.path, a.span.start, a.kind)):
        yield f"{Path(goal.span.source.path).name}:{goal.span.line}: {words[goal.kind]}: `{' '.join(goal.span.text.split())}`"
