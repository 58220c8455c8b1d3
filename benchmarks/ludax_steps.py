"""Environment steps per CPU second of Ludax, beside ``VectorEnv``: ``python benchmarks/ludax_steps.py [--games NAME ...]``.

Ludax (``pip install ludax``, Apache 2.0) compiles rules to JAX, and is used here as its README does: ``jit`` of ``vmap`` over
a batch, the loop inside ``lax.scan``, a lane that is over begins anew. As with ``VectorEnv`` in ``environments.py``, 100 steps of
random legal actions are recorded, and then repeated on the clock, so that choosing an action does not count. CPU seconds of all
threads; on a GPU Ludax is far quicker than here (its authors publish tens of millions of steps a second).
"""

from __future__ import annotations

import argparse
import time
from importlib import import_module
from typing import Any

from environments import of_lanes

STEPS = 100
GAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four",
    "hex": "hex",
    "reversi": "reversi",
    "gomoku": "gomoku",
    "yavalath": "yavalath",
    "english-draughts": "english_draughts",
}


def of_ludax(name: str, lanes: int, seconds: float) -> float:
    """Steps of all lanes per CPU second."""
    jax: Any = import_module("jax")
    ludax: Any = import_module("ludax")
    env = ludax.LudaxEnvironment(game_str=getattr(import_module("ludax.games"), name))
    keys = jax.random.split(jax.random.PRNGKey(1), lanes)
    first = jax.jit(jax.vmap(env.init))(keys)
    step = jax.vmap(env.step)

    def go_on(state: Any, action: Any) -> Any:
        after = step(state, action)
        over = after.terminated | after.truncated
        return jax.tree.map(
            lambda new, begun: jax.numpy.where(over.reshape(-1, *[1] * (new.ndim - 1)), begun, new), after, first
        )

    def choose(state: Any, key: Any) -> tuple[Any, Any]:
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        action = jax.random.categorical(key, logits=logits, axis=1)
        return go_on(state, action), action

    @jax.jit  # type: ignore[untyped-decorator]
    def record(state: Any, key: Any) -> Any:
        return jax.lax.scan(choose, state, jax.random.split(key, STEPS))[1]

    @jax.jit  # type: ignore[untyped-decorator]
    def repeat(state: Any, actions: Any) -> Any:
        return jax.lax.scan(lambda s, a: (go_on(s, a), None), state, actions)[0]

    actions = record(first, jax.random.PRNGKey(2))
    jax.block_until_ready(repeat(first, actions))
    spent, steps = 0.0, 0
    while spent < seconds:
        begun = time.process_time()
        jax.block_until_ready(repeat(first, actions))
        spent += time.process_time() - begun
        steps += lanes * STEPS
    return steps / spent


def main() -> None:
    """Prints a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--lanes", type=int, default=1024)
    given = parser.parse_args()
    print("| game | VectorEnv | Ludax | times |\n|---|---|---|---|")
    for name in given.games:
        ours = of_lanes(name, given.lanes, given.seconds)
        theirs = of_ludax(GAMES[name], given.lanes, given.seconds)
        print(f"| {name} | {ours:,.0f} | {theirs:,.0f} | {ours / theirs:.1f} |", flush=True)


if __name__ == "__main__":
    main()
