"""The origin of scores as plain data: what their numbers count, and what the effects of moves add to them.

``static/local_scores.js`` reads it; the meaning is that of ``gamedsl.engine.picture.explained`` and ``gamedsl.engine.information.gains``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine import added_number
from gamedsl.engine.picture import BORDER, cited, is_score, owner_locals, place_names, span_of
from gamedsl.language.boards import Family, elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset, tallies_of, terminator_tick, walk_statements
from gamedsl.play.web.offline.core_nodes import code_of
from gamedsl.play.web.offline.ending_data import standing_of
from gamedsl.play.web.offline.page_questions import FIRST_ID, Questions

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.language.core import Tally

Json: TypeAlias = dict[str, Any]


def score_data(game: Game, ask: Questions) -> Json:
    """``variables``: the scores to which moves add, with the question for what a player has (``key``: the local of the player);
    ``effects``: per kind of move what it does, as far as a page repeats it; ``ticks``: per block what runs before a move;
    ``stored``: per variable that effects change its least value, and the first values."""
    shown = game.scores_shown
    effects = Effects(game, ask)
    kinds = {kind.schema for kind in game.action_kinds if kind.schema is not None}
    adding = [s for s in game.program.schemas if s.index in kinds and effects.adds(s.effect)] if shown else []
    for schema in adding:
        effects.add(schema)
    parts = {s.part for s in adding}
    ticks = {str(b.index): terminator_tick(b.end) for b in game.program.blocks if b.part in parts}
    return {
        "variables": [_variable(var, ask) for var in shown],
        "ticks": {index: effects.statements(tick, {}) for index, tick in ticks.items() if tick},
        "effects": effects.data,
        "stored": {str(v.index): _stored(v) for v in effects.changed},
    }


def _variable(var: n.Var, ask: Questions) -> Json:
    key = n.Local(FIRST_ID + 1, "key", n.ElemT(var.keys[0]))
    assert isinstance(var.type, n.IntT)
    value = ask.ask(n.Get(var, (n.Load(key),), var.type))
    return {"index": var.index, "part": var.part, "size": var.keys[0].size, "key": key.id, "value": value}


def _stored(var: n.Var) -> Json:
    return {"low": offset(var.type), "first": [code_of(i, var.type) for i in var.initial]}


def explained_score(game: Game, part: n.Part, mark: n.Mark, ask: Questions) -> Json | None:
    """The origin of the number in a line beside the board; None if it is not a score."""
    number = mark.what
    if number is None or not is_score(game.program, mark):
        return None
    by_plies = number.var.index if isinstance(number, n.Get) and len(number.keys) == 1 else None
    return {
        "variable": by_plies,
        "slot": ask.ask(number.keys[0]) if isinstance(number, n.Get) and by_plies is not None else None,
        "owners": [local.id for local in owner_locals(part, mark)],
        **_counted(game, number, part, ask),
    }


def _counted(game: Game, number: n.Expr, part: n.Part, ask: Questions) -> Json:
    """The things that a number counts, with the clauses for them."""
    tallies = [_tally(game, t, part, ask) for t in tallies_of(game.program, number) if t.binders]
    return {"tallies": tallies, "clauses": list(cited(game.program, span_of(game.program, number)))}


def _tally(game: Game, tally: Tally, part: n.Part, ask: Questions) -> Json:
    """One counted kind of thing. ``local``: its name; ``kind``: a ``line`` of places (``members``), an ``element`` or
    a ``border`` that is drawn, or another ``thing``, whose places are those that make it count (``standing``)."""
    places, local = place_names(part), tally.binders[-1][0]
    found: Json = {
        "binders": ask.binders(tally.binders),
        "condition": ask.ask(tally.condition),
        "worth": ask.ask(tally.worth),
        "local": local.id,
        "type": ask.type(local.type),
    }
    match local.type:
        case n.ElemT(Family(base=base, members=members)) if base.name in places:
            return {**found, "kind": "line", "on": base.name, "members": [list(elements(m)) for m in members]}
        case n.ElemT(domain) if domain.name in places:
            return {**found, "kind": "element", "on": domain.name}
        case n.ElemT(domain) if domain.name == BORDER and part.drawing is not None:
            return {**found, "kind": "border", "on": domain.name}
        case _:
            name = local.type.domain.name if isinstance(local.type, n.ElemT) else ""
            is_line = isinstance(local.type, n.ElemT) and isinstance(local.type.domain, Family)
            standing = standing_of(game, tally.condition, set(places)) if places else []
            return {**found, "kind": "thing", "on": name, "named": is_line, "standing": standing}


class Effects:
    """The effects of moves that add to scores. ``data``: per schema its statements; ``changed``: the variables that they change."""

    def __init__(self, game: Game, ask: Questions) -> None:
        self.game, self.ask = game, ask
        self.data: dict[str, list[Json]] = {}
        self.changed: dict[n.Var, None] = {}

    def adds(self, statements: Iterable[n.CoreStmt]) -> bool:
        """Whether statements add to a score."""
        for s in walk_statements(tuple(statements)):
            match s:
                case n.Assign(var=var) if var in self.game.scores_shown:
                    return True
                case n.Effect(schema=index) if self.adds(self.game.program.schemas[index].effect):
                    return True
        return False

    def add(self, schema: n.Schema) -> None:
        if str(schema.index) not in self.data:
            self.data[str(schema.index)] = []
            self.data[str(schema.index)] = self.statements(schema.effect, {})

    def statements(self, statements: Iterable[n.CoreStmt], lets: dict[int, n.Expr]) -> list[Json]:
        """Statements as data. ``lets``: the values of names, by their numbers."""
        return [one for s in statements if (one := self._statement(s, lets)) is not None]

    def _statement(self, s: n.CoreStmt, lets: dict[int, n.Expr]) -> Json | None:
        ask = self.ask.ask
        match s:
            case n.LetS(local=local, value=value):
                lets[local.id] = value
                return {"do": "let", "local": local.id, "value": ask(value)}
            case n.IfS(condition=condition, then=then, otherwise=otherwise):
                branches = [self.statements(then, lets), self.statements(otherwise, lets)]
                return {"do": "if", "value": ask(condition), "then": branches[0], "otherwise": branches[1]}
            case n.ForS(local=local, over=over, body=body):
                return {"do": "for", **self.ask.binders(((local, over),))[0], "body": self.statements(body, lets)}
            case n.Effect(schema=index, args=args):
                schema = self.game.program.schemas[index]
                self.add(schema)
                names = [schema.me.id, *(p.local.id for p in schema.params)]
                return {"do": "effect", "schema": index, "names": names, "values": [ask(a) for a in args]}
            case n.Assign():
                return self._assign(s, lets)
            case n.Reset(var=var) if _is_plain(var):
                self.changed[var] = None
                return {"do": "reset", "variable": var.index}
            case n.Check():
                return None
            case _:
                return {"do": "other"}

    def _assign(self, s: n.Assign, lets: Mapping[int, n.Expr]) -> Json:
        if not _is_plain(s.var):
            return {"do": "other"}
        self.changed[s.var] = None
        ask, number = self.ask.ask, added_number(s) if s.var in self.game.scores_shown else None
        found: Json = {
            "do": "assign",
            "variable": s.var.index,
            "keys": [{"size": d.size, "value": ask(k)} for d, k in zip(s.var.keys, s.keys, strict=True)],
            "value": ask(s.value),
        }
        if number is None:
            return found
        amount, let = ask(number), None
        if isinstance(number, n.Load) and number.local.id in lets:
            let, number = number.local.id, lets[number.local.id]
        counted = _counted(self.game, number, self.game.program.parts[s.var.part], self.ask)
        own = cited(self.game.program, s.span)
        clauses = list(dict.fromkeys((*counted["clauses"], *own)))
        return {**found, "added": {"amount": amount, "let": let, "tallies": counted["tallies"], "clauses": clauses}}


def _is_plain(var: n.Var) -> bool:
    return not isinstance(var.type, n.StoredT)
