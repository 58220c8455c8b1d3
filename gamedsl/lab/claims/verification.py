"""``verify``: explores a ruleset and judges all its claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from gamedsl.engine import Game, InterpretedGame, RulesError, State
from gamedsl.lab.base import Clock, Verdict, exit_code, read_claim
from gamedsl.lab.claims.default_faults import first_fault
from gamedsl.lab.claims.hashed_claims import judge_hashed
from gamedsl.lab.claims.judge import witnessed
from gamedsl.lab.claims.judging import Judging, judge
from gamedsl.lab.claims.random import Sampled, Sampling
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.claims.usable_symmetries import usable
from gamedsl.lab.explore import Graph, Hashed, Limits, Watch, explore, suits
from gamedsl.lab.search import Budget
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import load_lowered, load_program
from gamedsl.language.source import ExitCode, UsageError, missing_library

__all__ = ["Verification", "judge", "verify"]

OptionValue = str | int | bool
GRACE_SHARE = 0.25  # of all bounds together: extra time to judge what was found,
MOST_GRACE = 2.0  # but at most this many seconds


@dataclass(frozen=True)
class Verification:
    """``file``: as the user named it. ``graph``: what was explored (None: there is no first position). ``notes``:
    remarks on how it was done. ``sampled``: the plays that went beyond it, if any.
    """

    file: str
    game: Game
    graph: Graph | None
    verdicts: tuple[Verdict, ...]
    hashed: Hashed | None = None
    notes: tuple[str, ...] = ()
    sampled: Sampled | None = None

    @property
    def condition(self) -> str:
        """The assumption behind the verdicts: that a file which was only partly checked is correct."""
        resumed = None if self.graph is None else self.graph.resumed
        return "" if resumed is None else resumed.condition

    @property
    def exit_code(self) -> ExitCode:
        return exit_code(list(self.verdicts))

    def to_json(self) -> dict[str, Any]:
        """Returns everything as plain data."""
        data: dict[str, Any] = {"file": self.file, "game": self.game.program.name, "options": self.game.options}
        if self.graph is not None:
            data["states"] = len(self.graph)
            data["expanded"] = self.graph.expanded
            data["depth"] = self.graph.complete_depth
            data["stopped"] = self.graph.stopped
            data["symmetries"] = len(self.graph.turns) + 1
            data["notes"] = list(self.notes)
            data["seconds"] = round(self.graph.seconds, 3)
            if self.graph.resumed is not None:
                data["resumed"] = self.graph.resumed.to_json()
        if self.sampled is not None:
            data |= {"plays": self.sampled.met.plays, "plies": self.sampled.met.positions, "seed": self.sampled.seed}
        if self.hashed is not None:
            data |= {"states": self.hashed.states, "odds": float(self.hashed.odds), "stopped": self.hashed.stopped}
        return data | {"verdicts": [v.to_json() for v in self.verdicts]}


def verify(
    file: str | Path,
    options: Mapping[str, OptionValue] | None = None,
    *,
    claims: Iterable[str] = (),
    own: bool = True,
    defaults: bool = True,
    limits: Limits | None = None,
    budget: Budget | None = None,
    symmetry: bool = False,
    hashed: bool = False,
    smt: bool = False,
    question: float = 5.0,
    native: bool | None = None,
    threads: int = 1,
    checkpoint: Path | None = None,
    watch: Watch | None = None,
    start: Callable[[Game], State] | None = None,
    clock: Clock | None = None,
    on_verdict: Callable[[Game, Verdict], None] = lambda game, verdict: None,
    reached: Callable[[Verification], None] = lambda so_far: None,
) -> Verification:
    """Judges the ruleset's own claims, ``claims`` (texts such as ``never F``), and the default ones.

    Explores breadth first within ``limits``. If the first states are not the whole game, claims of possibility are sought
    by random plays before more is explored. If the exploration does not cover the whole game, random plays within
    ``budget`` go further. ``symmetry``: merges states that are equal up to exchanges of cells or players that
    preserve rules and claims. ``smt``: explores nothing but asks z3, for at most ``question`` seconds per
    question. ``hashed``: keeps hashes instead of states (see ``hashed``). ``native``, ``threads``,
    ``checkpoint``: see ``explore``. ``start``: returns the position to begin from; what is never used from there
    on is then no fault. ``clock`` bounds everything, receives progress messages, and carries stop requests.
    ``reached`` receives what was explored; it may be called before with nothing explored yet. ``on_verdict`` receives every
    verdict as soon as it is final.

    Raises ``GameDSLError`` if the ruleset or a claim is wrong, ``UsageError`` for a missing file or a bad option.
    """
    rules = load_lowered(file, options)
    asked = [*(rules.program.claims if own else ()), *(read_claim(rules, text) for text in claims)]
    game = InterpretedGame(rules.program)
    limits, budget, clock = limits or Limits(), budget or Budget(), clock or Clock()
    if start is not None and (smt or hashed):
        raise UsageError("--from cannot be combined with --smt or --hashes", code="E0004")

    def said(found: Verification) -> Verification:
        reached(found)
        for v in found.verdicts:
            on_verdict(game, v)
        return found

    if smt:
        return said(Verification(str(file), game, None, tuple(_asked_of_z3(game, asked, limits, question, clock))))
    if hashed:
        return said(_hashed(str(file), game, asked, limits, watch, clock))
    whole = clock.within(_with_grace(None if limits.seconds is None else limits.seconds + budget.seconds))
    exploring = whole.within(limits.seconds)
    early = _Early(game, asked, budget, whole, partial(on_verdict, game), lambda: reached(_so_far(str(file), game)))
    try:
        turns, notes = usable(game, asked, exploring) if symmetry else ([], [])
        begun = game.initial_state() if start is None else start(game)
        how = {"turns": turns, "native": native, "threads": threads, "checkpoint": checkpoint, "watch": watch}
        pause = partial(early.find, begun)
        graph = explore(game, limits, start=begun, clock=exploring, pause=pause, **how)  # type: ignore[arg-type]
    except RulesError as error:
        return said(Verification(str(file), game, None, (first_fault(error),)))
    so_far = _so_far(str(file), game, graph, tuple(notes))
    reached(so_far)
    space = StateSpace(graph, None, whole, budget, lambda: InterpretedGame(load_program(file)) if options else None)
    judging = Judging(space, asked, defaults, start is None, partial(on_verdict, game))
    judging.early, judging.sampling = early.verdicts, early.sampling
    judging.by_graph()
    if not graph.whole and budget.plays:
        judging.by_plays()
    return replace(so_far, verdicts=tuple(judging.finish()), sampled=judging.space.sampled)


def _so_far(file: str, game: Game, graph: Graph | None = None, notes: tuple[str, ...] = ()) -> Verification:
    return Verification(file, game, graph, (), None, notes)


@dataclass
class _Early:
    """Verdicts that plays give before anything dear is done. ``begin`` is called before the first of them."""

    game: Game
    claims: list[n.CoreClaim]
    budget: Budget
    clock: Clock
    on_verdict: Callable[[Verdict], None]
    begin: Callable[[], None]
    sampling: Sampling | None = None
    verdicts: dict[int, Verdict] = field(default_factory=dict)

    def find(self, start: State) -> None:
        """Seeks plays for claims of possibility, and reports each as soon as one shows it."""
        self.sampling = Sampling(start, self.claims, self.budget)
        if not self.budget.plays or not self.sampling.search.is_waiting:
            return
        self.sampling.find_witnesses(self.clock, self._tell)

    def _tell(self) -> None:
        """Reports the claims that have been shown since the last time."""
        assert self.sampling is not None
        for number, (claim, target) in enumerate(zip(self.claims, self.sampling.targets, strict=True)):
            if number in self.verdicts or target is None or not target.is_witness:
                continue
            if target.found is not None:
                if not self.verdicts:
                    self.begin()
                self.verdicts[number] = witnessed(claim, target.found, self.budget.seed)
                self.on_verdict(self.verdicts[number])


def _with_grace(seconds: float | None) -> float | None:
    """Extends the bounds by some time to judge what was found."""
    return None if seconds is None else seconds + min(MOST_GRACE, GRACE_SHARE * seconds)


def _asked_of_z3(game: Game, claims: list[n.CoreClaim], limits: Limits, question: float, clock: Clock) -> list[Verdict]:
    try:
        from gamedsl.lab.smt import SmtBudget, judge_smt
    except ImportError as error:
        raise (missing_library(error) or error) from None
    budget = SmtBudget(seconds=question)
    depth = budget.depth if limits.depth is None else limits.depth
    seconds = budget.total if limits.seconds is None else limits.seconds / 2
    budget = SmtBudget(depth, question, seconds, clock.within(_with_grace(limits.seconds)))
    try:
        return judge_smt(game, claims, budget)
    except RulesError as error:
        return [first_fault(error)]


def _hashed(
    file: str, game: Game, claims: list[n.CoreClaim], limits: Limits, watch: Watch | None, clock: Clock
) -> Verification:
    if not suits(game.program):
        raise UsageError("--hashes needs compiled rules", code="E0001")
    try:
        found, verdicts = judge_hashed(game, claims, limits, watch, clock)
    except RulesError as error:
        return Verification(file, game, None, (first_fault(error),))
    return Verification(file, game, None, tuple(verdicts), found)
