"""``verify``: explores a ruleset and judges all its claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Any

from gamedsl.engine import Game, InterpretedGame, RulesError, State
from gamedsl.lab.base import Clock, Verdict, exit_code, read_claim
from gamedsl.lab.claims.claim_games import play_counted
from gamedsl.lab.claims.claims_in_order import Judging
from gamedsl.lab.claims.default_faults import first_fault
from gamedsl.lab.claims.graph_verdicts import witnessed
from gamedsl.lab.claims.hashed_claims import judge_hashed
from gamedsl.lab.claims.random import Sampled, Sampling
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.claims.usable_symmetries import usable
from gamedsl.lab.explore import Execution, Graph, Hashed, Limits, Watch, explore, suits
from gamedsl.lab.search import Budget
from gamedsl.lab.shards import ShardRunner
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import Parsed, load_lowered
from gamedsl.language.source import ExitCode, Span, UsageError, lazy_dataclass, missing_library

__all__ = ["Verification", "VerifyConfig", "verify"]

OptionValue = str | int | bool
GRACE_SHARE = 0.25  # share of all time limits together: extra time to judge what was found,
MOST_GRACE = 2.0  # but at most this many seconds


@lazy_dataclass(frozen=True)
class VerifyConfig:
    """Which claims ``verify`` judges, and how.

    ``claims`` are strings such as ``never F``; ``own``: also those of the ruleset, of which ``chosen`` selects some by
    their places (None: all); ``defaults``: also the default ones. ``limits`` bound the exploration, ``budget`` the
    playouts. ``symmetry``: merges states that are equal up to exchanges of cells or players that preserve rules and
    claims. ``hashed``: keeps hashes instead of states (see ``explore_hashed``). ``smt``: explores nothing but asks z3,
    for at most ``question`` seconds per question. ``start``: returns the position to begin from; then something that
    is never used from there on is not a fault. ``runner``: plays all games of ``budget``, whatever time that takes (None:
    the time counts too). ``only_faults``: looks for violations alone, so other claims may stay unknown that games or more
    states would show.

    Raises ``UsageError`` for options that exclude each other.
    """

    claims: Sequence[str] = ()
    own: bool = True
    chosen: Callable[[Span], bool] | None = None
    defaults: bool = True
    limits: Limits = field(default_factory=Limits)
    budget: Budget = field(default_factory=Budget)
    symmetry: bool = False
    hashed: bool = False
    smt: bool = False
    question: float = 5.0
    execution: Execution = field(default_factory=Execution)
    start: Callable[[Game], State] | None = None
    runner: ShardRunner | None = None
    only_faults: bool = False

    def __post_init__(self) -> None:
        if self.runner is not None and (self.smt or self.hashed):
            raise UsageError("`--counted` cannot be combined with `--smt` or `--hashes`", code="E0004")
        if self.execution.owners is not None and (self.smt or self.hashed):
            raise UsageError("`--owned` cannot be combined with `--smt` or `--hashes`", code="E0004")
        if self.start is not None and (self.smt or self.hashed):
            raise UsageError("`--from` cannot be combined with `--smt` or `--hashes`", code="E0004")


@lazy_dataclass(frozen=True)
class Verification:
    """The result of ``verify``.

    ``file``: as the user named it. ``graph``: what was explored (None: nothing was kept as a graph, or there is no
    first position). ``notes``: remarks on how it was done. ``sampled``: the games that went beyond the graph, if
    any.
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
        """The assumption behind the verdicts: that a file which was only partly checked is correct; empty if there is
        none.
        """
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
    config: VerifyConfig | None = None,
    *,
    watch: Watch | None = None,
    clock: Clock | None = None,
    parsed: Mapping[str, Parsed] | None = None,
    on_explored: Callable[[Verification], None] = lambda so_far: None,
    on_verdict: Callable[[Game, Verdict], None] = lambda game, verdict: None,
) -> Verification:
    """Judges the claims of ``config`` about a ruleset with these values of its options.

    Explores breadth first. If the first states are not the whole game, claims of possibility are sought by playouts
    and guided search before more is explored. If the exploration does not cover the whole game, playouts go
    further. ``watch`` receives the progress of the exploration. ``clock`` bounds everything, receives progress
    messages, and carries stop requests. ``on_explored`` receives what was explored; it may be called once before,
    with nothing explored yet. ``on_verdict`` receives every verdict as soon as it is final. ``parsed``: trees by
    resolved path, used in place of what the files hold.

    Raises ``GameDSLError`` if the ruleset or a claim is wrong, ``UsageError`` for a missing file or a bad option.
    """
    rules, config = load_lowered(file, options, parsed), config or VerifyConfig()
    own = [c for c in rules.program.claims if config.own and (config.chosen is None or config.chosen(c.span))]
    claims = [*own, *(read_claim(rules, text) for text in config.claims)]
    game = InterpretedGame(rules.program)
    run = _Run(str(file), game, claims, config, clock or Clock(), watch, on_explored, partial(on_verdict, game))
    if config.smt:
        return run.by_z3()
    if config.hashed:
        return run.by_hashes()
    return run.by_states(lambda: InterpretedGame(load_lowered(file, None, parsed).program) if options else None)


