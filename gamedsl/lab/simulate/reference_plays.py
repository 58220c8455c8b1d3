"""Makes and counts games on the engine. Each game has its own stream of random numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from random import Random
from typing import Protocol

from gamedsl.compiler import GAMMA, MASK, mix
from gamedsl.engine import Game, Move, RulesError, State, chance_move, weights
from gamedsl.lab.simulate.rng import Draws, key
from gamedsl.lab.simulate.tally import Tally
from gamedsl.language.core import has_decisions
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

MOST_PLIES = 10_000
PASS = -1  # in the place of a kind of move
MOST_TOLD = 400  # characters of a game's moves that an error message shows


class Chooser(Protocol):
    """Chooses a move in a state where a player must act. All its randomness derives from ``seed`` (0 to 2**64 - 1)."""

    def choose(self, state: State, seed: int) -> Move: ...


@lazy_dataclass(frozen=True)
class Plan:
    """Which games to play: from ``start``, with ``seats`` (a chooser for each player; None: uniformly random).

    Game i uses stream i of ``seed``. A game with more than ``most`` plies and chance outcomes is unfinished. ``every``: if
    it is above 1, choices are counted in every so many plies, and moves drawn by ``least_move``, which is faster where many
    are legal.
    """

    game: Game
    start: State
    seats: tuple[Chooser | None, ...]
    seed: int
    most: int
    every: int = 1

    @classmethod
    def of(
        cls,
        game: Game,
        *,
        start: State | None = None,
        seats: Sequence[Chooser | None] = (),
        seed: int = 0,
        most: int = MOST_PLIES,
        every: int = 1,
    ) -> Plan:
        """Makes a plan, by default from the first position and with random seats."""
        return cls(game, start or game.initial_state(), tuple(seats) or (None,) * game.num_players, seed, most, every)

    @cached_property
    def has_decisions(self) -> bool:
        """Whether a game's length is counted in plies; without decisions it is counted in chance outcomes."""
        return has_decisions(self.game.program)

    @property
    def is_random(self) -> bool:
        """Whether all seats choose uniformly at random."""
        return all(s is None for s in self.seats)


def play_one(plan: Plan, play: int, tally: Tally, stopped: Callable[[], bool] = lambda: False) -> bool:
    """Plays one game to its end and counts it. Returns False, with nothing counted, if stopped.

    Raises ``RulesError``, with the moves leading to it, if the rules fail.
    """
    notes, moves = Tally(), list[Move]()
    try:
        done = _play(plan, play, notes, moves, stopped)
    except RulesError as mistake:
        raise told(mistake, plan, play, moves) from None
    if done:
        tally.add(notes)
    return done


def moves_of(plan: Plan, play: int, suffice: Callable[[Sequence[Move]], bool] = lambda moves: False) -> list[Move]:
    """Returns the moves of one game, up to a rules error if there is one, or until they ``suffice``; that is asked before
    every move."""
    moves: list[Move] = []
    with suppress(RulesError):
        _play(plan, play, Tally(), moves, lambda: suffice(moves))
    return moves


def _play(plan: Plan, play: int, notes: Tally, moves: list[Move], stopped: Callable[[], bool]) -> bool:
    state, draws, plies = plan.start, Draws(key(plan.seed, play)), 0
    while not state.is_terminal:
        if stopped():
            return False
        if len(moves) >= plan.most:
            notes.note_end(None, plies)
            return True
        if state.kind == "chance":
            move = _fallen(state, draws, notes)
        else:
            move = _choose(plan, state, draws, notes, plies)
            plies += 1
        moves.append(move)
        state = state.apply(move)
    notes.note_end(state.returns, plies if plan.has_decisions else len(moves))
    return True


def _fallen(state: State, draws: Draws, notes: Tally) -> Move:
    """Samples a chance outcome by its weight."""
    end = state.terminator
    assert isinstance(end, n.Chance)
    found = weights(state.game, list(state.slots), state.block)
    left = draws.below(sum(found.values()))
    for number, weight in found.items():
        left -= weight
        if left < 0:
            notes.outcomes[state.block, number] += 1
            return chance_move(end.what, end.names[number])
    raise AssertionError("the draw is below the sum of the weights")


def _choose(plan: Plan, state: State, draws: Draws, notes: Tally, ply: int) -> Move:
    """Returns the acting player's move."""
    agent = plan.seats[state.to_act[0]]
    if state.kind == "drawing":
        move = state.propose(Random(draws.word())) if agent is None else agent.choose(state, draws.word())
    else:
        moves = state.legal_moves()
        if ply % plan.every == 0:
            notes.widths.note(ply, len(moves))
        if agent is not None:
            move = agent.choose(state, draws.word())
        elif plan.every > 1 and isinstance(state.terminator, n.Decide):
            move = least_move(moves, draws.word())
        else:
            move = moves[draws.below(len(moves))]
    notes.kinds[move.kind, state.block if move.schema is None else move.schema] += 1
    return move


def least_move(moves: Sequence[Move], x: int) -> Move:
    """Returns the move with the least number. The number of a move is a hash of x, its kind and its arguments, so it does not
    depend on other moves. See ``compiler/emit/entries/drawn_move.py``."""

    def number(move: Move) -> int:
        found = x
        for word in (PASS,) if move.schema is None else (move.schema, *move.args):
            found = mix((found ^ word & MASK) + GAMMA & MASK)
        return found

    return min(moves, key=number)


def told(mistake: RulesError, plan: Plan, play: int, moves: list[Move]) -> RulesError:
    """Returns the rules error with a description of the game in which it happened."""
    line = "; ".join(str(m) for m in moves)
    if len(line) > MOST_TOLD:
        line = f"... {line[-MOST_TOLD:].partition('; ')[2]}"
    where = f"in play {play} of seed {plan.seed}, after {len(moves)} steps{': ' if line else ''}{line}"
    (one,) = mistake.diagnostics
    return RulesError(one.message, one.span, code=one.code, help=f"{one.help} ({where})" if one.help else where)
