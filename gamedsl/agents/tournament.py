"""Round-robin tournaments in mirrored pairs: seating, openings, games, outcomes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from gamedsl.agents.agent import Agent
from gamedsl.agents.agent_text import agent_identity, is_timed
from gamedsl.agents.position import CHANCE, DRAWING, END, TOGETHER, Position, Rules, compiled
from gamedsl.lab.shards import Question, ShardRunner, never
from gamedsl.lab.statistics import PairCounts, SequentialTest
from gamedsl.language.source import UsageError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Game, State

MOST_PLIES = 10_000
_OPENINGS = 20  # openings tried for a pair: those that end the game are not used


@lazy_dataclass(frozen=True)
class Pairing:
    """A scheduled game: ``seats[p]`` is the number of the agent that plays for player p.

    The two games of a mirrored pair (``pair``) have the same opening and chance, and the two agents exchange seats.
    """

    number: int
    seats: tuple[int, ...]
    pair: int = 0

    @property
    def agents(self) -> tuple[int, int]:
        """The numbers of the two agents, the smaller one first."""
        a, b = sorted(set(self.seats))
        return a, b


@lazy_dataclass(frozen=True)
class Outcome:
    """The outcome of one game, between two agents. ``returns``: each player's utility. ``finished``: the game reached
    its end.
    """

    pairing: Pairing
    returns: tuple[float, ...]
    plies: int
    finished: bool = True

    def points(self) -> tuple[tuple[int, float], ...]:
        """Returns (number, points) of the two agents: 1 for the greater mean utility over its seats, 1/2 each if they
        are equal.
        """
        means = []
        for agent in self.pairing.agents:
            got = [u for u, a in zip(self.returns, self.pairing.seats, strict=True) if a == agent]
            means.append((agent, sum(got) / len(got)))
        (a, mine), (b, other) = means
        share = 0.5 if abs(mine - other) < 1e-9 else float(mine > other)
        return (a, share), (b, 1.0 - share)


@lazy_dataclass(frozen=True)
class MatchConditions:
    """How the games of a tournament are played.

    ``opening``: the number of decisions at the start of every pair that are made at random. ``start``: the position
    where every game begins (None: the first position). ``most_plies``: a longer game is cut off and counts as a tie.
    """

    seed: int = 1
    opening: int = 0
    start: State | None = None
    most_plies: int = MOST_PLIES


USUAL_CONDITIONS = MatchConditions()


@lazy_dataclass()
class PairScores:
    """Counts the five outcomes of the mirrored pairs of each two agents, in the order of the schedule.

    ``test``: the sequential test of the first agent against the second (None: the tournament is played to its end).
    """

    test: SequentialTest | None = None
    counts: dict[tuple[int, int], PairCounts] = field(default_factory=dict)
    accepted: str | None = None  # the hypothesis that the test has accepted
    _first: Outcome | None = None  # of a pair whose second game comes next

    def add(self, outcome: Outcome) -> bool:
        """Adds a game. Returns whether the test is decided; later pairs are then not counted."""
        if self._first is None:
            self._first = outcome
            return False
        agents, points = outcome.pairing.agents, self._first.points()[0][1] + outcome.points()[0][1]
        self._first = None
        self.counts[agents] = self.counts.get(agents, PairCounts()).add(points)
        self.accepted = self.test.decide(self.counts[agents]) if self.test is not None else None
        return self.accepted is not None


def pairings(agents: int, players: int, rounds: int) -> list[Pairing]:
    """Returns a round-robin schedule of mirrored pairs.

    Each round has every pair of agents in every seating that uses both, followed by the seating in which the two
    have exchanged seats.
    """
    tables = []
    for pair in combinations(range(agents), 2):
        for filling in product((0, 1), repeat=players):
            if filling[0] == 0 and 1 in filling:
                tables += [tuple(pair[k] for k in filling), tuple(pair[1 - k] for k in filling)]
    return [Pairing(n, seats, n // 2) for n, seats in enumerate(tables * rounds)]


class PlayedGame(NamedTuple):
    """The outcome of a game without its place in the schedule: see ``Outcome``."""

    returns: tuple[float, ...]
    plies: int
    finished: bool


@lazy_dataclass(frozen=True)
class MirroredPairs(Question[list[tuple[PlayedGame, PlayedGame]]]):
    """The mirrored pairs of a round-robin tournament, by their number in the schedule."""

    game: Game
    agents: tuple[Agent, ...]
    conditions: MatchConditions

    @property
    def about(self) -> Mapping[str, Any]:
        game, conditions = self.game, self.conditions
        start = None if conditions.start is None else conditions.start.serialize()
        return {
            "question": "mirrored pairs", "digest": game.digest, "options": game.options, "start": start,
            "agents": [agent_identity(a.text) for a in self.agents], "seed": conditions.seed,
            "opening": conditions.opening, "most": conditions.most_plies,
        }  # fmt: skip

    @property
    def is_repeatable(self) -> bool:
        return not any(is_timed(agent.text) for agent in self.agents)

    @cached_property
    def round(self) -> list[Pairing]:
        """The first round of the schedule."""
        return pairings(len(self.agents), self.game.num_players, 1)

    def games(self, pair: int) -> tuple[Pairing, Pairing]:
        """Returns the two games of a pair."""
        first, second = (self.round[(2 * pair + k) % len(self.round)].seats for k in (0, 1))
        return Pairing(2 * pair, first, pair), Pairing(2 * pair + 1, second, pair)

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[tuple[PlayedGame, PlayedGame]]:
        found: list[tuple[PlayedGame, PlayedGame]] = []
        for number in range(first, first + count):
            if stopped():
                break
            one, other = self.games(number)
            try:
                found.append((self._play(one, stopped), self._play(other, stopped)))
            except GameStopped:
                break
        return found

    def size(self, answer: list[tuple[PlayedGame, PlayedGame]]) -> int:
        if any(len(game.returns) != self.game.num_players for pair in answer for game in pair):
            raise ValueError("there is not one result for every player")
        return len(answer)

    def _play(self, pairing: Pairing, stopped: Callable[[], bool]) -> PlayedGame:
        outcome = play(self.game, self.agents, pairing, self.conditions, stopped)
        return PlayedGame(outcome.returns, outcome.plies, outcome.finished)


def play_tournament(
    game: Game,
    agents: Sequence[Agent],
    rounds: int,
    conditions: MatchConditions = USUAL_CONDITIONS,
    runner: ShardRunner | None = None,
    stopped: Callable[[], bool] = never,
) -> Generator[Outcome, None, None]:
    """Plays the games and yields their outcomes in the order of the schedule; fewer if stopped.

    The same seed gives the same games for any runner, unless an agent's budget is a time. Raises ``UsageError`` if an
    agent cannot play the game.
    """
    if game.num_players < 2:
        raise UsageError("a tournament needs a game for at least two players")
    for agent in agents:
        agent.check(game)
    compiled(game)
    question = MirroredPairs(game, tuple(agents), conditions)
    answers = (runner or ShardRunner()).items(question, rounds * len(question.round) // 2, stopped)
    for pair, games in enumerate(answers):
        for pairing, played in zip(question.games(pair), games, strict=True):
            yield Outcome(pairing, *played)


class GameStopped(Exception):
    """A game was ended before anybody won it."""


def play(
    game: Game,
    agents: Sequence[Agent],
    pairing: Pairing,
    conditions: MatchConditions,
    stopped: Callable[[], bool] = never,
) -> Outcome:
    """Plays a game, entirely on compiled rules (unless an agent needs its history).

    Drawings and chance outcomes are sampled; they are the same in both games of a pair as long as the same number
    of them has been sampled before. Raises ``GameStopped`` at the next ply if it is stopped.
    """
    if any(agents[a].uses_states for a in pairing.seats):
        return _play_with_history(game, agents, pairing, conditions, stopped)
    native, start = compiled(game), conditions.start
    rules = Rules(native)
    block = native.initial(rules.context) if start is None else native.pack(start, rules.context)
    has_past = start is None or start == game.initial_state()
    chance, rng, past = _chance(conditions, pairing), _choices(conditions, pairing), list[int]()
    opening = _opening(rules, bytes(block), conditions, pairing)
    for plies in range(conditions.most_plies):
        if stopped():
            raise GameStopped
        position, kind = _position(rules, bytes(block))
        if kind == END:
            return Outcome(pairing, position.returns(), plies)
        if kind in (CHANCE, DRAWING):
            action = _sample(position, kind, chance)
        elif (ready := next(opening, None)) is not None:
            action = ready
        else:
            seat = rules.call("seat", ctypes.addressof(block))
            if has_past:
                position = replace(position, past=tuple(past))
            action = _choose(agents[pairing.seats[seat]], position, rng)
        rules.call("step", ctypes.addressof(block), action)
        past.append(action)
    return Outcome(pairing, (0.0,) * game.num_players, conditions.most_plies, False)


def _chance(conditions: MatchConditions, pairing: Pairing) -> Random:
    """Returns the random numbers for chance and drawings, which both games of a pair share."""
    return Random(f"{conditions.seed} {pairing.pair} chance")


def _choices(conditions: MatchConditions, pairing: Pairing) -> Random:
    """Returns the random numbers from which the agents' searches are seeded."""
    return Random(f"{conditions.seed} {pairing.number}")


