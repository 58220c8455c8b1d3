"""Notations that a ruleset declares, for positions and for moves → Core."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from gamedsl.language.boards import IN_ROWS, Board, Domain
from gamedsl.language.core import memoized
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.declarations.templates import Loops, loops, template
from gamedsl.language.rules.expressions.binders import find_move
from gamedsl.language.rules.expressions.lowering import lower_bool
from gamedsl.language.rules.flow.lower_moves import param_value
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.syntax import ast

_COORDINATE = re.compile(r"\{((column|COLUMN|row) of ([A-Za-z_]\w*))\}")


def lower_notation(env: Env, d: ast.NotationDecl, known: list[n.PublicNotation]) -> n.PublicNotation:
    """Returns the notation of a declaration. ``known``: those declared before it."""
    if any(name.name == d.name.id for name in known):
        env.report.fail("E0391", d.name.span, name=d.name.id)
    me = env.program.local("me", n.ElemT(env.players))
    ctx = Ctx("look", me=n.Load(me))
    fields: list[n.NotationField] = []
    moves: list[n.MoveNotation] = []
    endings: list[n.NotationEnding] = []
    for line in d.fields:
        match line:
            case ast.NotationMoves():
                moves += _moves(env, line, {m.schema for m in moves})
            case ast.NotationAfter():
                endings.append(_ending(env, ctx, line))
            case _:
                fields.append(_position_field(env, ctx, line))
    boards = [f for f in fields if f.kind == "board"]
    if len(boards) > 1 or (boards and (env.board is None or env.board.kind not in IN_ROWS)):
        env.report.fail("E0390", boards[-1].span)
    return n.PublicNotation(d.name.id, me, tuple(fields), tuple(moves), tuple(endings))


def _position_field(
    env: Env, ctx: Ctx, line: ast.NotationBoard | ast.NotationAny | ast.NotationCount | ast.NotationText
) -> n.NotationField:
    match line:
        case ast.NotationBoard(separator):
            return n.NotationField("board", separator, (), (), span=line.span)
        case ast.NotationAny(text):
            return n.NotationField("any", text, (), (), span=line.span)
        case ast.NotationCount(first, player):
            if not re.fullmatch("[0-9]{1,6}", first):
                env.report.fail("E0454", line.span, text=first)
            return n.NotationField("count", str(int(first)), (), (), _player(env, player), span=line.span)
        case ast.NotationText():
            return _text(env, ctx, line)


def _player(env: Env, name: ast.Name | None) -> int | None:
    """Returns the index of the player with this name; None for no name."""
    if name is None:
        return None
    players = env.players.names
    if name.id not in players:
        env.report.fail("E0201", name.span, near=tuple(get_close_matches(name.id, players, n=3)), name=name.id)
    return players.index(name.id)


def _text(
    env: Env, ctx: Ctx, line: ast.NotationText | ast.NotationApart, own: tuple[n.Local, ...] = ()
) -> n.NotationField:
    """Returns the field of a line of strings. ``own``: the parameters of a move."""
    bound, inner = loops(env, ctx, line.binders)
    spelled = (*bound, *_coordinates(env, line.items, (*own, *(local for local, _ in bound))))
    found = tuple(
        (
            template(env, item.text, spelled, item.span, own),
            None if item.condition is None else lower_bool(env, inner, item.condition),
        )
        for item in line.items
    )
    match line:
        case ast.NotationApart():
            return n.NotationField("apart", "", found, spelled, span=line.span)
        case ast.NotationText(otherwise=otherwise):
            return n.NotationField("text", otherwise or "", found, spelled, span=line.span)


# ------------------------------------------------------------------------------------------------------------ moves


def _moves(env: Env, line: ast.NotationMoves, known: set[int]) -> Iterator[n.MoveNotation]:
    for name in line.moves:
        sym = find_move(env, name)
        if sym.index in known:
            env.report.fail("E0392", name.span, name=name.id)
        known = known | {sym.index}
        loads = tuple(n.Load(p) for p in sym.params)
        scope = {p.name: param_value(env, p, v) for p, v in zip(sym.params, loads, strict=True)}
        ctx = Ctx("look", scope=dict(scope), me=n.Load(sym.me))
        own = (sym.me, *sym.params)
        yield n.MoveNotation(sym.index, sym.me, sym.params, tuple(_text(env, ctx, part, own) for part in line.parts))


def _ending(env: Env, ctx: Ctx, line: ast.NotationAfter) -> n.NotationEnding:
    over = env.program.local("over", ty.BOOL)
    winners = env.program.local("winners", n.SetT(env.players))
    words = {local.name: n.Load(local) for local in (over, winners) if local.name not in env.symbols}
    text = ast.NotationText(line.items, None, (), notes=line.notes, span=line.span)
    return n.NotationEnding(over, winners, _text(env, ctx.bind(**words), text))


# ------------------------------------------------------------------------------------------------------ coordinates


def _coordinates(env: Env, items: Iterable[ast.NotationItem], known: tuple[n.Local, ...]) -> Loops:
    """Returns the columns and rows of cells that strings mention (``{column of c}``), each as a local over a set of
    one.
    """
    cells = {local.name: local for local in known if _is_cell(env, local)}
    found: dict[str, tuple[n.Local, n.Lookup]] = {}
    for item in items:
        for whole, which, name in _COORDINATE.findall(item.text):
            if whole in found:
                continue
            if name not in cells or env.board is None:
                env.report.fail("E0452", item.span, which=which, name=name)
            table = _coordinate_tables(env.board)[which]
            key = n.Load(cells[name], span=item.span)
            found[whole] = (env.program.local(whole, table.type), n.Lookup(table, (key,), span=item.span))
    return tuple((local, conversions.single(one)) for local, one in found.values())


def _is_cell(env: Env, local: n.Local) -> bool:
    board = env.board
    if board is None or board.coordinates is None or "cell" not in board.domains:
        return False
    return isinstance(local.type, n.ElemT) and local.type.domain == board.domains["cell"]


@memoized  # an editor's boards stay from check to check
def _coordinate_tables(board: Board) -> dict[str, n.TableData]:
    """Returns the tables of the columns and rows of cells, as the names of cells write them, by the word for them."""
    return {which: _coordinate_table(board, which) for which in ("column", "COLUMN", "row")}


def _coordinate_table(board: Board, which: str) -> n.TableData:
    assert board.coordinates is not None
    cells = board.domains["cell"]
    pairs = zip(cells.names, board.coordinates.cells, strict=True)
    texts = [_coordinate(name, which, row, column) for name, (row, column) in pairs]
    names = tuple(dict.fromkeys(texts))
    domain = Domain(which, names)
    return n.TableData(f"{which} of cell", (cells,), n.ElemT(domain), tuple(names.index(t) for t in texts))


def _coordinate(name: str, which: str, row: int, column: int) -> str:
    if which == "row":
        return str(row)
    by_numbers = not name.endswith(str(row)) or not name.removesuffix(str(row)).isalpha()
    text = str(column) if by_numbers else name.removesuffix(str(row))
    return text.upper() if which == "COLUMN" else text
