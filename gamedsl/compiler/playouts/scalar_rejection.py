"""Decisions of scalar playouts that draw a candidate first and ask the costly conditions about it alone.

A candidate is drawn from all, each with the same probability. If its tests refuse it, another is drawn from all; so
every legal move is drawn with the same probability (rejection sampling). After ``cutoffs.REFUSED_DRAWS`` refusals a
narrower set of candidates is made, which still has all legal moves; the last one has nothing else. Whatever the number
of refusals, legal moves stay equally probable. Candidates are, one after the other:

- what the bindings of the plan give, if no binding depends on another parameter: their number is a product
- what passes the conditions before the costly ones
- the legal moves

Redraws use numbers derived from the ply's number by SplitMix64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.costly_conditions import Split, drawn_first
from gamedsl.compiler.emit.expression_code import boolean
from gamedsl.compiler.emit.llvm_module import I64, bind, const
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.random_numbers import below, following, redrawn
from gamedsl.compiler.playouts.scalar_context import Play, begin_ply
from gamedsl.compiler.playouts.scalar_kinds import Kind, counted, independent, take_from
from gamedsl.language.core import nodes as n


def draws_candidates(play: Play, end: n.Decide) -> bool:
    """Whether candidates are drawn first here. Not where being stuck has to be known before one may pass."""
    program = play.f.unit.program
    cuts = (drawn_first(program.schemas[a.schema], program.functions) for a in end.alternatives)
    return (end.stuck is None or end.may_pass is None) and any(cut is not None for cut in cuts)


def decide_first(
    play: Play,
    end: n.Decide,
    do: Callable[[n.Alt], None],
    passes: Callable[[], None],
    when_stuck: Callable[[ir.Value], None],
) -> None:
    """Draws, asks, and does what follows. ``do`` and ``passes`` emit the effect of a chosen alternative and of passing;
    ``when_stuck`` emits what happens if this number of moves is zero."""
    _Decision(play, end, when_stuck).emit(do, passes)


def _loosest(schema: n.Schema, cut: Split) -> Split:
    """The cut moved up to the last binding, if the number of candidates is a product then."""
    after = 1 + max(i for i, step in enumerate(cut.candidates) if isinstance(step, n.Bind))
    steps = cut.candidates[:after]
    if not independent(schema, steps):
        return cut
    return Split(steps, (*(t for t in cut.candidates[after:] if isinstance(t, n.Test)), *cut.tests))


class _Decision:
    def __init__(self, play: Play, end: n.Decide, when_stuck: Callable[[ir.Value], None]) -> None:
        f = play.f
        self.play, self.end, self.when_stuck = play, end, when_stuck
        self.schemas = [f.unit.program.schemas[a.schema] for a in end.alternatives]
        self.x, self.refusals, self.chosen = f.alloca(I64), f.alloca(I64), f.alloca(I64)
        self.args = [[f.alloca(f.unit.type_of(p.local.type)[0]) for p in s.params] for s in self.schemas]
        self.decided = f.block("decided")

    def emit(self, do: Callable[[n.Alt], None], passes: Callable[[], None]) -> None:
        play, f = self.play, self.play.f
        y = following(f.builder, f.builder.load(play.x))
        f.builder.store(y, self.x)
        functions = f.unit.program.functions
        cuts = [drawn_first(s, functions) for s in self.schemas]
        loose = [None if cut is None else _loosest(s, cut) for s, cut in zip(self.schemas, cuts, strict=True)]
        if loose != cuts:
            self._draw(loose)
        self._draw(cuts)
        self._draw([None] * len(cuts))
        f.at(self.decided)
        begin_ply(play, y)
        if play.observer is not None:
            play.observer.on_decision(play, y, lambda: self._total(self._kinds([None] * len(cuts), None)))
        self._follow(do, passes)

    def _draw(self, cuts: Sequence[Split | None]) -> None:
        """Draws from these candidates. Continues where too many of them have been refused, if any can be."""
        f, refused = self.play.f, self.play.f.block("refused")
        kinds = self._kinds(cuts, refused)
        total = self._total(kinds)
        if self.end.may_pass is None:
            self.when_stuck(total)
        draw, many = f.block("draw"), f.block("narrower")
        f.builder.store(const(0), self.refusals)
        f.builder.branch(draw)
        f.at(draw)
        self._choose(kinds, total)
        if not any(cut is not None for cut in cuts):
            return
        f.at(refused)
        number = plus(f, f.builder.load(self.refusals), 1)
        f.builder.store(number, self.refusals)
        f.builder.store(redrawn(f.builder, f.builder.load(self.x)), self.x)
        f.builder.cbranch(f.builder.icmp_unsigned("<", number, const(cutoffs.REFUSED_DRAWS)), draw, many)
        f.at(many)

    def _kinds(self, cuts: Sequence[Split | None], refused: ir.Block | None) -> list[Kind]:
        """The alternatives, counted: candidates, or legal moves where there is no cut."""
        found = []
        for place, (schema, cut) in enumerate(zip(self.schemas, cuts, strict=True)):
            over = schema if cut is None else replace(schema, plan=cut.candidates)
            tests = () if cut is None else cut.tests
            found.append(counted(self.play, self.end, over, place, self._asking(place, tests, refused)))
        return found

    def _asking(self, place: int, tests: Sequence[n.Test], refused: ir.Block | None) -> Callable[[], None]:
        """Emits the tests of a candidate that is bound, and keeps it if they hold."""
        f = self.play.f

        def ask() -> None:
            assert self.play.cache is not None
            for test in tests:
                holds = f.block("holds")
                with self.play.cache.available():
                    asked = boolean(f, test.condition)
                f.builder.cbranch(asked, holds, refused)
                f.at(holds)
            for p, ptr in zip(self.schemas[place].params, self.args[place], strict=True):
                value = f.env[p.local.id]
                assert isinstance(value, ir.Value)
                f.builder.store(value, ptr)
            f.builder.store(const(place), self.chosen)
            f.builder.branch(self.decided)

        return ask

    def _total(self, kinds: Sequence[Kind]) -> ir.Value:
        total: ir.Value = const(0 if self.end.may_pass is None else 1)
        for kind in kinds:
            total = self.play.f.builder.add(total, kind.count)
        return total

    def _choose(self, kinds: Sequence[Kind], total: ir.Value) -> None:
        """Draws one of ``total`` and asks about it; the last one is to pass."""
        f, left = self.play.f, self.play.f.alloca(I64)
        f.builder.store(below(f.builder, f.builder.load(self.x), total), left)
        for kind in kinds:
            take_from(self.play, self.end, kind, left)
        if self.end.may_pass is None:
            f.builder.unreachable()
            return
        f.builder.store(const(len(self.schemas)), self.chosen)
        f.builder.branch(self.decided)

    def _follow(self, do: Callable[[n.Alt], None], passes: Callable[[], None]) -> None:
        """Emits what follows each alternative, and passing."""
        f = self.play.f
        none = f.block("passed")
        switch = f.builder.switch(f.builder.load(self.chosen), none)
        for place, alt in enumerate(self.end.alternatives):
            at = f.block("chosen")
            switch.add_case(const(place), at)
            f.at(at)
            for p, ptr in zip(self.schemas[place].params, self.args[place], strict=True):
                bind(f, p.local, f.builder.load(ptr))
            do(alt)
        f.at(none)
        if self.end.may_pass is None:
            f.builder.unreachable()
        else:
            passes()
