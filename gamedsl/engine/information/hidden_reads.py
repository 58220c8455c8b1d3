"""The places where the rules may reveal something hidden: the legality of a move reads something that its mover may not
see, or the result of the game reads something that somebody may not see.

A static analysis of the Core. It reports too many places rather than too few: a rule that reads nothing hidden reveals
nothing hidden. A value is the mover's own if its key is the mover, through functions and look-ahead too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.engine.facts.secrets import Secrets
from gamedsl.language.core import (
    children,
    exprs_of,
    is_stop,
    statement_exprs,
    statement_lists,
    targets,
    terminator_exprs,
    walk_statements,
    written,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span, lazy_dataclass

Mine = frozenset[int]  # the locals that stand for the mover


@lazy_dataclass(frozen=True)
class HiddenRead:
    """A place in the rules that reads something hidden. ``variables``: the numbers of the variables; ``schema``: the
    number of the kind of move (None: the choice of a value, or the result)."""

    span: Span
    variables: frozenset[int]
    schema: int | None = None


class HiddenReads:
    """The places where the rules of a program read hidden variables."""

    def __init__(self, secrets: Secrets) -> None:
        self.secrets = secrets
        self.program: n.Program = secrets.program
        self._functions: dict[tuple[int, Mine], frozenset[int]] = {}
        self._schemas: dict[tuple[int, Mine], frozenset[int]] = {}

    def name(self, number: int) -> str:
        """The name of a variable in the ruleset; for an attribute of pieces, the name of the field."""
        return self.program.variables[number].name.rsplit(".", 1)[-1]

    # --------------------------------------------------------------------------------------------------- moves

    def of_moves(self) -> list[HiddenRead]:
        """The reads by which legal moves may reveal something hidden to their mover, in the order of the ruleset."""
        if not self.secrets.hides:
            return []
        found: list[HiddenRead] = []
        schemas = dict.fromkeys(
            a.schema
            for b in self.program.blocks
            if isinstance(b.end, n.Decide | n.DecideTogether)
            for a in b.end.alternatives
        )
        for number in schemas:
            found.extend(self._of_schema(self.program.schemas[number]))
        for block in self.program.blocks:
            if isinstance(block.end, n.Choose):
                mover, source = block.end.mover, block.end.source
                hidden = self._named(self._reads(source, frozenset(), block.part, mover))
                found.append(HiddenRead(source.span, hidden))
        return [f for f in found if f.variables]

    def _of_schema(self, schema: n.Schema) -> Iterator[HiddenRead]:
        mine = frozenset({schema.me.id})
        for param in schema.params:
            yield self._read(param.over.span, self._reads(param.over, mine, schema.part), schema)
        for guard in schema.guards:
            yield self._read(guard.span, self._reads(guard.condition, mine, schema.part), schema)
        if schema.forbids:
            done = self._statements(schema.effect, mine, schema.part)
            for guard in schema.forbids:
                yield self._read(guard.span, done | self._reads(guard.condition, mine, schema.part), schema)

    def _read(self, span: Span, variables: frozenset[int], schema: n.Schema) -> HiddenRead:
        return HiddenRead(span, self._named(variables), schema.index)

    def _reads(self, e: n.Expr, mine: Mine, part: int, mover: n.Expr | None = None) -> frozenset[int]:
        """The variables that an expression reads where its mover may not see them."""
        found: set[int] = set()
        for child in children(e):
            if isinstance(e, n.LetE) and child is e.body and self._is_mine(e.value, mine, mover):
                found |= self._reads(child, mine | {e.local.id}, part, mover)
            else:
                found |= self._reads(child, mine, part, mover)
        match e:
            case n.Get(var=var, keys=keys) | n.StackOp(var=var, keys=keys):
                if self.secrets.is_hidden(var) and not self._is_own(var, keys, mine, part, mover):
                    found.add(var.index)
            case n.Noted(history=var):
                found.add(var.index)
            case n.CallF(function=number, args=args):
                params = self.program.functions[number].params
                own = [p.id for p, a in zip(params, args, strict=True) if self._is_mine(a, mine, mover)]
                found |= self._function(number, frozenset(own), part)
            case n.AfterE(schema=schema, args=args, tick=tick, passed=passed):
                found |= self._statements((*tick, *passed), mine, part)
                found |= frozenset() if schema is None else self._effect(schema, args, mine)
            case n.SomeMove(branches=branches, tick=tick):
                found |= self._statements(tick, mine, part)
                for b in branches:
                    own = [self.program.schemas[b.schema].me.id] if self._is_mine(e.mover, mine, mover) else []
                    found |= self._schema(b.schema, frozenset(own))
            case _:
                pass
        return frozenset(found)

    def _function(self, number: int, mine: Mine, part: int) -> frozenset[int]:
        if (number, mine) not in self._functions:
            self._functions[number, mine] = frozenset()  # (functions do not call themselves)
            self._functions[number, mine] = self._reads(self.program.functions[number].body, mine, part)
        return self._functions[number, mine]

    def _effect(self, number: int, args: tuple[n.Expr, ...], mine: Mine) -> frozenset[int]:
        schema = self.program.schemas[number]
        names = (schema.me, *(p.local for p in schema.params))
        own = frozenset(name.id for name, a in zip(names, args, strict=True) if self._is_mine(a, mine))
        return self._statements(schema.effect, own, schema.part)

    def _schema(self, number: int, mine: Mine) -> frozenset[int]:
        """The hidden variables that trying a move of a kind reads."""
        if (number, mine) not in self._schemas:
            self._schemas[number, mine] = frozenset()
            schema = self.program.schemas[number]
            asked = [*(p.over for p in schema.params), *(g.condition for g in (*schema.guards, *schema.forbids))]
            found = self._statements(schema.effect, mine, schema.part)
            self._schemas[number, mine] = found.union(*(self._reads(e, mine, schema.part) for e in asked))
        return self._schemas[number, mine]

    def _statements(self, statements: tuple[n.CoreStmt, ...], mine: Mine, part: int) -> frozenset[int]:
        found: set[int] = set()
        for s in walk_statements(statements):
            if isinstance(s, n.LetS) and self._is_mine(s.value, mine):
                mine |= {s.local.id}
            if isinstance(s, n.Effect):
                found |= self._effect(s.schema, s.args, mine)
            for e in statement_exprs(s):
                found |= self._reads(e, mine, part)
        return frozenset(found)

    def _is_mine(self, e: n.Expr, mine: Mine, mover: n.Expr | None = None) -> bool:
        return (isinstance(e, n.Load) and e.local.id in mine) or e == mover

    def _is_own(self, var: n.Var, keys: tuple[n.Expr, ...], mine: Mine, part: int, mover: n.Expr | None) -> bool:
        """Whether the mover sees this value because it is theirs. Its first key that is a player is the owner."""
        players = self.program.parts[var.part].players
        owner = next((k for k, domain in zip(keys, var.keys, strict=True) if domain == players), None)
        return var.seen == "owner" and var.part == part and owner is not None and self._is_mine(owner, mine, mover)

    # ------------------------------------------------------------------------------------------------- results

    def of_results(self) -> list[HiddenRead]:
        """The reads by which the result of the game may reveal something hidden: in what the result is computed from,
        and in the conditions that decide whether the game ends, in the order of the program."""
        if not self.secrets.hides:
            return []
        found: list[HiddenRead] = []
        for block in self.program.blocks:
            match block.end:
                case n.End():
                    read = self.secrets.reads(terminator_exprs(block.end))
                    made = [
                        e for s in block.statements if (v := written(s)) and v.index in read for e in exprs_of((s,))
                    ]
                    found.append(self._public(block.end.span, (*made, *terminator_exprs(block.end))))
                case n.BranchT(condition=condition, yes=yes, no=no) if self._decides_the_end(yes, no):
                    found.append(self._public(condition.span, (condition,)))
                case n.Decide(stuck=stuck) if stuck is not None and self._ends(stuck):
                    schemas = [self.program.schemas[a.schema] for a in block.end.alternatives]
                    found.append(self._public(block.end.span, [g.condition for s in schemas for g in s.guards]))
        return list(dict.fromkeys(f for f in found if f.variables))

    def _public(self, span: Span, exprs: Iterable[n.Expr]) -> HiddenRead:
        """The reads of something that somebody may not see. Helper variables count only as the variables they are
        computed from."""
        read = self._named(i for i in self.secrets.reads(exprs) if self.secrets.is_hidden(self.program.variables[i]))
        return HiddenRead(span, frozenset(i for i in read if self.program.variables[i].role != "temp"))

    def _decides_the_end(self, yes: int, no: int) -> bool:
        stops = self._next_stops(yes), self._next_stops(no)
        return stops[0] != stops[1] and any(isinstance(self.program.blocks[i].end, n.End) for i in stops[0] ^ stops[1])

    def _ends(self, block: int) -> bool:
        return any(isinstance(self.program.blocks[i].end, n.End) for i in self._next_stops(block))

    def _next_stops(self, block: int) -> frozenset[int]:
        """The stops that may be reached first from a block."""
        seen, todo = set[int](), [block]
        while todo:
            at = todo.pop()
            if at not in seen:
                seen.add(at)
                todo.extend(() if is_stop(self.program.blocks[at]) else targets(self.program.blocks[at].end))
        return frozenset(i for i in seen if is_stop(self.program.blocks[i]))

    # ------------------------------------------------------------------------------------------ helper variables

    def _named(self, variables: Iterable[int]) -> frozenset[int]:
        """The variables, with helper variables and noted positions replaced by the hidden variables they are computed
        from. If nothing else remains, the helper variables themselves."""
        found, unnamed, seen, todo = set[int](), set[int](), set[int](), list(variables)
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            var = self.program.variables[at]
            if var.role == "temp" or isinstance(var.type, n.HistoryT):
                unnamed.add(at)
                todo.extend(i for i in self._sources(var) if self.secrets.is_hidden(self.program.variables[i]))
            else:
                found.add(at)
        return frozenset(found or unnamed)

    def _sources(self, var: n.Var) -> frozenset[int]:
        """The variables that a helper variable may be computed from."""
        found: set[int] = set()
        for block in self.program.blocks:
            match block.end:
                case n.Chance(result=result, over=over, weight=weight) if result == var:
                    found |= self.secrets.reads((over, weight))
                case n.Choose(var=chosen, source=source) if chosen == var:
                    found |= self.secrets.reads((source,))
        for statements in statement_lists(self.program):
            for s in statements:
                if any(written(inner) == var for inner in walk_statements((s,))):
                    found |= self.secrets.read_by((s,))
        return frozenset(found)
