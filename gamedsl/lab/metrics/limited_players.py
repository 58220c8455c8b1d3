"""Players with fewer moves than the rules allow: without one kind of move, greedy, or copying the other's moves.

A. Jaffe, A. Miller, E. Andersen, Y.-E. Liu, A. Karlin and Z. Popovic, "Evaluating competitive game balance with restricted
play", AIIDE 2012: what a player loses by a restriction is what the freedom is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gamedsl.engine import Game, Move, State
from gamedsl.lab.metrics.game_figures import score_of
from gamedsl.lab.metrics.player_figures import Figure, ratio
from gamedsl.lab.metrics.traces import RecordedGames, Restriction, Trace, TracePlan
from gamedsl.lab.shards import ShardRunner
from gamedsl.lab.symmetry import Symmetry
from gamedsl.language.source import lazy_dataclass

MOST_KINDS = 12  # kinds of move left out, one at a time
MOST_MIRRORS = 8


def restricted_scores(
    plan: TracePlan, games: int, stopped: Callable[[], bool], runner: ShardRunner
) -> dict[str, Figure]:
    """Returns, per restriction, the score of one restricted seat among free ones, minus an equal share (1 for each seat
    in turn). Every seat is restricted in its share of the games.
    """
    found: dict[str, Figure] = {}
    for name, limit in _restrictions(plan.game):
        question = RecordedGames(plan, name, _InTurn(limit, plan.game.num_players))
        figure = _score(runner.items(question, games, stopped), plan)
        if figure is not None:
            found[name] = figure
    return found


def _restrictions(game: Game) -> Iterator[tuple[str, Callable[[int], Restriction]]]:
    kinds = [s for s in game.program.schemas if not s.mistake]
    if len(kinds) > 1:
        for schema in kinds[:MOST_KINDS]:
            yield f"no {schema.name}", _WithoutKind(schema.index).for_seat
    if not game.secrets.hides:  # else it would look at what is hidden
        yield "greedy", _limit_to_greed


@lazy_dataclass(frozen=True)
class _InTurn:
    """Restricts each seat in its share of the games."""

    limit: Callable[[int], Restriction]
    players: int

    def __call__(self, number: int) -> Restriction:
        return self.limit(number % self.players)


def _score(traces: Iterator[Trace], plan: TracePlan) -> Figure | None:
    players, parts = plan.game.num_players, list[tuple[float, float]]()
    for number, trace in enumerate(traces):
        if trace.finished:
            parts.append((score_of(trace, number % players) - 1 / players, 1))
    return ratio(parts, plan.seed)


def _limit_to_greed(seat: int) -> Restriction:
    return _Greedy(seat).moves


@lazy_dataclass(frozen=True)
class _WithoutKind:
    """Leaves out a kind of move wherever there is another move."""

    schema: int

    def for_seat(self, limited: int) -> Restriction:
        def moves(state: State, seat: int, legal: list[Move]) -> list[int]:
            kept = [k for k, move in enumerate(legal) if move.schema != self.schema]
            return kept if seat == limited and kept else list(range(len(legal)))

        return moves


@lazy_dataclass(frozen=True)
class _Greedy:
    """Takes the move that ends the game best at once; avoids one that ends it badly; thinks no further."""

    limited: int

    def moves(self, state: State, seat: int, legal: list[Move]) -> list[int]:
        if seat != self.limited or state.kind == "together":
            return list(range(len(legal)))
        worth = [self._worth(state.apply(move)) for move in legal]
        return [k for k, value in enumerate(worth) if value == max(worth)]

    def _worth(self, after: State) -> float:
        return float(after.returns[self.limited]) if after.is_terminal else 0.0


# ---------------------------------------------------------------------------------------------------- mirroring


def mirrored_scores(
    plan: TracePlan, turns: list[Symmetry], games: int, stopped: Callable[[], bool], runner: ShardRunner
) -> dict[str, Figure]:
    """Returns, per symmetry of the rules (of ``turns``) that is its own inverse, the score of a second seat that answers every move by
    its image where that is legal, minus one half. Empty unless two players move in turn.
    """
    if plan.game.num_players != 2:
        return {}
    found: dict[str, Figure] = {}
    for name, turn in _mirrors(turns, plan.game).items():
        parts = list[tuple[float, float]]()
        question = RecordedGames(plan, f"mirrored {name}", _MirrorAlways(turn))
        for trace in runner.items(question, games, stopped):
            if trace.finished:
                parts.append((score_of(trace, 1) - 0.5, 1))
        figure = ratio(parts, plan.seed)
        if figure is not None:
            found[name] = figure
    return found


def _mirrors(turns: list[Symmetry], game: Game) -> dict[str, Symmetry]:
    """Returns the symmetries that are their own inverses, one for each way to move what is not a player."""
    found: dict[str, Symmetry] = {}
    for turn in turns:
        if _is_own_inverse(turn):
            parts = [part for part in str(turn).split("; ") if not part.startswith(f"{game.program.players.name}:")]
            if parts and len(found) < MOST_MIRRORS:
                found.setdefault("; ".join(parts), turn)
    return found


def _is_own_inverse(turn: Symmetry) -> bool:
    return all(moved[moved[i]] == i for _, moved in turn.domains for i in range(len(moved)))


@lazy_dataclass(frozen=True)
class _MirrorAlways:
    """Lets the second seat mirror in every game."""

    turn: Symmetry

    def __call__(self, number: int) -> Restriction:
        return _Mirror(self.turn).moves


class _Mirror:
    """The second seat answers with the image of the last move."""

    def __init__(self, turn: Symmetry) -> None:
        self.turn = turn

    def moves(self, state: State, seat: int, legal: list[Move]) -> list[int]:
        every = list(range(len(legal)))
        if seat != 1:
            return every
        last = state.history[-1] if state.history else None
        if last is None or last.schema is None:
            return every
        params = state.game.program.schemas[last.schema].params
        image = tuple(self.turn.value(p.local.type, a) for p, a in zip(params, last.args, strict=True))
        same = [k for k, move in enumerate(legal) if move.schema == last.schema and tuple(move.args) == image]
        return same or every
