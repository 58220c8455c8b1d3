"""The statistics of compiled plays, counted again by the interpreter: it makes the same plays from their records."""

from __future__ import annotations

from gamedsl import Game, State
from gamedsl.lab.simulate.compiled_plays import FullPlays
from gamedsl.lab.simulate.recorded_plays import move_of
from gamedsl.lab.simulate.reference_plays import Plan
from gamedsl.lab.simulate.tally import Tally


def plan_of(game: Game, seed: int, most: int = 10_000, start: State | None = None) -> Plan:
    return Plan(game, start or game.initial_state(), (None,) * game.num_players, seed, most)


def recounted(source: FullPlays, plays: int) -> Tally:
    """The first plays of a source. Every move must be legal."""
    plan, tally = source.plan, Tally()
    for number in range(plays):
        state, plies, steps = plan.start, 0, source.plays.record(number)
        for record in steps:
            if state.kind == "chance":
                tally.outcomes[state.block, record[1]] += 1
                state = state.apply(move_of(state, record))
                continue
            tally.widths.note(plies, len(state.legal_moves()))
            move = move_of(state, record)
            tally.kinds[move.kind, state.block if move.schema is None else move.schema] += 1
            plies += 1
            state = state.apply(move)
        assert state.is_terminal or len(steps) == plan.most
        tally.note_end(state.returns if state.is_terminal else None, plies if plan.has_decisions else len(steps))
    return tally


def same_counts(game: Game, plays: int, seed: int, most: int = 10_000, start: State | None = None) -> None:
    """Are the plays counted alike, by baseline code and by optimized code? (Few plays: of the first ones, branching is counted
    at all decisions.)"""
    for prompt in (0, plays):
        source = FullPlays(plan_of(game, seed, most, start), prompt)
        assert source.run(0, plays, lambda: False) == recounted(source, plays)
