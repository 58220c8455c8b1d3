"""Prints the Core as text, for ``gamedsl core FILE``, and the part of it that is hashed by digests.

The same program always prints the same text. Numbers distinguish equal names of locals within one definition only.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gamedsl.boards import Domain, Family
from gamedsl.core.nodes import (
    BoolT,
    Const,
    DrawingT,
    ElemT,
    Expr,
    Function,
    HistoryT,
    IntT,
    Leaving,
    Local,
    Mark,
    OptT,
    Program,
    Schema,
    SetT,
    StackT,
    TableData,
    Test,
    Var,
    VarT,
)
from gamedsl.core.print_blocks import block_text
from gamedsl.core.print_expressions import expression_text, statements

MOST_NAMES = 12  # larger constant sets are written as bits


@dataclass
class Names:
    """Names for domains, tables, variables and (within one definition) locals, made unique by numbers."""

    program: Program
    meaning: bool = False  # without names of files, messages and clauses
    former: bool = False  # as earlier versions printed it
    domains: list[tuple[str, Domain]] = field(default_factory=list)
    tables: list[tuple[str, TableData]] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)  # in order of their first calls
    _variables: list[str] = field(default_factory=list)
    _locals: dict[int, str] = field(default_factory=dict)
    _tables: dict[int, str] = field(default_factory=dict)
    _domains: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for v in self.program.variables:
            self._variables.append(_unused(v.name, self._variables))

    def variable(self, var: Var) -> str:
        return self._variables[var.index]

    def function(self, index: int) -> str:
        """In a ``meaning``, functions are numbered in order of their first calls, so that those used only by the look
        do not shift the numbers."""
        if index not in self.functions:
            self.functions.append(index)
        number = self.functions.index(index) if self.meaning else index
        return f"{self.program.functions[index].name}#{number}"

    def begin(self) -> None:
        """Starts a new definition. Its locals are numbered afresh."""
        self._locals.clear()

    def local(self, local: Local) -> str:
        if local.id not in self._locals:
            self._locals[local.id] = _unused(local.name, self._locals.values())
        return self._locals[local.id]

    def domain(self, domain: Domain) -> str:
        if id(domain) not in self._domains:
            name = next((n for n, d in self.domains if d == domain), None)
            if name is None:
                name = _unused(domain.name, [n for n, _ in self.domains])
                self.domains.append((name, domain))
            self._domains[id(domain)] = name
        return self._domains[id(domain)]

    def table(self, table: TableData) -> str:
        if id(table) not in self._tables:
            name = next((n for n, t in self.tables if t == table), None)
            if name is None:
                name = _unused(table.name, [n for n, _ in self.tables])
                self.tables.append((name, table))
            self._tables[id(table)] = name
        return self._tables[id(table)]

    def explained(self, message: str, clauses: tuple[str, ...] = ()) -> str:
        """The message and the clauses that follow a line."""
        if self.meaning:
            return ""
        return (f" {message!r}" if message else "") + "".join(f" @{c}" for c in clauses)

    def type(self, t: VarT) -> str:
        match t:
            case BoolT():
                return "bool"
            case IntT(low, high):
                return f"{low}..{high}"
            case ElemT(domain):
                return self.domain(domain)
            case OptT(inner):
                return f"{self.type(inner)}?"
            case SetT(domain):
                return f"set of {self.domain(domain)}"
            case StackT(inner, limit):
                return f"stack of {self.type(inner)} up to {limit}"
            case DrawingT():
                return "drawing"
            case HistoryT():
                return "history"

    def constant(self, c: Const) -> str:
        match c.type:
            case BoolT():
                return "yes" if c.value else "no"
            case IntT():
                return str(c.value)
            case ElemT(domain):
                return f"{self.domain(domain)}.{domain.names[c.value]}"
            case OptT(inner):
                if c.value == 0:
                    return "none"
                low = inner.low if isinstance(inner, IntT) else 0
                return self.constant(Const(c.value - 1 + low, inner))
            case SetT(domain):
                return self._set(c.value, domain)

    def _set(self, bits: int, domain: Domain) -> str:
        name = self.domain(domain)
        if bits == domain.full and bits:
            return f"{{all {name}}}"
        if bits.bit_count() <= MOST_NAMES:
            return f"{name}{{{', '.join(domain.set_names(bits))}}}"
        return f"{name}:{bits:#x}"


def _unused(name: str, taken: object) -> str:
    used = set(taken)  # type: ignore[call-overload]
    if name not in used:
        return name
    n = 2
    while f"{name}'{n}" in used:
        n += 1
    return f"{name}'{n}"


def print_core(program: Program, people: bool = True, former: bool = False) -> str:
    """The text of a program. Without ``people``, omits the look. ``former``: as earlier versions printed it."""
    return _printed(Names(program, former=former), people)


def print_meaning(program: Program, names: type[Names] = Names) -> str:
    """Only what determines play and notation: without the look, messages, clauses, and the names of the file and its
    options."""
    return _printed(names(program, meaning=True), people=False)


def _printed(n: Names, people: bool) -> str:
    program = n.program
    body: list[str] = []
    for var in program.variables:
        body.append(_variable(n, var))
    if not n.meaning:
        body.extend(_function(n, f.index, f) for f in program.functions)
    for s in program.schemas:
        n.begin()
        body.extend(_schema(n, s))
        body.extend(f"  {line}" for line in statements(n, s.effect))
    for b in program.blocks:
        n.begin()
        body.extend(block_text(n, b))
    for part in program.parts:
        n.begin()
        seats = ", ".join(expression_text(n, s) for s in part.seats)
        name = "" if n.meaning and not part.index else f" {part.name}"  # (the whole has the name of its file)
        body.append(f"part {part.index}{name}: players {n.domain(part.players)} seats {seats}")
        if people:
            body.extend(_mark(n, m) for m in part.looks)
            body.extend(_leaving(n, x) for x in part.leavings)
    if n.meaning:
        body.extend(_function(n, i, program.functions[index]) for i, index in enumerate(n.functions))
    head = [f"players {' '.join(program.players.names)}", f"entry {program.entry}"]
    if not n.meaning:
        head = [f"program {program.name}", *head, *(f"option {name} = {value}" for name, value in program.options)]
    return "\n".join([*head, *_domains(n), *_tables(n), *body]) + "\n"


def _function(n: Names, number: int, f: Function) -> str:
    n.begin()
    params = ", ".join(f"{n.local(p)}: {n.type(p.type)}" for p in f.params)
    return f"function {number} {f.name}({params}): {n.type(f.body.type)} = {expression_text(n, f.body)}"


def _variable(n: Names, var: Var) -> str:
    keys = "".join(f"{n.domain(k)} -> " for k in var.keys)
    initial = str(var.initial[0]) if len(set(var.initial)) == 1 else " ".join(map(str, var.initial))
    seen = "" if var.seen == "all" else f", seen by {var.seen}"
    seen += "" if var.viewers is None else f", viewers {var.viewers}"
    return f"variable {n.variable(var)}: {keys}{n.type(var.type)} = {initial} ({var.role} of part {var.part}{seen})"


def _schema(n: Names, s: Schema) -> list[str]:
    params = ", ".join(
        f"{n.local(p.local)}: {n.type(p.local.type)} in {expression_text(n, p.over)}{' secret' if p.secret else ''}"
        for p in s.params
    )
    flags = (" by mistake" if s.mistake else "") + (" with chance" if s.has_chance else "")
    template = "".join(p if isinstance(p, str) else f"{{{n.local(s.params[p].local)}}}" for p in s.written)
    me = f"{n.local(s.me)}: {n.type(s.me.type)}"
    lines = [f"move {s.index} {s.name} of part {s.part} ({me}; {params}){flags} written {template!r}"]
    for word, guards in (("when", s.guards), ("forbid", s.forbids)):
        for g in guards:
            lines.append(f"  {word} {expression_text(n, g.condition)}{n.explained(g.message, g.clauses)}")
    for step in () if n.meaning else s.plan:  # (a plan follows from the guards)
        if isinstance(step, Test):
            lines.append(f"  plan test {expression_text(n, step.condition)}")
        else:
            lines.append(f"  plan bind {n.local(s.params[step.param].local)} in {expression_text(n, step.over)}")
    return lines


def _domains(n: Names) -> list[str]:
    lines = []
    for name, d in n.domains:  # (grows while families name their bases)
        base = ""
        if isinstance(d, Family):
            base = f" over {n.domain(d.base)} " + " ".join(f"{m:x}" for m in d.members)
        lines.append(f"domain {name} = {' | '.join(d.names)}{base}")
    return lines


def _tables(n: Names) -> list[str]:
    lines = []
    for name, t in n.tables:
        keys = ", ".join(n.domain(k) for k in t.keys)
        lines.append(f"table {name}({keys}): {n.type(t.type)} = {' '.join(f'{v:x}' for v in t.values)}")
    return lines


def _text_of(n: Names, pieces: tuple[str | Local, ...]) -> str:
    return repr("".join(p if isinstance(p, str) else f"{{{n.local(p)}}}" for p in pieces))


def _binders(n: Names, binders: tuple[tuple[Local, Expr], ...]) -> str:
    return "".join(f" for {n.local(x)} in {expression_text(n, over)}" for x, over in binders)


def _mark(n: Names, m: Mark) -> str:
    """A rule of the look. Shapes are omitted: earlier versions, whose digests are recognized, had none."""
    what = "" if m.what is None else f" {expression_text(n, m.what)}"
    number = "" if m.number is None else f" number {expression_text(n, m.number)}"
    for end in m.ends:
        what += f" {expression_text(n, end.place)}" + "".join(f" at {expression_text(n, e)}" for e in end.offset)
    style = " ".join(x for x in (m.colour, m.style) if x)
    called = "" if m.called is None else f" called {_text_of(n, m.called)}"
    return f"  {m.kind} {_text_of(n, m.text)}{what}{number} {style}{called}{_binders(n, m.binders)}".rstrip()


def _leaving(n: Names, x: Leaving) -> str:
    after = {None: "any ply", -1: "refusal"}.get(x.schema, f"move {x.schema}")
    on = ", ".join(expression_text(n, e) for e in x.on)
    when = "" if x.when is None else f" when {expression_text(n, x.when)}"
    until = " until redrawn" if x.until_redrawn else ""
    kind, path = "say" if x.is_said else "leave", "path " if x.is_path else ""
    called = "" if x.called is None else f" called {x.called!r}"
    large = "" if x.large is None else f" large {expression_text(n, x.large)}"
    return f"  {kind} {path}{_text_of(n, x.text)}{large} on {on}{called} after {after}{when}{until}{_binders(n, x.binders)}"
