"""How statements change the sizes of collections: a set, an optional value, a row of numbers for each combination of keys.

An abstract interpretation along the blocks keeps *facts*: which things lie where. A thing that was taken from a hand is in no
hand, so putting it into another makes that one larger by 1. This needs a *family* of collections in which no thing lies
twice. A collection belongs to it as long as no statement is found that may put a thing there which lies elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.engine.facts.thing_facts import (
    EVERYBODY,
    NUMBER,
    Fact,
    Facts,
    added_thing,
    copied_row,
    emptied_into,
    facts_of,
    first_elements,
    first_family,
    is_own_fact,
    locals_of,
    may_end,
    pair,
    pairs_of,
    place_of,
    plain,
    reads_elsewhere,
    removed_thing,
    renamed,
    split_sum,
    stacked_thing,
    thing_reads,
    with_values,
    writes_own,
    written_by,
)
from gamedsl.language.boards import Domain
from gamedsl.language.core import may_depend_on, targets, terminator_tick, walk_statements, written
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Change:
    """What a statement does to the size of a collection: it adds ``by`` and the size of ``all_of`` to what it was, or to 0
    (``is_new``)."""

    by: int
    all_of: n.Get | None = None
    is_new: bool = False


class SizeChanges:
    """The changes of sizes that the statements of a program make. ``found``: by the identity of a statement; None where the
    change is not known. ``grown``: per identity of a statement that puts a thing into a set, whether it was certainly not in
    it."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.called = {s.schema for st in _lists(program) for s in walk_statements(st) if isinstance(s, n.Effect)}
        self.family = first_family(program)
        while True:
            self.found: dict[int, Change | None] = {}
            self.grown: dict[int, bool] = {}
            self.failed: set[int] = set()
            self._run()
            if not self.failed & self.family:
                return
            self.family -= self.failed

    # ----------------------------------------------------------------------------------------------------- blocks

    def _run(self) -> None:
        blocks = self.program.blocks
        before: list[Facts | None] = [None] * len(blocks)
        before[self.program.entry] = frozenset()
        todo = [self.program.entry]
        while todo:
            at = todo.pop()
            facts = before[at]
            assert facts is not None
            for target, leaving in self._left(blocks[at], self._through(blocks[at].statements, facts)):
                old = before[target]
                joined = leaving if old is None else old & leaving
                if joined != old:
                    before[target] = joined
                    todo.append(target)
        self.found, self.grown = {}, {}  # what is found with the facts that always hold
        for block, known in zip(blocks, before, strict=True):
            end = self._through(block.statements, known or frozenset())
            for _ in self._left(block, end):
                pass
        for number in self.called:
            self._through(self.program.schemas[number].effect, frozenset())

    def _left(self, block: n.Block, facts: Facts) -> Iterator[tuple[int, Facts]]:
        end = block.end
        facts = frozenset(f for f in self._through(terminator_tick(end), facts) if locals_of(f) <= {EVERYBODY.id})
        if (result := end.result_variable()) is not None:
            facts = self._overwritten(facts, (result,))
            self.failed.add(result.index)
        match end:
            case n.Chance(result=var, over=n.Get() as over) if not var.keys and over.var != var:
                yield end.target, facts | {Fact(place_of(n.Get(var, (), NUMBER)), place_of(over))}
            case n.Decide(alternatives=alternatives):
                for alt in alternatives:
                    yield alt.target, self._after_move(end, alt, facts)
                yield from ((target, facts) for target in (end.stuck, end.may_pass) if target is not None)
            case n.DecideTogether(alternatives=alternatives):
                for alt in alternatives:
                    yield end.target, self._after_choices(end, alt, facts)
            case _:
                yield from ((target, facts) for target in targets(end))

    def _after_move(self, end: n.Decide, alt: n.Alt, facts: Facts) -> Facts:
        """The facts after a move of an alternative."""
        schema = self.program.schemas[alt.schema]
        facts = self._through(schema.effect, facts | self._of_schema(schema, terminator_tick(end)))
        self.failed |= {v.index for v in alt.registers}
        facts = self._overwritten(facts, alt.registers)
        if alt.registers:
            names = (schema.me, *(p.local for p in schema.params))
            values: dict[int, n.Expr] = {
                x.id: place_of(n.Get(v, (), NUMBER)) for x, v in zip(names, alt.registers, strict=False)
            }
            facts = frozenset(with_values(f, values) for f in facts)
        if any(isinstance(s, n.StopS) for s in walk_statements(schema.effect)):
            return frozenset()
        return frozenset(f for f in facts if locals_of(f) <= {EVERYBODY.id})

    def _after_choices(self, end: n.DecideTogether, alt: n.Alt, facts: Facts) -> Facts:
        """The facts when all have chosen: they hold for every player, if everybody moved and wrote only what is their own."""
        schema, everyone = self.program.schemas[alt.schema], self.program.parts[end.part].players.full
        changed = {i for a in end.alternatives for i in written_by(self.program.schemas[a.schema].effect)}
        is_own = len(end.alternatives) == 1 and writes_own(schema.effect, schema.me)
        facts = frozenset(f for f in facts if f.home and not may_end(f, changed))
        guards = self._of_schema(schema, terminator_tick(end)) if is_own else frozenset()
        after = self._through(schema.effect, facts | frozenset(f for f in guards if is_own_fact(f, schema.me, changed)))
        self.failed |= {v.index for v in alt.registers}
        is_all = is_own and isinstance(end.movers, n.Const) and end.movers.value == everyone and not alt.registers
        if any(isinstance(s, n.StopS) for s in walk_statements(schema.effect)) or not is_all:
            return frozenset()
        for_all = (
            with_values(f, {schema.me.id: n.Load(EVERYBODY)})
            for f in after
            if f.home and is_own_fact(f, schema.me, changed)
        )
        return frozenset(f for f in for_all if locals_of(f) <= {EVERYBODY.id})

    def _of_schema(self, schema: n.Schema, tick: tuple[n.CoreStmt, ...]) -> Facts:
        """The facts that hold when a move is made, after the tick of its decision."""
        found = {f for g in schema.guards if not g.looks_ahead for f in facts_of(g.condition)}
        inside = {Fact(n.Load(p.local), place_of(p.over)) for p in schema.params if isinstance(p.over, n.Get)}
        return frozenset(f for f in found | inside if not may_end(f, written_by(tick)))

    # ------------------------------------------------------------------------------------------------- statements

    def _through(self, statements: tuple[n.CoreStmt, ...], facts: Facts) -> Facts:
        rest = list(statements)
        while rest:
            s = rest.pop(0)
            match s:
                case n.IfS(condition=condition, then=then, otherwise=otherwise):
                    yes = self._through(then, facts | frozenset(facts_of(condition)))
                    facts = self._through(otherwise, facts) & yes
                case n.ForS():
                    facts = self._looped(s, facts)
                case n.Check(condition=condition):
                    facts |= frozenset(facts_of(condition))
                case n.Assign() if rest and (moved := emptied_into(s, rest[0])):
                    facts = self._empty(s, rest.pop(0), moved, facts)
                case n.Assign():
                    facts = self._assign(s, facts)
                case n.LetS(local=local, value=value):
                    facts = frozenset(f for f in facts if local.id not in locals_of(f))
                    facts |= frozenset(renamed(facts | first_elements((value,)), n.Load(local), value))
                    if isinstance(value, n.StackOp) and value.op == "top":
                        facts |= self._on_top(n.Load(local), value.var, value.keys)
                case n.PushS(var=var, keys=keys, value=value):
                    facts = self._push(var, keys, value, facts)
                case n.PopS(var=var):
                    tops = [
                        f for f in facts if f.home and f.home.var == var and f.home.keys == tuple(map(plain, s.keys))
                    ]
                    is_in = var.index in self.family
                    out = {Fact(f.thing, None, of=f.of) for f in tops if f.is_top and is_in and not thing_reads(f, var)}
                    facts = self._overwritten(facts, (var,)) | out
                case _:
                    facts = self._other(s, facts)
        return facts

    def _other(self, s: n.CoreStmt, facts: Facts) -> Facts:
        inside = self.program.schemas[s.schema].effect if isinstance(s, n.Effect) else ()
        vars = tuple(v for x in (s, *walk_statements(inside)) if (v := written(x)) is not None)
        if isinstance(s, n.Reset):
            self.found[id(s)] = Change(0, is_new=True)
            if not any(s.var.initial):
                return self._overwritten(facts, vars)
        if not isinstance(s, n.Effect):
            self.failed |= {v.index for v in vars}
            return self._overwritten(facts, vars, may_hold_more=True)
        return frozenset() if vars else facts

    def _looped(self, s: n.ForS, facts: Facts) -> Facts:
        local, body, changed = s.local, s.body, written_by(s.body)
        if (row := copied_row(s)) is not None:
            self._note(s, Change(0, all_of=row, is_new=True))
        if any(isinstance(x, n.Effect) for x in walk_statements(body)):
            self._through(body, frozenset())
            return frozenset()
        stable = frozenset(f for f in facts if not may_end(f, changed) and local.id not in locals_of(f))
        if self.family & changed:  # a thing that lies nowhere may be put somewhere
            stable = frozenset(f for f in stable if f.home is not None)
        inside = stable
        is_own = writes_own(body, local)
        if is_own:
            for_all = (
                f
                for f in facts
                if f.home and EVERYBODY.id in locals_of(f) and is_own_fact(f, EVERYBODY, changed, local)
            )
            inside |= {with_values(f, {EVERYBODY.id: n.Load(local)}) for f in for_all}
        after = self._through(body, inside)
        if (
            is_own
            and isinstance(s.over, n.Const)
            and isinstance(local.type, n.ElemT)
            and s.over.value == local.type.domain.full
        ):
            own = (f for f in after if f.home and locals_of(f) == {local.id} and is_own_fact(f, local, changed, local))
            stable |= {with_values(f, {local.id: n.Load(EVERYBODY)}) for f in own}
        return stable

    def _assign(self, s: n.Assign, facts: Facts) -> Facts:
        var, home = s.var, n.Get(s.var, tuple(map(plain, s.keys)), NUMBER)
        facts |= first_elements((s.value,))
        change, thing = self._change(s, home, facts)
        of = self._kind(var)
        self._note(s, change)
        if added_thing(s) is not None:
            self.grown[id(s)] = self.grown.get(id(s), True) and change is not None
        new = frozenset(renamed(facts, n.Get(var, s.keys, NUMBER), s.value))
        is_taken, is_put = removed_thing(s) is not None, added_thing(s) is not None
        is_empty = isinstance(s.value, n.Const) and not s.value.value
        if var.index in self.family and not (is_taken or is_empty or (thing and self._is_out(thing, var, facts))):
            self.failed.add(var.index)
        was_inside = thing is not None and Fact(thing, home) in facts
        kept = self._overwritten(facts, (var,), may_hold_more=not (is_taken or is_empty), only_less=is_taken)
        if thing is not None and is_put:
            kept |= {f for f in facts if f.home and f.home.var == var and f.inside and not thing_reads(f, var)}
            kept |= {Fact(thing, home)} if not may_depend_on(thing, {var.index}) else set()
        if thing is not None and is_taken and not may_depend_on(thing, {var.index}):
            kept |= {Fact(thing, home, False)}
            kept |= {Fact(thing, None, of=of)} if was_inside and var.index in self.family else set()
        return kept | frozenset(
            f for f in new if not (f.home and f.home.var == var) and not reads_elsewhere(f, var, home)
        )

    def _change(self, s: n.Assign, home: n.Get, facts: Facts) -> tuple[Change | None, n.Expr | None]:
        """The change of a size by an assignment, and the thing that is put or taken."""
        if isinstance(s.var.type, n.IntT):
            base, by = split_sum(plain(s.value))
            return (Change(by) if base == home else None), None
        if isinstance(s.value, n.Const):
            value = s.value.value
            return Change(value.bit_count() if isinstance(s.var.type, n.SetT) else int(value != 0), is_new=True), None
        if isinstance(s.var.type, n.OptT):
            is_some = isinstance(s.value, n.Op1) and s.value.op == "wrap"
            return (Change(1, is_new=True) if is_some else None), None
        if (thing := self._thing(s, removed_thing(s))) is not None:
            return (Change(-1) if Fact(thing, home) in facts else None), thing
        if (thing := self._thing(s, added_thing(s))) is not None:
            is_out = s.var.index in self.family and self._is_out(thing, s.var, facts)
            return (Change(1) if is_out or Fact(thing, home, False) in facts else None), thing
        return None, None

    def _is_out(self, thing: n.Expr, var: n.Var, facts: Facts) -> bool:
        """Whether a thing certainly lies in no collection of the family of a set."""
        return Fact(thing, None, of=self._kind(var)) in facts

    def _thing(self, s: n.Assign, element: n.Expr | None) -> n.Expr | None:
        """The thing that an element of a set is: the element, or the tuple of the last key and the element."""
        if element is None or (domain := pairs_of(self.program, s.var)) is None:
            return element
        return pair(domain, (plain(s.keys[-1]), element))

    def _kind(self, var: n.Var) -> Domain | None:
        """The domain of the things that lie in a collection."""
        found = pairs_of(self.program, var)
        inner = var.type.inner if isinstance(var.type, n.StackT) else None
        own = inner.domain if isinstance(inner, n.ElemT) else var.type.domain if isinstance(var.type, n.SetT) else None
        return own if found is None else found

    def _note(self, s: n.CoreStmt, change: Change | None) -> None:
        self.found[id(s)] = change if self.found.get(id(s), change) == change else None

    def _empty(self, s: n.Assign, t: n.CoreStmt, source: n.Get, facts: Facts) -> Facts:
        """Everything is put from one collection of the family into another."""
        is_known = {s.var.index, source.var.index} <= self.family
        self.failed |= set() if is_known else {s.var.index}
        self._note(s, Change(0, all_of=source) if is_known else None)
        self._note(t, Change(0, is_new=True))
        return self._overwritten(facts, (s.var, source.var), may_hold_more=not is_known)

    # ----------------------------------------------------------------------------------------------------- stacks

    def _on_top(self, item: n.Expr, var: n.Var, keys: tuple[n.Expr, ...]) -> Facts:
        thing = stacked_thing(var, keys, item, self.program)
        home = place_of(n.Get(var, keys, NUMBER))
        return frozenset() if thing is None else frozenset({Fact(thing, home, is_top=True, of=self._kind(var))})

    def _push(self, var: n.Var, keys: tuple[n.Expr, ...], item: n.Expr, facts: Facts) -> Facts:
        thing = stacked_thing(var, keys, item, self.program)
        if thing is None or Fact(thing, None, of=self._kind(var)) not in facts:
            self.failed.add(var.index)
        return self._overwritten(facts, (var,), may_hold_more=True)

    def _overwritten(
        self, facts: Facts, vars: Iterable[n.Var], may_hold_more: bool = False, only_less: bool = False
    ) -> Facts:
        """The facts that do not depend on these variables. ``may_hold_more``: they may hold things that lay nowhere;
        ``only_less``: what was not in them is not in them now."""
        changed = {v.index for v in vars}
        spared = changed if only_less else set[int]()
        found = (f for f in facts if not may_end(f, changed, spared))
        return frozenset(f for f in found if not (may_hold_more and changed & self.family and f.home is None))


def _lists(program: n.Program) -> Iterator[tuple[n.CoreStmt, ...]]:
    for s in program.schemas:
        yield s.effect
    for b in program.blocks:
        yield b.statements
        yield terminator_tick(b.end)
