"""Plays by the engine, counted: every choice from the play's own stream of random numbers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Protocol

from gamedsl.check.simulate.rng import Draws, key
from gamedsl.check.simulate.tally import Tally
from gamedsl.core.nodes import Chance
from gamedsl.core.traverse import has_decisions
from gamedsl.engine.errors import RulesError
from gamedsl.engine.game import Game
from gamedsl.engine.moves import Move
from gamedsl.engine.play.actions import chance_move
from gamedsl.engine.play.advance import weights
from gamedsl.engine.state import State
from gamedsl.source.diagnostic import Diagnostic, GameDSLError

MOST_TOLD = 400  # characters of a play that an error tells


class Chooser(Protocol):
    """Chooses a move in a state where a player must act; all its chance follows from ``seed`` (0 to 2**64 - 1)."""

    def choose(self, state: State, seed: int) -> Move: ...


@dataclass(frozen=True)
class Plan:
    """Which plays: from ``start``, by ``seats`` (per player who chooses; None: at random, uniformly), number i of them
    by the i-th stream of ``seed``. A play with more than ``most`` plies and chance outcomes is not finished."""

    game: Game
    start: State
    seats: tuple[Chooser | None, ...]
    seed: int
    most: int

    @cached_property
    def has_decisions(self) -> bool:
        """Whether a play's length is counted in plies. Where nobody decides, it is counted in outcomes of chance."""
        return has_decisions(self.game.program)

    @property
    def is_random(self) -> bool:
        """Does nobody choose but chance?"""
        return all(s is None for s in self.seats)


def play_one(plan: Plan, play: int, tally: Tally, stopped: Callable[[], bool] = lambda: False) -> bool:
    """Plays the play of this number to its end and counts it. False, with nothing counted, when it was stopped.

    Raises ``RulesError`` with the moves that lead to it when the rules go wrong.
    """
    notes, moves = Tally(), list[Move]()
    try:
        done = _played(plan, play, notes, moves, stopped)
    except RulesError as mistake:
        raise _told(mistake, plan, play, moves) from None
    if done:
        tally.add(notes)
    return done


def moves_of(plan: Plan, play: int) -> list[Move]:
    """The moves of the play of this number, as far as the rules don't go wrong."""
    moves: list[Move] = []
    with suppress(RulesError):
        _played(plan, play, Tally(), moves, lambda: False)
    return moves


def _played(plan: Plan, play: int, notes: Tally, moves: list[Move], stopped: Callable[[], bool]) -> bool:
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
            move = _chosen(plan, state, draws, notes, plies)
            plies += 1
        moves.append(move)
        state = state.apply(move)
    notes.note_end(state.returns, plies if plan.has_decisions else len(moves))
    return True


def _fallen(state: State, draws: Draws, notes: Tally) -> Move:
    """An outcome of chance, by the weights."""
    end = state.terminator
    assert isinstance(end, Chance)
    found = weights(state.game, list(state.slots), state.block)
    left = draws.below(sum(found.values()))
    for number, weight in found.items():
        left -= weight
        if left < 0:
            notes.outcomes[state.block, number] += 1
            return chance_move(end.what, end.names[number])
    raise AssertionError("the draw is below the sum of the weights")


def _chosen(plan: Plan, state: State, draws: Draws, notes: Tally, ply: int) -> Move:
    """What the player to act does."""
    agent = plan.seats[state.to_act[0]]
    if state.kind == "drawing":
        move = state.propose(Random(draws.word())) if agent is None else agent.choose(state, draws.word())
    else:
        moves = state.legal_moves()
        notes.widths.note(ply, len(moves))
        move = moves[draws.below(len(moves))] if agent is None else agent.choose(state, draws.word())
    notes.kinds[move.kind, state.block if move.schema is None else move.schema] += 1
    return move


def _told(mistake: RulesError, plan: Plan, play: int, moves: list[Move]) -> GameDSLError:
    """The mistake, with the play that it happened in."""
    line = "; ".join(str(m) for m in moves)
    if len(line) > MOST_TOLD:
        line = f"... {line[-MOST_TOLD:].partition('; ')[2]}"
    where = f"in play {play} of seed {plan.seed}, after {len(moves)} steps{': ' if line else ''}{line}"
    first, *rest = mistake.diagnostics
    told: Diagnostic = replace(first, help=f"{first.help} ({where})" if first.help else where)
    return GameDSLError(told, *rest)