def _sample(position: Position, kind: int, chance: Random) -> int:
    number, count = Random(chance.random()), position.action_count()
    if kind == DRAWING:
        return number.randrange(count)
    return number.choices(range(count), [position.ask("weight", k) for k in range(count)])[0]


def _opening(rules: Rules, first: bytes, conditions: MatchConditions, pairing: Pairing) -> Iterator[int]:
    """Returns the decisions with which a pair begins: the first attempt that does not end the game.

    If all attempts end it, those of the last attempt without its last decision.
    """
    chosen: list[int] = []
    for attempt in range(_OPENINGS if conditions.opening else 0):
        rng, chance = Random(f"{conditions.seed} {pairing.pair} {attempt}"), _chance(conditions, pairing)
        block, chosen = ctypes.create_string_buffer(first, len(first)), []
        while True:
            position, kind = _position(rules, block.raw)
            if kind == END or len(chosen) == conditions.opening:
                break
            if kind in (CHANCE, DRAWING):
                action = _sample(position, kind, chance)
            else:
                action = rng.randrange(position.action_count())
                chosen.append(action)
            rules.call("step", ctypes.addressof(block), action)
        if kind != END:
            return iter(chosen)
    return iter(chosen[:-1])


def _play_with_history(
    game: Game, agents: Sequence[Agent], pairing: Pairing, conditions: MatchConditions, stopped: Callable[[], bool]
) -> Outcome:
    """Plays a game on the engine's states, which have their history."""
    state, rng, chance = (
        conditions.start or game.initial_state(),
        _choices(conditions, pairing),
        _chance(conditions, pairing),
    )
    opening, plies_of_opening = Random(f"{conditions.seed} {pairing.pair} 0"), 0
    for plies in range(conditions.most_plies):
        if stopped():
            raise GameStopped
        if state.is_terminal:
            return Outcome(pairing, tuple(float(r) for r in state.returns), plies)
        if not state.to_act:
            move = state.propose(Random(chance.random()))
        elif plies_of_opening < conditions.opening:
            move, plies_of_opening = state.propose(opening), plies_of_opening + 1
        else:
            seat = state.to_act[0]
            move = agents[pairing.seats[seat]].choose(state, rng.getrandbits(62), seat)
        state = state.apply(move)
    return Outcome(pairing, (0.0,) * game.num_players, conditions.most_plies, False)


def _choose(agent: Agent, position: Position, rng: Random) -> int:
    seed = rng.getrandbits(62)
    return agent.action(position, seed) if position.action_count() > 1 else 0


def _position(rules: Rules, block: bytes) -> tuple[Position, int]:
    """Returns the position of a block for the acting player, without others' secret choices, and the kind of stop."""
    first, movers = rules.pending
    begin, end = 8 * first, 8 * (first + movers)
    nth = sum(any(block[k : k + 8]) for k in range(begin, end, 8))
    kind = Position(rules, block).ask("kind")
    if kind != TOGETHER or not nth:
        return Position(rules, block), kind
    return Position(rules, block[:begin] + bytes(end - begin) + block[end:], nth), kind
