"""The looks of a game as plain data, from which a page makes the ``picture`` of a state with answers to questions.

``static/local_picture.js`` reads it; the meaning is that of ``gamedsl.engine.picture``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine import piece_kinds
from gamedsl.engine.picture import (
    board_kind,
    has_known_sizes,
    holdings,
    of_mark,
    part_shown,
    piece_labels,
    place_domain,
    place_names,
    replaced_marks,
    said,
    shown_holdings,
    stacks_on_board,
    tint_name,
    unset_reads,
)
from gamedsl.language.core import SEATS, Sign, colored_players, pieces_read, sign_of, words
from gamedsl.language.core import nodes as n
from gamedsl.play.web.offline.page_questions import FIRST_ID, Questions
from gamedsl.play.web.offline.score_data import explained_score
from gamedsl.play.web.pictures import describe_glyph
from gamedsl.play.web.scenes import scene_of

if TYPE_CHECKING:
    from gamedsl.engine import Game

Json: TypeAlias = dict[str, Any]
MOST_THINGS_HELD = 10_000


def look_data(game: Game, questions: Questions) -> list[Json]:
    """The look of every part of the program."""
    return [_part(game, part, questions) for part in game.program.parts]


def _part(game: Game, part: n.Part, ask: Questions) -> Json:
    whole, program = game.program.parts[0], game.program
    place = place_domain(part)
    return {
        "name": part.title or part.name,
        "title": part.title,
        "subtitle": part.title if part is not whole and part.title not in (program.title, part.name) else "",
        "shows": part_shown(program, part).index,
        "scene": scene_of(game, part.index),
        "hasLook": bool(part.looks),
        "kind": board_kind(part),
        "places": {name: list(domain.names) for name, domain in place_names(part).items()},
        "place": "" if place is None else place.name,
        "marks": [_mark(game, part, mark, ask) for mark in part.looks if mark.kind != "cells"],
        "players": list(part.players.names),
        "colours": [c or SEATS[i % len(SEATS)] for i, c in enumerate(colored_players(part))],
        "roles": [ask.ask(seat) for seat in part.seats] if part.index else [],
        "variables": [_variable(game, v, ask) for v in program.variables if _is_told(v, part)],
        "holdings": [_held(game, i, ask) for i in shown_holdings(game)[part.index]],
        "stacks": _stacks(game, part),
        "labels": _labels(game, part),
        "taken": _taken_signs(game, part),
        "leavings": [_leaving(game, part, leaving, ask) for leaving in part.leavings],
    }


# ---------------------------------------------------------------------------------------------------------- marks


def _mark(game: Game, part: n.Part, mark: n.Mark, ask: Questions) -> Json:
    players = game.program.players.name
    entry = of_mark(mark, None)
    return {
        "kind": mark.kind,
        "text": ask.text(mark.text),
        "what": None if mark.what is None else ask.ask(mark.what),
        "on": mark.what.type.domain.name if mark.what is not None and isinstance(mark.what.type, n.SetT) else "",
        "number": None if mark.number is None else ask.ask(mark.number),
        "colour": mark.colour or "",
        "style": mark.style or "",
        "shape": mark.shape or "",
        "ends": [_line_end(end, ask) for end in mark.ends],
        "binders": ask.binders(mark.binders),
        "reads": sorted(unset_reads(game, mark)),
        "about": [{"local": b.id, "type": ask.type(b.type)} for b, _ in mark.binders if _names(b, players)],
        "called": ask.text(mark.called),
        "tint": tint_name(mark),
        "entry": None if entry is None else _entry(entry),
        "owner": _owner(mark, ask),
        "score": explained_score(game, part, mark, ask) if mark.kind == "beside" else None,
        "held": mark in replaced_marks(game, part.index),
        "tells": [{"local": p.id, "type": ask.type(p.type)} for p in mark.text if isinstance(p, n.Local) and _names(p, players)],
    }  # fmt: skip


def _line_end(end: n.LineEnd, ask: Questions) -> Json:
    offset = [ask.ask(e) for e in end.offset] or None
    return {"ask": ask.ask(end.place), "domain": _domain(end.place.type), "offset": offset}


def _names(local: n.Local, domain: str) -> bool:
    return isinstance(local.type, n.ElemT) and local.type.domain.name == domain


def _entry(entry: Any) -> Json:
    return {
        "sign": entry.sign, "text": entry.text, "colour": entry.colour or "", "group": entry.group, "stroke": entry.is_stroke,
        "shape": entry.shape, "piece": entry.piece, "owner": entry.owner,
    }  # fmt: skip


def _owner(mark: n.Mark, ask: Questions) -> list[Json] | None:
    """Per piece that a rule shows, its owner (a string, a local, or null: not determined) and its name; null if no
    owner can be determined. See ``gamedsl.language.core.owner_of``."""
    pieces = pieces_read(mark)
    return None if pieces is None else [{"owner": _key(e.keys, ask), "piece": words(e.var.name)} for e in pieces]


def _key(keys: tuple[n.Expr, ...], ask: Questions) -> object:
    match keys:
        case ():
            return ""
        case (n.Const(value=value, type=n.ElemT() as type),):
            return said(type, value)
        case (n.Load(local=local),):
            return {"local": local.id, "type": ask.type(local.type)}
        case _:
            return None


# ------------------------------------------------------------------------------------------------------ variables


def _is_told(var: n.Var, part: n.Part) -> bool:
    plain = not isinstance(var.type, n.HistoryT | n.DrawingT)
    return plain and var.part == part.index and var.role in ("piece", "state", "countdown")


def _variable(game: Game, var: n.Var, ask: Questions) -> Json:
    """A variable, with the questions for its values; their arguments are the indices of its keys."""
    keys = [n.Local(FIRST_ID + 1 + i, k.name, n.ElemT(k)) for i, k in enumerate(var.keys)]
    loads = tuple(n.Load(k) for k in keys)
    found: Json = {
        "index": var.index,
        "name": words(var.name),
        "role": var.role,
        "keys": [ask.domain(k) for k in var.keys],
        "locals": [k.id for k in keys],
    }
    if isinstance(var.type, n.StackT):
        level = n.Local(FIRST_ID, "level", n.IntT(1, max(1, var.type.limit)))
        found["height"] = ask.ask(n.StackOp("height", var, loads, n.IntT(0, var.type.limit)))
        found["item"] = ask.ask(n.StackOp("item", var, loads, var.type.inner, n.Load(level)))
        found["level"] = level.id
        return found
    assert not isinstance(var.type, n.HistoryT | n.DrawingT)
    found["value"] = ask.ask(n.Get(var, loads, var.type))
    if isinstance(var.type, n.SetT):
        found["on"] = var.type.domain.name
        found["above"] = _above(game, var, loads, ask)
    return found


def _held(game: Game, number: int, ask: Questions) -> Json:
    """A holding, and the question how many things lie at a place, if everybody knows that."""
    holding = holdings(game)[number]
    found: Json = {"number": number, "variable": holding.var.index}
    if not has_known_sizes(game, holding):
        return found
    var, most = holding.var, n.IntT(0, MOST_THINGS_HELD)
    keys = tuple(n.Local(FIRST_ID + 1 + i, k.name, n.ElemT(k)) for i, k in enumerate(var.keys))
    loads = tuple(map(n.Load, keys))
    size: n.Expr
    match var.type:
        case n.SetT():
            size = n.Op1("count", n.Get(var, loads, var.type), most)
        case n.OptT():
            is_none = n.Op1("is_none", n.Get(var, loads, var.type), n.BoolT())
            size = n.Cond(is_none, n.Const(0, most), n.Const(1, most), most)
        case n.StackT():
            size = n.StackOp("height", var, loads, most)
        case n.IntT():
            every = n.Const(var.keys[-1].full, n.SetT(var.keys[-1]))
            size = n.Loop("sum", keys[-1], every, None, n.Get(var, loads, var.type), most)
        case _:
            raise AssertionError(f"{var.name} holds no number of things")
    return {**found, "sizes": ask.ask(size, openly=True)}


def _stacks(game: Game, part: n.Part) -> list[Json]:
    """The stacks on the board: the variable, and how each thing looks that can lie in one, from the least value on."""
    return [
        {
            "variable": stack.var.index,
            "on": stack.domain.name,
            "top": stack.has_top,
            "low": stack.lowest,
            "signs": [describe_glyph(sign, part.players.names) for sign in stack.signs],
        }
        for stack in stacks_on_board(game, part.index)
    ]


def _above(game: Game, var: n.Var, loads: tuple[n.Load, ...], ask: Questions) -> int | None:
    """The question for the number of further pieces on an occupied place; its last argument is the place."""
    above = game.variable(f"{var.name} above", var.part)
    if above is None or isinstance(above.type, n.StoredT):
        return None
    on = n.Local(FIRST_ID + 1 + len(loads), "on", n.ElemT(above.keys[-1]))
    return ask.ask(n.Get(above, (*loads, n.Load(on)), above.type))


def _labels(game: Game, part: n.Part) -> list[Json]:
    """The labels of pieces for which the look shows none."""
    if any(m.kind == "show" for m in part.looks):
        return []
    pieces = [v for v in game.program.variables if v.part == part.index and v.role == "piece"]
    found = piece_labels(part, pieces)
    return [{"variable": v, "slot": slot, "text": text} for (v, slot), text in found.items()]


def _taken_signs(game: Game, part: n.Part) -> list[Json]:
    """Per kind of piece that players take from each other: its variable, its sign by owner, and where the rules remove such
    pieces, too, how many each kind of move removes itself."""
    players = [words(name) for name in part.players.names]
    own = [] if game.secrets.hides else piece_kinds(game.program, part)
    return [
        {
            "variable": v.index,
            "signs": [_sign(sign_of(part, _of_owner(v, slot), {}), players) for slot in range(v.slots)],
            "named": game.named_takings.get(v.index),
        }
        for v in own
    ]


def _of_owner(var: n.Var, slot: int) -> n.Get:
    assert isinstance(var.type, n.SetT)
    return n.Get(var, (n.Const(slot, n.ElemT(var.keys[0])),), var.type)


# ------------------------------------------------------------------------------------------- what moves leave


def _leaving(game: Game, part: n.Part, rule: n.Leaving, ask: Questions) -> Json:
    named = words(game.program.schemas[rule.schema].name) if rule.schema is not None and rule.schema >= 0 else ""
    return {
        "text": ask.text(rule.text),
        "on": [{"ask": ask.ask(e), "domain": _domain(e.type)} for e in rule.on],
        "path": rule.is_path,
        "binders": ask.binders(rule.binders),
        "schema": rule.schema,
        "me": None if rule.me is None else rule.me.id,
        "params": [p.id for p in rule.params],
        "when": None if rule.when is None else ask.ask(rule.when),
        "untilRedrawn": rule.until_redrawn,
        "said": rule.is_said,
        "called": named if rule.called is None else rule.called,
        "large": None if rule.large is None else _large(game, part, rule.large),
    }


def _large(game: Game, part: n.Part, piece: n.Get) -> Json:
    """The signs of a piece by the value of the local that names its owner; a single sign if no local does."""
    players = [words(name) for name in part.players.names]
    local = next((key.local.id for key in piece.keys if isinstance(key, n.Load)), None)
    found = (
        sign_of(part, piece, {} if local is None else {local: i}) for i in range(part.players.size if local else 1)
    )
    return {"local": local, "glyphs": [_sign(sign, players) for sign in found]}


def _sign(sign: Sign, players: list[str]) -> Json:
    owner = players.index(sign.owner) if sign.owner in players else None
    return {
        "text": sign.text, "number": None, "colour": sign.colour or "", "piece": sign.piece, "owner": owner, "scar": False,
        "shape": sign.shape,
    }  # fmt: skip


def _domain(t: n.ValueT) -> str:
    one = t.inner if isinstance(t, n.OptT) else t
    return one.domain.name if isinstance(one, n.SetT | n.ElemT) else ""
