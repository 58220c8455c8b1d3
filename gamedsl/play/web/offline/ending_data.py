"""The ends of parts as plain data: how they are announced, and the questions that show what decided them.

``static/local_endings.js`` reads it; the meaning is that of ``gamedsl.engine.picture.part_ends`` and ``gamedsl.engine.picture.supports``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import is_repeated, kind_of_game, place_names, reason_text, unset_by_block
from gamedsl.language.core import Case, cases_of, deciding_conditions, variables_read, words
from gamedsl.language.core import nodes as n
from gamedsl.play.web.offline.page_questions import Questions

if TYPE_CHECKING:
    from gamedsl.engine import Game

Json: TypeAlias = dict[str, Any]


def ending_data(game: Game, questions: Questions) -> Json:
    """Per block that ends a part (0: the whole game): its ``part``, ``title``, whether it is ``repeated``, the
    ``kind`` of its games, the ``reason``, the variables ``unset`` there, the question for its ``winners`` by the names
    ``among`` (null: of the whole game), and the ``cases`` that decided it."""
    return {str(index): _ending(game, index, questions) for index in game.endings}


def _ending(game: Game, index: int, ask: Questions) -> Json:
    program, block = game.program, game.program.blocks[index]
    part = program.parts[block.part]
    found: Json = {
        "part": block.part,
        "title": part.title or words(part.name).capitalize(),
        "repeated": bool(block.part) and is_repeated(program, index),
        "kind": kind_of_game(game, part),
        "reason": reason_text(block),
        "unset": sorted(unset_by_block(game)[index]),
        "winners": None,
        "among": [],
        "cases": [],
    }
    match block.statements:
        case (n.Assign(value=value), *_) if block.part and isinstance(value.type, n.SetT):
            found |= {"winners": ask.ask(value, openly=True), "among": list(value.type.domain.names)}
    if not (isinstance(block.end, n.End) and block.end.scores):
        conditions = deciding_conditions(program, index)
        found["cases"] = [
            one for c in conditions for case in cases_of(program, c) if (one := case_data(game, case, block.part, ask))
        ]
    return found


def case_data(game: Game, case: Case, part: int, ask: Questions) -> Json | None:
    """A case, with the variables of pieces on the board that it reads; None if it reads none."""
    standing = standing_of(game, case.condition, set(place_names(game.program.parts[part])))
    if not standing:
        return None
    return {"binders": ask.binders(case.binders), "holds": ask.ask(case.condition), "standing": standing}


def standing_of(game: Game, condition: n.Expr, places: set[str]) -> list[Json]:
    """The variables of pieces on the board that a condition reads."""
    read = (game.program.variables[i] for i in sorted(variables_read(game.program, condition)))
    return [one for var in read if var.role in ("piece", "state") and (one := _standing(var, places))]


def _standing(var: n.Var, places: set[str]) -> Json | None:
    """How a variable records the pieces on places. ``size``: the size of the domain of places."""
    found: Json = {"variable": var.index, "slots": var.slots}
    match var.type:
        case n.SetT(domain) if domain.name in places:
            return {**found, "kind": "member", "on": domain.name, "size": domain.size}
        case n.ElemT(domain) if domain.name in places:
            return {**found, "kind": "named", "on": domain.name, "size": domain.size}
        case n.OptT(n.ElemT(domain)) if domain.name in places:
            return {**found, "kind": "optional", "on": domain.name, "size": domain.size}
        case n.OptT() | n.BoolT() if var.keys and var.keys[-1].name in places:
            return {**found, "kind": "held", "on": var.keys[-1].name, "size": var.keys[-1].size}
        case _:
            return None
