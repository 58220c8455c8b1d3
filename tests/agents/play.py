"""Games, positions and plays for the tests of agents."""

from __future__ import annotations

from pathlib import Path
from random import Random

import gamedsl
from gamedsl import Game, State
from gamedsl.agents import Agent, parse_agent

CLASSICS = Path(__file__).parents[2] / "rulesets" / "classics"


def after(game: Game, *moves: str) -> State:
    """The position after some moves."""
    state = game.initial_state()
    for text in moves:
        state = state.apply(game.parse_move(text, state))
    return state


def played(game: Game, *texts: str, seed: int = 1) -> State:
    """The end of a play between these agents, in the order of the players."""
    agents: list[Agent] = [parse_agent(text) for text in texts]
    state, rng = game.initial_state(), Random(seed)
    while not state.is_terminal:
        if state.kind == "chance":
            state = state.apply(state.propose(rng))
        else:
            player = state.to_act[0]
            state = state.apply(agents[player].choose(state, rng.getrandbits(60), player))
    return state


def wins_at_once(state: State) -> list[str]:
    """The moves that end the play with a win for who makes them; found without any search."""
    player = state.current_player
    return [str(m) for m in state.legal_moves() if player in state.apply(m).winners]


def own_game(folder: Path, text: str) -> Game:
    path = folder / "own.gdl"
    path.write_text(text, encoding="utf-8")
    return gamedsl.load(path)
