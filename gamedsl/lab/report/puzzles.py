"""Openings with their best replies, and puzzles: positions in which one move begins a forced win. Both are proved."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from threading import Event
from typing import Any

from gamedsl.engine import Game, State
from gamedsl.lab.base import Clock
from gamedsl.lab.simulate import outcome
from gamedsl.lab.solve import ActionValue, Solved, solve
from gamedsl.language.source import GameDSLError, lazy_dataclass

MOST_OPENINGS = 30
GAMES = 60  # random games in whose last positions puzzles are looked for
MOST_PLIES = 600  # of such a game
EXAMINED = 6000  # positions of a proof
STEPS = 500_000  # moves that all games and proofs make: a count, so that puzzles do not depend on the machine
SHORTEST, LONGEST = 3, 5  # plies to the win: a win at once is not a puzzle
MOST_CHOICES = 300
PER_LENGTH = 2  # puzzles with a win in as many plies
GRADES = ((100, "easy"), (1000, "medium"), (EXAMINED, "hard"))  # by the positions that the proof examines


def find_openings(game: Game, limit: int, clock: Clock) -> list[dict[str, Any]] | None:
    """Returns the first moves with the results of best play, and a best reply to each. Of each: ``move``, ``value`` (the
    first player's utility), ``plies`` to the end, ``reply`` (empty if the time ran out). None if not all positions are
    found within the limit and the time, or no single player decides first.
    """
    start = game.initial_state()
    solved = _solved(start, limit, clock)
    if solved is None or start.kind != "player" or not solved.opposed:
        return None
    seat, found = start.to_act[0], list[dict[str, Any]]()
    for action in sorted(solved.actions, key=_rank)[:MOST_OPENINGS]:
        after = start.apply(game.parse_move(action.text, start))
        below = None if after.is_terminal else _solved(after, limit, clock)
        reply = "" if below is None or after.kind != "player" else min(below.actions, key=_rank).text
        value = float(action.low) if seat == 0 else -float(action.low)
        found.append({"move": action.text, "value": value, "plies": action.plies, "reply": reply})
    return found


def _solved(state: State, limit: int, clock: Clock) -> Solved | None:
    """Returns the value if all positions after this one are known and nothing is left to chance."""
    try:
        found = solve(state, method="graph", limit=limit, seconds=min(clock.left, 1e6))
    except GameDSLError:
        return None
    return found if found.complete and found.known and not found.chancy else None


def _rank(action: ActionValue) -> tuple[float, float]:
    """Sorts actions, the best first: the quickest win, then the longest defense."""
    plies = action.plies or 0
    return -float(action.low), plies if action.low > 0 else -plies


@lazy_dataclass()
class _Work:
    """The moves that may still be made. ``stopped``: a request to end earlier."""

    left: int
    stopped: Event

    def step(self) -> None:
        self.left -= 1

    @property
    def is_over(self) -> bool:
        return self.left <= 0 or self.stopped.is_set()


def find_puzzles(
    game: Game, seed: int, games: int = GAMES, steps: int = STEPS, stopped: Event | None = None
) -> list[dict[str, Any]]:
    """Returns puzzles from the last positions of random games, the shortest first; none where something is hidden.

    ``steps``: how many moves are made in all; those that are found by then are the same on every machine.

    Of each: ``moves`` that lead to the position, ``player``, ``plies`` within which that player wins against any defense,
    ``key`` (the only move that does so), ``line`` (one such game), ``choices``, ``positions`` that the proof examined, and
    the ``grade``.
    """
    found: dict[tuple[int, str], dict[str, Any]] = {}
    work = _Work(steps, stopped or Event())
    if game.secrets.hides:
        return []
    for number in range(games):
        for puzzle in _of_game(game, Random(f"{seed} {number} puzzles"), work):
            if sum(plies == puzzle["plies"] for plies, _ in found) < PER_LENGTH:
                found.setdefault((puzzle["plies"], puzzle["key"]), puzzle)
        if work.is_over:
            break
    return sorted(found.values(), key=lambda p: (p["plies"], p["positions"]))


def _of_game(game: Game, rng: Random, work: _Work) -> Iterator[dict[str, Any]]:
    states = [game.initial_state()]
    while not states[-1].is_terminal and len(states) <= MOST_PLIES and not work.is_over:
        work.step()
        states.append(states[-1].apply(states[-1].propose(rng)))
    if not states[-1].is_terminal:
        return
    for state in states[-1 - LONGEST :]:
        if work.is_over:
            return
        if state.kind == "player" and (puzzle := _puzzle(state, work)):
            yield puzzle


def _puzzle(state: State, work: _Work) -> dict[str, Any] | None:
    """Returns the puzzle of a position: the shortest forced win, if it is not one at once and a single move begins it."""
    seat, moves, proof = state.to_act[0], state.legal_moves(), _Proof(work)
    if not 1 < len(moves) <= MOST_CHOICES:
        return None
    try:
        for plies in range(1, LONGEST + 1):
            winning = [move for move in moves if proof.wins(state.apply(move), seat, plies - 1)]
            if winning:
                break
        if len(winning) != 1 or plies < SHORTEST:
            return None
        line = [str(winning[0]), *proof.line(state.apply(winning[0]), seat, plies - 1)]
    except _TooLarge:
        return None
    return {
        "moves": [str(move) for move in state.history], "player": state.game.players[seat], "plies": plies,
        "key": line[0], "line": line, "choices": len(moves), "positions": EXAMINED - proof.left,
        "grade": next(name for most, name in GRADES if EXAMINED - proof.left <= most),
    }  # fmt: skip


class _TooLarge(Exception):
    """A proof takes too many positions or moves, or something that it does not support."""


class _Proof:
    """Proofs that a player wins within a number of plies, whatever the others do and chance brings."""

    def __init__(self, work: _Work) -> None:
        self.work, self.left = work, EXAMINED

    def wins(self, state: State, seat: int, plies: int) -> bool:
        """Raises ``_TooLarge``."""
        self.work.step()
        if state.is_terminal:
            return outcome(tuple(state.returns), seat) == 1
        if plies == 0:
            return False
        self.left -= 1
        if self.left <= 0 or self.work.is_over or state.kind not in ("player", "chance"):
            raise _TooLarge
        if state.kind == "chance":
            return all(self.wins(state.apply(move), seat, plies) for move, _ in state.chance_outcomes())
        after = (self.wins(state.apply(move), seat, plies - 1) for move in state.legal_moves())
        return any(after) if state.to_act[0] == seat else all(after)

    def line(self, state: State, seat: int, plies: int) -> list[str]:
        """Returns a game that wins, with a defense that takes as long as any."""
        found: list[str] = []
        while not state.is_terminal:
            children = _children(state)
            if state.kind == "player" and state.to_act[0] == seat:
                chosen = next(c for c in children if self.wins(c[1], seat, plies - 1))
            else:
                late = (c for c in children if not self.wins(c[1], seat, max(0, plies - 3)))
                chosen = next(late, children[0])
            plies -= state.kind == "player"
            found.append(chosen[0])
            state = chosen[1]
        return found


def _children(state: State) -> list[tuple[str, State]]:
    moves = [m for m, _ in state.chance_outcomes()] if state.kind == "chance" else state.legal_moves()
    return [(str(move), state.apply(move)) for move in moves]
