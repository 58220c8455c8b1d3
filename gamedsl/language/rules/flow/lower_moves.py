"""Moves → schemas of the Core: first heads (so that others can look ahead through them), then guards and effects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from gamedsl.language.boards import Domain, in_words
from gamedsl.language.core import children, make_plan, memoized
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.binders import check_name
from gamedsl.language.rules.expressions.lowering import lower_bool, lower_set
from gamedsl.language.rules.expressions.type_expressions import domain_of_type, single_type
from gamedsl.language.rules.flow import effects
from gamedsl.language.rules.scope import Ctx, Env, MoveValue, statements_in
from gamedsl.language.rules.symbols import ActionSym, MoveSym
from gamedsl.language.source import Label
from gamedsl.language.syntax import ast, walker

OR_NONE = "-"
Question = tuple[int, str]  # a move, and its conditions in question: "guards" or "forbids"


def optional_domain(inner: Domain) -> Domain:
    """Returns the domain of the elements of a domain and none, which comes first, as in the encoding of optionals."""
    return Domain(f"{inner.name}?", (OR_NONE, *inner.names), spoken=(OR_NONE, *inner.words))


def has_chance(env: Env, body: ast.Body, seen: set[str] | None = None) -> bool:
    """Returns whether an effect contains chance, directly or in actions that it performs (``seen``: already visited)."""
    seen = set() if seen is None else seen
    for node in (inside for s in body for inside in statements_in(s)):
        if isinstance(node, ast.ChanceStatement):
            return True
        if isinstance(node, ast.Perform) and node.action not in seen:
            seen.add(node.action)
            symbol = env.symbols.get(node.action)
            if isinstance(symbol, ActionSym) and has_chance(env, symbol.decl.body, seen):
                return True
    return False


def declare_head(env: Env, sym: MoveSym) -> None:
    """Lowers the parameters of a move: their types and the sets over which they range."""
    scope: dict[str, n.Expr] = {}
    params: list[n.Local] = []
    overs: list[n.Expr] = []
    for param in sym.decl.params:
        ctx = Ctx("guard", scope=dict(scope), me=n.Load(sym.me))
        check_name(env, ctx, param.name)
        over = _over(env, ctx, param)
        assert isinstance(over.type, n.SetT)
        local = env.program.local(param.name.id, n.ElemT(over.type.domain))
        params.append(local)
        overs.append(over)
        scope[param.name.id] = param_value(env, local, n.Load(local, span=param.name.span))
    sym.params, sym.overs = tuple(params), tuple(overs)


def _over(env: Env, ctx: Ctx, param: ast.Param) -> n.Expr:
    if param.source is not None:
        return lower_set(env, ctx, param.source)
    assert param.type is not None
    if isinstance(param.type, ast.OptionalType):
        domain = optional_domain(domain_of_type(env, param.type.inner))
        env.program.optional[domain] = single_type(env, param.type.inner)
    else:
        domain = domain_of_type(env, param.type)
    return n.Const(domain.full, n.SetT(domain), span=param.span)


def param_value(env: Env, local: n.Local, value: n.Expr) -> n.Expr:
    """Returns the value of a parameter, which for ``T?`` and bool is represented by an element of a plain domain."""
    assert isinstance(local.type, n.ElemT)
    domain = local.type.domain
    if domain in env.program.optional:
        return n.Convert(value, n.OptT(env.program.optional[domain]), span=value.span)
    if domain.name == "bool":
        return n.Convert(value, n.BoolT(), span=value.span)
    return value


def complete(env: Env, sym: MoveSym, forbids: list[ast.ForbidDecl]) -> None:
    """Lowers the guards, forbids and effect of a move whose head is known; marks the move as broken if they are wrong."""
    decl = sym.decl
    loads = tuple(n.Load(p) for p in sym.params)
    scope = {p.name: param_value(env, p, v) for p, v in zip(sym.params, loads, strict=True)}
    me = n.Load(sym.me)
    ctx = Ctx("guard", scope=dict(scope), me=me, this=MoveValue(sym, (me, *loads)))
    failed = False
    guards: list[n.CoreGuard] = []
    for g in decl.guards:
        try:
            guards.append(_guard(env, ctx, g))
        except Bail:
            failed = True
    banned: list[n.CoreGuard] = []
    for f in forbids:
        try:
            banned.append(_guard(env, Ctx("forbid", me=me), f))
        except Bail:
            failed = True
    if sym.has_chance and forbids:
        env.report.fail("E0353", decl.span, name=decl.name.id)
    effect = ()
    try:
        if not sym.has_chance:
            effect = effects.lower_body(env, Ctx("effect", scope=dict(scope), me=me, this=ctx.this), decl.effect)  # type: ignore[assignment]
    except Bail:
        failed = True
    if failed:
        sym.broken = True
        return
    secret = [p.seen == "owner" for p in decl.params]
    params = tuple(n.CoreParam(p, o, s) for p, o, s in zip(sym.params, sym.overs, secret, strict=True))
    sym.schema = n.Schema(
        sym.index,
        decl.name.id,
        env.index,
        sym.me,
        params,
        tuple(guards),
        tuple(banned),
        effect,
        sym.has_chance,
        decl.mistake,
        written(env, sym),
        (),  # planned when there are no errors
        tuple(c.clause for c in decl.notes.cites),
        decl.name.span,
        tuple(_template(env, sym, text) for text in decl.also),
    )


def planned(sym: MoveSym, functions: Sequence[n.Function]) -> n.Schema:
    """Returns the schema of a completed move with the plan by which its moves are listed. ``functions``: all of the program."""
    assert sym.schema is not None, "an incomplete move is an error"
    return replace(sym.schema, plan=make_plan(sym.schema.params, sym.schema.guards, functions))


def _guard(env: Env, ctx: Ctx, g: ast.Guard | ast.ForbidDecl) -> n.CoreGuard:
    condition = lower_bool(env, ctx, g.condition)
    clauses = tuple(c.clause for c in g.notes.cites)
    return n.CoreGuard(condition, g.message or "", clauses, g.span, looks_ahead(env, condition))


def looks_ahead(env: Env, e: n.Expr, seen: set[int] | None = None) -> bool:
    """Returns whether a condition looks ahead, directly or through definitions (``seen``: already visited)."""
    seen = set() if seen is None else seen
    trial = _trials(e)
    if trial.looks_ahead:
        return True
    for function in trial.calls:
        if function not in seen:
            seen.add(function)
            if looks_ahead(env, env.program.functions[function].body, seen):
                return True
    return False


# All nodes of a Core expression, except tables and types, which contain no expressions.
core_walk = walker("span", "type", "table", "var", "local", "me", "params", "history")


class _Trials(NamedTuple):
    """What an expression tries: whether it looks ahead, the questions that it asks about moves, and the functions that it calls."""

    looks_ahead: bool
    questions: frozenset[Question]
    calls: tuple[int, ...]


@memoized
def _trials(e: n.Expr) -> _Trials:
    """Returns what an expression tries itself; calls are not followed."""
    plain = _plain_calls(e)
    if plain is not None:
        return _Trials(False, frozenset(), plain)
    ahead, questions, calls = False, set[Question](), dict[int, None]()
    for node in core_walk(e):
        if isinstance(node, n.CallF):
            calls[node.function] = None
        elif isinstance(node, n.AfterE):
            ahead = True
        elif isinstance(node, n.SomeMove):
            ahead = True
            for what in ("guards", "forbids") if node.legal else ("guards",):
                questions |= {(b.schema, what) for b in node.branches}
    return _Trials(ahead, frozenset(questions), tuple(calls))


def _plain_calls(e: n.Expr) -> tuple[int, ...] | None:
    """Returns the functions that an expression calls; None if it looks ahead, since then statements inside it can call some too."""
    found: dict[int, None] = {}
    pending = [e]
    while pending:
        one = pending.pop()
        if one.looks_ahead:
            return None
        if isinstance(one, n.CallF):
            found[one.function] = None
        pending += children(one)
    return tuple(found)


def written(env: Env, sym: MoveSym) -> tuple[str | int, ...]:
    """Returns the notation of a move: literal strings and parameter numbers. It must contain every parameter, or two
    moves would be written alike.
    """
    if sym.decl.written is None:
        out: list[str | int] = [in_words(sym.decl.name.id)]
        for i in range(len(sym.params)):
            out += [" ", i]
        return tuple(out)
    return _template(env, sym, sym.decl.written)


def _template(env: Env, sym: MoveSym, template: str) -> tuple[str | int, ...]:
    names = [p.name for p in sym.params]
    parts: list[str | int] = []
    for piece in re.split(r"(\{[A-Za-z_0-9]*\})", template):
        if piece[:1] == "{":
            name = piece[1:-1]
            if name not in names:
                near = env.report.near_names(name, names)
                meant = next((one for one in (*near, *names) if f"{{{one}}}" not in template), "")
                cure = template.replace(piece, f"{{{meant}}}" if meant else "")
                env.report.fail("E0354", sym.decl.span, near=near, name=name, move=sym.decl.name.id, cure=cure)
            parts.append(names.index(name))
        elif piece:
            parts.append(piece)
    missing = [one for i, one in enumerate(names) if i not in parts]
    if missing:
        env.report.fail("E0355", sym.decl.span, names=", ".join(missing), move=sym.decl.name.id)
    return tuple(parts)


def report_alike(env: Env) -> None:
    """Warns about moves with the same text and parameters of the same types."""
    known: dict[tuple[object, ...], MoveSym] = {}
    for sym in env.moves():
        if sym.broken or not sym.decl.written:
            continue
        text = tuple(x if isinstance(x, str) else sym.params[x].type for x in written(env, sym))
        other = known.setdefault(text, sym)
        if other is not sym:
            label = Label(other.decl.name.span, "written alike")
            names = {"move": sym.decl.name.id, "other": other.decl.name.id}
            env.report.add("W0924", sym.decl.name.span, labels=(label,), **names)


def check_cycles(env: Env) -> None:
    """Reports cycles of look-ahead: the guards and forbids of a move can try moves, but only moves whose own conditions
    do not lead back to it (``attempts`` evaluates only the guards).
    """
    uses: dict[Question, set[Question]] = {}
    for sym in env.moves():
        if sym.schema is not None:
            uses[sym.index, "guards"] = _collect_questions(env, tuple(g.condition for g in sym.schema.guards), set())
            uses[sym.index, "forbids"] = _collect_questions(env, tuple(f.condition for f in sym.schema.forbids), set())
    for sym in env.moves():
        if any(_comes_back((sym.index, what), uses) for what in ("guards", "forbids")):
            env.report.add("E0356", sym.decl.name.span, name=sym.decl.name.id)


def _comes_back(start: Question, uses: dict[Question, set[Question]]) -> bool:
    todo, seen = list(uses.get(start, ())), set[Question]()
    while todo:
        question = todo.pop()
        if question == start:
            return True
        if question not in seen:
            seen.add(question)
            todo.extend(uses.get(question, ()))
    return False


def _collect_questions(env: Env, conditions: tuple[n.Expr, ...], seen: set[int]) -> set[Question]:
    """Returns the moves that conditions try, even through definitions (``seen``: already visited)."""
    found: set[Question] = set()
    for trial in map(_trials, conditions):
        found |= trial.questions
        for function in trial.calls:
            if function not in seen:
                seen.add(function)
                found |= _collect_questions(env, (env.program.functions[function].body,), seen)
    return found
