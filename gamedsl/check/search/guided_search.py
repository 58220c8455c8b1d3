"""A search for plays that meet what has not been met yet: every line, both answers of every question, every condition of a
move as the one that refuses.

Walks begin at the start, or at a node that came nearest to a goal so far; there they prefer ways that come nearer. A walk
may also seek what was rarely met, or go back to a position that it was in. Everything follows from the seed but where the
search stops, which the time decides as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import TypeAlias

import numpy as np

from gamedsl.check.base.arrays import Ints
from gamedsl.check.search.branch_distance import FAR
from gamedsl.check.search.coverage_goals import GoalProgram, Key, Question
from gamedsl.check.search.walker import SearchNode, SuccessorBatch, Walker

LONGEST = 400  # plies in a walk
KEPT = 8  # nearest nodes a goal
TRIED = 16  # successors asked about a goal at most
WALKS_FIRST = 40  # every other of these begins at the start and goes any way
DEAR = 200_000  # questions of more cost_estimate are asked
SELDOM = 8  # only every so many plies
SHORTENED = 10  # plays that show the same of a claim, the shortest of which is kept
BACK = 8  # plies in which a walk tries to be back where it was

Policy: TypeAlias = Callable[[SearchNode, SuccessorBatch, Ints], int]
# a question about a goal, or a goal that plies pass by; a goal has a question for every kind of move
Goal: TypeAlias = Question | int


@dataclass
class Hit:
    """How often the plies of all walks met a goal, and the first node at which one did."""

    node: SearchNode
    times: int = 1


@dataclass
class GuidedFindings:
    """What a search came to: per goal its first node, walks and plies made, seconds used."""

    hits: dict[Key, Hit] = field(default_factory=dict)
    walks: int = 0
    plies: int = 0
    seconds: float = 0.0


class GuidedSearch:
    """A search on compiled rules. ``known``: keys of goals that need not be met."""

    def __init__(self, goals: GoalProgram, walker: Walker, seed: int, known: Collection[Key] = ()) -> None:
        self.goals, self.walker = goals, walker
        self.rng = Random(f"guided {seed}")
        self.reached = GuidedFindings()
        self.start = walker.start()
        self.open = {i for i, goal in enumerate(goals.goals) if goal.key not in known}
        self.asked = {q.goal for q in goals.questions}
        self.nearest: dict[Goal, list[tuple[int, SearchNode]]] = {}
        self.tries: dict[Goal, int] = {}
        self.rare: dict[bytes, int] = {}
        self.ends: dict[bytes, SearchNode] = {}  # by what its last ply met: the first node at which a play was over
        self.faults: list[tuple[SearchNode, int]] = []  # the first way at every place where a rule goes wrong
        self._wrong: set[int] = set()
        for i in np.flatnonzero(walker.first_met):
            self._meet(int(i), self.start)
        self._ask(self.start)

    def run(self, seconds: float, walks: int, done: Callable[[], bool] = lambda: False) -> GuidedFindings:
        """Walks until so many seconds are over or so many walks are made, or nothing is left to meet."""
        began = perf_counter()
        most = self.reached.walks + walks
        while self.open and self.reached.walks < most and perf_counter() - began < seconds and not done():
            self._walk(began + seconds)
            self.reached.walks += 1
        self.reached.seconds += perf_counter() - began
        return self.reached

    # --------------------------------------------------------------------------------------------------- a walk

    def _walk(self, until: float) -> None:
        if self.walker.nearly_full:
            self._reach_anew()
        node, policy, longest = self._plan()
        for _ in range(longest):
            if self.walker.is_over(node) or perf_counter() > until:
                break
            fan = self.walker.fan(node)
            self._go_wrong(node, fan)
            ways = np.flatnonzero(~fan.wrong)
            if not len(ways):
                break
            self._notice(node, fan, ways)
            node = self.walker.further(node, fan, policy(node, fan, ways))
            self.reached.plies += 1
            self._ask(node)

    def _plan(self) -> tuple[SearchNode, Policy, int]:
        """Where a walk begins, how it goes on, and for how many plies at most."""
        draw = self.rng.random()
        if (self.reached.walks < WALKS_FIRST and self.reached.walks % 2 == 0) or draw < 0.15:
            return self.start, self.rng.choice((self._any, self._rarest, self._lasting)), LONGEST
        if self.walker.has_history and draw < 0.3:
            return self._some_node(), self._back(), LONGEST
        goal = self._next_goal()
        near = self.nearest.get(goal, [])
        node = self.rng.choice(near)[1] if near and self.rng.random() < 0.8 else self.start
        return node, self._towards(goal, self.rng.choice((0.0, 0.05, 0.2, 0.5))), self.rng.choice((6, 20, 60, LONGEST))

    def _goals(self) -> list[Goal]:
        """All that there is to come near to."""
        asked: list[Goal] = [q for q in self.goals.questions if q.goal in self.open]
        return [*asked, *sorted(self.open - self.asked)]

    def _next_goal(self) -> Goal:
        """The goal that was tried least."""
        chosen = min(self._goals(), key=lambda goal: (self.tries.get(goal, 0), self.rng.random()))
        self.tries[chosen] = self.tries.get(chosen, 0) + 1
        return chosen

    def _some_node(self) -> SearchNode:
        kept = [node for near in self.nearest.values() for _, node in near]
        return self.rng.choice(kept) if kept and self.rng.random() < 0.5 else self.start

    # ------------------------------------------------------------------------------------------------- policies

    def _any(self, node: SearchNode, fan: SuccessorBatch, ways: Ints) -> int:
        return int(self.rng.choice(ways))

    def _lasting(self, node: SearchNode, fan: SuccessorBatch, ways: Ints) -> int:
        """Any way after which the play goes on, if there is one."""
        return int(self.rng.choice(self._going_on(fan, ways)))

    def _going_on(self, fan: SuccessorBatch, ways: Ints) -> Ints:
        on = ways[~self.walker.is_end[fan.blocks[ways]]]
        return on if len(on) else ways

    def _rarest(self, node: SearchNode, fan: SuccessorBatch, ways: Ints) -> int:
        """A way that meets what was met together least often."""
        marks = [fan.met[k].tobytes() for k in ways]
        least = min(self.rare.get(m, 0) for m in marks)
        chosen = self.rng.choice([k for k, m in zip(ways, marks, strict=True) if self.rare.get(m, 0) == least])
        mark = fan.met[chosen].tobytes()
        self.rare[mark] = self.rare.get(mark, 0) + 1
        return int(chosen)

    def _towards(self, goal: Goal, mistakes: float) -> Policy:
        """The way that comes nearest to a goal; now and then any."""
        number = goal if isinstance(goal, int) else goal.goal

        def policy(node: SearchNode, fan: SuccessorBatch, ways: Ints) -> int:
            if number not in self.open or self.rng.random() < mistakes:
                return self._any(node, fan, ways)
            ways = self._going_on(fan, ways)
            tried = TRIED if isinstance(goal, int) or goal.cost_estimate < DEAR else TRIED // 4
            if not isinstance(goal, int) and len(ways) > tried:
                ways = np.array(self.rng.sample(list(ways), tried))
            if isinstance(goal, int):
                far = fan.near[ways, goal]
            else:
                far = np.array([self.walker.ask(goal, fan.rows[k].tobytes()) for k in ways])
            return int(self.rng.choice(ways[far == far.min()]))

        return policy

    def _back(self) -> Policy:
        """Goes any two ways, then tries to come back to where it was; again and again."""
        anchor: list[SearchNode] = []
        plies = 0

        def policy(node: SearchNode, fan: SuccessorBatch, ways: Ints) -> int:
            nonlocal plies
            ways = self._going_on(fan, ways)
            if not anchor or plies > BACK:
                anchor[:], plies = [node], 0
            plies += 1
            if self.walker.same(node, anchor[0]):
                plies = 1
            if plies <= 2:
                return int(self.rng.choice(ways))
            apart = self.walker.apart(fan, ways, anchor[0])
            return int(self.rng.choice(ways[apart == apart.min()]))

        return policy

    # -------------------------------------------------------------------------------------------------- noticing

    def _meet(self, goal: int, node: SearchNode) -> None:
        key = self.goals.goals[goal].key
        hit = self.reached.hits.setdefault(key, Hit(node, 0))
        hit.times += 1
        if node.depth < hit.node.depth:
            hit.node = node
        if key[0] == "claim" and hit.times < SHORTENED and node.depth > 1:
            return  # a shorter play is worth looking for
        self.open.discard(goal)
        for done in [g for g in self.nearest if (g if isinstance(g, int) else g.goal) == goal]:
            del self.nearest[done]

    def _go_wrong(self, node: SearchNode, fan: SuccessorBatch) -> None:
        """Keeps the ways that end in a rules error, one for every place."""
        for way in np.flatnonzero(fan.wrong):
            if fan.blocks[way] not in self._wrong:
                self._wrong.add(int(fan.blocks[way]))
                self.faults.append((node, int(way)))

    def _notice(self, node: SearchNode, fan: SuccessorBatch, ways: Ints) -> None:
        """Goals that a ply from here would meet are met; those it would come near to are remembered."""
        for goal in [i for i in self.open if fan.met[ways, i].any()]:
            k = int(ways[np.argmax(fan.met[ways, goal])])
            self._meet(goal, self.walker.further(node, fan, k))
        for goal in self.open:
            if goal not in self.asked:
                near = fan.near[ways, goal]
                least = int(near.min())
                if least < FAR and self._is_near(goal, least):
                    k = int(self.rng.choice(ways[near == least]))
                    if not self.walker.is_end[fan.blocks[k]]:
                        self._remember(goal, least, self.walker.further(node, fan, k))

    def _ask(self, node: SearchNode) -> None:
        """How near a node is to every goal that there are questions about."""
        if self.walker.is_over(node):
            self.ends.setdefault(self.walker.notes(node), node)
        for q in self.goals.questions:
            if q.goal in self.open and (q.cost_estimate < DEAR or self.reached.plies % SELDOM == 0):
                far = self.walker.ask(q, node.data)
                if far == 0:
                    self._meet(q.goal, node)
                elif far < FAR and not self.walker.is_over(node) and self._is_near(q, far):
                    self._remember(q, far, node)

    def _is_near(self, goal: Goal, far: int) -> bool:
        """Nearer than one of the nodes that are remembered? (As near: now and then.)"""
        near = self.nearest.get(goal, [])
        return len(near) < KEPT or far < near[-1][0] or (far == near[-1][0] and self.rng.random() < 0.2)

    def _remember(self, goal: Goal, far: int, node: SearchNode) -> None:
        near = self.nearest.setdefault(goal, [])
        if len(near) == KEPT:
            near.pop()
        near.append((far, node))
        near.sort(key=lambda x: (x[0], self.rng.random()))

    def _reach_anew(self) -> None:
        """Frees memory: whatever is remembered is walked to again."""
        kept: list[tuple[Goal, int, SearchNode]] = [
            (goal, far, s) for goal, near in self.nearest.items() for far, s in near
        ]
        hits = list(self.reached.hits.values())
        ends, wrong = list(self.ends), list(self.faults)
        nodes = [*(s for _, _, s in kept), *(h.node for h in hits), *self.ends.values(), *(s for s, _ in wrong)]
        found: Iterator[SearchNode] = iter(self.walker.again(nodes))
        self.start = self.walker.start()
        self.nearest = {}
        for goal, far, _ in kept:
            self.nearest.setdefault(goal, []).append((far, next(found)))
        for hit in hits:
            hit.node = next(found)
        self.ends = {notes: next(found) for notes in ends}
        self.faults = [(next(found), way) for _, way in wrong]
