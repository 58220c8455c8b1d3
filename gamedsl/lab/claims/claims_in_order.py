"""Judges claims in order: first on the explored graph, then, if it is not whole, by playouts and searched games.

Each verdict is reported as soon as it is final.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TypeAlias

from gamedsl.lab.base import Status, Verdict, claim_text
from gamedsl.lab.claims.default_claims import check_defaults
from gamedsl.lab.claims.graph_verdicts import on_graph, with_plays
from gamedsl.lab.claims.random import Sampling
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.explore import Resumed
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

OnVerdict: TypeAlias = Callable[[Verdict], None]

JUDGING_SHARE = 0.25  # share of the time for playing, reserved for judging the games that were found,
MOST_JUDGING = 5.0  # but at most this many seconds
OPEN = (Status.HOLDS, Status.UNKNOWN)  # games played beyond the graph may change these
BY_PLAYS = n.Balanced  # claims judged by playouts of their own


def ignore_verdict(verdict: Verdict) -> None:
    """Discards a verdict."""


@lazy_dataclass()
class Judging:
    """Judges claims in steps: call ``by_graph``, ``by_plays`` if wanted, then ``finish``.

    ``use``: the default claims include that everything declared is used. ``only_faults``: claims that can no longer be
    violated are not looked into further.
    """

    space: StateSpace
    claims: list[n.CoreClaim]
    defaults: bool = True
    use: bool = True
    only_faults: bool = False
    on_verdict: OnVerdict = ignore_verdict
    found: list[Verdict | None] = field(default_factory=list)
    early: Mapping[int, Verdict] = field(default_factory=dict)  # verdicts reported earlier, by the index of the claim
    sampling: Sampling | None = None  # games begun earlier
    said: set[int] = field(default_factory=set)

    def by_graph(self) -> None:
        """Judges the ruleset's own claims by the graph alone, and reports the verdicts that are final."""
        whole = self.space.graph.whole
        for number, claim in enumerate(self.claims):
            if number in self.early:
                self.found.append(self.early[number])
                self.said.add(number)
                continue
            if isinstance(claim, BY_PLAYS) and not whole:
                self.found.append(None)
                continue
            self.space.clock.say(f"judging: {claim_text(claim)}")
            self.found.append(on_graph(self.space, claim))
            if whole or self._verdict(number).status not in OPEN:
                self._say(number)

    def by_plays(self) -> None:
        """Plays games that go beyond the graph, for ``finish`` to judge by."""
        space = self.space
        left = min(space.budget.seconds, space.clock.left)
        seconds = left - min(MOST_JUDGING, JUDGING_SHARE * left)
        if any(isinstance(c, BY_PLAYS) for c in self.claims):
            seconds /= 2
        sampling = self.sampling or Sampling(space.graph.start, self.claims, space.budget, self.only_faults)
        space.sampled = sampling.finish(space.clock, seconds)

    def finish(self) -> list[Verdict]:
        """Reports the remaining verdicts and returns all: on these claims, then on the default ones."""
        for number, claim in enumerate(self.claims):
            if number not in self.said:
                self.space.clock.say(f"judging: {claim_text(claim)}")
                found = self.found[number] or on_graph(self.space, claim)
                self.found[number] = with_plays(self.space, claim, found)
                self._say(number)
        for verdict in check_defaults(self.space, self.use, self.only_faults) if self.defaults else ():
            self.found.append(verdict)
            self._say(len(self.found) - 1)
        return [self._verdict(number) for number in range(len(self.found))]

    def _verdict(self, number: int) -> Verdict:
        found = self.found[number]
        assert found is not None, "the claim is judged before it is shown"
        return found

    def _say(self, number: int) -> None:
        verdict, resumed = self._verdict(number), self.space.graph.resumed
        if resumed is not None and resumed.trusted:
            verdict = self.found[number] = _resting(verdict, resumed)
        self.said.add(number)
        self.on_verdict(verdict)


def _resting(v: Verdict, resumed: Resumed) -> Verdict:
    """Adds to a verdict the assumption it depends on. A violation with evidence needs none: the engine replays the
    game.
    """
    if v.status == Status.NOTED or (v.status == Status.VIOLATED and v.evidence is not None):
        return v
    return replace(v, detail=f"{v.detail}, {resumed.condition}")
