"""Guided search for games that reach uncovered goals.

The goals are every line, both answers of every condition, and every condition as the only one that refuses a move.

Walks begin at the start or at a node near a goal, and then prefer successors that come nearer. A walk may also seek
rarely met goals, or return to an earlier position. Everything is determined by the seed, except that the time limit
also decides where the search stops.

Plain walks choose uniformly and continue to the end of the game. They generate one successor per ply instead of
all, and evaluate only the claims, so they are several times as fast, and they meet goals that are common but have
no useful distance.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field
from random import Random
from time import perf_counter
from typing import TypeAlias

import numpy as np

from gamedsl.lab.base import Ints
from gamedsl.lab.search.branch_distance import FAR
from gamedsl.lab.search.goal_programs import GoalProgram, Key, Question
from gamedsl.lab.search.walker import SearchNode, SuccessorBatch, Walker
from gamedsl.language.source import lazy_dataclass

LONGEST = 400  # plies per walk
LONGEST_PLAIN = 2000  # plies per plain walk
KEPT = 8  # nearest nodes kept per goal
TRIED = 16  # maximum number of successors evaluated for a goal
WALKS_FIRST = 40  # among the first walks this many, every other one begins at the start and walks randomly
DEAR = 200_000  # questions with a higher cost_estimate are evaluated
SELDOM = 8  # only once in this many plies
SHORTENED = 10  # games that demonstrate the same about a claim; the shortest is kept
BACK = 8  # plies within which a walk tries to return to an earlier position

Policy: TypeAlias = Callable[[SearchNode, SuccessorBatch, Ints], int]
# A question about a goal, or the number of a goal that plies record. A goal has one question for each kind of move.
Goal: TypeAlias = Question | int


@lazy_dataclass()
class Hit:
    """How often the plies of all walks met a goal, and the node of least depth where one did."""

    node: SearchNode
    times: int = 1


@lazy_dataclass()
class GuidedFindings:
    """The result of a search.

    ``hits``: for each goal that was met, its node. ``walks``, ``plain``: the numbers of guided and plain walks.
    ``plies``: made in all. ``seconds``: time used.
    """

    hits: dict[Key, Hit] = field(default_factory=dict)
    walks: int = 0
    plain: int = 0
    plies: int = 0
    seconds: float = 0.0


class GuidedSearch:
    """A search on compiled rules. ``known``: keys of goals that need not be met."""

    def __init__(self, goals: GoalProgram, walker: Walker, seed: int, known: Collection[Key] = ()) -> None:
        self.goals, self.walker = goals, walker
        self.rng = Random(f"guided {seed}")
        self._plain_rng = Random(f"plain {seed}")
        self.reached = GuidedFindings()
        self.start = walker.start()
        self.open = {i for i, goal in enumerate(goals.goals) if goal.key not in known}
        self.asked = {q.goal for q in goals.questions}
        self.nearest: dict[Goal, list[tuple[int, SearchNode]]] = {}
        self.tries: dict[Goal, int] = {}
        self.rare: dict[bytes, int] = {}
        self.ends: dict[bytes, SearchNode] = {}  # the first terminal node for each set of goals met by its last ply
        self.faults: list[tuple[SearchNode, int]] = []  # the first failing action at each place where a rule fails
        self._wrong: set[int] = set()
        self._claims = [q for q in goals.questions if goals.goals[q.goal].kind == "claim"]
        for i in np.flatnonzero(walker.first_met):
            self._meet(int(i), self.start)
        self._ask(self.start)

    def run(self, seconds: float, walks: int, done: Callable[[], bool] = lambda: False) -> GuidedFindings:
        """Walks until the time or the number of walks is used up, ``done`` returns True, or every goal is met."""
        began = perf_counter()
        most = self.reached.walks + walks
        while self.open and self.reached.walks < most and perf_counter() - began < seconds and not done():
            self._walk(began + seconds)
            self.reached.walks += 1
        self.reached.seconds += perf_counter() - began
        return self.reached

    def run_plain(self, seconds: float, walks: int, done: Callable[[], bool] = lambda: False) -> GuidedFindings:
        """Makes plain walks from the start to the end of the game, within the time and the number of walks."""
        began = perf_counter()
        most = self.reached.plain + walks
        while self.open and self.reached.plain < most and perf_counter() - began < seconds and not done():
            self._walk_plainly(began + seconds)
            self.reached.plain += 1
        self.reached.seconds += perf_counter() - began
        return self.reached

    # --------------------------------------------------------------------------------------------------- a walk

    def _walk_plainly(self, until: float) -> None:
        walker = self.walker
        if walker.nearly_full:
            self._reach_anew()
        node = self.start
        while not walker.is_over(node) and node.depth - self.start.depth < LONGEST_PLAIN:
            count = walker.num_actions(node)
            if not count or walker.nearly_full or perf_counter() > until:
                return
            after = walker.after(node, self._plain_rng.randrange(count))
            if after is None:
                self._go_wrong(node, walker.fan(node))
                return
            node = after
            self.reached.plies += 1
            for goal in np.flatnonzero(np.frombuffer(walker.notes(node), np.uint8)):
                if int(goal) in self.open:
                    self._meet(int(goal), node)
            self._ask(node, self._claims)

    def _walk(self, until: float) -> None:
        if self.walker.nearly_full:
            self._reach_anew()
        node, policy, longest = self._plan()
        for _ in range(longest):
            if self.walker.is_over(node) or perf_counter() > until:
                break
            fan = self.walker.fan(node)
            self._go_wrong(node, fan)
            candidates = np.flatnonzero(~fan.wrong)
            if not len(candidates):
                break
            self._notice(node, fan, candidates)
            node = self.walker.further(node, fan, policy(node, fan, candidates))
            self.reached.plies += 1
            self._ask(node)

    def _plan(self) -> tuple[SearchNode, Policy, int]:
        """Chooses the node where a walk begins, its policy, and its maximum number of plies."""
        draw = self.rng.random()
        if (self.reached.walks < WALKS_FIRST and self.reached.walks % 2 == 0) or draw < 0.15:
            return self.start, self.rng.choice((self._random, self._random_rarest, self._random_nonterminal)), LONGEST
        if self.walker.has_history and draw < 0.3:
            return self._some_node(), self._back(), LONGEST
        goal = self._next_goal()
        near = self.nearest.get(goal, [])
        node = self.rng.choice(near)[1] if near and self.rng.random() < 0.8 else self.start
        return node, self._towards(goal, self.rng.choice((0.0, 0.05, 0.2, 0.5))), self.rng.choice((6, 20, 60, LONGEST))

    def _goals(self) -> list[Goal]:
        """Returns all goals that have distances."""
        asked: list[Goal] = [q for q in self.goals.questions if q.goal in self.open]
        return [*asked, *sorted(self.open - self.asked)]

    def _next_goal(self) -> Goal:
        """Returns the goal that was tried least often."""
        chosen = min(self._goals(), key=lambda goal: (self.tries.get(goal, 0), self.rng.random()))
        self.tries[chosen] = self.tries.get(chosen, 0) + 1
        return chosen

    def _some_node(self) -> SearchNode:
        kept = [node for near in self.nearest.values() for _, node in near]
        return self.rng.choice(kept) if kept and self.rng.random() < 0.5 else self.start

    # ------------------------------------------------------------------------------------------------- policies

    def _random(self, node: SearchNode, fan: SuccessorBatch, candidates: Ints) -> int:
        return int(self.rng.choice(candidates))

    def _random_nonterminal(self, node: SearchNode, fan: SuccessorBatch, candidates: Ints) -> int:
        """Chooses a random action after which the game continues, if there is one."""
        return int(self.rng.choice(self._nonterminal(fan, candidates)))

    def _nonterminal(self, fan: SuccessorBatch, candidates: Ints) -> Ints:
        on = candidates[~self.walker.is_end[fan.blocks[candidates]]]
        return on if len(on) else candidates

    def _random_rarest(self, node: SearchNode, fan: SuccessorBatch, candidates: Ints) -> int:
        """Chooses an action whose set of goals was met least often."""
        marks = [fan.met[k].tobytes() for k in candidates]
        least = min(self.rare.get(m, 0) for m in marks)
        chosen = self.rng.choice([k for k, m in zip(candidates, marks, strict=True) if self.rare.get(m, 0) == least])
        mark = fan.met[chosen].tobytes()
        self.rare[mark] = self.rare.get(mark, 0) + 1
        return int(chosen)

    def _towards(self, goal: Goal, mistakes: float) -> Policy:
        """Returns a policy that approaches a goal, with occasional random actions."""
        number = goal if isinstance(goal, int) else goal.goal

        def policy(node: SearchNode, fan: SuccessorBatch, candidates: Ints) -> int:
            if number not in self.open or self.rng.random() < mistakes:
                return self._random(node, fan, candidates)
            candidates = self._nonterminal(fan, candidates)
            tried = TRIED if isinstance(goal, int) or goal.cost_estimate < DEAR else TRIED // 4
            if not isinstance(goal, int) and len(candidates) > tried:
                candidates = np.array(self.rng.sample(list(candidates), tried))
            if isinstance(goal, int):
                far = self.walker.passed(fan)[candidates, goal]
            else:
                far = np.array(self.walker.ask_rows(goal, fan, candidates))
            return int(self.rng.choice(candidates[far == far.min()]))

        return policy

    def _back(self) -> Policy:
        """Returns a policy that repeatedly takes two random actions and then tries to return."""
        anchor: list[SearchNode] = []
        plies = 0

        def policy(node: SearchNode, fan: SuccessorBatch, candidates: Ints) -> int:
            nonlocal plies
            candidates = self._nonterminal(fan, candidates)
            if not anchor or plies > BACK:
                anchor[:], plies = [node], 0
            plies += 1
            if self.walker.same(node, anchor[0]):
                plies = 1
            if plies <= 2:
                return int(self.rng.choice(candidates))
            distances = self.walker.distances(fan, candidates, anchor[0])
            return int(self.rng.choice(candidates[distances == distances.min()]))

        return policy

    # -------------------------------------------------------------------------------------------------- noticing

    def _meet(self, goal: int, node: SearchNode) -> None:
        key = self.goals.goals[goal].key
        hit = self.reached.hits.setdefault(key, Hit(node, 0))
        hit.times += 1
        if node.depth < hit.node.depth:
            hit.node = node
        if key[0] == "claim" and hit.times < SHORTENED and node.depth > 1:
            return  # a shorter game is worth looking for
        self.open.discard(goal)
        for done in [g for g in self.nearest if (g if isinstance(g, int) else g.goal) == goal]:
            del self.nearest[done]

    def _go_wrong(self, node: SearchNode, fan: SuccessorBatch) -> None:
        """Keeps the first action that ends in a rules error at each place."""
        for action in np.flatnonzero(fan.wrong):
            if fan.blocks[action] not in self._wrong:
                self._wrong.add(int(fan.blocks[action]))
                self.faults.append((node, int(action)))

    def _notice(self, node: SearchNode, fan: SuccessorBatch, candidates: Ints) -> None:
        """Records goals that a ply from here would meet, and remembers nodes near other goals."""
        met = fan.met[candidates].max(axis=0)
        for goal in [i for i in self.open if met[i]]:
            k = int(candidates[np.argmax(fan.met[candidates, goal])])
            self._meet(goal, self.walker.further(node, fan, k))
        goals = [goal for goal in self.open if goal not in self.asked]
        if goals:
            near = self.walker.passed(fan)[candidates]
            for goal, least in zip(goals, near[:, goals].min(axis=0).tolist(), strict=True):
                if least < FAR and self._is_near(goal, least):
                    k = int(self.rng.choice(candidates[near[:, goal] == least]))
                    if not self.walker.is_end[fan.blocks[k]]:
                        self._remember(goal, least, self.walker.further(node, fan, k))

    def _ask(self, node: SearchNode, questions: Sequence[Question] | None = None) -> None:
        """Evaluates a node's distance to every open goal that has questions, or only these questions."""
        is_over, asks_costly = self.walker.is_over(node), self.reached.plies % SELDOM == 0
        if is_over:
            self.ends.setdefault(self.walker.notes(node), node)
        asked = self.goals.questions if questions is None else questions
        wanted = (q for q in asked if q.goal in self.open and (asks_costly or q.cost_estimate < DEAR))
        for q, far in self.walker.ask_each(wanted, node.data):
            if far == 0:
                self._meet(q.goal, node)
            elif far < FAR and not is_over and self._is_near(q, far):
                self._remember(q, far, node)

    def _is_near(self, goal: Goal, far: int) -> bool:
        """Whether a distance is smaller than one of the remembered nodes'; ties are accepted now and then."""
        near = self.nearest.get(goal, [])
        return len(near) < KEPT or far < near[-1][0] or (far == near[-1][0] and self.rng.random() < 0.2)

    def _remember(self, goal: Goal, far: int, node: SearchNode) -> None:
        near = self.nearest.setdefault(goal, [])
        if len(near) == KEPT:
            near.pop()
        near.append((far, node))
        near.sort(key=lambda x: (x[0], self.rng.random()))

    def _reach_anew(self) -> None:
        """Frees memory by replaying the walks to all remembered nodes."""
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
        self.faults = [(next(found), action) for _, action in wrong]
