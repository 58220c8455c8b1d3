"""The exact value of a position: who wins with best play, by how much, how soon, and by which moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from gamedsl.engine import Game, Secrets, State
from gamedsl.lab.explore import Execution, Resumed, Watch, suits
from gamedsl.lab.solve.depth_search import Bounds, Depth, searched
from gamedsl.lab.solve.game_graph import (
    CHANCE,
    CHOICE,
    CHOOSE,
    JOINT,
    LARGE,
    WIDEST,
    By,
    Number,
    PlayGraph,
    Utilities,
    action_texts,
    choosers,
    explored,
    utilities,
)
from gamedsl.lab.solve.matrix_games import matrix_value
from gamedsl.lab.solve.proof_number import proved
from gamedsl.lab.solve.repetition_solver import WithoutRepetition, notes_positions, without_repetition
from gamedsl.lab.solve.retrograde import TOLERANCE, Values, distances, joint_table, values
from gamedsl.lab.solve.retrograde_large import Large
from gamedsl.language.core import greatest_utility
from gamedsl.language.core import nodes as n
from gamedsl.language.source import UsageError, lazy_dataclass

Method = Literal["auto", "graph", "depth", "proof"]
LONGEST_LINE = 200
SCORES_AT_ENDS = "a repetition has a score of its own"
LIMIT = 2_000_000
LARGE_WITH_CHANCE = 5_000  # positions; beyond this, expected values are floats between bounds


@lazy_dataclass(frozen=True)
class ActionValue:
    """One action of the solved position.

    ``low``, ``high``: the bounds of its value for the chooser's seat (for seat 0 if it is chance). ``plies``: to
    the end. ``share``: its probability, of a chance outcome or of a secret choice under optimal play.
    """

    text: str
    low: Number
    high: Number
    plies: int | None
    share: Number | None = None
    seat: int | None = None


@lazy_dataclass(frozen=True)
class Solved:
    """The result of solving.

    ``bounds``: for each player the value that this player can secure and the value to which the others together can
    hold this player; equal when the position is solved. Exact unless a float (then accurate to
    ``retrograde.TOLERANCE``). ``plies``: to the end, if the side that gains hurries and the others delay. ``line``:
    a principal variation up to the first chance event or secret choice; ``endless`` if it returns to a position.
    ``positions``: the number examined; ``complete``: these are all reachable positions. ``repetition``: a position
    that occurs this many times is a draw, and the graph was solved without this rule (see ``repetition_solver``; 0:
    there is no such rule). ``history``: why positions with different histories were treated as different positions
    (empty: they were not). ``resumed``: what comes from a checkpoint, if anything does.
    """

    game: Game
    by: By
    method: Literal["graph", "depth", "proof"]
    bounds: tuple[tuple[Number, Number], ...]
    plies: int | None
    actions: tuple[ActionValue, ...]
    line: tuple[str, ...]
    endless: bool
    positions: int
    complete: bool
    payoffs: frozenset[Number]  # terminal values found, for the first player
    chancy: bool  # chance or secret choices matter
    opposed: bool  # two players, zero sum
    repetition: int = 0
    history: str = ""
    resumed: Resumed | None = None

    @property
    def plain(self) -> bool:
        """Whether a win, a tie and a loss are the only results."""
        return self.by == "result" and self.opposed and self.payoffs <= {-1, 0, 1}

    @property
    def value(self) -> Number | None:
        """The value for the first player; None if it is not known."""
        return self.bounds[0][0] if self.known else None

    @property
    def known(self) -> bool:
        return all(high - low <= TOLERANCE for low, high in self.bounds)


def solve(
    state: State,
    *,
    by: By = "result",
    method: Method = "auto",
    limit: int = LIMIT,
    seconds: float | None = None,
    watch: Watch | None = None,
    execution: Execution | None = None,
) -> Solved:
    """Solves a state.

    ``by``: the result (utilities) or the score (points of the first player minus those of the second). ``method``:
    ``graph`` generates all reachable positions and works backward from the ends (any rules); ``depth`` searches
    depth first with a transposition table (two players, no chance, no secret choices, no repetition) and gives the
    value of this state only; ``proof`` is proof-number search for the same games; ``auto`` tries the first, the
    second if there are too many positions, and then the third.

    ``limit`` (positions) and ``seconds`` apply to each method. Values unknown by then are returned as bounds.
    ``watch`` receives the progress now and then. ``execution``: how the reachable positions are found.

    Raises ``UsageError`` for a game that no method can solve, and a rules error that some game runs into.
    """
    refuse_secrets(state.game.program)
    if method == "proof":
        return _by_proof(state, by, limit, seconds)
    if method != "depth":
        find = partial(explored, limit=limit, seconds=seconds, watch=watch, execution=execution)
        found = _by_graph(state, by, find)
        if found.complete or method == "graph" or not _fits_depth(state.game.program):
            return found
    try:
        deep = _from_depth(state, searched(state, by, limit, seconds), by)
        if deep.known or method == "depth" or not suits(state.game.program):
            return deep
        other = _by_proof(state, by, limit, seconds)
        return other if other.known else replace(other, bounds=_narrower(deep.bounds, other.bounds))
    except UsageError:
        if method == "depth":
            raise
        return found


def refuse_secrets(program: n.Program) -> None:
    """Raises ``UsageError`` if some players know more than others (beyond a simultaneous choice)."""
    hidden = Secrets(program).name()
    if hidden is not None:
        raise UsageError(
            f"some players cannot see `{hidden}`, so the value of a position depends on what each of them knows",
            help="`gamedsl solve` finds strategies for the whole game by the methods `cfr+`, `cfr` and `lp`",
        )


# ------------------------------------------------------------------------------------------------------- by a graph


def _by_graph(state: State, by: By, find: Callable[[State], PlayGraph]) -> Solved:
    plain = without_repetition(state) if by == "result" else SCORES_AT_ENDS
    if isinstance(plain, WithoutRepetition):
        found = _from_graph(plain.state.game, find(plain.state), by)
        return replace(found, game=state.game, repetition=plain.times)
    found = _from_graph(state.game, find(state), by)
    return replace(found, history=plain or "") if notes_positions(state.game.program) else found


def _from_graph(game: Game, graph: PlayGraph, by: By) -> Solved:
    known = utilities(graph, by)
    seats = range(graph.players)
    opposed = graph.players == 2 and bool((known.values[0] == -known.values[1]).all())
    found = {p: _values(graph, p, known, by) for p in ((0,) if opposed else seats)}
    if opposed:
        found[1] = Values([-v for v in found[0].high], [-v for v in found[0].low])
    plies: list[int | None] = [None] * len(graph)
    if opposed or graph.players == 1:
        plies = _distances(graph, known, found[0])
    return _GraphSolution(game, graph, by, found, plies, opposed, frozenset(known.of(0).values())).solved()


def _values(graph: PlayGraph, seat: int, known: Utilities, by: By) -> Values:
    most = greatest_utility(graph.found.game.program) if by == "result" else WIDEST
    if _suits_loops(graph):
        return Large(graph, seat, known, most).values()
    return values(graph, seat, known.of(seat).__getitem__, (-most, most))


def _distances(graph: PlayGraph, known: Utilities, found: Values) -> list[int | None]:
    if _suits_loops(graph):
        return Large(graph, 0, known, 0).distances(found)
    return distances(graph, 0, found)


def _suits_loops(graph: PlayGraph) -> bool:
    """Whether the graph is large and supported by the compiled loops (simultaneous choices are not)."""
    return not graph.joint and len(graph) > (LARGE_WITH_CHANCE if graph.chancy else LARGE)


@lazy_dataclass(frozen=True)
class _GraphSolution:
    """A graph and its values, to be presented as ``Solved``."""

    game: Game
    graph: PlayGraph
    by: By
    found: dict[int, Values]
    plies: list[int | None]
    opposed: bool
    payoffs: frozenset[Number]

    def solved(self) -> Solved:
        line, endless = self.line() if self.found[0].known(0) else ((), False)
        expanded = self.graph.cut
        return Solved(
            self.game,
            self.by,
            "graph",
            tuple((self.found[p].low[0], self.found[p].high[0]) for p in range(self.graph.players)),
            self.plies[0],
            self.actions(),
            line,
            endless,
            expanded,
            self.graph.complete,
            self.payoffs,
            self.graph.chancy,
            self.opposed,
            resumed=self.graph.found.resumed,
        )

    def actions(self) -> tuple[ActionValue, ...]:
        graph, state = self.graph, self.graph.state(0)
        if not graph.successors(0):
            return ()
        if graph.kinds[0] == JOINT:
            return self.shares(state)
        seat = max(0, graph.seats[0])
        mine = self.found[seat]
        falls = [int(w) for w in graph.weights[graph.starts[0] : graph.starts[1]]]
        found_actions = []
        for k, (text, t) in enumerate(zip(action_texts(state), graph.successors(0), strict=True)):
            share = Fraction(falls[k], sum(falls)) if graph.kinds[0] == CHANCE else None
            found_actions.append(ActionValue(text, mine.low[t], mine.high[t], self.plies[t], share, seat))
        return tuple(found_actions)

    def shares(self, state: State) -> tuple[ActionValue, ...]:
        """Returns the probability of each secret choice in best play, player by player."""
        found_actions = []
        who, offered = choosers(state)
        for seat, moves in zip(who, offered, strict=True):
            after = [self.found[seat].low[t] for t in self.graph.successors(0)]
            as_floats = any(isinstance(v, float) for v in after)
            after = [float(v) if as_floats else Fraction(v) for v in after]
            best = matrix_value(joint_table(self.graph.joint[0], seat, after))
            found_actions += [
                ActionValue(str(m), best.value, best.value, None, x, seat)
                for m, x in zip(moves, best.rows, strict=True)
            ]
        return tuple(found_actions)

    def line(self) -> tuple[tuple[str, ...], bool]:
        """Returns a principal variation, and whether it returns to an earlier position."""
        graph, i = self.graph, 0
        moves: list[str] = []
        seen = {0}
        while graph.kinds[i] in (CHOICE, CHOOSE) and graph.successors(i) and len(moves) < LONGEST_LINE:
            texts = list(action_texts(graph.state(i)))
            best = min(range(len(texts)), key=lambda k, i=i: self.rank(i, graph.successors(i)[k]))  # type: ignore[misc]
            moves.append(texts[best])
            i = graph.successors(i)[best]
            if i in seen:
                return tuple(moves), True
            seen.add(i)
        return tuple(moves), False

    def rank(self, i: int, t: int) -> tuple[Any, ...]:
        """Returns a sort key for actions: lower is better for the chooser at i."""
        mine = self.found[self.graph.seats[i]]
        plies = self.plies[t] or 0
        return -mine.low[t], -mine.high[t], plies if mine.low[t] > 0 else -plies


# ------------------------------------------------------------------------------------------------------- by depth


def _fits_depth(program: n.Program) -> bool:
    """Whether there are two players, no chance, and no secret choices."""
    return program.players.size == 2 and not any(isinstance(b.end, n.Chance | n.DecideTogether) for b in program.blocks)


def _by_proof(state: State, by: By, limit: int, seconds: float | None) -> Solved:
    if not _fits_depth(state.game.program):
        raise UsageError(
            "proof-number search supports neither chance nor simultaneous choices", help="use `--method graph`"
        )
    return replace(_from_depth(state, proved(state, by, limit, seconds), by), method="proof")


def _narrower(a: tuple[Bounds, ...], b: tuple[Bounds, ...]) -> tuple[Bounds, ...]:
    """Intersects two sets of bounds, seat by seat."""
    return tuple((max(x[0], y[0]), min(x[1], y[1])) for x, y in zip(a, b, strict=True))


def _from_depth(state: State, found: Depth, by: By) -> Solved:
    low, high = found.bounds
    sign = 1 if state.to_act[:1] != (1,) else -1
    actions = tuple(
        ActionValue(text, *((a, b) if sign == 1 else (-b, -a)), None, None, state.to_act[0] if state.to_act else None)
        for text, (a, b) in found.actions
    )
    bounds = ((low, high), (-high, -low))
    return Solved(
        state.game,
        by,
        "depth",
        bounds,
        None,
        actions,
        found.line,
        False,
        found.positions,
        False,
        found.payoffs,
        False,
        True,
    )
