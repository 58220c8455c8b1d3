"""What players have left to put on a board, as it looks there: the lines beside the board that count such things."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from itertools import product
from math import prod
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine import codes_of
from gamedsl.engine.picture import filled, view
from gamedsl.language.boards import Family
from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk, walk_statements
from gamedsl.language.source import GameDSLError
from gamedsl.play.web.pictures import describe_picture

if TYPE_CHECKING:
    from gamedsl.engine import ActionKind, Game, State

Json: TypeAlias = dict[str, Any]
MOST_PLIES = 40  # of a playout that looks for moves that put things on the board
MOST_SLOTS = 60  # of a variable that counts
MOST_PLACES = 8  # that one move covers
Slot: TypeAlias = tuple[n.Var, int]


@lru_cache(maxsize=64)
def reserves(game: Game) -> list[Json]:
    """Per line beside the board that counts equal things which moves of a seat put on it: ``part``, ``seat``, the ``label`` of the
    line, and the ``spots`` (as in ``picture``) that one such move changes. A line counts them if its number is above 0 at
    the start, and moves that put something, and take nothing from the board, lessen it by one; this is tried in one playout."""
    told = _counting_lines(game)
    looks: dict[Slot, Json | None] = {}
    with suppress(GameDSLError):  # rules with a mistake have none
        looks = _looks(game, {(var, i) for var, i in told if codes_of(game.initial_state(), var)[i]})
    found = [(line, looks.get(slot)) for slot, lines in told.items() for line in lines]
    return [{**line, **look} for line, look in found if look is not None and look["part"] == line["part"]]


def _counting_lines(game: Game) -> dict[Slot, list[Json]]:
    """Per number that lines beside a board show for a player: these lines."""
    found: dict[Slot, list[Json]] = {}
    parts = [p for p in game.program.parts if p.board is not None and not any(mark.chosen for mark in p.looks)]
    for part, mark in [(p, m) for p in parts for m in p.looks if m.kind == "beside"]:
        number = mark.what
        if not isinstance(number, n.Get) or not isinstance(number.var.type, n.IntT):
            continue
        locals = [key.local for key in number.keys if isinstance(key, n.Load)]
        if not _is_of_seat(game, mark, number.var, locals):
            continue
        for slot, values in enumerate(product(*(range(key.size) for key in number.var.keys))):
            label = filled(mark.text, {local.id: value for local, value in zip(locals, values, strict=True)})
            line = {"part": part.index, "seat": values[0], "label": label}
            found.setdefault((number.var, slot), []).append(line)
    return found


def _is_of_seat(game: Game, mark: n.Mark, var: n.Var, locals: list[n.Local]) -> bool:
    """Whether a line names one player, whose number it shows, and nothing but the keys of that number (``locals``)."""
    named = [one for one in mark.text if isinstance(one, n.Local)]
    players = n.ElemT(game.program.players)
    return (
        0 < len(set(locals)) == len(locals) == len(var.keys)
        and prod(key.size for key in var.keys) <= MOST_SLOTS
        and locals[0].type == players
        and all(one in locals for one in named)
        and [one.type for one in named].count(players) == 1
    )


# ------------------------------------------------------------------------------------------------ what moves put


def _looks(game: Game, wanted: set[Slot]) -> dict[Slot, Json | None]:
    """What moves put that lessen a number; None where they put different things."""
    variables = {var for var, _ in wanted}
    kinds = [kind for kind in game.action_kinds if _lessens(game, kind, variables)]
    found: dict[Slot, Json | None] = {}
    state, rng = game.initial_state(), Random(1)
    for _ in range(MOST_PLIES if kinds else 0):
        if state.is_terminal or state.kind == "drawing" or len(found) == len(wanted):
            break
        after: State | None = None
        here: dict[Slot, list[Json]] = {}
        for action in _candidates(game, kinds, state) if state.kind == "player" else ():
            tried = state.apply_action(action)
            slots = [slot for slot in wanted - found.keys() if _is_less(state, tried, slot)]
            put = _put(state, tried) if slots else None
            if put is not None:
                after = after or tried
                for slot in slots:
                    here.setdefault(slot, []).append(put)
        for slot, puts in here.items():
            found[slot] = puts[0] if all(_signs(put) == _signs(puts[0]) for put in puts) else None
        state = after or state.apply(state.propose(rng))
    return found


def _lessens(game: Game, kind: ActionKind, variables: set[n.Var]) -> bool:
    """Whether the effect of a kind of move lessens one of these variables."""
    if kind.schema is None:
        return False
    effect = walk_statements(game.program.schemas[kind.schema].effect)
    values = (s.value for s in effect if isinstance(s, n.Assign) and s.var in variables)
    return any(isinstance(e, n.Op2) and e.op == "sub" for value in values for e in walk(value))


def _candidates(game: Game, kinds: list[ActionKind], state: State) -> list[int]:
    """One legal action of each kind for each combination of values that are not places."""
    found: dict[tuple[int, ...], int] = {}
    for action in state.legal_actions():
        for kind in kinds:
            if kind.schema is not None and kind.first <= action < kind.first + kind.size:
                schema = game.program.schemas[kind.schema]
                pairs = zip(kind.indices(action), schema.params, strict=True)
                told = (value for value, p in pairs if not _is_place(game, schema.part, p.local.type))
                found.setdefault((kind.first, *told), action)
    return [action for _, action in sorted(found.items())]


def _is_place(game: Game, part: int, type: n.ValueT) -> bool:
    """Whether values are places of a board, or sets of them."""
    board = game.program.parts[part].board
    domain = type.domain if isinstance(type, n.ElemT) else None
    return board is not None and domain is not None and (isinstance(domain, Family) or domain.name in board.domains)


def _is_less(before: State, after: State, slot: Slot) -> bool:
    """Whether a number of the player who moves, and no other of its variable, is less by one."""
    var, index = slot
    old, new = codes_of(before, var), codes_of(after, var)
    player = index // (len(old) // before.game.program.players.size)
    return before.to_act == (player,) and all(
        a == (b + 1 if i == index else b) for i, (a, b) in enumerate(zip(old, new, strict=True))
    )


def _put(before: State, after: State) -> Json | None:
    """What a move puts on the board, as its player sees it; None if that is nothing or much, or if it takes something away."""
    if after.is_terminal or after.part != before.part:
        return None
    old, new = (_shown(state, before.to_act[0]) for state in (before, after))
    if any(_signs_at(spot) - _signs_at(new.get(at, {})) for at, spot in old.items()):
        return None
    fresh = [spot for at, spot in new.items() if _signs_at(spot) - _signs_at(old.get(at, {}))]
    spots = [{name: spot[name] for name in ("at", "glyphs", "stroke") if name in spot} for spot in fresh]
    return {"part": before.part, "spots": spots} if 0 < len(spots) <= MOST_PLACES else None


def _shown(state: State, seat: int) -> dict[tuple[str, int], Json]:
    """The places on which something is seen."""
    spots = describe_picture(state.game, state.part, view(state, viewer=seat))["spots"]
    return {(spot["at"][0], spot["at"][1]): spot for spot in spots}


def _signs_at(spot: Json) -> set[str]:
    """What is seen on a place, other than that it is part of the board."""
    glyphs = [glyph for glyph in spot.get("glyphs", ()) if not glyph["text"] or glyph["text"].strip()]
    return {repr(one) for one in (*glyphs, *([spot["stroke"]] if "stroke" in spot else []))}


def _signs(put: Json) -> list[list[str]]:
    """What is put, wherever that is."""
    return sorted(sorted(_signs_at(spot)) for spot in put["spots"])
