"""Moves of every kind, with their notation."""

from __future__ import annotations

from gamedsl.engine.facts.translated_rules import TranslatedRules
from gamedsl.engine.moves import Move
from gamedsl.engine.notation import PASS, chance_text

MOVE_CACHE_SIZE = 1 << 16  # moves cached per game


def make_move(game: TranslatedRules, schema: int, player: int | None, args: tuple[int, ...]) -> Move:
    """The move with these arguments, from the game's cache if it is there."""
    key = (schema, player, args)
    found = game.move_cache.get(key)
    if found is None:
        if len(game.move_cache) >= MOVE_CACHE_SIZE:
            game.move_cache.clear()
        name = game.program.schemas[schema].name
        found = game.move_cache[key] = Move("move", schema, name, player, args, game.notation.move_text)
    return found


def pass_move(player: int | None) -> Move:
    return Move("pass", None, PASS, player, (), PASS)


def choice_move(game: TranslatedRules, name: str, player: int | None) -> Move:
    return Move("choose", None, "choose", player, (), game.notation.choice_text(name))


def chance_move(what: str, name: str) -> Move:
    return Move("chance", None, what, None, (), chance_text(what, name))
