"""A process in which agents think answers thousands of requests, for many games, in the same memory."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from gamedsl.play.web.server.agents import choose_move
from tests.agents.play import decision, resident

REQUESTS = 4_000
GROWTH = 100 << 20  # bytes: each of the games that a process keeps brings its machine code


def ask(saved: bytes, requests: int) -> int:
    """Asks so many times for a move, each time with a state that has just arrived. The bytes of memory in use then."""
    for seed in range(requests):
        state = pickle.loads(saved)
        choose_move(state, "mcts:1", state.to_act[0], seed)
    return resident()


def test_a_process_answers_many_requests() -> None:
    saved = pickle.dumps(decision("oware"))
    before = ask(saved, 20)
    assert ask(saved, 200) - before < 8 << 20  # 200 arenas take 6.4 GB


@pytest.mark.slow
def test_a_process_answers_thousands_of_requests() -> None:
    names = ("atreso", "brandub", "chess", "dark-chess", "go", "international-draughts", "nine-mens-morris", "oware")
    states = [pickle.dumps(decision(name)) for name in (*names, "phantom-go", "breakthrough", "leduc-poker")]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        before = [pool.submit(ask, saved, 20).result() for saved in states][-1]
        shares = [pool.submit(ask, saved, REQUESTS // len(states)) for saved in states]
        assert shares[-1].result() - before < GROWTH
