"""The notation of the recorded games (see ``traces/README.md``) -> the notation of the rulesets."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from gamedsl import Game, State
from gamedsl.engine.stop import codes_of
from gamedsl.language.boards.domains import Family
from gamedsl.language.boards.drawing import Arrangement, arrange
from gamedsl.language.core.nodes import Const, SetT

TRACES = Path(__file__).parent / "traces"


def recorded(name: str) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = json.loads((TRACES / f"{name}.json").read_text(encoding="utf-8"))
    return games


def cell(text: str) -> str:
    """``3,4`` -> ``d3``."""
    row, column = text.split(",")
    return square(int(row), int(column))


def square(row: int, column: int) -> str:
    return f"{'abcdefghijklmnop'[column - 1]}{row}"


# ---------------------------------------------------------------------------------------------- T-Tic-T-Tac-Toe


def family_of(game: Game, move: str) -> Family:
    """The family that a move's first parameter ranges over."""
    schema = next(s for s in game.program.schemas if s.name == move)
    over = schema.params[0].over
    assert isinstance(over, Const) and isinstance(over.type, SetT) and isinstance(over.type.domain, Family)
    return over.type.domain


def segments(game: Game, place: str) -> int:
    """The segments of ``Ch2``, ``Wv3.2`` or ``Wq33`` as a set."""
    family = family_of(game, "iron_curtain" if place[0] == "C" else "berlin_wall")
    return family.members[family.names.index(place_name(place))]


def place_name(place: str) -> str:
    """``Ch2`` -> ``h2``; ``Wv3.2`` -> ``v3.2``; ``Wq33`` -> the element for the ring around c3."""
    if place.startswith("Wq"):
        return square(int(place[2]), int(place[3]))
    return place[1:]


def token_at(state: State, place: str) -> str:
    """The name of the blockage that stands there."""
    program = state.game.program
    on = next(v for v in program.variables if v.name.split(".")[-1] == "on" and v.part == state.part)
    wanted = segments(state.game, place)
    tokens = on.keys[0]
    return tokens.words[codes_of(state, on).index(wanted)]


def ttic(state: State, move: str) -> list[str]:
    """The texts that a move of the game on five by five squares may have."""
    kind, rest = move[0], move[1:]
    match kind:
        case "S":
            return [square(int(rest[0]), int(rest[1]))]
        case "U":
            corner = square(int(rest[0]), int(rest[1]))
            return [f"super {corner}", f"super! {corner}"]
        case "C":
            return [f"curtain {place_name(move)}"]
        case "W":
            return [f"wall {place_name(move)}"]
        case "K":
            return [f"charlie {token_at(state, move[2:])}"]
        case _:
            token = token_at(state, move[2:])
            return [f"{'snip' if token.endswith('curtain') else 'tear down'} {token}"]


HANDS = {"R": "rock", "P": "paper", "S": "scissors"}


def match(state: State, move: str) -> list[str]:
    """A move of the whole match. A joint throw is given as two texts by ``joint``."""
    if move[0] == "T":
        return [f"{'abc'[int(move[2]) - 1]}{4 - int(move[1])}"]
    return [f"version {move[1]}.0"] if move in ("v1", "v2") else ttic(state, move)


def joint(move: str) -> list[str]:
    """``RP`` -> rock, paper."""
    return [HANDS[hand] for hand in move]


# ---------------------------------------------------------------------------------------------------- the others


def xlines(state: State, move: str) -> list[str]:
    if move[0] == "x":
        return [cell(move[1:])]
    start, end = move[:-1].split(">")
    (r1, c1), (r2, c2) = (map(int, place.split(",")) for place in (start, end))
    bend = {"h": square(r1, c2), "v": square(r2, c1), "s": ""}[move[-1]]
    return [f"{cell(start)} by {bend} to {cell(end)}" if bend else f"{cell(start)} to {cell(end)}"]


def tiles(state: State, move: str) -> list[str]:
    if move == "pass":
        return ["pass"]
    if move.startswith("sym"):
        return [move[3:]]
    if move.startswith("start"):
        return [move[5:].lower()]
    row, column = (int(x) for x in move[1:-1].split(","))
    first = square(row, column)
    second = square(row, column + 1) if move[0] == "H" else square(row + 1, column)
    x, o = (first, second) if move[-1] == "X" else (second, first)
    return [f"X {x} O {o}", f"open X {x} O {o}"]


def atreso(state: State, move: str) -> list[str]:
    kind, rest = move[0], move[1:]
    match kind:
        case "r":
            return [f"roll {rest}"]
        case "p":
            return [cell(rest)]
        case "g":
            return [f"grey {cell(rest)}"]
        case _:
            start, end = (cell(x) for x in move.split(">"))
            return [f"chip {start}-{end}", f"stone {start}-{end}"]


def strokes(drawing: dict[str, Any]) -> tuple[str, str]:
    """The texts of the two decisions that make a recorded drawing."""

    def points(line: list[list[float]]) -> str:
        return " ".join(f"{x:g},{y:g}" for x, y in line)

    figure = drawing["figure"][:-1] if drawing["figure"][0] == drawing["figure"][-1] else drawing["figure"]
    (upper, lower), (left, right) = drawing["horizontals"], drawing["verticals"]
    first = "; ".join(
        f"{name} {points(line)}"
        for name, line in (("figure", figure), ("upper", upper), ("lower", lower), ("left", left), ("right", right))
    )
    return first, f"bend {points(drawing['bend'])}"


def arrangement(state: State) -> Arrangement:
    """What the drawing of a state makes."""
    part = state.game.program.parts[state.part]
    assert part.drawing is not None
    return arrange(part.drawing.type.plan, codes_of(state, part.drawing)[0])  # type: ignore[union-attr, arg-type]


def space_at(state: State, x: float, y: float) -> str:
    """The name of the space in which a point lies."""
    found = arrangement(state).space_at(Fraction(str(x)), Fraction(str(y)))
    assert found is not None
    return f"s{found + 1}"