@lazy_dataclass(frozen=True)
class _Run:
    """One call of ``verify``."""

    file: str
    game: Game
    claims: list[n.CoreClaim]
    config: VerifyConfig
    clock: Clock
    watch: Watch | None
    on_explored: Callable[[Verification], None]
    on_verdict: Callable[[Verdict], None]

    def by_states(self, default_game: Callable[[], Game | None]) -> Verification:
        """Judges by the states that are found, and by games beyond them."""
        limits, budget = self.config.limits, self.config.budget
        whole = self.clock.within(_with_grace(None if limits.seconds is None else limits.seconds + budget.seconds))
        early = _Early(self.claims, budget, whole, self.on_verdict, lambda: self.on_explored(self._found()))
        try:
            so_far = self._explore(whole.within(limits.seconds), early)
        except RulesError as error:
            return self._report(self._found(verdicts=(first_fault(error),)))
        self.on_explored(so_far)
        graph, use = so_far.graph, self.config.start is None
        assert graph is not None
        is_counted = self.config.runner is not None
        space = StateSpace(graph, None, self.clock.counted() if is_counted else whole, budget, default_game)
        judging = Judging(
            space,
            self.claims,
            self.config.defaults,
            use,
            self.config.only_faults,
            self.on_verdict,
            early=early.verdicts,
            sampling=early.sampling,
        )
        judging.by_graph()
        if not graph.whole and budget.plays and self.config.runner is not None:
            space.sampled = play_counted(graph.start, self.claims, budget, self.config.runner, self.clock)
        elif not graph.whole and budget.plays:
            judging.by_plays()
        return replace(so_far, verdicts=tuple(judging.finish()), sampled=space.sampled)

    def _explore(self, clock: Clock, early: _Early) -> Verification:
        """Explores within the limits. Judges nothing yet except what games demonstrate early."""
        game, config = self.game, self.config
        turns, notes = usable(game, self.claims, clock) if config.symmetry else ([], [])
        start = game.initial_state() if config.start is None else config.start(game)
        graph = explore(
            game, config.limits, start=start, turns=turns, execution=config.execution, watch=self.watch, clock=clock,
            pause=partial(early.find, start) if config.runner is None and not config.only_faults else lambda: None,
        )  # fmt: skip
        return self._found(graph, notes=tuple(notes))

    def by_z3(self) -> Verification:
        """Asks z3 about games up to a depth, and for proofs by induction."""
        try:
            from gamedsl.lab.smt import SmtBudget, judge_smt
        except ImportError as error:
            raise (missing_library(error) or error) from None
        limits, budget = self.config.limits, SmtBudget(seconds=self.config.question)
        depth = budget.depth if limits.depth is None else limits.depth
        seconds = budget.total if limits.seconds is None else limits.seconds / 2
        budget = SmtBudget(depth, budget.seconds, seconds, self.clock.within(_with_grace(limits.seconds)))
        try:
            verdicts = judge_smt(self.game, self.claims, budget)
        except RulesError as error:
            verdicts = [first_fault(error)]
        return self._report(self._found(verdicts=tuple(verdicts)))

    def by_hashes(self) -> Verification:
        """Judges by the states that are found, of which only hashes are kept."""
        if not suits(self.game.program):
            raise UsageError("`--hashes` needs compiled rules", code="E0001")
        try:
            found, verdicts = judge_hashed(self.game, self.claims, self.config.limits, self.watch, self.clock)
        except RulesError as error:
            return self._report(self._found(verdicts=(first_fault(error),)))
        return self._report(replace(self._found(verdicts=tuple(verdicts)), hashed=found))

    def _found(
        self, graph: Graph | None = None, verdicts: tuple[Verdict, ...] = (), notes: tuple[str, ...] = ()
    ) -> Verification:
        return Verification(self.file, self.game, graph, verdicts, None, notes)

    def _report(self, found: Verification) -> Verification:
        self.on_explored(found)
        for v in found.verdicts:
            self.on_verdict(v)
        return found


@lazy_dataclass()
class _Early:
    """Verdicts reached by playing before anything expensive is done. Calls ``begin`` before the first of them."""

    claims: list[n.CoreClaim]
    budget: Budget
    clock: Clock
    on_verdict: Callable[[Verdict], None]
    begin: Callable[[], None]
    sampling: Sampling | None = None
    verdicts: dict[int, Verdict] = field(default_factory=dict)

    def find(self, start: State) -> None:
        """Seeks games for claims of possibility, and reports each claim as soon as a game demonstrates it."""
        self.sampling = Sampling(start, self.claims, self.budget)
        if not self.budget.plays or not self.sampling.search.is_waiting:
            return
        self.sampling.find_witnesses(self.clock, self._tell)

    def _tell(self) -> None:
        """Reports the claims that have been demonstrated since the last call."""
        assert self.sampling is not None
        for number, (claim, target) in enumerate(zip(self.claims, self.sampling.targets, strict=True)):
            if number in self.verdicts or target is None or not target.is_witness:
                continue
            if target.found is not None:
                if not self.verdicts:
                    self.begin()
                self.verdicts[number] = witnessed(claim, target, self.budget.seed, self.clock)
                self.on_verdict(self.verdicts[number])


def _with_grace(seconds: float | None) -> float | None:
    """Extends the bounds by some time to judge what was found."""
    return None if seconds is None else seconds + min(MOST_GRACE, GRACE_SHARE * seconds)
