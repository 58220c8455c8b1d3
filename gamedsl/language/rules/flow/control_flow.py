"""The course of play → basic blocks. A block ends at a decision, a chance event, a jump or the end of the game."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.core import words
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.binders import check_name
from gamedsl.language.rules.expressions.lowering import lower, lower_bool
from gamedsl.language.rules.flow import chance, dealing, decisions, effects, endings, loops, turns
from gamedsl.language.rules.flow.assignments import stack_place
from gamedsl.language.rules.flow.flow_builder import NO_REASON, FlowBuilder
from gamedsl.language.rules.scope import Ctx, statements_in
from gamedsl.language.rules.symbols import ActionSym
from gamedsl.language.syntax import ast


class ControlFlow(FlowBuilder):
    """Builds blocks from all kinds of statements."""

    def statement(self, ctx: Ctx, s: ast.Stmt) -> Ctx:
        match s:
            case ast.Let(name, value):
                check_name(self.env, ctx, name)
                v = lower(self.env, ctx, value)
                return self.keep(ctx, name, v)
            case ast.Pop(_, result) if result is not None:
                return self._pop(ctx, s)
            case _ if not self.stops(s):
                out, ctx = effects.lower_statement(self.env, ctx, s)
                self.emit(*out)
                return ctx
            case ast.If():
                self._if(ctx, s)
            case ast.For():
                loops.for_each(self, ctx, s)
            case ast.Repeat():
                return loops.repeat(self, ctx, s)
            case ast.Perform():
                self._perform(ctx, s)
            case ast.Phase():
                self._phase(ctx, s)
            case ast.Turns():
                turns.turns(self, ctx, s)
            case ast.Plays():
                decisions.plays(self, ctx, s)
            case ast.Chooses():
                decisions.chooses(self, ctx, s)
            case ast.Passes():
                decisions.passes(self, ctx, s)
            case ast.Everyone():
                decisions.everyone(self, ctx, s)
            case ast.Draws():
                decisions.draws(self, ctx, s)
            case ast.Draw():
                return chance.draw_lots(self, ctx, s)
            case ast.Shuffle():
                chance.shuffle(self, ctx, s)
            case ast.ShuffleInto():
                dealing.shuffle_into(self, ctx, s)
            case ast.Deal():
                dealing.deal(self, ctx, s)
            case ast.PlayGame():
                return self.program.lower_part(self, ctx, s)
            case ast.Skip() | ast.Again():
                if self.turn is None:
                    self.env.report.fail("E0408", s.span, word="skip" if isinstance(s, ast.Skip) else "again")
                self.close(n.Goto(self.turn.skip if isinstance(s, ast.Skip) else self.turn.again, span=s.span))
            case ast.EndPhase():
                if self.phase_end is None:
                    self.env.report.fail("E0409", s.span)
                self.close(n.Goto(self.phase_end, span=s.span))
            case ast.Stop():
                if self.stop is None:
                    self.env.report.fail("E0402", s.span)
                self.close(n.Goto(self.stop, span=s.span))
            case ast.Ending():
                if self.stop is not None:
                    self.env.report.fail("E0401", s.span, what=s.word)
                ending = endings.lower_ending(self.env, ctx, s)
                assert self.current is not None
                self.program.blocks[self.current].reason = n.Reason(
                    ending.text or self.why.text, ending.clauses or self.why.clauses
                )
                self.finish(self, ending)
            case _:
                raise AssertionError(s)
        return ctx

    def stops(self, s: ast.Stmt) -> bool:
        """Returns whether a statement needs its own blocks: for decisions, chance, ends and jumps, even inside
        actions.
        """
        for node in statements_in(s):
            if node.needs_blocks():
                return True
            if isinstance(node, ast.Perform):
                symbol = self.env.symbols.get(node.action)
                if isinstance(symbol, ActionSym) and self._action_stops(symbol):
                    return True
        return False

    def _action_stops(self, symbol: ActionSym) -> bool:
        known = self.program.stopping
        key = id(symbol.decl)
        if key not in known:
            known[key] = False  # a recursive call adds nothing
            known[key] = any(self.stops(x) for x in symbol.decl.body)
        return known[key]

    def _pop(self, ctx: Ctx, s: ast.Pop) -> Ctx:
        assert s.result is not None
        var, keys = stack_place(self.env, ctx, s.target)
        assert isinstance(var.type, n.StackT)
        check_name(self.env, ctx, s.result)
        ctx = self.keep(ctx, s.result, n.StackOp("top", var, keys, var.type.inner, span=s.span))
        self.emit(n.PopS(var, keys, span=s.span))
        return ctx

    def _if(self, ctx: Ctx, s: ast.If) -> None:
        after = self.new()
        for branch, notes in zip(s.branches, (s.notes, *(b.notes for b in s.branches[1:])), strict=True):
            condition = lower_bool(self.env, ctx, branch.condition)
            yes, no = self.new(), self.new()
            self.close(n.BranchT(condition, yes, no, span=branch.span))
            self.begin(yes)
            with self.within(why=_why(branch.condition, notes)):
                self.body(ctx, branch.body)
            self.go(after)
            self.begin(no)
        if s.otherwise is not None:
            with self.within(why=NO_REASON):
                self.body(ctx, s.otherwise.body)
        self.go(after)
        self.join(after)

    def _perform(self, ctx: Ctx, s: ast.Perform) -> None:
        symbol = effects.find_action(self.env, s)
        args, inner = effects.bind_action(self.env, ctx, s, symbol)
        for param, (_, value) in zip(symbol.decl.params, args, strict=True):
            inner = self.keep(inner, param.name, value)
        with self.program.inside(symbol.decl):
            self.body(inner, symbol.decl.body)

    def _phase(self, ctx: Ctx, s: ast.Phase) -> None:
        after = self.new()
        flag = None if s.name.id in self.phases else self.env.phases.get(s.name.id)
        with self.within(phase=s.name.id, phase_end=after, phases=(*self.phases, s.name.id)):
            inside = self.new()
            self.go(inside)
            self.begin(inside)
            if flag is not None:
                self.emit(n.Assign(flag, (), ty.YES))
            self.body(ctx, s.body)
            self.go(after)
        self.join(after)
        if flag is not None and self.current is not None:
            self.emit(n.Assign(flag, (), ty.NO))


def _why(condition: ast.Expr, notes: ast.Notes) -> n.Reason:
    """Returns the name of a condition, if it is a call of a definition, and the clauses cited with it."""
    name = condition.name if isinstance(condition, ast.Call) else ""
    return n.Reason(words(name), tuple(c.clause for c in notes.cites))
