"""What each line of a ruleset does to the game: the effects of leaving it out or changing it a little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cached_property
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from gamedsl.engine import Game
from gamedsl.lab.base import Newest
from gamedsl.lab.examples import Bench, OptionValue
from gamedsl.lab.mutation import Mutant, Overtime, can_compile, list_mutants, time_limit, vocabulary
from gamedsl.lab.shards import Question, ShardRunner, never
from gamedsl.lab.variants.comparison import Original, VersionComparison
from gamedsl.lab.variants.games_in_steps import steps_of
from gamedsl.lab.variants.version_games import Stopped, VersionPlan, compile_together
from gamedsl.language.core import digest
from gamedsl.language.rules import Parsed, find_ruleset
from gamedsl.language.source import GameDSLError, lazy_dataclass

LOAD_SECONDS = 30.0
ENDLESS = 0.5  # share of games that are cut off only with a change; then no other figure means anything
TOGETHER = 32  # changes that are compiled together
DELETIONS = ("SDL", "GDL", "FDL", "BDL", "ADL", "CDL", "LDL", "DDL")


@lazy_dataclass(frozen=True)
class Effect:
    """One change and what it does. ``invalid``: why it is not a ruleset. ``comparison``: of the games; None if it is not
    a ruleset, or its rules are the same.
    """

    mutant: Mutant
    comparison: VersionComparison | None = None
    invalid: str = ""

    @property
    def is_deletion(self) -> bool:
        return self.mutant.operator in DELETIONS

    @property
    def has_none(self) -> bool:
        """Whether the change never matters: proved."""
        return not self.invalid and (self.comparison is None or self.comparison.is_same)

    @property
    def size(self) -> float:
        """How far the change moves results and lengths; 0 if nothing is known to move."""
        return 0.0 if self.comparison is None else self.comparison.effect

    def sentence(self, players: tuple[str, ...]) -> str:
        """What the line does, in a sentence."""
        what = "This rule" if self.is_deletion else "This change"
        found = self.comparison
        if self.invalid:
            return f"Not a ruleset: {self.invalid}"
        if found is None or found.is_same:
            return f"{what} never matter{'ed' if self.is_deletion else 's'}."
        if found.fails:
            return (
                f"{what} is needed: the rules go wrong otherwise." if self.is_deletion else f"{what} breaks the rules."
            )
        before, after = found.unfinished
        if after - before > ENDLESS:
            sentence = f"{after:.0%} of the random games do not end and were cut off"
            return f"Without this rule, {sentence}." if self.is_deletion else f"With this change, {sentence}."
        if found.old_value is not None and found.new_value is not None and found.old_value != found.new_value:
            return _of_values(what, self.is_deletion, found.old_value, found.new_value, players)
        moved = sorted((t for t in found.tests if t.is_significant), key=lambda t: -abs(t.effect))
        if moved:
            t = moved[0]
            with_it, without = _shown(t.old), _shown(t.new)
            if self.is_deletion:
                return f"Without this rule, “{t.name}” moves from {with_it} to {without}."
            return f"{what} moves “{t.name}” from {with_it} to {without}."
        if found.difference is None and not found.is_alike and found.random:
            return f"{what} moves no figure."
        if found.difference is None:
            return f"{what} made no difference in any game that was tried."
        return f"{what} matters in some games, but moves no figure."


def _shown(figure: float) -> str:
    """A figure with three digits, without powers of ten."""
    return f"{figure:.3g}" if abs(figure) < 999.5 else f"{figure:,.0f}"


def _of_values(what: str, is_deletion: bool, old: float, new: float, players: tuple[str, ...]) -> str:
    seat = 0 if new > old or len(players) != 2 else 1
    won = new > 0 if seat == 0 else new < 0
    name = players[seat]
    if is_deletion:
        return f"{what} keeps {name} from {'winning' if won else 'a draw'} with best play."
    return f"{what} lets {name} {'win' if won else 'draw'} with best play."


class _Changes:
    """The mutants of a ruleset, each as a game."""

    def __init__(self, bench: Bench, options: Mapping[str, OptionValue]) -> None:
        self.bench, self.path, self.options = bench, bench.ruleset, dict(options)
        rules, self.game = self.bench.game(self.options)
        self.key = str(Path(self.path).resolve())
        self.original = self.bench.parsed[self.key]
        self.mutants = list_mutants(self.original.tree, vocabulary(rules, str(self.path)))
        self.digest = digest(self.game.program)

    def made(self, mutant: Mutant) -> Game:
        """Returns the changed game. Raises ``GameDSLError`` if it is not a ruleset, and ``Overtime``."""
        changed = Parsed(self.original.source, mutant.tree(self.original.tree))
        with time_limit(LOAD_SECONDS):
            return Bench(self.path, {**self.bench.parsed, self.key: changed}).game(self.options)[1]


class ChangeEffect(NamedTuple):
    """What a change does, without the change: see ``Effect``."""

    invalid: str = ""
    comparison: VersionComparison | None = None


_groups = Newest[list[Game | ChangeEffect]](2)


@lazy_dataclass(frozen=True)
class Ablation(Question[list[ChangeEffect]]):
    """What the changes of a ruleset do, by their place in the list of changes."""

    file: str
    options: Mapping[str, OptionValue]
    plan: VersionPlan
    only_deletions: bool

    @property
    def about(self) -> Mapping[str, Any]:
        plan, parsed = self.plan, self.changes.bench.parsed
        texts = sorted(sha256(one.source.text.encode()).hexdigest() for one in parsed.values())
        return {
            "question": "ablation", "digest": self.changes.digest, "options": self.changes.game.options, "texts": texts,
            "games": plan.games, "seed": plan.seed, "limit": plan.limit, "most": plan.most, "player": plan.identity,
            "searched": plan.searched, "only deletions": self.only_deletions, "steps": steps_of(plan.games),
        }  # fmt: skip

    @property
    def is_repeatable(self) -> bool:
        player = self.plan.player
        return player is None or not player(self.changes.game).is_timed

    def __getstate__(self) -> dict[str, Any]:
        """Other processes get the trees of the files."""
        self.bench.game(self.options)
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"bench": self.bench}

    @cached_property
    def bench(self) -> Bench:
        """Loads the ruleset."""
        return Bench(find_ruleset(self.file))

    @cached_property
    def changes(self) -> _Changes:
        """The ruleset and its changes."""
        return _Changes(self.bench, self.options)

    @cached_property
    def wanted(self) -> list[Mutant]:
        """The changes in question."""
        return [m for m in self.changes.mutants if not self.only_deletions or m.operator in DELETIONS]

    @cached_property
    def original(self) -> Original:
        """The unchanged game, with what all comparisons need of it."""
        return Original(self.changes.game, replace(self.plan, in_steps=True), never)

    def answer(self, first: int, count: int, stopped: Stopped) -> list[ChangeEffect]:
        last = min(first + count, len(self.wanted))
        effects = (self._effect(number, stopped) for number in range(first, last))
        return list(takewhile(lambda _: not stopped(), effects))

    def size(self, answer: list[ChangeEffect]) -> int:
        for effect in answer:
            texts = [effect.invalid]
            if effect.comparison is not None:
                difference = effect.comparison.difference
                texts += [*effect.comparison.line, "" if difference is None else difference.text]
            if not all(text.isprintable() for text in texts):
                raise ValueError("a string cannot be printed")
        return len(answer)

    def _effect(self, number: int, stopped: Stopped) -> ChangeEffect:
        game = self.game(number)
        if isinstance(game, ChangeEffect):
            return game
        self.original.stopped = stopped
        return ChangeEffect("", self.original.compare(game))

    def game(self, number: int) -> Game | ChangeEffect:
        """Returns a changed game, or what is wrong or the same. Changes that are neighbors are compiled together."""
        first = number - number % TOGETHER
        return _groups.find((self.digest, first), lambda: self._group(first))[number - first]

    def _group(self, first: int) -> list[Game | ChangeEffect]:
        found = [self._game(mutant) for mutant in self.wanted[first : first + TOGETHER]]
        games = [game for game in found if not isinstance(game, ChangeEffect) and can_compile(game)]
        if can_compile(self.changes.game):
            compile_together([self.changes.game, *games], for_states=True)
        return found

    def _game(self, mutant: Mutant) -> Game | ChangeEffect:
        try:
            game = self.changes.made(mutant)
        except (Overtime, RecursionError):
            return ChangeEffect("it takes too long to check")
        except GameDSLError as problem:
            return ChangeEffect(problem.diagnostics[0].message)
        return ChangeEffect() if game.digest == self.changes.digest else game


def ablate(question: Ablation, stopped: Stopped, runner: ShardRunner | None = None) -> Iterator[Effect]:
    """Yields the effects of the changes, in text order; fewer if stopped."""
    answers = (runner or ShardRunner()).items(question, len(question.wanted), stopped)
    for mutant, found in zip(question.wanted, answers, strict=False):
        yield Effect(mutant, found.comparison, found.invalid)


def ranked(effects: list[Effect]) -> list[Effect]:
    """Returns the effects, the greatest first, then those that fail, those without effect, and invalid ones."""

    def key(effect: Effect) -> tuple[bool, bool, float, int]:
        return bool(effect.invalid), effect.has_none, -effect.size, effect.mutant.number

    return sorted(effects, key=key)
