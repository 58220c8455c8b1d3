"""Recorded games with what metrics need of them: choices, moves, and the values of positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, field, replace
from itertools import takewhile
from random import Random
from typing import Any, NamedTuple, Protocol

from gamedsl.engine import Game, Move, State
from gamedsl.lab.metrics.hidden_values import HiddenValues
from gamedsl.lab.metrics.touched_places import Places, place_sizes
from gamedsl.lab.shards import Question, never
from gamedsl.language.core import greatest_utility
from gamedsl.language.source import lazy_dataclass

CHANCE = -1  # stands in for a seat


class Assessment(NamedTuple):
    """A position in a player's judgment.

    ``values``: every seat's expected utility, as a share of the greatest. ``margin``: a smaller difference between two
    seats is not told apart from equality.
    """

    values: tuple[float, ...]
    margin: float


class ActionValues(NamedTuple):
    """The mover's expected utility after each legal action, as a share of the greatest, from two independent
    estimates: what the first one selects is valued by the second one, so that the selection introduces no bias.
    ``margin`` as in ``Assessment``.
    """

    selecting: tuple[float, ...]
    valuing: tuple[float, ...]
    margin: float


class Decision(NamedTuple):
    """The index of the action to take, and what the player knows about it, if it is asked to."""

    action: int
    assessment: Assessment | None = None
    actions: ActionValues | None = None


class PlayerAtGame(Protocol):
    """A player in one game, in which it plays all seats.

    ``decide`` chooses one of ``allowed`` (indices into the legal moves) for the seat. ``assess``: also value the
    position; ``detailed``: also value every action. All randomness derives from ``rng``. ``follow`` is called with the
    index of every action that was taken, also by chance (None: a drawing), and the position after it.
    """

    def decide(
        self, state: State, seat: int, allowed: Sequence[int], rng: Random, *, assess: bool, detailed: bool
    ) -> Decision: ...

    def follow(self, action: int | None, after: State) -> None: ...


class MeasuredPlayer(Protocol):
    """A player whose games are measured. ``details``: at how many decisions of a game it values every action, at
    most.
    """

    @property
    def text(self) -> str: ...

    @property
    def identity(self) -> str:
        """Everything on which its games depend, besides the rules and the seed."""

    @property
    def is_timed(self) -> bool:
        """Whether it may play otherwise the next time."""

    @property
    def details(self) -> int: ...

    def begin(self) -> PlayerAtGame: ...


@lazy_dataclass()
class Trace:
    """A recorded game. A step is a decision or an outcome of chance.

    Per step: ``seats`` (``CHANCE`` for chance), ``choices`` (0: a drawing), ``moves``, ``kinds`` (the name of the kind
    of move), ``values`` and ``margins`` of the position before it (see ``Assessment``; None where nothing was assessed).
    ``actions``: by step, the values of all actions. ``returns``: final utilities as shares of the greatest.
    ``covered``: per kind of place, how many were touched. ``hidden``: per step, per seat, how many values it cannot see.
    """

    number: int
    seats: list[int] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    values: list[tuple[float, ...] | None] = field(default_factory=list)
    margins: list[float | None] = field(default_factory=list)
    actions: dict[int, ActionValues] = field(default_factory=dict)
    returns: tuple[float, ...] = ()
    finished: bool = False
    covered: dict[str, int] = field(default_factory=dict)
    hidden: list[tuple[int, ...]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Returns the game as plain data; docs/reference/metrics.md describes its fields."""
        data = asdict(self)
        data["actions"] = {
            str(step): {"selecting": list(a.selecting), "valuing": list(a.valuing), "margin": a.margin}
            for step, a in self.actions.items()
        }
        return data


@lazy_dataclass(frozen=True)
class TracePlan:
    """How games are recorded. ``most``: a longer game is cut off. ``assess``: positions and actions are valued.
    ``stopped``: asked at every step; once it is true, a game is left unfinished.
    """

    game: Game
    player: MeasuredPlayer
    seed: int
    most: int
    assess: bool = True
    stopped: Callable[[], bool] = never

    def record(self, number: int, restrict: Restriction | None = None) -> Trace:
        """Plays one game. ``restrict``: leaves a seat fewer moves than are legal."""
        return _Recording(self, number, restrict).run()


Restriction = Callable[[State, int, list[Move]], list[int]]


