"""Many plays of a game at once, in numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamedsl.engine import Game, State
from gamedsl.envs import lane_memory as k
from gamedsl.envs.game_tables import rules_of, why_not_vectorized
from gamedsl.envs.lane_kernel import begin_all, find_actions, step_all
from gamedsl.native import NativeGame, Words, mix
from gamedsl.source import UsageError

ARENA = 1 << 15  # words of a lane for noted positions
FIRST_CAPACITY = 64  # legal moves of a lane; grows
NEVER = 1 << 62


class VectorEnv:
    """``lanes`` plays of one game, each with its own random numbers. A play that is over begins anew in the same step.

    After ``reset`` and ``step`` these arrays are up to date. They are the same arrays for good, so copy what is to stay.

    - ``observations``: float32, shape (lanes, game.observation_layout.size): what the player to act sees;
    - ``masks``: bool, shape (lanes, game.num_actions): the legal actions;
    - ``players``: int64, shape (lanes,): the player to act; -1: chance, if it is left to the caller;
    - ``rewards``: float32, shape (lanes, players): the utilities, if a play ended in this step; else zeros;
    - ``done``: bool, shape (lanes,): whether a play ended in this step;
    - ``truncated``: bool, shape (lanes,): whether a play was broken off after ``longest`` steps.

    Where several players choose at once, they act one after the other, and see nothing of each other's choices.

    ``chance``: "inside", or "caller": then its outcomes are actions as well. ``opponents``: players who act inside, by
    number; "random" is the only policy so far. ``longest``: the most steps of a play. ``threads``: how many share the
    lanes; the plays do not depend on it. ``arena``: words of memory of every lane for positions that the rules note.

    Raises ``UsageError`` with the reason for games that cannot be played like this.
    """

    def __init__(
        self,
        game: Game,
        lanes: int = 1024,
        *,
        chance: Literal["inside", "caller"] = "inside",
        opponents: Mapping[int, Literal["random"]] | None = None,
        longest: int | None = None,
        threads: int = 1,
        arena: int = ARENA,
    ) -> None:
        self.game = game if isinstance(game, NativeGame) else NativeGame(game.program)
        self.num_lanes, self.longest, self.threads = lanes, longest or NEVER, max(1, threads)
        others = set(opponents or {})
        _check(self.game, lanes, chance, opponents or {})
        self._contexts = [self.game.native.context(arena) for _ in range(lanes)]
        self._lanes, initial = self._new_lanes(arena)
        self._rules = rules_of(self.game, others, chance == "inside", initial)
        players = self.game.num_players
        self.observations = np.zeros((lanes, self.game.observation_layout.size), np.float32)
        self.masks = np.zeros((lanes, self.game.num_actions), np.bool_)
        self.rewards = np.zeros((lanes, players), np.float32)
        self.done, self.truncated = np.zeros(lanes, np.bool_), np.zeros(lanes, np.bool_)
        self.players = np.zeros(lanes, np.int64)
        self._out = k.Outputs(self.observations, self.masks, self.rewards, self.done, self.truncated, self.players)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self.reset(0)

    def _new_lanes(self, arena: int) -> tuple[k.Lanes, Words]:
        """Memory of all lanes, and the words of the initial state."""
        n, words = self.num_lanes, -(-self.game.state_size // 8)
        states, spare = np.zeros((n, words + 1), np.int64), np.zeros((n, words + 1), np.int64)
        room = np.zeros((n, max(1, self.game.num_players, self.game.native.frame.movers)), np.int64)
        codes = np.zeros((n, FIRST_CAPACITY * self.game.code_words), np.int64)
        self._room = room
        addresses = np.zeros((n, 5), np.int64)
        marks = np.zeros((n, 2), np.int64)
        for lane, context in enumerate(self._contexts):
            rows = (states, spare, codes, room)
            addresses[lane] = [context.pointer, *(a.ctypes.data + lane * a.strides[0] for a in rows)]
            if self.game.native.entry("initial")(context.pointer, int(addresses[lane, 1])) < 0:
                raise self.game.native.error(context)
            marks[lane] = context.used, arena * 3 // 4
        numbers = np.zeros((n, FIRST_CAPACITY), np.int64)
        counts, chosen, steps = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
        random = np.zeros(n, np.uint64)
        lanes = k.Lanes(addresses, states, spare, codes, numbers, counts, chosen, marks, random, steps)
        return lanes, states[0].copy()

    def reset(self, seed: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Begins all plays anew. Returns ``observations`` and ``masks``. The same seed, with the same actions, gives the
        same plays, with any number of threads."""
        start = mix(seed & (1 << 64) - 1)
        self._lanes.random[:] = [mix(start + i & (1 << 64) - 1) for i in range(self.num_lanes)]
        self._run(lambda *run: begin_all(self._rules, self._lanes, self._out, self._capacity, *run))
        return self.observations, self.masks

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Carries out an action in every lane: integers, shape (lanes,). Returns ``observations``, ``rewards``, ``done``
        and ``truncated``; ``masks`` and ``players`` are up to date as well.

        Raises ``GameDSLError`` if an action is illegal, with the reasons; then nothing has changed."""
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_lanes,):
            raise UsageError(f"actions have the shape ({self.num_lanes},), not {chosen.shape}")
        wrong = find_actions(self._lanes, chosen, 0, self.num_lanes)
        if wrong >= 0:
            self._refuse(wrong, int(chosen[wrong]))
        self._run(lambda *run: step_all(self._rules, self._lanes, self._out, self._capacity, self.longest, *run))
        return self.observations, self.rewards, self.done, self.truncated

    def state(self, lane: int) -> State:
        """The state of a lane, for questions to the engine. Its history begins here."""
        block = self._lanes.states[lane].tobytes()[: self.game.state_size]
        return self.game.compiled(self.game.native.unpack(block, self._contexts[lane], self.game))

    # ---------------------------------------------------------------------------------------------------- inside

    @property
    def _capacity(self) -> int:
        """The number of legal moves that a lane has room for."""
        return int(self._lanes.numbers.shape[1])

    def _run(self, part: Callable[..., tuple[int, int]]) -> None:
        """Runs a kernel over all lanes, split among the threads, and again where a lane needs more room."""
        share = -(-self.num_lanes // self.threads)
        todo = [(i, min(i + share, self.num_lanes), False) for i in range(0, self.num_lanes, share)]
        while todo:
            if self._pool is None:
                found = [part(*run) for run in todo]
            else:
                found = list(self._pool.map(lambda run: part(*run), todo))
            left = [(lane, run[1], status) for (lane, status), run in zip(found, todo, strict=True) if lane >= 0]
            for lane, _, status in left:
                if status != k.CRAMPED:
                    self._fail(lane, status)
            if left:
                self._widen()
            todo = [(lane, last, True) for lane, last, _ in left]

    def _widen(self) -> None:
        """Doubles the room for legal moves."""
        lanes = self._lanes
        codes, numbers = (np.concatenate([a, np.zeros_like(a)], axis=1) for a in (lanes.codes, lanes.numbers))
        lanes.addresses[:, 3] = codes.ctypes.data + np.arange(self.num_lanes) * codes.strides[0]
        self._lanes = lanes._replace(codes=codes, numbers=numbers)

    def _refuse(self, lane: int, action: int) -> None:
        try:
            self.state(lane).apply_action(action)
        except Exception as e:
            e.add_note(f"in lane {lane}")
            raise
        raise UsageError(f"action {action} is illegal in lane {lane}")

    def _fail(self, lane: int, status: int) -> None:
        """Raises an error that says why a lane can't go on."""
        if status == k.FULL:
            raise UsageError(f"lane {lane} has no memory left for noted positions: give a larger `arena`")
        if status == k.ENDLESS:
            raise UsageError(f"in lane {lane} nobody decides any more: the play went on for {k.MOST_PLIES:,} plies")
        state = self.state(lane)
        for action in state.legal_actions():
            state.apply_action(action)  # raises the rules error, with its place
        raise UsageError(f"the rules can't be followed in lane {lane}")


def _check(game: NativeGame, lanes: int, chance: str, opponents: Mapping[int, Any]) -> None:
    reason = why_not_vectorized(game)
    if reason is not None:
        raise UsageError(f"{game.title} cannot be played in lanes: {reason}")
    if lanes < 1:
        raise UsageError("there is at least one lane")
    if chance not in ("inside", "caller"):
        raise UsageError(f'`chance` is "inside" or "caller", not {chance!r}')
    if any(policy != "random" for policy in opponents.values()):
        raise UsageError('the only policy of opponents so far is "random"')
    if not all(p in range(game.num_players) for p in opponents):
        raise UsageError(f"opponents are players 0 to {game.num_players - 1}")
    if len(opponents) == game.num_players:
        raise UsageError("somebody must be left to act")
