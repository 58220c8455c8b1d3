"""Many games at once, in NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamedsl.compiler import NativeGame, RunField, Todo, mix
from gamedsl.engine import Game, State
from gamedsl.envs.fits import why_not_vectorized
from gamedsl.envs.lane_arguments import lanes_of, seeds_of, whole, whole_numbers
from gamedsl.envs.lane_plays import LanePlays
from gamedsl.envs.lanes import ALIKE, Lanes
from gamedsl.language.source import UsageError

NEVER = 1 << 62
WORD = (1 << 64) - 1
MOST_ROUNDS = 1_000_000  # decisions of opponents in one step

# "random", an agent's specification, or a function of the observations and masks of some lanes that returns their
# actions
VectorPolicy: TypeAlias = str | Callable[[NDArray[np.float32], NDArray[np.bool_]], ArrayLike]


class VectorEnv:
    """``lanes`` games of one ruleset, each with its own random numbers. A game that is over restarts in the same step.

    After ``reset`` and ``step`` these arrays are up to date. They are always the same arrays, so copy values to keep
    them.

    - ``observations``: float32, shape (lanes, game.observation_layout.size): the observation of the player to act;
    - ``masks``: bool, shape (lanes, game.num_actions): the legal actions;
    - ``players``: int64, shape (lanes,): the player to act; -1: chance, if the caller plays it;
    - ``rewards``: float32, shape (lanes, players): the utilities, if a game ended in this step; otherwise zeros;
    - ``done``: bool, shape (lanes,): whether a game ended in this step;
    - ``truncated``: bool, shape (lanes,): whether a game was truncated after ``longest`` steps.

    - ``finals``: float32, shape (lanes, players, size), only if ``finals`` is true: what each player saw when a game
      of the lane last ended or was truncated (None otherwise), without its own choice at a stop where others had still
      to choose.

    Where several players choose at once, they act one after another, and see nothing of each other's choices.

    ``chance``: "inside", or "caller": then its outcomes are actions too. ``opponents``: the policies of players who
    act inside, by number: "random", the specification of an agent such as "mcts:1000" or "strategy:FILE", or a
    function that takes the observations and masks of the lanes where it is to act (shapes (n, size), (n, num_actions))
    and returns their actions (shape (n,)). Agents need the histories of games, so with them all games are tracked in
    Python too. ``longest``: the most steps of a game. ``threads``: the number of threads that share the lanes; it does
    not affect the games.

    Raises ``UsageError`` with the reason for games that cannot be played like this.
    """

    def __init__(
        self,
        game: Game,
        lanes: int = 1024,
        *,
        chance: Literal["inside", "caller"] = "inside",
        opponents: Mapping[int, VectorPolicy] | None = None,
        longest: int | None = None,
        threads: int = 1,
        finals: bool = False,
    ) -> None:
        self.game = game if isinstance(game, NativeGame) else NativeGame(game.program)
        self.num_lanes = lanes = whole(lanes, "the number of lanes", 1)
        self.longest = NEVER if longest is None else whole(longest, "`longest`", 1)
        self.threads = whole(threads, "`threads`", 1)
        if not isinstance(opponents, Mapping | None):
            raise UsageError("`opponents` is a dict of policies by player")
        policies = dict(opponents or {})
        _check(self.game, chance, policies)
        self._lanes = inner = Lanes(self.game, lanes, self.threads)
        self._plays = _plays(inner, policies, chance == "inside")
        if self._plays is None:
            for p, policy in policies.items():
                inner.inside[p + 1] = policy == "random"
        self._policies = {p: policy for p, policy in policies.items() if callable(policy)}
        self._others = [*self._policies, *(self._plays.choosers if self._plays else ())]
        inner.set(RunField.CHANCE_INSIDE, chance == "inside" and self._plays is None)
        inner.set(RunField.LONGEST, self.longest)
        self.observations, self.masks, self.players = inner.observations, inner.masks, inner.players
        self.rewards, self.done, self.truncated = inner.rewards, inner.done, inner.truncated
        if finals:
            inner.keep_finals()
        self.finals = inner.finals
        self._shape, self._actions = (lanes,), inner.actions
        self._told = self.observations, self.rewards, self.done, self.truncated
        if not self._others and type(self).step is VectorEnv.step:
            quick = inner.quick_step(self.step, self._told)
            vars(self).update({"step": quick} if quick else {})
        self.reset(0)

    def reset(
        self, seed: int | Sequence[int], mask: ArrayLike | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Restarts all games, or those of the lanes in ``mask`` (bools, shape (lanes,)); the others are unchanged.
        Returns ``observations`` and ``masks``.

        The same seed, with the same actions, gives the same games, with any number of threads. With a seed for each
        lane, every lane plays like the first lane with that seed alone.
        """
        lanes, chosen = self._lanes, lanes_of(mask, self.num_lanes)
        starts = [mix(s & WORD) for s in seeds_of(seed, self.num_lanes)]
        words = starts if len(starts) == self.num_lanes else [starts[0] + i for i in range(self.num_lanes)]
        for lane in np.flatnonzero(chosen):
            lanes.random[lane] = mix(words[lane] & WORD)
        lanes.todo[:] = np.where(chosen, int(Todo.BEGIN), int(Todo.IDLE))
        try:
            lanes.run()
        finally:
            lanes.todo[:] = ALIKE
        if self._plays:
            self._plays.begin(np.flatnonzero(chosen))
        if self._others:
            self._act_inside()
        return self.observations, self.masks

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Makes an action in every lane: integers, shape (lanes,). Returns ``observations``, ``rewards``, ``done``
        and ``truncated``; ``masks`` and ``players`` are up to date too.

        Raises ``GameDSLError`` with the reasons if an action is illegal; then nothing has changed.
        """
        self._actions[:] = whole_numbers(actions, self._shape, "actions have")
        self._lanes.step()
        if self._plays:
            self._plays.follow(range(self.num_lanes), np.flatnonzero(self.truncated))
        if self._others:
            self._act_inside()
        return self._told

    def __reduce__(self) -> NoReturn:
        raise UsageError(
            "a VectorEnv works in memory of this process: it cannot be copied or pickled",
            help="make another one with the same arguments, and reset it with the same seed",
        )

    def state(self, lane: int) -> State:
        """Returns the state of a lane, for queries to the engine. Its history begins here."""
        return self._lanes.state(lane)

    # ---------------------------------------------------------------------------------------------------- inside

    def _act_inside(self) -> None:
        """Lets the opponents act until all lanes wait for the caller."""
        for _ in range(MOST_ROUNDS):
            waiting = {p: rows for p in self._others if len(rows := np.flatnonzero(self.players == p))}
            if not waiting:
                return
            self._act_once(waiting)
        raise UsageError(f"the caller's players have had nothing to decide, after {MOST_ROUNDS:,} moves of others")

    def _act_once(self, waiting: Mapping[int, NDArray[np.int64]]) -> None:
        """Lets these players act once in their lanes."""
        lanes, before = self._lanes, self.truncated.copy()
        lanes.todo[:] = int(Todo.IDLE)
        try:
            for p, rows in waiting.items():
                self._actions[rows] = self._choose(p, rows)
                lanes.todo[rows] = int(Todo.ACT)
            lanes.check()
            lanes.run()
        finally:
            lanes.todo[:] = ALIKE
        if self._plays:
            self._plays.follow(np.concatenate([*waiting.values()]), np.flatnonzero(self.truncated & ~before))

    def _choose(self, player: int, rows: NDArray[np.int64]) -> ArrayLike:
        if player in self._policies:
            return _chosen(self._policies[player], player, self.observations[rows], self.masks[rows])
        assert self._plays
        return self._plays.choose(player, rows)


def _plays(lanes: Lanes, policies: Mapping[int, VectorPolicy], chance: bool) -> LanePlays | None:
    """Returns the games in Python, if an agent needs them; otherwise None. ``chance``: whether chance is played
    inside.
    """
    named = {p: policy for p, policy in policies.items() if isinstance(policy, str)}
    return LanePlays(lanes, named, chance) if any(policy != "random" for policy in named.values()) else None


def _chosen(policy: Any, player: int, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Returns the actions that a policy chooses. Raises ``UsageError`` if they are not whole numbers of the right
    shape.
    """
    return whole_numbers(
        policy(observations, masks), (len(masks),), f"the actions of the policy of player {player} have"
    )


def _check(game: NativeGame, chance: str, opponents: Mapping[int, Any]) -> None:
    reason = why_not_vectorized(game, chance)
    if reason is not None:
        raise UsageError(f"{game.title} cannot be played in lanes: {reason}")
    if chance not in ("inside", "caller"):
        raise UsageError(f'`chance` is "inside" or "caller", not {chance!r}')
    if any(not isinstance(policy, str) and not callable(policy) for policy in opponents.values()):
        raise UsageError("the policy of an opponent is the name of an agent or a function of observations and masks")
    if not all(p in range(game.num_players) for p in opponents):
        raise UsageError(f"opponents are players 0 to {game.num_players - 1}")
    if len(opponents) == game.num_players:
        raise UsageError("at least one player must be left to the caller")
