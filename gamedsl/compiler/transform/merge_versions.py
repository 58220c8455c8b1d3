"""Several versions of a program as one, in which a variable says which of them is played.

Where versions differ, an expression, a condition of a move or a statement depends on that variable, so compiling all of
them takes little longer than compiling one (R. H. Untch, A. J. Offutt and M. J. Harrold, "Mutation analysis using mutant
schemata", International Symposium on Software Testing and Analysis, 1993).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import reduce
from itertools import count
from operator import or_
from typing import Any, TypeAlias, TypeVar

from gamedsl.compiler.analysis.expression_numbers import ExpressionNumbers
from gamedsl.compiler.transform.version_variables import Unmergeable, VersionVariables
from gamedsl.language.boards import Domain
from gamedsl.language.core import (
    children,
    make_plan,
    rule_fields,
    statement_fields,
    terminator_exprs,
    walk,
    with_children,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

T = TypeVar("T")
Names: TypeAlias = Mapping[int, n.Local]
Forms: TypeAlias = list[tuple[int, T]]  # of one place: the versions (as bits) that have each form
Plan: TypeAlias = tuple[n.Bind | n.Test, ...]

NAME = "version"
FIRST = -10  # the number of the outermost name in a definition; inner ones have smaller numbers
FRESH = 500_000  # the number of the first name that is made here: those of lowering are smaller, those of later passes greater
YES = n.Const(1, n.BoolT())


@lazy_dataclass(frozen=True)
class MergedVersions:
    """``program``: all versions that could be merged, playing number 0. ``first_blocks``: for each of them, by its number,
    the number of its first block: 0, or that of the first of its own blocks. ``places``: for each of its variables, the
    number of that variable in ``program``."""

    program: n.Program
    first_blocks: Mapping[int, int]
    places: Mapping[int, tuple[int, ...]]

    @property
    def members(self) -> set[int]:
        """The numbers of the versions that are merged."""
        return set(self.first_blocks)

    def version(self, number: int) -> n.Program:
        """Returns the program that plays this version: the same, but for the first value of its last variable."""
        *others, last = self.program.variables
        return replace(self.program, variables=(*others, replace(last, initial=(number,))))


def merge_versions(programs: Sequence[n.Program]) -> MergedVersions:
    """Merges the first program with all others that have its kinds of moves."""
    base, variables = programs[0], VersionVariables(programs[0].variables)
    versions, places = dict[int, _Version](), {0: variables.places(base)}
    for number, program in enumerate(programs[1:], 1):
        common = VersionVariables(variables.all)
        try:
            found = common.places(program)
            versions[number] = _Version(base, common.renumbered(program, found))
        except Unmergeable:
            continue
        variables, places[number] = common, found
    return _Merger(replace(base, variables=variables.all), versions, len(programs)).merge(places)


# ------------------------------------------------------------------------------------------------------- one version


class _Version:
    """How a program differs from the base: the numbers of the ``functions``, ``schemas`` and ``blocks`` of the base that
    have another form. ``called``: for each function the number of that of the base; others are ``new``. ``has_own_blocks``:
    the course of play differs, so no blocks are shared."""

    def __init__(self, base: n.Program, program: n.Program) -> None:
        """Raises ``Unmergeable``."""
        self.base, self.program = base, program
        self._names: dict[int, int] = {}
        self._equal: dict[tuple[int, int], bool] = {}
        self._check(
            base.players == program.players,
            [p.players for p in base.parts] == [p.players for p in program.parts],
            self._alike([p.seats for p in base.parts], [p.seats for p in program.parts]),
        )
        self.called = self._called()
        self.new = [f for f in program.functions if f.index not in self.called]
        pairs = [(base.functions[mine], program.functions[other]) for other, mine in self.called.items()]
        self.functions = {a.index: b for a, b in pairs if not self._same_function(a, b)}
        self._check(len(base.schemas) == len(program.schemas))
        pairs_of_schemas = list(zip(base.schemas, program.schemas, strict=True))
        for a, b in pairs_of_schemas:
            self._check(_head(a) == _head(b), [x.over.type for x in a.params] == [x.over.type for x in b.params],
                        _order(a) == _order(b))  # fmt: skip
        self.schemas = {a.index: b for a, b in pairs_of_schemas if not self._same_schema(a, b)}
        self.has_own_blocks = (base.entry, len(base.blocks)) != (program.entry, len(program.blocks))
        pairs_of_blocks = [] if self.has_own_blocks else list(zip(base.blocks, program.blocks, strict=True))
        self.blocks = {a.index: b for a, b in pairs_of_blocks if not self._same_block(a, b)}
        if not all(self._fits(base.blocks[index], block) for index, block in self.blocks.items()):
            self.has_own_blocks, self.blocks = True, {}

    def _fits(self, a: n.Block, b: n.Block) -> bool:
        """Whether two blocks can be merged: they end alike."""
        types = [[e.type for e in terminator_exprs(block.end)] for block in (a, b)]
        return (
            not any(map(_binds_for_end, (a, b)))
            and a.part == b.part
            and types[0] == types[1]
            and self._alike(_blank(a.end), _blank(b.end))
        )

    def _check(self, *conditions: bool) -> None:
        if not all(conditions):
            raise Unmergeable

    def _called(self) -> dict[int, int]:
        keys: list[list[Hashable]] = [
            [(f.name, tuple(p.type for p in f.params), f.body.type) for f in p.functions]
            for p in (self.base, self.program)
        ]
        found = SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_matching_blocks()
        return {b + i: a + i for a, b, size in found for i in range(size)}

    def _same_function(self, a: n.Function, b: n.Function) -> bool:
        return self._alike((*a.params, a.body), (*b.params, b.body))

    def _same_schema(self, a: n.Schema, b: n.Schema) -> bool:
        one, other = ((s.me, s.params, s.guards, s.forbids, s.effect, _plan(s)) for s in (a, b))
        return self._alike(one, other)

    def _same_block(self, a: n.Block, b: n.Block) -> bool:
        return self._alike((a.statements, a.end), (b.statements, b.end))

    def _alike(self, a: Any, b: Any) -> bool:
        """Whether parts of rules differ in nothing but names and the numbers of functions."""
        kind: Any = a.__class__
        if kind is not b.__class__:
            return False
        if kind is tuple or kind is list:
            return len(a) == len(b) and all(map(self._alike, a, b))
        if kind is n.Local:
            return self._names.setdefault(b.id, a.id) == a.id and self._equals(a.type, b.type)
        names: tuple[str, ...] | None = rule_fields(kind)
        if names is None:
            return self._equals(a, b)
        if kind is n.CallF:
            return self.called.get(b.function, -1) == a.function and self._alike(a.args, b.args)
        return all(self._alike(getattr(a, name), getattr(b, name)) for name in names)

    def _equals(self, a: Any, b: Any) -> bool:
        """Whether plain values are equal; each pair is compared once."""
        if a is b or isinstance(a, int | str):
            return bool(a == b)
        key = id(a), id(b)  # both live as long as the programs
        if key not in self._equal:
            self._equal[key] = a == b
        return self._equal[key]


def _blank(x: Any) -> Any:
    """Returns a node without the expressions and statements in it."""
    empty = dict.fromkeys(statement_fields(x.__class__), ())
    made: Any = with_children(x, (YES,) * len(children(x)))
    return replace(made, **empty)


def _head(s: n.Schema) -> object:
    params = tuple((p.local.type, p.secret) for p in s.params)
    return s.name, s.part, s.me.type, params, s.has_chance, s.mistake, s.written


def _plan(s: n.Schema) -> Plan:
    return s.plan or make_plan(s.params, s.guards)


def _order(s: n.Schema) -> object:
    """The order in which a plan binds parameters, and from what kind of sets."""
    return [(step.param, step.over.type) for step in _plan(s) if isinstance(step, n.Bind)]


def _binds_for_end(b: n.Block) -> bool:
    """Whether the end of a block uses a name of its statements."""
    bound = {s.local.id for s in b.statements if isinstance(s, n.LetS)}
    return any(isinstance(x, n.Load) and x.local.id in bound for e in terminator_exprs(b.end) for x in walk(e))


# -------------------------------------------------------------------------------------------------------------- names


class _Renamer:
    """Renames what is bound in parts of rules. ``make``: makes a name, given the old one and the number of names around
    it. ``called``: new numbers of functions."""

    def __init__(self, make: Callable[[n.Local, int], n.Local], called: Mapping[int, int] | None = None) -> None:
        self.make, self.called = make, called

    def named(self, x: Any, names: Names, depth: int = 0) -> Any:
        """``names``: of the locals that are bound around ``x``."""
        kind: Any = x.__class__
        if kind is tuple:
            return self._listed(x, names, depth)
        if kind is n.Local:
            return names.get(x.id, x)
        parts = rule_fields(kind)
        if parts is None or kind is n.Const:
            return x
        if kind is not n.Load:
            for local in _bound(x, parts):
                names = {**names, local.id: self.make(local, depth)}
                depth += 1
        new = {name: self.named(getattr(x, name), names, depth) for name in parts}
        if kind is n.CallF and self.called is not None:
            new["function"] = self.called[x.function]
        return replace(x, **new)

    def _listed(self, items: tuple[Any, ...], names: Names, depth: int) -> tuple[Any, ...]:
        """Renames several parts. A name that a statement binds holds in those that follow."""
        found = []
        for item in items:
            new = self.named(item, names, depth)
            found.append(new)
            if isinstance(item, n.LetS):
                names = {**names, item.local.id: new.local}
                depth += 1
        return tuple(found)


def _bound(x: Any, parts: Iterable[str]) -> list[n.Local]:
    """The locals that are bound in a part of rules."""
    values = [getattr(x, name) for name in parts]
    return [v for value in values for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, n.Local)]


def _by_depth(local: n.Local, depth: int) -> n.Local:
    """A name that says only how many names are around it, so that equal parts at equal places become equal."""
    return n.Local(FIRST - depth, "x", local.type)


# ------------------------------------------------------------------------------------------------------------ merging


class _Split(Exception):
    """Lists of statements that bind different names are merged as a whole."""


class _Merger:
    """Merges the versions. A place of the rules has one or several forms."""

    def __init__(self, base: n.Program, versions: Mapping[int, _Version], size: int) -> None:
        self.base, self.versions = base, versions
        self.variable = n.Var(len(base.variables), NAME, n.ElemT(Domain(NAME, tuple(map(str, range(size))))), (), (0,))
        self.everybody = (1 << size) - 1
        self.numbers = ExpressionNumbers()
        self._asked: dict[int, n.Expr] = {}
        ids = count(FRESH)
        self._fresh = _Renamer(lambda local, _: replace(local, id=next(ids)))
        self._renamers = {0: _Renamer(_by_depth)}

    def merge(self, places: Mapping[int, tuple[int, ...]]) -> MergedVersions:
        """Merges all that differs. ``places``: see ``MergedVersions``."""
        functions, schemas, blocks = list(self.base.functions), list(self.base.schemas), list(self.base.blocks)
        for number, version in self.versions.items():
            called = {**version.called, **{f.index: len(functions) + i for i, f in enumerate(version.new)}}
            renamer = self._renamers[number] = _Renamer(_by_depth, called)
            functions += [
                replace(self._fresh.named(renamer.named(f, {}), {}), index=called[f.index]) for f in version.new
            ]
        for function, bodies in self._differing("functions", _named_body):
            functions[function.index] = replace(function, body=self._fresh.named(self.expr(bodies), {}))
        for schema, forms in self._differing("schemas", _named_schema):
            schemas[schema.index] = self._schema(schema, forms)
        for block, lists in self._differing("blocks", _named_block):
            statements = self.statements([(mask, x[:-1]) for mask, x in lists])
            *changed, end = self._fresh.named((*statements, self.node([(mask, x[-1]) for mask, x in lists])), {})
            blocks[block.index] = replace(block, statements=tuple(changed), end=end)
        first_blocks = {0: 0}
        for number, version in self.versions.items():
            first_blocks[number] = len(blocks) if version.has_own_blocks else 0
            if version.has_own_blocks:
                blocks += [self._own_block(self._renamers[number], b, len(blocks)) for b in version.program.blocks]
        entry = self._entry(first_blocks, blocks)
        program = replace(
            self.base, variables=(*self.base.variables, self.variable), functions=tuple(functions),
            schemas=tuple(schemas), blocks=tuple(blocks), entry=entry,
        )  # fmt: skip
        return MergedVersions(program, first_blocks, places)

    def _own_block(self, renamer: _Renamer, b: n.Block, first: int) -> n.Block:
        """A block of one version, whose blocks begin at ``first``."""
        *statements, end = self._fresh.named(_named_block(renamer, b, b), {})
        return replace(
            b, index=first + b.index, statements=tuple(statements), end=end.redirected(lambda target: first + target)
        )

    def _entry(self, first_blocks: Mapping[int, int], blocks: list[n.Block]) -> int:
        """Adds blocks that lead to the first one of each version. Returns the number of the one to begin with."""
        entry = self.base.entry
        for number, first in first_blocks.items():
            if first:
                begin = first + self.versions[number].program.entry
                end = n.BranchT(self.asks(1 << number), begin, entry)
                blocks.append(replace(self.base.blocks[self.base.entry], index=len(blocks), statements=(), end=end))
                entry = len(blocks) - 1
        return entry

    def _differing(self, kind: str, named: Callable[[_Renamer, Any, Any], Any]) -> Iterator[tuple[Any, Forms[Any]]]:
        """Yields the definitions of the base that have other forms in some versions, with all their forms, as ``named``
        returns them; that of the base comes first."""
        for mine in getattr(self.base, kind):
            others = {
                k: changed[mine.index] for k, v in self.versions.items() if mine.index in (changed := getattr(v, kind))
            }
            if others:
                rest = self.everybody & ~sum(1 << k for k in others)
                forms = [(1 << k, named(self._renamers[k], other, mine)) for k, other in others.items()]
                yield mine, [(rest, named(self._renamers[0], mine, mine)), *forms]

    def asks(self, versions: int) -> n.Expr:
        """Returns the condition that one of these versions is played."""
        if versions not in self._asked:
            kind = self.variable.type
            assert isinstance(kind, n.ElemT)
            values = tuple(versions >> i & 1 for i in range(kind.domain.size))
            table = n.TableData(NAME, (kind.domain,), n.BoolT(), values)
            self._asked[versions] = n.Lookup(table, (n.Get(self.variable, (), kind),))
        return self._asked[versions]

    def expr(self, forms: Forms[n.Expr]) -> n.Expr:
        """Merges expressions of one type."""
        first, *others = self._alike_in_shape(forms)
        found: n.Expr = self.node(first)
        for alike in others:
            found = n.Cond(self.asks(_all_of(alike)), self.node(alike), found, found.type)
        return found

    def _alike_in_shape(self, forms: Forms[Any]) -> list[Forms[Any]]:
        """Returns the different forms, together if they differ only in what is inside them. The base's come first."""
        different = self._different(forms)
        by_shape: dict[object, Forms[Any]] = {}
        for mask, x in different:
            by_shape.setdefault(self._shape(x) if len(different) > 1 else 0, []).append((mask, x))
        return list(by_shape.values())

    def _shape(self, x: Any) -> object:
        """What a node is without the expressions and statements in it, and the types of these expressions."""
        return self.numbers.number(_blank(x)), tuple(e.type for e in children(x))

    def node(self, forms: Forms[Any]) -> Any:
        """Merges nodes of one shape."""
        (_, first), *others = forms
        if not others:
            return first
        columns = zip(*([(mask, e) for e in children(x)] for mask, x in forms), strict=True)
        made: Any = with_children(first, tuple(self.expr(list(column)) for column in columns))
        lists = {
            name: self.statements([(mask, getattr(x, name)) for mask, x in forms])
            for name in statement_fields(first.__class__)
        }
        return replace(made, **lists) if lists else made

    # --------------------------------------------------------------------------------------------------- statements

    def statements(self, forms: Forms[tuple[n.CoreStmt, ...]]) -> tuple[n.CoreStmt, ...]:
        """Merges lists of statements."""
        try:
            return tuple(s for place in self._aligned(forms) for s in self._statement(place))
        except _Split:
            (_, first), *others = self._different(forms)
            for mask, other in others:
                first = (n.IfS(self.asks(mask), other, first),)
            return first

    def _different(self, forms: Forms[T]) -> Forms[T]:
        """Returns each form once, as the first version has it. The base's come first."""
        found: dict[int, tuple[int, T]] = {}
        for mask, x in forms:
            number = self.numbers.number(x)
            others, first = found.get(number, (0, x))
            found[number] = mask | others, first
        return list(found.values())

    def _statement(self, place: Forms[n.CoreStmt | None]) -> tuple[n.CoreStmt, ...]:
        """Merges the statements of one place, which some versions do not have."""
        groups = self._alike_in_shape([(mask, s) for mask, s in place if s is not None])
        absent = sum(mask for mask, s in place if s is None)
        if len(groups) + bool(absent) > 1 and any(isinstance(s, n.LetS) for _, s in place):
            raise _Split
        found: tuple[n.CoreStmt, ...] = () if absent else (self.node(groups[0]),)
        for alike in groups if absent else groups[1:]:
            found = (n.IfS(self.asks(_all_of(alike)), (self.node(alike),), found),)
        return found

    def _aligned(self, forms: Forms[tuple[T, ...]]) -> list[Forms[T | None]]:
        """Returns the places of lists: for each the item that every version has there, or None."""
        (_, mine), *others = self._different(forms)
        places: list[dict[int, T | None]] = [{} for _ in mine]
        extra: list[list[tuple[int, T]]] = [[] for _ in range(len(mine) + 1)]  # before each place
        keys = [self.numbers.number(x) for x in mine]
        for mask, items in others:
            matcher = SequenceMatcher(None, keys, [self.numbers.number(x) for x in items], autojunk=False)
            for _, a, b, c, d in matcher.get_opcodes():
                for i in range(a, b):
                    places[i][mask] = items[c + i - a] if c + i - a < d else None
                extra[b] += [(mask, x) for x in items[c + b - a : d]]
        found: list[Forms[T | None]] = []
        for i in range(len(mine) + 1):
            found += [[(self.everybody & ~mask, None), (mask, x)] for mask, x in extra[i]]
            if i < len(mine):
                rest = self.everybody & ~sum(places[i])
                found.append([(rest, mine[i]), *places[i].items()])
        return found

    # -------------------------------------------------------------------------------------------------------- moves

    def _schema(self, own: n.Schema, forms: Forms[n.Schema]) -> n.Schema:
        params = tuple(self.node([(mask, s.params[i]) for mask, s in forms]) for i in range(len(own.params)))
        guards, forbids = (
            self._guards([(mask, getattr(s, name)) for mask, s in forms]) for name in ("guards", "forbids")
        )
        made = replace(
            own, params=params, guards=guards, forbids=forbids, plan=self._plan([(mask, _plan(s)) for mask, s in forms]),
            effect=self.statements([(mask, s.effect) for mask, s in forms]),
        )  # fmt: skip
        return _named_schema(self._fresh, made, own)

    def _guards(self, forms: Forms[tuple[n.CoreGuard, ...]]) -> tuple[n.CoreGuard, ...]:
        """Merges conditions. In a version without one of them, it always holds."""
        found = []
        for place in self._aligned(forms):
            there = [guard for _, guard in place if guard is not None]
            condition = self.expr([(mask, YES if guard is None else guard.condition) for mask, guard in place])
            found.append(replace(there[0], condition=condition, looks_ahead=any(g.looks_ahead for g in there)))
        return tuple(found)

    def _plan(self, forms: Forms[Plan]) -> Plan:
        """Merges plans, which bind the same parameters in the same order."""
        found: list[n.Bind | n.Test] = []
        stages = [(mask, _stages(plan)) for mask, plan in forms]
        for k in range(len(stages[0][1])):
            binds = [(mask, stage[k][0]) for mask, stage in stages]
            found += [] if binds[0][1] is None else [self.node(binds)]
            for place in self._aligned([(mask, stage[k][1]) for mask, stage in stages]):
                conditions = [(mask, YES if test is None else test.condition) for mask, test in place]
                found.append(n.Test(self.expr(conditions)))
        return tuple(found)


