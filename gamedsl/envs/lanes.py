"""The memory of the lanes of a ``VectorEnv``, and the calls of the compiled code that steps them.

``compiler/emit/lanes/lane_run.py`` describes the memory.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gamedsl.compiler import ANSWERS, Answer, Context, NativeGame, RunField, Todo, step_function, tables_of
from gamedsl.engine import State
from gamedsl.language.source import UsageError

CACHE_LINE = 64
FIRST_CAPACITY = 64  # listed legal actions of a lane at first; grows
ARENA = 1 << 15  # words of a lane for noted positions at first; grows
NOT_CHECKED, CHECKED, ONLY_CHECKED = range(3)
ALIKE = int(Todo.STEP)
T = TypeVar("T", bound=tuple[Any, ...])


class Lanes:
    """``n`` games in compiled code, shared by ``threads`` threads."""

    def __init__(self, game: NativeGame, n: int, threads: int) -> None:
        self.game, self.n = game, n
        tables = tables_of(game)
        players, words = game.num_players, -(-game.state_size // 8)
        self.observations: NDArray[np.float32] = aligned((n, tables.observed), np.float32)
        self.masks: NDArray[np.bool_] = aligned((n, tables.actions), np.bool_)
        self.rewards: NDArray[np.float32] = aligned((n, players), np.float32)
        self.finals: NDArray[np.float32] | None = None
        self.done: NDArray[np.bool_] = aligned((n,), np.bool_)
        self.truncated: NDArray[np.bool_] = aligned((n,), np.bool_)
        self.players, self.actions = aligned((n,), np.int64), aligned((n,), np.int64)
        self.random, self.steps = aligned((n,), np.uint64), aligned((n,), np.int64)
        self.todo = np.full(n, ALIKE, np.uint8)
        self.inside = np.zeros(players + 1, np.uint8)
        self._legal: NDArray[Any] = (
            aligned((n, FIRST_CAPACITY), np.uint32)
            if tables.bit_words == 0
            else aligned((n, tables.bit_words + 1), np.uint64)
        )
        self._counts, self._states, self._initial = (aligned(s, np.int64) for s in ((n,), (n, words), (words,)))
        share = -(-n // threads)
        self._parts = [(first, min(first + share, n)) for first in range(0, n, share)]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._contexts = self._new_contexts()
        self._pointers = np.array([c.pointer for c in self._contexts], np.int64)
        self._run = np.zeros(len(RunField), np.int64)
        self._fill()
        self._step, self._address = game.native.lanes(tables), self._run.ctypes.data
        self._call = self._step.run

    def _new_contexts(self) -> list[Context]:
        """Returns a context for every lane: its own if positions are noted, otherwise one per thread. Writes the
        initial state.
        """
        if self.game.has_history:
            found = [self.game.native.context(ARENA) for _ in range(self.n)]
        else:
            found = []
            for first, last in self._parts:
                found += [self.game.native.context()] * (last - first)
        at = self._initial.ctypes.data
        for context in dict.fromkeys(found):
            if self.game.native.entry("initial")(context.pointer, at) < 0:
                raise self.game.native.error(context)
        return found

    def _fill(self) -> None:
        """Writes the addresses of all arrays."""
        arrays: dict[str, NDArray[Any]] = {
            "CONTEXTS": self._pointers, "STATES": self._states, "INITIAL": self._initial, "TASKS": self.todo,
            "ACTIONS": self.actions, "OBSERVATIONS": self.observations, "MASKS": self.masks, "REWARDS": self.rewards,
            "DONE": self.done, "TRUNCATED": self.truncated, "PLAYERS": self.players, "LEGAL": self._legal,
            "COUNTS": self._counts, "RANDOM": self.random, "STEPS": self.steps, "INSIDE": self.inside,
        }  # fmt: skip
        for name, array in arrays.items():
            self._run[RunField[name]] = array.ctypes.data
        self._run[RunField.CAPACITY] = self._legal.shape[1]
        self._run[RunField.ARENA_FIRST] = self._contexts[0].used

    def keep_finals(self) -> None:
        """Allocates ``finals``, the observations of all players at the end of games, and enables writing them."""
        self.finals = aligned((self.n, self.game.num_players, self.observations.shape[1]), np.float32)
        self._run[RunField.FINALS] = self.finals.ctypes.data

    def set(self, field: RunField, value: int) -> None:
        """Sets a word of the run."""
        self._run[field] = value

    # ------------------------------------------------------------------------------------------------- running

    def step(self) -> None:
        """Makes ``actions`` in all lanes. Raises ``GameDSLError`` with the reasons if one is illegal; then nothing
        has changed.
        """
        if self._pool is None:
            found = self._call(self._address, 0, self.n, CHECKED)
            if found != -1:
                self._finish(found, self.n)
            return
        self.check()
        self.run()

    def quick_step(self, slowly: Callable[[Any], T], told: T) -> Callable[[Any], T] | None:
        """Returns ``step`` as a function of the actions in machine code that returns ``told``; None with several
        threads. It calls ``slowly`` for unusual arguments.
        """
        if self._pool is not None:
            return None

        def finish(found: int) -> T:
            self._finish(found, self.n)
            return told

        return step_function(self._step, self._address, self.actions, CHECKED, slowly, finish, told)

    def check(self) -> None:
        """Raises ``GameDSLError`` with the reasons if an action is illegal."""
        found = self._call(self._address, 0, self.n, ONLY_CHECKED)
        if found != -1:
            self._fail(*divmod(found, ANSWERS))

    def run(self) -> None:
        """Runs every lane according to ``todo``."""
        if self._pool is None:
            parts = [self._call(self._address, 0, self.n, NOT_CHECKED)]
        else:
            parts = list(self._pool.map(self._run_part, self._parts))
        for found, (_, last) in zip(parts, self._parts, strict=True):
            if found != -1:
                self._finish(found, last)

    def _run_part(self, part: tuple[int, int]) -> int:
        return self._call(self._address, *part, NOT_CHECKED)

    def _finish(self, found: int, last: int) -> None:
        """Resumes the lanes of a part after one that stopped for lack of room; raises an error for any other reason."""
        while found != -1:
            lane, answer = divmod(found, ANSWERS)
            if answer == Answer.CRAMPED:
                self._widen()
            elif answer == Answer.FULL:
                self._contexts[lane].widen()
            else:
                self._fail(lane, answer)
            before, self.todo[lane] = self.todo[lane], int(Todo.RESUME)
            found = self._call(self._address, lane, last, NOT_CHECKED)
            self.todo[lane] = before

    def _widen(self) -> None:
        """Doubles the room for listed actions."""
        wider = aligned((self.n, 2 * self._legal.shape[1]), np.uint32)
        wider[:, : self._legal.shape[1]] = self._legal
        self._legal = wider
        self._run[RunField.LEGAL], self._run[RunField.CAPACITY] = wider.ctypes.data, wider.shape[1]

    # -------------------------------------------------------------------------------------------------- errors

    def state(self, lane: int) -> State:
        """Returns the state of a lane, whose history begins here."""
        block = self._states[lane].tobytes()[: self.game.state_size]
        return self.game.compiled(self.game.native.unpack(block, self._contexts[lane], self.game))

    def _fail(self, lane: int, answer: int) -> None:
        """Raises an error that says why a lane cannot continue."""
        match answer:
            case Answer.ILLEGAL:
                self._refuse(lane, int(self.actions[lane]))
            case Answer.ENDLESS:
                raise UsageError(f"in lane {lane} no player has decided anything for a million plies")
            case _:
                state = self.state(lane)
                for action in state.legal_actions():
                    state.apply_action(action)  # raises the rules error, with its place
                raise UsageError(f"the rules cannot be followed in lane {lane}")

    def _refuse(self, lane: int, action: int) -> None:
        try:
            self.state(lane).apply_action(action)
        except Exception as e:
            e.add_note(f"in lane {lane}")
            raise
        raise UsageError(f"action {action} is illegal in lane {lane}")


def aligned(shape: tuple[int, ...], dtype: type) -> Any:
    """Returns an array of zeros that begins at a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start : start + size].view(dtype).reshape(shape)
