"""Determines the fate of a mutant.

That is, whether it is a valid ruleset, whether an example notices it, and if none does, whether any game can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from time import process_time

from gamedsl.engine import State
from gamedsl.lab.base import choices, option_values
from gamedsl.lab.examples import Bench, Example, OptionValue, position, problems
from gamedsl.lab.mutation.compare import Begin, Comparer
from gamedsl.lab.mutation.difference import Difference
from gamedsl.lab.mutation.equivalence import marked_meaning, widens_bounds
from gamedsl.lab.mutation.limited_time import Overtime, time_limit
from gamedsl.lab.mutation.mutants import Mutant, list_mutants, vocabulary
from gamedsl.lab.mutation.plays import Options, Start
from gamedsl.language.core import digest
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import Parsed
from gamedsl.language.source import GameDSLError, lazy_dataclass

# Time limit of an example on a mutant: at least this, and this multiple of all examples on the original. An endless
# game is noticed in about a second.
LEAST_SECONDS, TIMES = 3.0, 10
LOAD_SECONDS = 30.0
SETTING_SECONDS = 2.0  # options with which the original takes longer to load are skipped


class Fate(StrEnum):
    """The fate of a mutant; "noticed" is "killed" in the literature."""

    INVALID = "invalid"  # it is not a valid ruleset
    SAME = "same rules"  # its digest is the original's
    WIDER = "wider bounds"  # it differs only in number bounds, which are wider
    NOTICED = "noticed"  # an example fails
    SURVIVED = "survived"  # no example fails, but a game shows the change
    PROVED = "proved equivalent"  # no game shows it: all positions were compared
    ALIKE = "probably equivalent"  # no game shows it, among those tried
    OPEN = "not compared"  # no example fails, and no games were requested


EQUIVALENT = (Fate.SAME, Fate.WIDER, Fate.PROVED)
UNNOTICED = (Fate.SURVIVED, Fate.OPEN)


@lazy_dataclass(frozen=True)
class Outcome:
    """A mutant's fate.

    ``by``: the example that noticed it, or why it is not a valid ruleset. ``difference``: for a survivor.
    ``plays``: how many playouts were compared.
    """

    mutant: int
    fate: Fate
    by: str = ""
    difference: Difference | None = None
    plays: int = 0


@lazy_dataclass(frozen=True)
class Setup:
    """A ruleset, its examples, options for all of them, and how survivors are compared (seed, and seconds of
    playouts).
    """

    ruleset: Path
    examples: tuple[Example, ...]
    options: Options
    seed: int
    seconds: float


class Trial:
    """A ruleset and its mutants. Raises ``GameDSLError`` if the ruleset is wrong."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.options = dict(setup.options)
        self.bench = Bench(setup.ruleset)
        rules, _ = self.bench.game(self.options)
        self.key = str(setup.ruleset.resolve())
        self.original = self.bench.parsed[self.key]
        self.mutants = list_mutants(self.original.tree, vocabulary(rules, str(setup.ruleset)))
        self.failing: tuple[str, ...] = ()
        self.examples = self._examples_by_cost()
        self.settings = self._settings()
        self.digests = {key: digest(self._program(self.bench, key)) for key in self.settings}
        self._by_name = {e.name: e for e in setup.examples}
        self._comparer: Comparer | None = None

    def _examples_by_cost(self) -> list[Example]:
        """Returns the examples, cheapest first. Sets ``failing``, and ``cost`` (processor seconds for all)."""
        costs: list[tuple[float, int]] = []
        self.cost = 0.0
        failing = []
        for i, example in enumerate(self.setup.examples):
            began = process_time()
            if next(problems(self.bench, example, self.options), None) is not None:
                failing.append(example.name)
            costs.append((process_time() - began, i))
            self.cost += costs[-1][0]
        self.failing = tuple(failing)
        return [self.setup.examples[i] for _, i in sorted(costs)]

    def _settings(self) -> list[Options]:
        """Returns the options under which mutants are compared.

        These are the given ones, those of the examples, and each option alone set next to its current value and to
        both ends of its range.
        """
        rules, _ = self.bench.game(self.options)
        values = {name: _near(found) for name, found in option_values(rules).items()}
        wanted: list[Mapping[str, OptionValue]] = [self.options]
        wanted += [{**self.options, **e.options} for e in self.setup.examples]
        wanted += [{**self.options, **c} for c in choices(values, self.options) if len(c) <= 1]
        keys = dict.fromkeys(tuple(sorted(w.items())) for w in wanted)
        return [key for key in keys if self._loads(dict(key))]

    def _loads(self, options: Mapping[str, OptionValue]) -> bool:
        """Whether the game loads with these options, fast enough to be loaded for every survivor."""
        try:
            with time_limit(SETTING_SECONDS):
                self.bench.game(options)
        except (GameDSLError, Overtime):
            return False
        return True

    # ------------------------------------------------------------------------------------------------- one mutant

    def run(self, number: int) -> Outcome:
        """Returns the outcome of the mutant with this number."""
        mutant = self.mutants[number]
        bench = self._bench(mutant)
        try:
            with time_limit(LOAD_SECONDS):
                bench.game(self.options)
        except GameDSLError as problem:
            return Outcome(number, Fate.INVALID, problem.diagnostics[0].message)
        except (Overtime, RecursionError):
            return Outcome(number, Fate.INVALID, "it takes too long to check")
        noticed = self._noticed(bench)
        if noticed is not None:
            return Outcome(number, Fate.NOTICED, noticed)
        return self._survivor(number, bench)

    def _bench(self, mutant: Mutant) -> Bench:
        changed = Parsed(self.original.source, mutant.tree(self.original.tree))
        return Bench(self.setup.ruleset, {**self.bench.parsed, self.key: changed})

    def _noticed(self, bench: Bench) -> str | None:
        """Returns the first failing example, trying the cheapest first; None if all pass."""
        for example in self.examples:
            try:
                with time_limit(max(LEAST_SECONDS, TIMES * self.cost)):
                    if next(problems(bench, example, self.options), None) is not None:
                        return example.name
            except Overtime:
                return f"{example.name} (which takes too long)"
        return None

    def _survivor(self, number: int, bench: Bench) -> Outcome:
        differing, wider = [], False
        for key in self.settings:
            try:
                with time_limit(LOAD_SECONDS):
                    program = self._program(bench, key)
                    if digest(program) == self.digests[key]:
                        continue
                    if widens_bounds(marked_meaning(self._program(self.bench, key)), marked_meaning(program)):
                        wider = True
                    else:
                        differing.append(key)
            except (GameDSLError, Overtime) as problem:
                said = problem.diagnostics[0].message if isinstance(problem, GameDSLError) else "they take too long"
                what = f"the checker rejects the rules: {said}"
                return Outcome(number, Fate.SURVIVED, difference=Difference(key, None, (), what))
        if not differing:
            return Outcome(number, Fate.WIDER if wider else Fate.SAME)
        if not self.setup.seconds:
            return Outcome(number, Fate.OPEN)
        found = self.comparer.compare(self._begin(bench), self._starts(differing))
        if found.difference is not None:
            return Outcome(number, Fate.SURVIVED, difference=found.difference)
        return Outcome(number, Fate.PROVED if found.proved else Fate.ALIKE, plays=found.plays)

    def _program(self, bench: Bench, options: Options) -> n.Program:
        return bench.game(dict(options))[0].program

    # ------------------------------------------------------------------------------------------------- comparing

    @property
    def comparer(self) -> Comparer:
        if self._comparer is None:
            starts = self._starts(self.settings)
            self._comparer = Comparer(self._begin(self.bench), starts, self.setup.seed, self.setup.seconds)
        return self._comparer

    def _starts(self, settings: Sequence[Options]) -> list[Start]:
        """Returns the starts under these options, and those of the examples that have them."""
        found = [Start(key) for key in settings]
        for e in self.setup.examples:
            key = tuple(sorted({**self.options, **e.options}.items()))
            if key in settings and (e.moves or e.values or e.position is not None or e.seed is not None):
                found.append(Start(key, e.name))
        return found

    def _begin(self, bench: Bench) -> Begin:
        def begin(start: Start) -> State:
            rules, game = bench.game(dict(start.options))
            if start.example is None:
                return game.initial_state()
            return position(rules, game, self._by_name[start.example])

        return begin


def _near(values: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the values to try: the current one, its neighbors and the ends for numbers; all for other types."""
    if not all(v.lstrip("-").isdigit() for v in values):
        return values
    now, low, high = int(values[0]), min(map(int, values)), max(map(int, values))
    return tuple(
        map(str, dict.fromkeys(number for number in (now, now - 1, now + 1, low, high) if low <= number <= high))
    )
