"""``without``: the cells removed from a board, by name or by a condition over the cells of the joined shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamedsl.language.boards import Board, Domain
from gamedsl.language.core import CostEstimator, NotConstant, RangeProblem, evaluate, map_children
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.expressions.lowering import lower
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import DefineSym, DomainSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast, walk

MOST_STEPS = 5_000_000  # of evaluating the cells to cut
IN_PLAY = frozenset({"me", "rival", "empty", "occupied", "turn"})  # words whose meaning depends on the position


def cut_cells(env: Env, d: ast.BoardDecl, whole: Board) -> tuple[str, ...]:
    """Returns the names of the cells of ``whole`` (the joined shapes) that the declaration removes."""
    if not d.without:
        return ()
    cell = whole.domains["cell"]
    inner = _environment(env, d, whole)
    bits = 0
    for e in d.without:
        bits |= _cut(inner, e, cell)
    if bits == cell.full:
        env.report.fail("E0337", d.without[0].span, count=cell.size, board=whole.title)
    return cell.set_names(bits)


def _environment(env: Env, d: ast.BoardDecl, whole: Board) -> Env:
    """Returns the names known before play: players, types, options, definitions, and the names of the joined shapes."""
    inner = replace(
        env,
        board=whole,
        place=whole.domains[whole.place],
        symbols=dict(env.symbols),
        elements={name: list(known) for name, known in env.elements.items()},
    )
    for name in ("cell", "direction", "adjacency"):
        inner.add_elements(whole.domains[name])
    for decl in env.decls:
        if isinstance(decl, ast.DefineDecl):
            inner.symbols.setdefault(decl.name.id, DefineSym(decl, decl.name.span))
    for name, domain in whole.domains.items():
        inner.symbols.setdefault(name, DomainSym(domain, d.span))
    return inner


def _cut(env: Env, e: ast.Expr, cell: Domain) -> int:
    """Returns the cells of one entry of ``without``, as bits."""
    if isinstance(e, ast.Ref):
        if e.name in cell.names:
            return 1 << cell.index(e.name)
        _check_known(env, e, cell)
    _check_constant(env, e)
    before = len(env.program.functions)
    try:
        cells = lower(env, Ctx("option"), e, n.SetT(cell))
        return _value(env, cells, e.span)
    finally:  # these definitions refer to cells that no longer exist
        del env.program.functions[before:]
        del env.program.depths[before:]


def _check_known(env: Env, e: ast.Ref, cell: Domain) -> None:
    assert env.board is not None
    known = {*env.symbols, *env.elements, *env.board.constants, *IN_PLAY}
    families = {name for name, _ in env.board.families}
    if e.name not in known | families and e.name not in _changing(env):
        near = env.report.near_names(e.name, [*cell.names, *env.board.constants])
        env.report.fail("E0220", e.span, near=near, name=e.name)


def _check_constant(env: Env, e: ast.Expr) -> None:
    """Reports names that depend on the position, even inside the definitions that are used."""
    changing = _changing(env) | IN_PLAY
    asked: list[tuple[ast.Expr, tuple[ast.Param, ...]]] = [(e, ())]
    seen: set[str] = set()
    while asked:
        value, params = asked.pop()
        bound = {p.name.id for p in params}
        bound |= {name.id for b in walk(value) if isinstance(b, ast.Binder) for name in b.names}
        for node in walk(value):
            if not isinstance(node, ast.Ref | ast.Call) or node.name in bound:
                continue
            symbol = env.symbols.get(node.name)
            if symbol is None and node.name in changing:
                env.report.fail("E0336", node.span, name=node.name)
            if isinstance(symbol, DefineSym) and node.name not in seen:
                seen.add(node.name)
                asked.append((symbol.decl.value, symbol.decl.params))


def _changing(env: Env) -> set[str]:
    """Returns the names of the ruleset's pieces, tokens and state variables."""
    names: set[str] = set()
    for d in env.decls:
        match d:
            case ast.StateDecl(variables):
                names |= {one.id for v in variables for one in v.names}
            case ast.PieceDecl():
                names |= {one.id for one in d.names}
            case ast.TokenDecl(name, kinds):
                names |= {name.id, *(k.name.id for k in kinds)}
            case _:
                pass
    return names


def _value(env: Env, cells: n.Expr, span: Span) -> int:
    functions = env.program.functions
    if CostEstimator((), functions).of(cells) > MOST_STEPS:
        env.report.fail("E0461", span, most=f"{MOST_STEPS:,}", through="")
    try:
        return evaluate(_inline(cells, functions, {}), {})
    except NotConstant:
        env.report.fail("E0307", span, what="the cells that `without` removes")
    except RangeProblem as problem:
        env.report.fail("E0338", span, problem=problem.message)


def _inline(e: n.Expr, functions: Sequence[n.Function], bodies: dict[int, n.Expr]) -> n.Expr:
    """Returns the expression with every call replaced by the function's body (``bodies``: those inlined so far); the
    Core has no recursion.
    """
    e = map_children(e, lambda child: _inline(child, functions, bodies))
    if not isinstance(e, n.CallF):
        return e
    function = functions[e.function]
    if e.function not in bodies:
        bodies[e.function] = _inline(function.body, functions, bodies)
    body = bodies[e.function]
    for local, value in zip(reversed(function.params), reversed(e.args), strict=True):
        body = n.LetE(local, value, body, span=e.span)
    return body
