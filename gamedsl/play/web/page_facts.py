"""A game -> everything about it that no position changes, as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl import __version__
from gamedsl.engine import rules_texts
from gamedsl.engine.picture import covered_places
from gamedsl.language.boards import Domain, Family, elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core import words
from gamedsl.play.guidance import IN_THE_PAGE, words_of_kinds
from gamedsl.play.web.chosen_things import chosen_things
from gamedsl.play.web.colours import colored_players
from gamedsl.play.web.marks_data import marks_data
from gamedsl.play.web.reserves import reserves
from gamedsl.play.web.rulebook_html import rulebook_html
from gamedsl.play.web.scenes import scenes
from gamedsl.play.web.things_data import named_things, things_data

if TYPE_CHECKING:
    from gamedsl.engine import ActionKind, Game

Json: TypeAlias = dict[str, Any]

VERSION = 1  # the version of this data's form; increased with every change that affects a page


def describe_game(game: Game) -> Json:
    """The ``game`` of the reference page "The page's data"."""
    program = game.program
    return {
        "version": VERSION,
        "name": program.name,
        "title": program.title or program.name,
        "digest": game.digest,
        "options": dict(game.options),
        "engine": __version__,
        "rules": rules_texts(game),
        "players": colored_players(program.parts[0]),
        "hides": game.secrets.hides,
        "scenes": scenes(game),
        "kinds": [
            _kind(game, kind) | {"words": asdict(words), "covered": _covered(game, kind)}
            for kind, words in zip(game.action_kinds, words_of_kinds(game), strict=True)
        ],
        **things_data(game),
        "reserves": reserves(game),
        "chance": game.num_player_actions,
        "clauses": [list(clause) for clause in program.clauses],
        "rulebook": rulebook_html(program),
        "marks": marks_data(program),
        "phrases": asdict(IN_THE_PAGE),
    }


def _kind(game: Game, kind: ActionKind) -> Json:
    schema = None if kind.schema is None else game.program.schemas[kind.schema]
    types = [p.local.type for p in schema.params] if schema is not None else [None for _ in kind.parameters]
    return {
        "kind": kind.kind,
        "name": words(kind.name),
        "first": kind.first,
        "part": 0 if schema is None else schema.part,
        "clauses": [] if schema is None else list(schema.clauses),
        "things": named_things(game, schema),
        "chosen": chosen_things(game, kind),
        "written": [] if schema is None else list(schema.written),
        "parameters": [
            {"name": words(p.name), "names": list(p.names), "places": [] if t is None else _places(t)}
            for p, t in zip(kind.parameters, types, strict=True)
        ],
    }


def _covered(game: Game, kind: ActionKind) -> Json | None:
    """The places on which an action puts pieces, for kinds that are touched there and not at places that they name."""
    found = covered_places(game, kind)
    return None if found is None else {"domain": found[0], "members": found[1]}


def _places(type: n.ValueT) -> list[Json]:
    """The places that each value of a parameter names. ``members`` None: value number i is element number i."""
    match type:
        case n.ElemT(domain):
            return _of_domain(domain)
        case n.OptT(n.ElemT(domain)):
            return [
                {"domain": p["domain"], "members": [[], *(p["members"] or [[i] for i in range(domain.size)])]}
                for p in _of_domain(domain)
            ]
        case _:
            return []


def _of_domain(domain: Domain) -> list[Json]:
    if isinstance(domain, Family):
        return [{"domain": domain.base.name, "members": [list(elements(bits)) for bits in domain.members]}]
    if domain.components:
        return [{"domain": factor.name, "members": [[i] for i in table]} for factor, table in domain.components]
    return [{"domain": domain.name, "members": None}]
