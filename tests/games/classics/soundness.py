"""What every classic must pass: it is formatted, random games end, it can be played."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import gamedsl
from gamedsl import Game, State
from gamedsl.cli.main import main
from gamedsl.engine.perft_counts import perft
from tests.shipped_sample import small

CLASSICS = Path(__file__).resolve().parents[3] / "rulesets" / "classics"
Option = str | int | bool


@cache
def load(name: str, **options: Option) -> Game:
    """A game, lowered once for all tests."""
    return gamedsl.load(name, **options)


def numbers(name: str, depth: int, **options: Option) -> list[int]:
    """The numbers of sequences of 1, 2 ... depth plies from the start."""
    start = load(name, **options).initial_state()
    return [perft(start, d) for d in range(1, depth + 1)]


def after(name: str, *moves: str, **options: Option) -> State:
    """The position after some moves."""
    game = load(name, **options)
    state = game.initial_state()
    for text in moves:
        state = state.apply(game.parse_move(text, state))
    return state


def is_sound(name: str) -> None:
    """The file is in its canonical form, and random seats can play it. (tests/language/rules/test_unused.py asserts of every shipped
    ruleset that there is no diagnostic, tests/lab/test_examples.py that its examples hold.)"""
    path = CLASSICS / f"{name}.gdl"
    assert main(["fmt", "--check", str(path)]) == 0
    options = [f"--set={key}={value}" for key, value in small(name).items()]
    assert main(["play", name, *options, "--seats", "random", "--seed", "1", "--plain"]) == 0


def plays_end(name: str, plays: int, most: int, **options: Option) -> set[str]:
    """Random plays come to an end within a number of plies; tells the outcomes met, by their winners."""
    return {winners for winners, _ in random_plays(name, plays, most, **options)}


def random_plays(name: str, plays: int, most: int, **options: Option) -> Iterator[tuple[str, int]]:
    """Random plays that come to an end within a number of plies: the winners and the plies of each."""
    game = load(name, **options)
    for seed in range(plays):
        rng, state = Random(seed), game.initial_state()
        plies = 0
        while not state.is_terminal and plies < most:
            assert state.kind == "chance" or state.to_act
            state = state.apply(state.propose(rng))
            plies += 1
        assert state.is_terminal, f"no end after {most} plies (seed {seed})"
        assert state.legal_moves() == [] and state.outcome_text
        yield " and ".join(game.players[p] for p in sorted(state.winners)) or "nobody", plies
