"""The search: generations of variants, measured in shards, of which the best of each kind are kept and changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from gamedsl.engine import Game
from gamedsl.lab.base import Status
from gamedsl.lab.claims import VerifyConfig, verify
from gamedsl.lab.explore import Limits
from gamedsl.lab.rule_search.duel_kernel import AIMED
from gamedsl.lab.rule_search.rule_archive import Elite, RuleArchive, ranked
from gamedsl.lab.rule_search.rule_space import RuleSpace
from gamedsl.lab.rule_search.variant_figures import (
    FAR,
    FEWEST,
    REFUSED,
    RUNGS,
    STEPS,
    VariantFigures,
    compile_variants,
    measure_variant,
)
from gamedsl.lab.search import Budget
from gamedsl.lab.shards import Question, ShardRunner, never
from gamedsl.language.source import GameDSLError, lazy_dataclass

CROSSED = 0.3  # share of the new variants that have values of two others
TRIES = 20  # to find a variant that was not measured yet
CLOSER = 8  # times as many games of the variants that are shown
STATES, PLAYS = 2000, 40  # of the verification of the variants that are shown

Point: TypeAlias = tuple[int, ...]  # a variant: the numbers of the values of its options


@lazy_dataclass(frozen=True)
class SearchPlan:
    """``variants``: to measure. ``games``: for every figure of those that seem the best of their kind after ``FEWEST`` games.
    ``most``: plies of a game that ends.
    ``playouts``: of each action, by the players whose games show results and lengths.
    ``draws_are_fine``: the best variant is the fairest one; otherwise draws count against it. ``batch``: variants of a
    generation. ``longest``: plies of the longest kind of game; longer ones count as this kind."""

    space: RuleSpace
    variants: int = 1000
    games: int = 24
    seed: int = 0
    most: int = 400
    playouts: int = 4
    draws_are_fine: bool = False
    batch: int = 100
    longest: float = 60.0

    @property
    def measured(self) -> tuple[int, int, int, int]:
        """What the figures of a variant depend on besides its rules."""
        return self.games, self.playouts, self.seed, self.most

    @property
    def first(self) -> SearchPlan:
        """How all variants are measured."""
        return replace(self, games=min(FEWEST, self.games))

    @property
    def second(self) -> SearchPlan:
        """How those are measured that seem the best of their kind: by new games, since chance made them the best, too."""
        return replace(self, seed=self.seed + 1)

    @property
    def last(self) -> SearchPlan:
        """How those are measured that are shown."""
        return replace(self, games=CLOSER * self.games, seed=self.seed + 2)

    def quality(self, figures: VariantFigures) -> float:
        """Returns how good a variant is, between 0 and 1: fair, decided and deep. Without one of these it is worth
        nothing."""
        return figures.fairness * (1.0 if self.draws_are_fine else 1 - figures.draws) * figures.depth / STEPS


@lazy_dataclass(frozen=True)
class VariantsMeasured(Question[list[VariantFigures]]):
    """The figures of these variants. ``verified``: those that violate a claim are unsound. ``shared``: see
    ``measure_variant``."""

    plan: SearchPlan
    points: tuple[Point, ...]
    verified: bool = False
    shared: Path | None = None

    @property
    def about(self) -> Mapping[str, Any]:
        plan = self.plan
        return {
            "question": "variants", "texts": plan.space.texts, "points": [plan.space.options(p) for p in self.points],
            "games": plan.games, "seed": plan.seed, "most": plan.most, "players": [[plan.playouts, FAR], *RUNGS], "fewest": FEWEST,
            "aimed": AIMED,
            "verified": [STATES, PLAYS] if self.verified else [],
        }  # fmt: skip

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[VariantFigures]:
        found: list[VariantFigures] = []
        points, plan = self.points[first : first + count], self.plan
        for point in points:
            if stopped():
                break
            if not found:
                compile_variants(filter(None, map(self._game, points)), plan.measured, self.shared)
            found.append(self._figures(point))
        return found

    def size(self, answer: list[VariantFigures]) -> int:
        for figures in answer:
            shares = (figures.low, figures.score, figures.high, figures.draws)
            counts = (figures.length, figures.depth, figures.games)
            if not all(0 <= x <= 1 for x in shares) or not all(0 <= x <= 1e9 for x in counts):
                raise ValueError("a figure is out of its range")
            if not figures.problem.isprintable():
                raise ValueError("a reason cannot be printed")
        return len(answer)

    def _figures(self, point: Point) -> VariantFigures:
        game = self._game(point)
        if game is None:
            return VariantFigures(REFUSED)
        if self.verified and (violated := _violated(self.plan, point)):
            return VariantFigures(violated)
        return measure_variant(game, *self.plan.measured, self.shared)

    def _game(self, point: Point) -> Game | None:
        """Returns a variant; None if `check` refuses it."""
        try:
            return self.plan.space.game(point)
        except GameDSLError:
            return None


def _violated(plan: SearchPlan, point: Point) -> str:
    """Returns the claim that a variant violates; empty if none was found to be violated."""
    limits, budget = Limits(states=STATES, seconds=None, seed=plan.seed), Budget(PLAYS, float("inf"), plan.seed)
    config = VerifyConfig(limits=limits, budget=budget, only_faults=True)
    found = verify(plan.space.file, plan.space.options(point), config, parsed=plan.space.bench.parsed)
    violated = [v for v in found.verdicts if v.status == Status.VIOLATED]
    return f"violates: {' '.join(violated[0].claim.split())}" if violated else ""


@lazy_dataclass()
class RuleSearch:
    """A search. ``measured``: how many variants; ``unsound``: how many of them, by reason. ``shown``: the variants of the
    archive that passed verification, with figures of more games."""

    plan: SearchPlan
    runner: ShardRunner = field(default_factory=ShardRunner)
    measured: int = 0
    unsound: Counter[str] = field(default_factory=Counter)
    shown: list[Elite] = field(default_factory=list)
    _shared: Path | None = None

    def run(self, stopped: Callable[[], bool] = never) -> Iterator[int]:
        """Yields the number of measured variants after every generation. The result depends on the seed alone, unless it
        is stopped; then what was found so far is verified and shown."""
        if self.runner.workers is None:
            yield from self._search(stopped)
            return
        with TemporaryDirectory(prefix="gamedsl-") as folder:
            self._shared = Path(folder)
            yield from self._search(stopped)

    def _search(self, stopped: Callable[[], bool]) -> Iterator[int]:
        plan, space = self.plan, self.plan.space
        rng, archive = Random(f"{plan.seed} rules"), self._archive({})
        seen, sound, others = set[Point](), dict[Point, VariantFigures](), dict[Point, VariantFigures]()
        while self.measured < min(plan.variants, space.size) and not stopped():
            found = self._measured(plan.first, self._generation(archive, rng, seen), stopped)
            self.measured += len(found)
            new = self._sound(found)
            best = self._archive({**{elite.point: elite.figures for elite in archive.elites}, **new})
            promising = tuple(elite.point for elite in best.elites if elite.point in new)
            again = self._measured(plan.second, promising, stopped)
            others |= {point: figures for point, figures in new.items() if point not in promising}
            for point, figures in self._sound({p: again.get(p, new[p]) for p in promising}).items():
                sound[point] = figures
                archive.add(point, figures)
            yield self.measured
        self._look_closer(sound, others)

    def _measured(
        self, plan: SearchPlan, points: tuple[Point, ...], stopped: Callable[[], bool] = never, verified: bool = False
    ) -> dict[Point, VariantFigures]:
        """Returns the figures of variants; of fewer if stopped."""
        neighbors = tuple(sorted(points))  # those with the same variables are compiled together
        question = VariantsMeasured(plan, neighbors, verified, self._shared)
        answers = dict(zip(neighbors, self.runner.items(question, len(points), stopped), strict=False))
        return {point: answers[point] for point in points if point in answers}

    def _sound(self, found: Mapping[Point, VariantFigures]) -> dict[Point, VariantFigures]:
        """Returns the sound variants, and counts the others."""
        self.unsound.update(figures.problem for figures in found.values() if figures.problem)
        return {point: figures for point, figures in found.items() if not figures.problem}

    def _archive(self, known: Mapping[Point, VariantFigures]) -> RuleArchive:
        """Returns an archive of the best of these variants."""
        archive = RuleArchive(len(self.plan.space.genes), self.plan.longest, self.plan.quality)
        for point, figures in known.items():
            archive.add(point, figures)
        return archive

    def _generation(self, archive: RuleArchive, rng: Random, seen: set[Point]) -> tuple[Point, ...]:
        """Returns the variants to measure next: changes and mixtures of those in the archive, and new ones."""
        plan, space, found = self.plan, self.plan.space, list[Point]()
        left = min(plan.batch, plan.variants - self.measured, space.size - len(seen))
        has_elites = bool(archive.elites)
        while len(found) < left:
            point = space.random_point(rng)
            for _ in range(TRIES if has_elites else 0):
                one = archive.pick(rng)
                is_crossed = rng.random() < CROSSED
                child = (
                    space.crossed_point(one, archive.pick(rng), rng) if is_crossed else space.changed_point(one, rng)
                )
                if child not in seen:
                    point = child
                    break
            if point not in seen:
                seen.add(point)
                found.append(point)
        return tuple(found)

    def _look_closer(self, best: dict[Point, VariantFigures], others: dict[Point, VariantFigures]) -> None:
        """Verifies the best of each kind, and measures them again with new and more games: of many noisy figures the best
        ones are too good. In the place of an unsound one comes the next best of its kind, also of those that were played
        less (``others``)."""
        plan = self.plan.last
        closer, left, points = dict[Point, VariantFigures](), dict(best), list[Point]()
        while left:
            points = [elite.point for elite in self._archive(left).elites]
            todo = tuple(point for point in points if point not in closer)
            if not todo:
                break
            found = self._measured(plan, todo, verified=True)
            sound = self._sound(found)
            closer |= sound
            for point in found.keys() - sound.keys():
                del left[point]
                left, others = others | left, {}
        self.shown = ranked([Elite(point, closer[point]) for point in points if point in closer], plan.quality)