def _stages(plan: Plan) -> list[tuple[n.Bind | None, tuple[n.Test, ...]]]:
    """Returns the steps of a plan: first those before it binds a parameter, then each such step with the tests after it."""
    found: list[tuple[n.Bind | None, tuple[n.Test, ...]]] = [(None, ())]
    for step in plan:
        if isinstance(step, n.Bind):
            found.append((step, ()))
        else:
            found[-1] = (found[-1][0], (*found[-1][1], step))
    return found


def _named_body(renamer: _Renamer, f: n.Function, mine: n.Function) -> n.Expr:
    body: n.Expr = renamer.named(f.body, _same_names(f.params, mine.params))
    return body


def _named_block(renamer: _Renamer, b: n.Block, _mine: n.Block) -> tuple[Any, ...]:
    """Returns the statements of a block and its end."""
    found: tuple[Any, ...] = renamer.named((*b.statements, b.end), {})
    return found


def _named_schema(renamer: _Renamer, s: n.Schema, own: n.Schema) -> n.Schema:
    """Renames what a kind of move binds; its player and parameters get the names of ``own``."""
    names = _same_names((s.me, *(p.local for p in s.params)), (own.me, *(p.local for p in own.params)))
    params = tuple(
        replace(p, local=mine.local, over=renamer.named(p.over, names))
        for p, mine in zip(s.params, own.params, strict=True)
    )
    parts = {name: renamer.named(getattr(s, name), names) for name in ("guards", "forbids", "effect")}
    return replace(s, me=own.me, params=params, plan=renamer.named(_plan(s), names), **parts)


def _same_names(locals: Sequence[n.Local], mine: Sequence[n.Local]) -> dict[int, n.Local]:
    return {a.id: b for a, b in zip(locals, mine, strict=True)}


def _all_of(forms: Forms[Any]) -> int:
    """The versions that have one of these forms."""
    return reduce(or_, (mask for mask, _ in forms))
