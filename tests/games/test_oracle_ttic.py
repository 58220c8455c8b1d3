"""The ruleset of the game on five by five squares against the oracle, ply by ply and in odd positions."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl import State
from gamedsl.engine.positions.names import find_variable
from gamedsl.language.boards.domains import Family

from . import oracle_ttic as oracle
from .translate import family_of

NAME = "t-tic-t-tac-toe-game"
OPTIONS = [
    oracle.Options("v1"),
    oracle.Options("v2"),
    oracle.Options("v1", super_from=3),
    oracle.Options("v2", super_from=3),
    oracle.Options("v2", first_super=False),
]


def load(options: oracle.Options) -> gamedsl.Game:
    return gamedsl.load(
        NAME,
        edition=options.edition,
        super_on_first_ply="as_printed" if options.first_super else "never",
        super_from_ply=options.super_from,
    )


def compare_play(options: oracle.Options, seed: int) -> None:
    rng = Random(seed)
    state, position = load(options).initial_state(), oracle.start(options)
    while not state.is_terminal:
        expected = oracle.legal(position, options)
        moves = {str(m): m for m in state.legal_moves()}
        assert set(moves) == set(expected), f"ply {position.ply}"
        text = rng.choice(sorted(moves))
        state, position = state.apply(moves[text]), expected[text]
    won = {p for p in "XO" if oracle.three(position, p)}
    assert {state.game.players[p] for p in state.winners} == won
    assert won or not oracle.legal(position, options)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_plays(options: oracle.Options, seed: int) -> None:
    compare_play(options, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 60))
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_more_plays(options: oracle.Options, seed: int) -> None:
    compare_play(options, seed)


# -------------------------------------------------------------------------------------------------- odd positions

THINGS = ("super", "curtain", "wall", "charlie")


def odd_position(rng: Random, tensely: bool) -> oracle.Position:
    """X is to move in ply 21; many symbols, a few blockages, most things spent; nobody has three."""
    while True:
        crowd = rng.uniform(0.3, 0.75)
        marks = {s: rng.choice("XO") for s in oracle.SQUARES if rng.random() < crowd}
        standing: dict[str, oracle.Blockage] = {}
        spent = {(p, t) for p in "XO" for t in THINGS if rng.random() < 0.7} - {("X", "super")}
        for player in "XO":
            for kind, places in (("curtain", oracle.CURTAINS), ("wall", oracle.WALLS)):
                if rng.random() < 0.3:
                    spent.add((player, kind))
                    through = rng.randint(18, 24)
                    guarded = through if rng.random() < 0.2 and through > 20 else -1
                    blockage = oracle.Blockage(places[rng.choice(sorted(places))], through, guarded)
                    standing[f"{kind}[{player}]"] = blockage
        position = oracle.Position(21, "X", marks, standing, frozenset(spent))
        if not oracle.three(position, "X") and not oracle.three(position, "O") and (tense(position) or not tensely):
            return position


def tense(position: oracle.Position) -> bool:
    """O threatens, and X cannot simply win with a symbol: the positions in which a super might come to the rescue."""
    wins = (q for _, q in oracle.placements(position) if oracle.three(q, "X"))
    return oracle.threat(oracle.passed(position)) and next(wins, None) is None


def state_of(position: oracle.Position) -> State:
    """The same position in the ruleset, with countdowns in place of ply numbers."""
    game = load(oracle.Options("v2"))
    state = game.initial_state()
    for text in ("a1", "e5"):  # so that it is no first turn any more
        state = state.apply(game.parse_move(text, state))
    names = game.program.variables[find_variable(game, "mark", 0).index].type.domain.names  # type: ignore[union-attr]
    marks = [sum(1 << names.index(oracle.name(r, c)) for (r, c), m in position.marks.items() if m == p) for p in "XO"]
    on = find_variable(game, "on", 0)
    tokens = on.keys[0].names
    changes: dict[tuple[str, int], list[Any]] = {("mark", 0): marks}
    families = {"curtain": family_of(game, "iron_curtain"), "wall": family_of(game, "berlin_wall")}
    fields: dict[str, list[int]] = {f: [0] * len(tokens) for f in ("on", "spent", "safe", "charlie")}
    for i, token in enumerate(tokens):
        blockage = position.standing.get(token)
        kind, _, owner = token.partition("[")
        fields["spent"][i] = int((owner[:1], kind) in position.spent)
        if blockage is not None:
            fields["on"][i] = members(families[kind], kind, blockage)
            fields["safe"][i] = max(0, blockage.safe_through - position.ply + 1)
            fields["charlie"][i] = max(0, blockage.checkpoint_through - position.ply + 1)
    changes |= {(f"blockage.{f}", 0): values for f, values in fields.items()}
    for thing in ("super", "charlie"):
        changes[f"{thing}_spent", 0] = [int((p, thing) in position.spent) for p in "XO"]
    return state.with_values(changes)


def members(family: Family, kind: str, blockage: oracle.Blockage) -> int:
    places = oracle.CURTAINS if kind == "curtain" else oracle.WALLS
    name = next(n for n, sides in places.items() if sides == blockage.sides)
    return family.members[family.names.index(name)]


def compare_odd(seed: int) -> bool:
    position = odd_position(Random(seed), tensely=seed % 4 != 0)
    state = state_of(position)
    expected = oracle.legal(position, oracle.Options("v2"))
    assert {str(m) for m in state.legal_moves()} == set(expected), f"seed {seed}"
    return any(t.startswith("super!") for t in expected)


WITH_RESCUE = (19, 499, 679)


def test_odd_positions() -> None:
    rescues = sum(compare_odd(seed) for seed in (*range(8), *WITH_RESCUE))
    assert rescues >= len(WITH_RESCUE)


@pytest.mark.slow
def test_more_odd_positions() -> None:
    rescues = sum(compare_odd(seed) for seed in range(700, 1700))
    assert rescues >= 5
