"""Prints the Core as text, for ``gamedsl core FILE``, and the part of it that is hashed by digests.

The same program always prints the same text. Numbers distinguish equal names of locals within one definition only.
"""

from __future__ import annotations

from gamedsl.language.boards import Family
from gamedsl.language.core import nodes as n
from gamedsl.language.core.print_blocks import block_text
from gamedsl.language.core.print_expressions import expression_text, statements
from gamedsl.language.core.print_names import Names


def print_core(program: n.Program, people: bool = True, former: bool = False) -> str:
    """Returns the text of a program. Without ``people``, omits the look. ``former``: as earlier versions printed it."""
    return _printed(Names(program, former=former), people)


def print_meaning(program: n.Program, names: type[Names] = Names) -> str:
    """Returns only the text that determines play and notation: without the look, messages, clauses, and the names of
    the file and its options.
    """
    return _printed(names(program, meaning=True), people=False)


def _printed(names: Names, people: bool) -> str:
    program = names.program
    body: list[str] = []
    for var in program.variables:
        body.append(_variable(names, var))
    if not names.meaning:
        body.extend(_function(names, f.index, f) for f in program.functions)
    for s in program.schemas:
        names.begin()
        body.extend(_schema(names, s))
        body.extend(f"  {line}" for line in statements(names, s.effect))
    for b in program.blocks:
        names.begin()
        body.extend(block_text(names, b))
    for part in program.parts:
        names.begin()
        seats = ", ".join(expression_text(names, s) for s in part.seats)
        name = "" if names.meaning and not part.index else f" {part.name}"  # (the whole has the name of its file)
        body.append(f"part {part.index}{name}: players {names.domain(part.players)} seats {seats}")
        if people:
            body.extend(_mark(names, m) for m in part.looks)
            body.extend(_leaving(names, x) for x in part.leavings)
    if names.meaning:
        body.extend(_function(names, i, program.functions[index]) for i, index in enumerate(names.functions))
    head = [f"players {' '.join(program.players.names)}", f"entry {program.entry}"]
    if not names.meaning:
        head = [f"program {program.name}", *head, *(f"option {name} = {value}" for name, value in program.options)]
    return "\n".join([*head, *_domains(names), *_tables(names), *body]) + "\n"


def _function(names: Names, number: int, f: n.Function) -> str:
    names.begin()
    params = ", ".join(f"{names.local(p)}: {names.type(p.type)}" for p in f.params)
    return f"function {number} {f.name}({params}): {names.type(f.body.type)} = {expression_text(names, f.body)}"


def _variable(names: Names, var: n.Var) -> str:
    keys = "".join(f"{names.domain(k)} -> " for k in var.keys)
    initial = str(var.initial[0]) if len(set(var.initial)) == 1 else " ".join(map(str, var.initial))
    seen = "" if var.seen == "all" else f", seen by {var.seen}"
    seen += "" if var.viewers is None else f", viewers {var.viewers}"
    return f"variable {names.variable(var)}: {keys}{names.type(var.type)} = {initial} ({var.role} of part {var.part}{seen})"


def _schema(names: Names, s: n.Schema) -> list[str]:
    params = ", ".join(
        f"{names.local(p.local)}: {names.type(p.local.type)} in {expression_text(names, p.over)}{' secret' if p.secret else ''}"
        for p in s.params
    )
    flags = (" by mistake" if s.mistake else "") + (" with chance" if s.has_chance else "")
    template = "".join(p if isinstance(p, str) else f"{{{names.local(s.params[p].local)}}}" for p in s.written)
    me = f"{names.local(s.me)}: {names.type(s.me.type)}"
    lines = [f"move {s.index} {s.name} of part {s.part} ({me}; {params}){flags} written {template!r}"]
    for word, guards in (("when", s.guards), ("forbid", s.forbids)):
        for g in guards:
            lines.append(f"  {word} {expression_text(names, g.condition)}{names.explained(g.message, g.clauses)}")
    for step in () if names.meaning else s.plan:  # (the guards determine the plan)
        if isinstance(step, n.Test):
            lines.append(f"  plan test {expression_text(names, step.condition)}")
        else:
            lines.append(
                f"  plan bind {names.local(s.params[step.param].local)} in {expression_text(names, step.over)}"
            )
    return lines


def _domains(names: Names) -> list[str]:
    lines = []
    for name, d in names.domains:  # (grows when a family names its base)
        base = ""
        if isinstance(d, Family):
            base = f" over {names.domain(d.base)} " + " ".join(f"{m:x}" for m in d.members)
        lines.append(f"domain {name} = {' | '.join(d.names)}{base}")
    return lines


def _tables(names: Names) -> list[str]:
    lines = []
    for name, t in names.tables:
        keys = ", ".join(names.domain(k) for k in t.keys)
        lines.append(f"table {name}({keys}): {names.type(t.type)} = {' '.join(f'{v:x}' for v in t.values)}")
    return lines


def _text_of(names: Names, pieces: tuple[str | n.Local, ...]) -> str:
    return repr("".join(p if isinstance(p, str) else f"{{{names.local(p)}}}" for p in pieces))


def _binders(names: Names, binders: tuple[tuple[n.Local, n.Expr], ...]) -> str:
    return "".join(f" for {names.local(x)} in {expression_text(names, over)}" for x, over in binders)


def _mark(names: Names, m: n.Mark) -> str:
    """Returns a rule of the look, without its shape: earlier versions, whose digests are still accepted, had none."""
    what = "" if m.what is None else f" {expression_text(names, m.what)}"
    number = "" if m.number is None else f" number {expression_text(names, m.number)}"
    for end in m.ends:
        what += f" {expression_text(names, end.place)}" + "".join(
            f" at {expression_text(names, e)}" for e in end.offset
        )
    style = " ".join(x for x in (m.colour, m.style) if x)
    called = "" if m.called is None else f" called {_text_of(names, m.called)}"
    return f"  {m.kind} {_text_of(names, m.text)}{what}{number} {style}{called}{_binders(names, m.binders)}".rstrip()


def _leaving(names: Names, x: n.Leaving) -> str:
    after = {None: "any ply", -1: "refusal"}.get(x.schema, f"move {x.schema}")
    on = ", ".join(expression_text(names, e) for e in x.on)
    when = "" if x.when is None else f" when {expression_text(names, x.when)}"
    until = " until redrawn" if x.until_redrawn else ""
    kind, path = "say" if x.is_said else "leave", "path " if x.is_path else ""
    called = "" if x.called is None else f" called {x.called!r}"
    large = "" if x.large is None else f" large {expression_text(names, x.large)}"
    return f"  {kind} {path}{_text_of(names, x.text)}{large} on {on}{called} after {after}{when}{until}{_binders(names, x.binders)}"
