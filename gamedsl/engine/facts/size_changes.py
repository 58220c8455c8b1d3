"""How statements change the sizes of collections: a set, an optional value, a row of numbers for each combination of keys.

An abstract interpretation along the blocks keeps *facts*: which things lie where. A thing that was taken from a hand is in no
hand, so putting it into another makes that one larger by 1. This needs a *family* of collections in which no thing lies
twice. A collection belongs to it as long as no statement is found that may put a thing there which lies elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from gamedsl.language.boards import Domain
from gamedsl.language.core import (
    conjuncts,
    free_locals,
    map_children,
    may_depend_on,
    substitute,
    targets,
    terminator_tick,
    walk,
    walk_statements,
    written,
)
from gamedsl.language.core import nodes as n

EVERYBODY = n.Local(-2, "everybody", n.BoolT())  # stands for each player, in facts that hold for all
NUMBER = n.IntT(0, 0)  # the type of terms that are compared only by their form


@dataclass(frozen=True)
class Fact:
    """A thing is in a collection, or (``inside`` is false) not in it. ``home`` None: the thing, which belongs to the domain
    ``of``, is in no collection of the family. ``is_top``: it lies on top of a stack."""

    thing: n.Expr
    home: n.Get | None
    inside: bool = True
    is_top: bool = False
    of: Domain | None = None


Facts: TypeAlias = frozenset[Fact]


@dataclass(frozen=True)
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
        self.family = _first_family(program)
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
        facts = frozenset(f for f in self._through(terminator_tick(end), facts) if _locals(f) <= {EVERYBODY.id})
        if (result := end.result_variable()) is not None:
            facts = self._overwritten(facts, (result,))
            self.failed.add(result.index)
        match end:
            case n.Chance(result=var, over=n.Get() as over) if not var.keys and over.var != var:
                yield end.target, facts | {Fact(_home(n.Get(var, (), NUMBER)), _home(over))}
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
                x.id: _home(n.Get(v, (), NUMBER)) for x, v in zip(names, alt.registers, strict=False)
            }
            facts = frozenset(_with(f, values) for f in facts)
        if any(isinstance(s, n.StopS) for s in walk_statements(schema.effect)):
            return frozenset()
        return frozenset(f for f in facts if _locals(f) <= {EVERYBODY.id})

    def _after_choices(self, end: n.DecideTogether, alt: n.Alt, facts: Facts) -> Facts:
        """The facts when all have chosen: they hold for every player, if everybody moved and wrote only what is their own."""
        schema, everyone = self.program.schemas[alt.schema], self.program.parts[end.part].players.full
        changed = {i for a in end.alternatives for i in _written_by(self.program.schemas[a.schema].effect)}
        is_own = len(end.alternatives) == 1 and _writes_own(schema.effect, schema.me)
        facts = frozenset(f for f in facts if f.home and not _reads(f, changed))
        guards = self._of_schema(schema, terminator_tick(end)) if is_own else frozenset()
        after = self._through(schema.effect, facts | frozenset(f for f in guards if _is_own(f, schema.me, changed)))
        self.failed |= {v.index for v in alt.registers}
        is_all = is_own and isinstance(end.movers, n.Const) and end.movers.value == everyone and not alt.registers
        if any(isinstance(s, n.StopS) for s in walk_statements(schema.effect)) or not is_all:
            return frozenset()
        for_all = (
            _with(f, {schema.me.id: n.Load(EVERYBODY)}) for f in after if f.home and _is_own(f, schema.me, changed)
        )
        return frozenset(f for f in for_all if _locals(f) <= {EVERYBODY.id})

    def _of_schema(self, schema: n.Schema, tick: tuple[n.CoreStmt, ...]) -> Facts:
        """The facts that hold when a move is made, after the tick of its decision."""
        found = {f for g in schema.guards if not g.looks_ahead for f in _facts_of(g.condition)}
        inside = {Fact(n.Load(p.local), _home(p.over)) for p in schema.params if isinstance(p.over, n.Get)}
        return frozenset(f for f in found | inside if not _reads(f, _written_by(tick)))

    # ------------------------------------------------------------------------------------------------- statements

    def _through(self, statements: tuple[n.CoreStmt, ...], facts: Facts) -> Facts:
        rest = list(statements)
        while rest:
            s = rest.pop(0)
            match s:
                case n.IfS(condition=condition, then=then, otherwise=otherwise):
                    yes = self._through(then, facts | frozenset(_facts_of(condition)))
                    facts = self._through(otherwise, facts) & yes
                case n.ForS():
                    facts = self._looped(s, facts)
                case n.Check(condition=condition):
                    facts |= frozenset(_facts_of(condition))
                case n.Assign() if rest and (moved := _all_moved(s, rest[0])):
                    facts = self._all_moved(s, rest.pop(0), moved, facts)
                case n.Assign():
                    facts = self._assigned(s, facts)
                case n.LetS(local=local, value=value):
                    facts = frozenset(f for f in facts if local.id not in _locals(f))
                    facts |= frozenset(_renamed(facts | _firsts((value,)), n.Load(local), value))
                    if isinstance(value, n.StackOp) and value.op == "top":
                        facts |= self._on_top(n.Load(local), value.var, value.keys)
                case n.PushS(var=var, keys=keys, value=value):
                    facts = self._pushed(var, keys, value, facts)
                case n.PopS(var=var):
                    tops = [
                        f for f in facts if f.home and f.home.var == var and f.home.keys == tuple(map(plain, s.keys))
                    ]
                    is_in = var.index in self.family
                    out = {
                        Fact(f.thing, None, of=f.of) for f in tops if f.is_top and is_in and not _reads_thing(f, var)
                    }
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
        local, body, changed = s.local, s.body, _written_by(s.body)
        if (row := _copied_row(s)) is not None:
            self._note(s, Change(0, all_of=row, is_new=True))
        if any(isinstance(x, n.Effect) for x in walk_statements(body)):
            self._through(body, frozenset())
            return frozenset()
        stable = frozenset(f for f in facts if not _reads(f, changed) and local.id not in _locals(f))
        if self.family & changed:  # a thing that lies nowhere may be put somewhere
            stable = frozenset(f for f in stable if f.home is not None)
        inside = stable
        is_own = _writes_own(body, local)
        if is_own:
            for_all = (
                f for f in facts if f.home and EVERYBODY.id in _locals(f) and _is_own(f, EVERYBODY, changed, local)
            )
            inside |= {_with(f, {EVERYBODY.id: n.Load(local)}) for f in for_all}
        after = self._through(body, inside)
        if (
            is_own
            and isinstance(s.over, n.Const)
            and isinstance(local.type, n.ElemT)
            and s.over.value == local.type.domain.full
        ):
            own = (f for f in after if f.home and _locals(f) == {local.id} and _is_own(f, local, changed, local))
            stable |= {_with(f, {local.id: n.Load(EVERYBODY)}) for f in own}
        return stable

    def _assigned(self, s: n.Assign, facts: Facts) -> Facts:
        var, home = s.var, n.Get(s.var, tuple(map(plain, s.keys)), NUMBER)
        facts |= _firsts((s.value,))
        change, thing = self._change(s, home, facts)
        of = self._kind(var)
        self._note(s, change)
        if _added(s) is not None:
            self.grown[id(s)] = self.grown.get(id(s), True) and change is not None
        new = frozenset(_renamed(facts, n.Get(var, s.keys, NUMBER), s.value))
        is_taken, is_put = _removed(s) is not None, _added(s) is not None
        is_empty = isinstance(s.value, n.Const) and not s.value.value
        if var.index in self.family and not (is_taken or is_empty or (thing and self._is_out(thing, var, facts))):
            self.failed.add(var.index)
        was_inside = thing is not None and Fact(thing, home) in facts
        kept = self._overwritten(facts, (var,), may_hold_more=not (is_taken or is_empty), only_less=is_taken)
        if thing is not None and is_put:
            kept |= {f for f in facts if f.home and f.home.var == var and f.inside and not _reads_thing(f, var)}
            kept |= {Fact(thing, home)} if not may_depend_on(thing, {var.index}) else set()
        if thing is not None and is_taken and not may_depend_on(thing, {var.index}):
            kept |= {Fact(thing, home, False)}
            kept |= {Fact(thing, None, of=of)} if was_inside and var.index in self.family else set()
        return kept | frozenset(f for f in new if not (f.home and f.home.var == var) and not _reads_again(f, var, home))

    def _change(self, s: n.Assign, home: n.Get, facts: Facts) -> tuple[Change | None, n.Expr | None]:
        """The change of a size by an assignment, and the thing that is put or taken."""
        if isinstance(s.var.type, n.IntT):
            base, by = _split(plain(s.value))
            return (Change(by) if base == home else None), None
        if isinstance(s.value, n.Const):
            value = s.value.value
            return Change(value.bit_count() if isinstance(s.var.type, n.SetT) else int(value != 0), is_new=True), None
        if isinstance(s.var.type, n.OptT):
            is_some = isinstance(s.value, n.Op1) and s.value.op == "wrap"
            return (Change(1, is_new=True) if is_some else None), None
        if (thing := self._thing(s, _removed(s))) is not None:
            return (Change(-1) if Fact(thing, home) in facts else None), thing
        if (thing := self._thing(s, _added(s))) is not None:
            is_out = s.var.index in self.family and self._is_out(thing, s.var, facts)
            return (Change(1) if is_out or Fact(thing, home, False) in facts else None), thing
        return None, None

    def _is_out(self, thing: n.Expr, var: n.Var, facts: Facts) -> bool:
        """Whether a thing certainly lies in no collection of the family of a set."""
        return Fact(thing, None, of=self._kind(var)) in facts

    def _thing(self, s: n.Assign, element: n.Expr | None) -> n.Expr | None:
        """The thing that an element of a set is: the element, or the tuple of the last key and the element."""
        if element is None or (domain := _tuples_of(self.program, s.var)) is None:
            return element
        return _tuple(domain, (plain(s.keys[-1]), element))

    def _kind(self, var: n.Var) -> Domain | None:
        """The domain of the things that lie in a collection."""
        found = _tuples_of(self.program, var)
        inner = var.type.inner if isinstance(var.type, n.StackT) else None
        own = inner.domain if isinstance(inner, n.ElemT) else var.type.domain if isinstance(var.type, n.SetT) else None
        return own if found is None else found

    def _note(self, s: n.CoreStmt, change: Change | None) -> None:
        self.found[id(s)] = change if self.found.get(id(s), change) == change else None

    def _all_moved(self, s: n.Assign, t: n.CoreStmt, source: n.Get, facts: Facts) -> Facts:
        """Everything is put from one collection of the family into another."""
        is_known = {s.var.index, source.var.index} <= self.family
        self.failed |= set() if is_known else {s.var.index}
        self._note(s, Change(0, all_of=source) if is_known else None)
        self._note(t, Change(0, is_new=True))
        return self._overwritten(facts, (s.var, source.var), may_hold_more=not is_known)

    # ----------------------------------------------------------------------------------------------------- stacks

    def _on_top(self, item: n.Expr, var: n.Var, keys: tuple[n.Expr, ...]) -> Facts:
        thing = _stacked(var, keys, item, self.program)
        home = _home(n.Get(var, keys, NUMBER))
        return frozenset() if thing is None else frozenset({Fact(thing, home, is_top=True, of=self._kind(var))})

    def _pushed(self, var: n.Var, keys: tuple[n.Expr, ...], item: n.Expr, facts: Facts) -> Facts:
        thing = _stacked(var, keys, item, self.program)
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
        found = (f for f in facts if not _reads(f, changed, spared))
        return frozenset(f for f in found if not (may_hold_more and changed & self.family and f.home is None))


# ------------------------------------------------------------------------------------------------------------ terms


def plain(e: n.Expr) -> n.Expr:
    """The expression without conversions, with constants added up and tuples in one form: only for comparing."""
    e = map_children(e, plain)
    match e:
        case n.Convert(operand=inner) | n.Op1(op="unwrap", operand=n.Op1(op="wrap", operand=inner)):
            return inner
        case n.Op2(op="add" | "sub", left=left, right=n.Const(value=value)):
            base, by = _split(left)
            by += value if e.op == "add" else -value
            return base if by == 0 else n.Op2("add", base, n.Const(by, NUMBER), NUMBER)
        case n.Const():
            return n.Const(e.value, NUMBER)
        case n.Lookup(table=table, keys=keys) if isinstance(table.type, n.ElemT) and _makes_tuples(table):
            return _tuple(table.type.domain, keys)
        case n.Get() | n.Op1() | n.Op2():
            return replace(e, type=NUMBER)
        case _:
            return e


def _split(e: n.Expr) -> tuple[n.Expr, int]:
    match e:
        case n.Op2(op="add", left=base, right=n.Const(value=value)):
            return base, value
        case _:
            return e, 0


def _makes_tuples(table: n.TableData) -> bool:
    assert isinstance(table.type, n.ElemT)
    domains = tuple(d for d, _ in table.type.domain.components)
    return len(domains) > 1 and table.keys == domains and table.values == tuple(range(len(table.values)))


def _tuple(domain: Domain, keys: tuple[n.Expr, ...]) -> n.Expr:
    return n.Lookup(n.TableData("", (), n.ElemT(domain), ()), keys)


def _stacked(var: n.Var, keys: tuple[n.Expr, ...], item: n.Expr, program: n.Program) -> n.Expr | None:
    """The thing that an item of a stack is: the item, or the tuple of the last key and the item."""
    assert isinstance(var.type, n.StackT)
    domain = _tuples_of(program, var)
    if domain is not None:
        return _tuple(domain, (plain(keys[-1]), plain(item)))
    return plain(item) if isinstance(var.type.inner, n.ElemT) else None


def _tuples_of(program: n.Program, var: n.Var) -> Domain | None:
    """The only domain of sets whose elements are pairs of the last key of a collection and one of its values; None if there
    is no such domain."""
    held = {v.type.domain for v in program.variables if isinstance(v.type, n.SetT)}
    pairs = (d for d in held if len(d.components) == 2 and var.keys and d.components[0][0] == var.keys[-1])
    found = [d for d in pairs if _is_second(d.components[1][0], var.type)]
    return found[0] if len(found) == 1 else None


def _is_second(domain: Domain, type: n.VarT) -> bool:
    """Whether the values of a collection are those of a component, with the same numbers."""
    inner = type.inner if isinstance(type, n.StackT) else None
    if isinstance(inner, n.IntT):
        return inner.low == 0 and domain.names == tuple(map(str, range(inner.high + 1)))
    return domain == (type.domain if isinstance(type, n.SetT) else inner.domain if isinstance(inner, n.ElemT) else None)


def _home(get: n.Get) -> n.Get:
    return n.Get(get.var, tuple(map(plain, get.keys)), NUMBER)


def _single(e: n.Expr) -> n.Expr | None:
    match e:
        case n.Op1(op="single", operand=inner):
            return plain(inner)
        case n.Const(value=value) if value.bit_count() == 1:
            return n.Const(value.bit_length() - 1, NUMBER)
        case _:
            return None


def _added(s: n.Assign) -> n.Expr | None:
    return _with_single(s, "union")


def _removed(s: n.Assign) -> n.Expr | None:
    return _with_single(s, "minus")


def _with_single(s: n.Assign, op: str) -> n.Expr | None:
    match s.value:
        case n.Op2(left=n.Get(var=var, keys=keys), right=right) if (var, keys) == (s.var, s.keys) and s.value.op == op:
            return _single(right)
        case _:
            return None


def _all_moved(s: n.Assign, following: n.CoreStmt) -> n.Get | None:
    """The collection whose things a statement adds to another, if the following statement empties it."""
    match s.value, following:
        case (
            n.Op2(op="union", left=n.Get(var=var, keys=keys), right=n.Get() as source),
            n.Assign(var=emptied, keys=at, value=n.Const(value=0)),
        ) if (var, keys) == (s.var, s.keys) and (emptied, at) == (source.var, source.keys) and source.var != var:
            is_fixed = not any(may_depend_on(k, {var.index}) for k in (*keys, *at))
            return source if is_fixed else None
        case _:
            return None


# ------------------------------------------------------------------------------------------------------------ facts


def _facts_of(condition: n.Expr) -> Iterator[Fact]:
    for c in conjuncts(condition):
        match c:
            case n.Op2(op="in", left=thing, right=n.Get() as home):
                yield Fact(plain(thing), _home(home))
            case n.Op1(op="not", operand=n.Op2(op="in", left=thing, right=n.Get() as home)):
                yield Fact(plain(thing), _home(home), False)
            case n.Op2(op="in", left=thing, right=n.Op1(op="complement", operand=n.Get() as home)):
                yield Fact(plain(thing), _home(home), False)
            case n.Op2(op="disjoint", left=left, right=n.Get() as home) if (single := _single(left)) is not None:
                yield Fact(single, _home(home), False)
            case _:
                pass


def _firsts(values: Iterable[n.Expr]) -> Facts:
    """The first element of a set lies in it."""
    found = (x for e in values for x in walk(e) if isinstance(x, n.Op1) and x.op == "first")
    return frozenset(Fact(plain(x), _home(x.operand)) for x in found if isinstance(x.operand, n.Get))


def _renamed(facts: Iterable[Fact], name: n.Expr, value: n.Expr) -> Iterator[Fact]:
    """What is known of a value holds for what it is called from now on."""
    base, by = _split(plain(value))
    if isinstance(base, n.Const):
        return
    new = plain(n.Op2("sub", name, n.Const(by, NUMBER), NUMBER))
    for f in facts:
        if base in walk(f.thing):
            yield replace(f, thing=_replaced(f.thing, base, new))


def _replaced(e: n.Expr, old: n.Expr, new: n.Expr) -> n.Expr:
    return new if e == old else map_children(e, lambda c: _replaced(c, old, new))


def _with(f: Fact, values: dict[int, n.Expr]) -> Fact:
    home = None if f.home is None else _home(replace(f.home, keys=tuple(substitute(k, values) for k in f.home.keys)))
    return replace(f, thing=plain(substitute(f.thing, values)), home=home)


def _terms(f: Fact) -> tuple[n.Expr, ...]:
    return (f.thing,) if f.home is None else (f.thing, f.home)


def _locals(f: Fact) -> set[int]:
    return {i for e in _terms(f) for i in free_locals(e)}


def _variables(f: Fact) -> set[int]:
    return {v.index for e in _terms(f) for x in walk(e) if (v := x.read()) is not None}


def _reads(f: Fact, changed: set[int], spared: Iterable[int] = ()) -> bool:
    """Whether a fact may no longer hold when variables change. ``spared``: those that only lose things."""
    is_spared = f.home is not None and not f.inside and f.home.var.index in spared
    terms = (f.thing, *(f.home.keys if f.home else ())) if is_spared else _terms(f)
    return any(may_depend_on(e, changed) for e in terms)


def _reads_thing(f: Fact, var: n.Var) -> bool:
    """Whether the thing, or the keys of its home, depend on a variable."""
    return any(may_depend_on(e, {var.index}) for e in (f.thing, *(f.home.keys if f.home else ())))


def _reads_again(f: Fact, var: n.Var, home: n.Get) -> bool:
    """Whether a fact reads a variable that has just been written anywhere but at the place that was written."""
    return any(x.read() == var and x != home for e in _terms(f) for x in walk(e))


def _written_by(statements: tuple[n.CoreStmt, ...]) -> set[int]:
    return {v.index for s in walk_statements(statements) if (v := written(s)) is not None}


def _writes_own(statements: tuple[n.CoreStmt, ...], player: n.Local) -> bool:
    """Whether statements write variables only in the slots of one player."""
    writes = [s for s in walk_statements(statements) if isinstance(s, n.Effect) or written(s) is not None]
    return all(isinstance(s, n.Assign) and s.keys[:1] == (n.Load(player),) for s in writes)


def _is_own(f: Fact, player: n.Local, changed: set[int], loop: n.Local | None = None) -> bool:
    """Whether a fact reads variables that change only in the slots of one player. ``loop``: a local that ranges over players."""
    for x in (x for e in _terms(f) for x in walk(e)):
        if x.reads_state and not isinstance(x, n.Get):
            return False
        if isinstance(x, n.Get):
            mine = x.keys[:1] == (n.Load(player),)
            if x.var.index in changed and not mine:
                return False
            if mine and loop is not None and loop.type != n.ElemT(x.var.keys[0]):
                return False
    return True


def _copied_row(s: n.ForS) -> n.Get | None:
    """The row of numbers that a loop copies to another, number by number."""
    match s:
        case n.ForS(local=local, over=n.Const(value=over), body=(n.Assign(var=var, keys=keys, value=value),)):
            source = plain(value)
            is_whole = bool(var.keys) and over == var.keys[-1].full and isinstance(var.type, n.IntT)
            if is_whole and isinstance(source, n.Get) and source.var != var and source.var.keys[-1:] == var.keys[-1:]:
                last = (plain(keys[-1]), source.keys[-1])
                others = (*keys[:-1], *source.keys[:-1])
                if last == (n.Load(local),) * 2 and not any(local.id in free_locals(k) for k in others):
                    return source
    return None


def _first_family(program: n.Program) -> set[int]:
    """The variables whose things may belong to a family: at first, no thing lies in two places."""
    found, seen = set[int](), dict[Domain, int]()
    for var in program.variables:
        if isinstance(var.type, n.StackT) or (isinstance(var.type, n.SetT) and _tuples_of(program, var) is not None):
            found |= set() if any(var.initial) or var.role != "state" else {var.index}
        elif isinstance(var.type, n.SetT) and var.role == "state":
            domain, own, twice = var.type.domain, 0, 0
            for value in var.initial:
                own, twice = own | value, twice | own & value
            if not twice and not own & seen.get(domain, 0):
                found.add(var.index)
                seen[domain] = seen.get(domain, 0) | own
    return found


def _lists(program: n.Program) -> Iterator[tuple[n.CoreStmt, ...]]:
    for s in program.schemas:
        yield s.effect
    for b in program.blocks:
        yield b.statements
        yield terminator_tick(b.end)
