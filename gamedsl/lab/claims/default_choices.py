"""Default claim: simultaneous choices stay secret until all are made."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gamedsl.engine import State, own_choices
from gamedsl.lab.base import TOGETHER, Status, Verdict
from gamedsl.lab.claims.default_names import SECRET, default_verdict
from gamedsl.lab.claims.state_space import StateSpace


def judge_choices(space: StateSpace) -> Iterator[Verdict]:
    graph, half_open = space.graph, 0
    for i in map(int, np.flatnonzero(graph.kinds() == TOGETHER)):
        space.clock.check()
        state = graph.state(i)
        half_open += bool(state.pending)
        leak = leaks(state) if state.pending else None
        if leak is not None:
            yield default_verdict(SECRET, Status.VIOLATED, leak, space.play_to(i))
            return
    if half_open:
        yield default_verdict(
            SECRET, space.kept, f"in {half_open:,} positions where some players have chosen and others not yet"
        )


def leaks(state: State) -> str | None:
    """Returns what a player could infer about another player's secret choice, as a sentence; None if nothing."""
    unchosen = state.game.make_state(state.block, state.slots)
    for player in range(state.game.num_players):
        mine = tuple(c for c in state.pending if c in own_choices(state, player))
        hidden = state.game.make_state(state.block, state.slots, mine)
        if state.observation(player) != hidden.observation(player):
            return f"{state.game.players[player]} sees something of a choice that is not revealed yet"
        if player in state.to_act and state.legal_moves(player) != unchosen.legal_moves(player):
            return f"what {state.game.players[player]} may do depends on a choice that is not revealed yet"
    return None
