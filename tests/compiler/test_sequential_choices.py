"""Simultaneous choices of independent players are made one after another in random play; others stay together."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.transform.pipeline import why_not_specialized
from gamedsl.compiler.transform.sequential_choices import sequential_choices
from gamedsl.engine import InterpretedGame
from gamedsl.language.core.nodes import Decide, DecideTogether, Program

from .agree import compiled
from .replay import forms_differ, shares_differ
from .small_rulesets import program_of
from .test_random_plays import plays_alike

HEAD = """players X, O
state
  hand: player -> set of 1..4 = {1, 2, 3, 4}
  bid: player -> 0..4
  won: player -> 0..4
"""
PLAY = """play
  repeat 4 times
    everyone plays lay
    if bid[X] > bid[O]
      add 1 to won[X]
    if bid[O] > bid[X]
      add 1 to won[O]
  rank by won
"""
OWN = f"""{HEAD}move lay(k: 1..4)
  when k in hand[me]
  take k from hand[me]
  set bid[me] to k
{PLAY}"""
OTHERS = f"""{HEAD}move lay(k: 1..4)
  when k in hand[me]
  when k != bid[rival]
  take k from hand[me]
  set bid[me] to k
{PLAY}"""
BY_FUNCTION = f"""{HEAD}define free(k: 1..4, p: player) = k in hand[p] and bid[rival(p)] != 5 - k
move lay(k: 1..4)
  when free(k, me)
  take k from hand[me]
  set bid[me] to k
{PLAY}"""
FAILS = f"""{HEAD}move lay(k: 1..4)
  when k in hand[me]
  take k from hand[me]
  set bid[me] to k + 1
{PLAY}"""


def together(program: Program) -> int:
    return sum(isinstance(b.end, DecideTogether) for b in program.blocks)


def test_own_hands(tmp_path: Path) -> None:
    """Two decisions for one. The second is at a block that no state of the ruleset is at."""
    program = program_of(OWN, tmp_path)
    taken = sequential_choices(program)
    assert (together(program), together(taken)) == (1, 0)
    assert len(taken.blocks) == len(program.blocks) + 1 and isinstance(taken.blocks[-1].end, Decide)
    assert why_not_specialized(program) is None
    plays_alike(InterpretedGame(program), 2000, seed=3)


@pytest.mark.parametrize("text", [OTHERS, BY_FUNCTION, FAILS], ids=["guard", "function", "effect that fails"])
def test_choices_that_depend_on_each_other(text: str, tmp_path: Path) -> None:
    program = program_of(text, tmp_path)
    assert sequential_choices(program) is program or together(sequential_choices(program)) == 1
    assert why_not_specialized(program) == "several players choose at once"


@pytest.mark.parametrize("name", ["goofspiel", "rock-paper-scissors", "sealed-bid-auction"])
def test_a_play_goes_on_where_somebody_has_chosen(name: str) -> None:
    game = gamedsl.load(name)
    state = game.initial_state()
    while state.kind != "together":
        state = state.apply(state.legal_moves()[0] if state.kind == "player" else state.chance_outcomes()[0][0])
    state = state.apply(state.legal_moves()[0])
    assert state.pending and state.kind == "together"
    native = compiled(game)
    assert forms_differ(native, 300, 5, 400, state) == ""
    assert shares_differ(native, 1000, 5, 400, state) == ""