@lazy_dataclass(frozen=True)
class RecordedGames(Question[list[Trace]]):
    """Recorded games, by their number. ``limit``: the restriction of each game (None: none), and ``limited``: its name."""

    plan: TracePlan
    limited: str = ""
    limit: Callable[[int], Restriction] | None = None

    @property
    def about(self) -> Mapping[str, Any]:
        plan = self.plan
        return {
            "question": "recorded games", "digest": plan.game.digest, "options": plan.game.options,
            "player": plan.player.identity, "seed": plan.seed, "most": plan.most, "assess": plan.assess,
            "limited": self.limited,
        }  # fmt: skip

    @property
    def is_repeatable(self) -> bool:
        return not self.plan.player.is_timed

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[Trace]:
        plan, limit = replace(self.plan, stopped=stopped), self.limit
        traces = (plan.record(k, None if limit is None else limit(k)) for k in range(first, first + count))
        return list(takewhile(lambda _: not stopped(), traces))

    def size(self, answer: list[Trace]) -> int:
        """Returns the number of games. Raises ``ValueError`` if these cannot be games of the plan's rules."""
        players, kinds = self.plan.game.num_players, set(place_sizes(self.plan.game.program))
        for trace in answer:
            steps = len(trace.seats)
            lists = trace.choices, trace.moves, trace.kinds, trace.values, trace.margins
            if any(len(found) != steps for found in lists) or not all(CHANCE <= seat < players for seat in trace.seats):
                raise ValueError("a game has other numbers of steps, or other seats")
            rows = [trace.returns] if trace.finished else []
            rows += [values for values in trace.values if values is not None]
            if any(len(row) != players for row in rows) or set(trace.covered) != kinds:
                raise ValueError("a game has other players or places")
            if not all(0 <= step < steps for step in trace.actions) or any(not row for row in trace.hidden):
                raise ValueError("a game has actions where it has no step")
        return len(answer)


class _Recording:
    """The recording of one game."""

    def __init__(self, plan: TracePlan, number: int, restrict: Restriction | None) -> None:
        self.plan, self.restrict = plan, restrict
        self.rng = Random(f"{plan.seed} {number} {plan.player.text}")
        self.sampled = Random(f"{plan.seed} {number} sample")
        self.trace = Trace(number)
        self.player = plan.player.begin()
        self.places = Places(plan.game.program)
        self.hidden = HiddenValues(plan.game)
        self.decisions = 0

    def run(self) -> Trace:
        plan, trace = self.plan, self.trace
        state = plan.game.initial_state()
        while not state.is_terminal and len(trace.seats) < plan.most and not plan.stopped():
            if plan.assess:
                self.places.note(state)
                self.hidden.note(state, trace.hidden)
            state = self._chance(state) if state.kind == "chance" else self._decision(state)
        self.places.note(state)
        trace.finished = state.is_terminal
        most = greatest_utility(plan.game.program)
        trace.returns = tuple(u / most for u in state.returns) if trace.finished else ()
        trace.covered = self.places.counts()
        return trace

    def _chance(self, state: State) -> State:
        move, outcomes = state.propose(self.rng), [move for move, _ in state.chance_outcomes()]
        self._add(CHANCE, len(outcomes), move, None)
        return self._after(state, move, outcomes.index(move))

    def _decision(self, state: State) -> State:
        seat = state.to_act[0]
        if state.kind == "drawing":
            move = state.propose(self.rng)
            self._add(seat, 0, move, None)
            return self._after(state, move, None)
        moves = state.legal_moves(seat)
        allowed = list(range(len(moves)))
        if self.restrict is not None:
            allowed = self.restrict(state, seat, moves)
        detailed = self.plan.assess and len(moves) > 1 and self._is_sampled()
        made = self.player.decide(state, seat, allowed, self.rng, assess=self.plan.assess, detailed=detailed)
        if made.actions is not None:
            self._keep(made.actions)
        self._add(seat, len(moves), moves[made.action], made.assessment)
        return self._after(state, moves[made.action], made.action)

    def _after(self, state: State, move: Move, action: int | None) -> State:
        after = state.apply(move)
        self.player.follow(action, after)
        return after

    def _is_sampled(self) -> bool:
        """Whether to value all actions here. A reservoir of few decisions makes all equally likely."""
        self.decisions += 1
        return self.sampled.random() < self.plan.player.details / self.decisions

    def _keep(self, actions: ActionValues) -> None:
        """Keeps the values of all actions, in place of those at another decision if there are many."""
        kept = self.trace.actions
        if len(kept) == self.plan.player.details:
            del kept[self.sampled.choice(list(kept))]
        kept[len(self.trace.seats)] = actions

    def _add(self, seat: int, choices: int, move: Move, assessment: Assessment | None) -> None:
        trace, program = self.trace, self.plan.game.program
        trace.seats.append(seat)
        trace.choices.append(choices)
        trace.moves.append(str(move))
        trace.kinds.append(move.kind if move.schema is None else program.schemas[move.schema].name)
        trace.values.append(None if assessment is None else assessment.values)
        trace.margins.append(None if assessment is None else assessment.margin)
