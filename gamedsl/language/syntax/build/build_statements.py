"""Parse trees → statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, cast

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.build.build_expressions import build_binder, build_expr, build_exprs, optional_expr
from gamedsl.language.syntax.build.builder import Builder, is_tree, text_of, token, tokens, tree, trees
from gamedsl.language.syntax.parse.feed import HOLE
from gamedsl.language.syntax.parse.messages import quoted
from gamedsl.language.syntax.parse.push_parser import Child, Parsed


def build_body(b: Builder, children: Sequence[Child]) -> ast.Body:
    """Returns the statements among some children, without the lines that could not be parsed."""
    found = [c for c in children if is_tree(c) and c.data in STATEMENTS and not is_hole(c)]
    return tuple([build_stmt(b, c) for c in found])


def build_stmt(b: Builder, t: Parsed) -> ast.Stmt:
    return STATEMENTS[t.data](b, t)


def is_hole(t: Parsed) -> bool:
    """Returns whether a statement is the placeholder of a line that could not be parsed."""
    if t.data != "perform":
        return False
    inner = tree(t.children[0])
    return str(inner.children[0]) == HOLE


def optional_name(b: Builder, child: Child) -> ast.Name | None:
    return None if child is None else b.name(child)


def build_bindings(b: Builder, children: Sequence[Child]) -> tuple[ast.Binding, ...]:
    """Returns bindings such as ``n = 5, first = light``."""
    return tuple(
        ast.Binding(b.name(t.children[0]), build_expr(b, t.children[1]), span=b.span(t))
        for t in trees(children, "binding")
    )


# ------------------------------------------------------------------------------------------------------- effects


def _put(b: Builder, t: Parsed) -> ast.Stmt:
    piece, on, *bindings = t.children
    return ast.Put(build_expr(b, piece), build_expr(b, on), build_bindings(b, bindings), **b.where(t))


def _reveal(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Reveal(build_expr(b, t.children[0]), optional_expr(b, t.children[1]), **b.where(t))


def _remove_some(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Remove(False, build_expr(b, t.children[0]), build_expr(b, t.children[1]), **b.where(t))


def _remove_all(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Remove(True, optional_expr(b, t.children[0]), build_expr(b, t.children[1]), **b.where(t))


def _move_piece(b: Builder, t: Parsed) -> ast.Stmt:
    piece, source, target = build_exprs(b, t.children)
    return ast.MovePiece(piece, source, target, **b.where(t))


def _move_all(b: Builder, t: Parsed) -> ast.Stmt:
    source, target = build_exprs(b, t.children)
    return ast.MovePiece(None, source, target, **b.where(t))


def _set_to(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.SetTo(build_expr(b, t.children[0]), build_expr(b, t.children[1]), **b.where(t))


def _add(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Add(build_expr(b, t.children[0]), build_expr(b, t.children[1]), **b.where(t))


def _take(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Take(build_expr(b, t.children[0]), build_expr(b, t.children[1]), **b.where(t))


def _push(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Push(build_expr(b, t.children[0]), build_expr(b, t.children[1]), **b.where(t))


def _pop(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Pop(build_expr(b, t.children[0]), optional_name(b, t.children[1]), **b.where(t))


def _perform(b: Builder, t: Parsed) -> ast.Stmt:
    match build_expr(b, t.children[0]):
        case ast.Call(name, arguments):
            return ast.Perform(name, arguments, **b.where(t))
        case ast.Ref(name):
            return ast.Perform(name, (), **b.where(t))
        case other:
            raise AssertionError(other)


def _let(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Let(b.name(t.children[0]), build_expr(b, t.children[1]), **b.where(t))


def _if(b: Builder, t: Parsed) -> ast.Stmt:
    condition, *rest = t.children
    where = b.where(t)
    first = ast.Branch(build_expr(b, condition), build_body(b, rest), span=where["span"])
    others = [
        ast.Branch(build_expr(b, e.children[0]), build_body(b, e.children[1:]), **b.where(e))
        for e in trees(rest, "else_if")
    ]
    ends = [ast.Else(build_body(b, e.children), **b.where(e)) for e in trees(rest, "else_branch")]
    return ast.If((first, *others), ends[0] if ends else None, **where)


def _for(b: Builder, t: Parsed) -> ast.Stmt:
    binder, *body = t.children
    return ast.For(build_binder(b, tree(binder)), build_body(b, body), **b.where(t))


def _repeat(b: Builder, t: Parsed) -> ast.Stmt:
    times, *rest = t.children
    ends = [ast.Until(build_expr(b, u.children[0]), **b.where(u)) for u in trees(rest, "until")]
    return ast.Repeat(optional_expr(b, times), build_body(b, rest), ends[0] if ends else None, **b.where(t))


def _roll(b: Builder, t: Parsed) -> ast.Stmt:
    dice, die, result = t.children
    count = 1 if dice is None else int(token(dice))
    return ast.Roll(count, int(token(die)[1:]), b.name(result), **b.where(t))


def _pick(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Pick(build_expr(b, t.children[0]), b.name(t.children[1]), **b.where(t))


def _draw_from(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.DrawFrom(build_expr(b, t.children[0]), b.name(t.children[1]), **b.where(t))


def _shuffle(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Shuffle(build_expr(b, t.children[0]), **b.where(t))


def _shuffle_into(b: Builder, t: Parsed) -> ast.Stmt:
    source, target = t.children
    return ast.ShuffleInto(build_expr(b, source), build_expr(b, target), **b.where(t))


def _deal(b: Builder, t: Parsed) -> ast.Stmt:
    times, source, target = t.children
    return ast.Deal(optional_expr(b, times), build_expr(b, source), build_expr(b, target), **b.where(t))


def _discard(b: Builder, t: Parsed) -> ast.Stmt:
    value, source, target = t.children
    return ast.Discard(build_expr(b, value), build_expr(b, source), build_expr(b, target), **b.where(t))


# ------------------------------------------------------------------------------------------------- course of play


def _phase(b: Builder, t: Parsed) -> ast.Stmt:
    name, *body = t.children
    return ast.Phase(b.name(name), build_body(b, body), **b.where(t))


def _turns(b: Builder, t: Parsed) -> ast.Stmt:
    start, times, until, *body = t.children
    return ast.Turns(
        build_expr(b, start), optional_expr(b, times), optional_expr(b, until), build_body(b, body), **b.where(t)
    )


def _plays(b: Builder, t: Parsed) -> ast.Stmt:
    who, *rest = t.children
    for kind in ("may_pass", "stuck"):
        for again in trees(rest, kind)[1:]:
            b.problem("E0127", again, found=quoted(kind.replace("_", " ")))
    passing = [ast.MayPass(**b.where(p)) for p in trees(rest, "may_pass")]
    stuck = [ast.Stuck(build_body(b, s.children), **b.where(s)) for s in trees(rest, "stuck")]
    return ast.Plays(
        build_expr(b, who),
        b.names(tokens(rest, "NAME")),
        passing[0] if passing else None,
        stuck[0] if stuck else None,
        **b.where(t),
    )


def _chooses(b: Builder, t: Parsed) -> ast.Stmt:
    who, target, source = t.children
    return ast.Chooses(build_expr(b, who), build_expr(b, target), optional_expr(b, source), **b.where(t))


def _passes(b: Builder, t: Parsed) -> ast.Stmt:
    return ast.Passes(build_expr(b, t.children[0]), **b.where(t))


def _draws(b: Builder, t: Parsed) -> ast.Stmt:
    who, *strokes = t.children
    return ast.Draws(build_expr(b, who), b.names(strokes), **b.where(t))


def _everyone(b: Builder, t: Parsed) -> ast.Stmt:
    group, *moves = t.children
    return ast.Everyone(optional_expr(b, group), b.names(moves), **b.where(t))


def _play_game(b: Builder, t: Parsed) -> ast.Stmt:
    game, *bindings, result = t.children
    return ast.PlayGame(b.name(game), build_bindings(b, bindings), optional_name(b, result), **b.where(t))


def _verdict(b: Builder, t: Parsed) -> ast.Stmt:
    kind: Literal["win", "lose"] = "win" if str(t.children[0]) == "win" else "lose"
    return ast.Verdict(kind, build_expr(b, t.children[1]), text_of(t.children[2]), **b.where(t))


def _rank_by(b: Builder, t: Parsed) -> ast.Stmt:
    kind = cast(Literal["rank", "share", "score"], str(t.children[0]))
    return ast.RankBy(kind, b.name(t.children[1]), **b.where(t))


STATEMENTS: Mapping[str, Callable[[Builder, Parsed], ast.Stmt]] = {
    "put": _put,
    "reveal": _reveal,
    "remove_some": _remove_some,
    "remove_all": _remove_all,
    "move_piece": _move_piece,
    "move_all": _move_all,
    "set_to": _set_to,
    "add": _add,
    "take": _take,
    "push": _push,
    "pop": _pop,
    "perform": _perform,
    "let": _let,
    "if_statement": _if,
    "for_statement": _for,
    "repeat": _repeat,
    "stop": lambda b, t: ast.Stop(**b.where(t)),
    "skip": lambda b, t: ast.Skip(**b.where(t)),
    "again": lambda b, t: ast.Again(**b.where(t)),
    "end_phase": lambda b, t: ast.EndPhase(**b.where(t)),
    "roll": _roll,
    "pick": _pick,
    "draw_from": _draw_from,
    "shuffle": _shuffle,
    "shuffle_into": _shuffle_into,
    "deal": _deal,
    "discard": _discard,
    "note_position": lambda b, t: ast.NotePosition("position", b.names(t.children), **b.where(t)),
    "note_board": lambda b, t: ast.NotePosition("board", b.names(t.children), **b.where(t)),
    "phase": _phase,
    "turns": _turns,
    "plays": _plays,
    "chooses": _chooses,
    "passes": _passes,
    "draws": _draws,
    "everyone": _everyone,
    "play_game": _play_game,
    "verdict": _verdict,
    "draw_game": lambda b, t: ast.DrawGame(text_of(t.children[0]), **b.where(t)),
    "rank_by": _rank_by,
}
