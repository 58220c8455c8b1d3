"""Outcome bounds of compiled rules, against the ends of random plays of shipped and random rulesets."""

from __future__ import annotations

import ctypes
from pathlib import Path
from random import Random

import numpy as np
import pytest

import gamedsl
from gamedsl.compiler import compile_program
from gamedsl.compiler.analysis.outcome_bounds import outcome_bounds
from gamedsl.engine import InterpretedGame
from gamedsl.language.core.nodes import Program
from gamedsl.language.source.diagnostic import GameDSLError

from .generate import random_text
from .test_generate import program_of


def holds_in_plays(program: Program, by_score: bool, plays: int) -> int:
    """Bounds only narrow during a play, and its end lies within the last. Returns how many plays narrowed them."""
    game = InterpretedGame(program)
    native = compile_program(program, game)
    context, out, narrowed = native.context(), np.zeros(4, dtype=np.int64), 0
    ask = native.entry("outcome_bounds")
    for seed in range(plays):
        rng = Random(seed)
        first: tuple[int, int] | None = None
        most, least = 1 << 40, -(1 << 40)
        try:
            state = game.initial_state()
            while not state.is_terminal:
                block = native.pack(state, context)
                assert ask(context.pointer, ctypes.addressof(block), int(by_score), out.ctypes.data) == 1
                assert native.entry("error")(context.pointer, 0) == 0
                assert out[0] <= most and least <= out[1]
                most, least = int(out[0]), int(out[1])
                first = first or (most, least)
                state = state.apply(state.propose(rng))
        except GameDSLError:
            continue  # a random ruleset may go wrong
        value = state.scores[0] - state.scores[1] if by_score else state.returns[0]
        assert least <= value <= most
        narrowed += first != (most, least)
    return narrowed


@pytest.mark.parametrize(
    ("name", "by_score", "options"),
    [
        ("m-n-k", False, {"m": 4, "n": 4, "k": 4}),
        ("connect-four", False, {"rows": 4, "columns": 4}),
        ("hex", False, {"n": 4}),
        ("y", False, {}),
        ("yavalath", False, {}),
        ("dots-and-boxes", True, {"rows": 2, "columns": 2}),
    ],
)
def test_shipped_rulesets(name: str, by_score: bool, options: dict[str, int]) -> None:
    narrowed = holds_in_plays(gamedsl.load(name, **options).program, by_score, 10)
    assert narrowed > 0 or name in ("hex", "y", "yavalath")  # where mostly both can win to the last


@pytest.mark.parametrize("seed", [57, 71, 117])
def test_random_rulesets(seed: int, tmp_path: Path) -> None:
    random_ruleset(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 800))
def test_many_random_rulesets(seed: int, tmp_path: Path) -> None:
    random_ruleset(seed, tmp_path)


def random_ruleset(seed: int, folder: Path) -> None:
    program = program_of(random_text(seed), folder)
    for by_score in (False, True):
        if program is not None and outcome_bounds(program, by_score) is not None:
            holds_in_plays(program, by_score, 12)
