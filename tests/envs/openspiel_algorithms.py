"""Runs OpenSpiel's algorithms in C++ on registered games, and prints the name of each that worked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyspiel

from gamedsl.envs import register_openspiel

register_openspiel("tic-tac-toe")
register_openspiel("rock-paper-scissors")
register_openspiel("kuhn-poker", zero_sum=True)
PLAIN, KUHN = (pyspiel.load_game(f"gamedsl_{name}") for name in ("tic_tac_toe", "kuhn_poker"))
TURNS = pyspiel.convert_to_turn_based(pyspiel.load_game("gamedsl_rock_paper_scissors"))
ROLLOUTS = pyspiel.RandomRolloutEvaluator(1, 1)
UNIFORM = pyspiel.UniformRandomPolicy(KUHN)


def mcts(game: Any) -> Any:
    return pyspiel.MCTSBot(game, ROLLOUTS, 2.0, 200, 100, True, 1, False)


def bots_play(game: Any, make: Callable[[int], Any]) -> None:
    returns = pyspiel.evaluate_bots(game.new_initial_state(), [make(player) for player in range(2)], 1)
    assert sum(returns) == 0


def mcts_wins() -> None:
    state = PLAIN.new_initial_state()
    for action in (0, 3, 1, 4):  # two in a row for each
        state.apply_action(action)
    assert mcts(PLAIN).step(state) == 2
    assert mcts(PLAIN).step_with_policy(state)[1] == 2


def ismcts_is_refused() -> None:
    state = KUHN.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bot = pyspiel.ISMCTSBot(1, ROLLOUTS, 2.0, 50)
    for call in (bot.step, bot.get_policy, bot.step_with_policy):
        try:
            call(state)
        except pyspiel.SpielError as error:
            assert "ResampleFromInfostate" in str(error)
        else:
            raise AssertionError("ISMCTSBot works: say so in the guide")


def cfr(name: str, *more: Any) -> None:
    solver = getattr(pyspiel, name)(KUHN, *more)
    for _ in range(20):
        (solver.run_iteration if more else solver.evaluate_and_update_policy)()
    assert pyspiel.nash_conv(KUHN, solver.average_policy()) < 0.9  # that of the uniform policy is 0.917


def best_responses() -> None:
    assert round(pyspiel.exploitability(KUHN, UNIFORM), 4) == 0.4583  # as for OpenSpiel's own
    response = pyspiel.TabularBestResponse(KUHN, 0, UNIFORM)
    assert response.value_from_state(KUHN.new_initial_state()) == 0.5
    assert round(pyspiel.TabularBestResponseMDP(KUHN, UNIFORM).exploitability().exploitability, 4) == 0.4583


def checks() -> Iterator[tuple[str, Callable[[], Any]]]:
    yield "MCTSBot", mcts_wins
    yield "MCTSBot, turns made of simultaneous choices", lambda: mcts(TURNS).step(TURNS.new_initial_state())
    yield (
        "MCTSBot, its own games",
        lambda: mcts(pyspiel.load_game("go")).step(pyspiel.load_game("go").new_initial_state()),
    )
    yield "MCTSBot, whole games", lambda: bots_play(PLAIN, lambda _: mcts(PLAIN))
    yield "ISMCTSBot", ismcts_is_refused
    yield "CFRSolver", lambda: cfr("CFRSolver")
    yield "CFRPlusSolver", lambda: cfr("CFRPlusSolver")
    yield "CFRBRSolver", lambda: cfr("CFRBRSolver")
    yield "MCCFR", lambda: cfr("ExternalSamplingMCCFRSolver", 1, pyspiel.MCCFRAverageType.SIMPLE)
    yield "best responses", best_responses
    yield "random bots", lambda: bots_play(PLAIN, lambda p: pyspiel.make_uniform_random_bot(p, 1))
    yield "bots of policies", lambda: bots_play(KUHN, lambda p: pyspiel.make_policy_bot(KUHN, p, 1, UNIFORM))
    yield "trees of information states", lambda: pyspiel.InfostateTree(KUHN, 0)
    for game in ("misere(game=gamedsl_tic_tac_toe())", "start_at(game=gamedsl_tic_tac_toe(),history=0;1)"):
        yield game, lambda game=game: pyspiel.random_sim_test(pyspiel.load_game(game), 1, True, False)


for name, check in checks():
    print(name, flush=True)
    check()
print("all done")
