"""Facts about things and the collections in which they lie, as ``size_changes`` uses them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from gamedsl.language.boards import Domain
from gamedsl.language.core import (
    conjuncts,
    free_locals,
    map_children,
    may_depend_on,
    replace_expr,
    substitute,
    walk,
    walk_statements,
    written,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

EVERYBODY = n.Local(-2, "everybody", n.BoolT())  # stands for each player, in facts that hold for all
NUMBER = n.IntT(0, 0)  # the type of terms that are compared only by their form


@lazy_dataclass(frozen=True)
class Fact:
    """A thing is in a collection, or (``inside`` is false) not in it. ``home`` None: the thing, which belongs to the domain
    ``of``, is in no collection of the family. ``is_top``: it lies on top of a stack."""

    thing: n.Expr
    home: n.Get | None
    inside: bool = True
    is_top: bool = False
    of: Domain | None = None


Facts: TypeAlias = frozenset[Fact]


# ------------------------------------------------------------------------------------------------------------ terms


def plain(e: n.Expr) -> n.Expr:
    """The expression without conversions, with constants added up and tuples in one form: only for comparing."""
    e = map_children(e, plain)
    match e:
        case n.Convert(operand=inner) | n.Op1(op="unwrap", operand=n.Op1(op="wrap", operand=inner)):
            return inner
        case n.Op2(op="add" | "sub", left=left, right=n.Const(value=value)):
            base, by = split_sum(left)
            by += value if e.op == "add" else -value
            return base if by == 0 else n.Op2("add", base, n.Const(by, NUMBER), NUMBER)
        case n.Const():
            return n.Const(e.value, NUMBER)
        case n.Lookup(table=table, keys=keys) if isinstance(table.type, n.ElemT) and _makes_tuples(table):
            return pair(table.type.domain, keys)
        case n.Get():
            return replace(e, type=NUMBER)
        case n.Op1() | n.Op2():
            return replace(e, type=NUMBER)
        case _:
            return e


def split_sum(e: n.Expr) -> tuple[n.Expr, int]:
    match e:
        case n.Op2(op="add", left=base, right=n.Const(value=value)):
            return base, value
        case _:
            return e, 0


def _makes_tuples(table: n.TableData) -> bool:
    assert isinstance(table.type, n.ElemT)
    domains = tuple(d for d, _ in table.type.domain.components)
    return len(domains) > 1 and table.keys == domains and table.values == tuple(range(len(table.values)))


def pair(domain: Domain, keys: tuple[n.Expr, ...]) -> n.Expr:
    return n.Lookup(n.TableData("", (), n.ElemT(domain), ()), keys)


def stacked_thing(var: n.Var, keys: tuple[n.Expr, ...], item: n.Expr, program: n.Program) -> n.Expr | None:
    """The thing that an item of a stack is: the item, or the tuple of the last key and the item."""
    assert isinstance(var.type, n.StackT)
    domain = pairs_of(program, var)
    if domain is not None:
        return pair(domain, (plain(keys[-1]), plain(item)))
    return plain(item) if isinstance(var.type.inner, n.ElemT) else None


def pairs_of(program: n.Program, var: n.Var) -> Domain | None:
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


def place_of(get: n.Get) -> n.Get:
    return n.Get(get.var, tuple(map(plain, get.keys)), NUMBER)


def single_of(e: n.Expr) -> n.Expr | None:
    match e:
        case n.Op1(op="single", operand=inner):
            return plain(inner)
        case n.Const(value=value) if value.bit_count() == 1:
            return n.Const(value.bit_length() - 1, NUMBER)
        case _:
            return None


def added_thing(s: n.Assign) -> n.Expr | None:
    return _with_single(s, "union")


def removed_thing(s: n.Assign) -> n.Expr | None:
    return _with_single(s, "minus")


def _with_single(s: n.Assign, op: str) -> n.Expr | None:
    match s.value:
        case n.Op2(left=n.Get(var=var, keys=keys), right=right) if (var, keys) == (s.var, s.keys) and s.value.op == op:
            return single_of(right)
        case _:
            return None


def emptied_into(s: n.Assign, following: n.CoreStmt) -> n.Get | None:
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


def facts_of(condition: n.Expr) -> Iterator[Fact]:
    for c in conjuncts(condition):
        match c:
            case n.Op2(op="in", left=thing, right=n.Get() as home):
                yield Fact(plain(thing), place_of(home))
            case n.Op1(op="not", operand=n.Op2(op="in", left=thing, right=n.Get() as home)):
                yield Fact(plain(thing), place_of(home), False)
            case n.Op2(op="in", left=thing, right=n.Op1(op="complement", operand=n.Get() as home)):
                yield Fact(plain(thing), place_of(home), False)
            case n.Op2(op="disjoint", left=left, right=n.Get() as home) if (single := single_of(left)) is not None:
                yield Fact(single, place_of(home), False)
            case _:
                pass


def first_elements(values: Iterable[n.Expr]) -> Facts:
    """The first element of a set lies in it."""
    found = (x for e in values for x in walk(e) if isinstance(x, n.Op1) and x.op == "first")
    return frozenset(Fact(plain(x), place_of(x.operand)) for x in found if isinstance(x.operand, n.Get))


def renamed(facts: Iterable[Fact], name: n.Expr, value: n.Expr) -> Iterator[Fact]:
    """What is known of a value holds for what it is called from now on."""
    base, by = split_sum(plain(value))
    if isinstance(base, n.Const):
        return
    new = plain(n.Op2("sub", name, n.Const(by, NUMBER), NUMBER))
    for f in facts:
        if base in walk(f.thing):
            yield replace(f, thing=replace_expr(f.thing, base, new))


def with_values(f: Fact, values: dict[int, n.Expr]) -> Fact:
    home = None if f.home is None else place_of(replace(f.home, keys=tuple(substitute(k, values) for k in f.home.keys)))
    return replace(f, thing=plain(substitute(f.thing, values)), home=home)


def _terms(f: Fact) -> tuple[n.Expr, ...]:
    return (f.thing,) if f.home is None else (f.thing, f.home)


def locals_of(f: Fact) -> set[int]:
    return {i for e in _terms(f) for i in free_locals(e)}


def may_end(f: Fact, changed: set[int], spared: Iterable[int] = ()) -> bool:
    """Whether a fact may no longer hold when variables change. ``spared``: those that only lose things."""
    is_spared = f.home is not None and not f.inside and f.home.var.index in spared
    terms = (f.thing, *(f.home.keys if f.home else ())) if is_spared else _terms(f)
    return any(may_depend_on(e, changed) for e in terms)


def thing_reads(f: Fact, var: n.Var) -> bool:
    """Whether the thing, or the keys of its home, depend on a variable."""
    return any(may_depend_on(e, {var.index}) for e in (f.thing, *(f.home.keys if f.home else ())))


def reads_elsewhere(f: Fact, var: n.Var, home: n.Get) -> bool:
    """Whether a fact reads a variable that has just been written anywhere but at the place that was written."""
    return any(x.read() == var and x != home for e in _terms(f) for x in walk(e))


def written_by(statements: tuple[n.CoreStmt, ...]) -> set[int]:
    return {v.index for s in walk_statements(statements) if (v := written(s)) is not None}


def writes_own(statements: tuple[n.CoreStmt, ...], player: n.Local) -> bool:
    """Whether statements write variables only in the slots of one player."""
    writes = [s for s in walk_statements(statements) if isinstance(s, n.Effect) or written(s) is not None]
    return all(isinstance(s, n.Assign) and s.keys[:1] == (n.Load(player),) for s in writes)


def is_own_fact(f: Fact, player: n.Local, changed: set[int], loop: n.Local | None = None) -> bool:
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


def copied_row(s: n.ForS) -> n.Get | None:
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


def first_family(program: n.Program) -> set[int]:
    """The variables whose things may belong to a family: at first, no thing lies in two places."""
    found, seen = set[int](), dict[Domain, int]()
    for var in program.variables:
        if isinstance(var.type, n.StackT) or (isinstance(var.type, n.SetT) and pairs_of(program, var) is not None):
            found |= set() if any(var.initial) or var.role != "state" else {var.index}
        elif isinstance(var.type, n.SetT) and var.role == "state":
            domain, own, twice = var.type.domain, 0, 0
            for value in var.initial:
                own, twice = own | value, twice | own & value
            if not twice and not own & seen.get(domain, 0):
                found.add(var.index)
                seen[domain] = seen.get(domain, 0) | own
    return found
