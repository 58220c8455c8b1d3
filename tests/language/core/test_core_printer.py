"""The Core as text."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gamedsl.language.core.core_printer import print_core
from gamedsl.language.core.nodes import Local, Program, Schema
from tests.engine.coregames import ALL, dice_race, three_in_a_row

DICE = """\
program dice race
players a b
entry 0
domain player = a | b
domain 1..3 = 1 | 2 | 3
table next(player): player = 1 0
variable points: player -> 0..7 = 0 (state of part 0)
variable player to move: player = 0 (temp of part 0)
variable mover of roll_die: player = 0 (temp of part 0)
variable die: 1..3 = 1 (temp of part 0)
move 0 roll_die of part 0 (me: player; ) with chance written 'roll the die'
block 0 (part 0)
  player to move := player.a
  go to 1
block 1 (part 0)
  decide player to move as player to move
    roll_die#0 -> 2 into mover of roll_die
    pass -> 4
block 2 (part 0)
  chance roll die: die in {all 1..3} by 1 (1 | 2 | 3) -> 3
block 3 (part 0)
  points[mover of roll_die] := min((points[mover of roll_die] + die), 7)
  branch (5 <= points[player to move]) -> 5 else 4
block 4 (part 0)
  player to move := next(player to move)
  go to 1
block 5 (part 0)
"""


def test_a_whole_program() -> None:
    text = print_core(dice_race())
    assert text.startswith(DICE)
    assert "end winners single(player to move) payoff" in text


@pytest.mark.parametrize("name", ALL)
def test_the_same_text_every_time(name: str) -> None:
    assert print_core(ALL[name]()) == print_core(ALL[name]())


def test_the_same_text_in_another_process() -> None:
    code = (
        "from tests.engine.coregames import *; from gamedsl.engine import InterpretedGame; "
        "print(InterpretedGame(three_in_a_row()).digest)"
    )
    paths = str(Path(__file__).parents[3])
    digests = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths}
        digests.add(subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout)
    assert len(digests) == 1


def test_every_rule_is_in_the_text() -> None:
    """Programs that play differently print differently."""
    p = three_in_a_row()
    s = p.schemas[0]
    others: list[Program] = [
        replace(p, entry=1),
        replace(p, options=(("n", "4"),)),
        replace(p, blocks=(*p.blocks[:5], replace(p.blocks[5], statements=()), p.blocks[6])),
        replace(p, schemas=(replace(s, guards=()),)),
        replace(p, schemas=(replace(s, effect=()),)),
        replace(p, schemas=(replace(s, mistake=True),)),
        replace(p, variables=(replace(p.variables[0], initial=(1, 0)), *p.variables[1:])),
        replace(p, variables=(replace(p.variables[0], seen="owner"), *p.variables[1:])),
    ]
    texts = [print_core(x) for x in (p, *others)]
    assert len(set(texts)) == len(texts)


def test_numbers_of_locals_do_not_show() -> None:
    """A line of presentation more or less, which shifts the numbers of locals, leaves the digest as it is."""
    p = three_in_a_row()

    def shifted(s: Schema) -> Schema:
        text = repr(s)
        assert "Local" in text
        return replace(s, me=Local(s.me.id + 1000, s.me.name, s.me.type), effect=(), guards=(), plan=())

    plain = replace(p, schemas=(replace(p.schemas[0], effect=(), guards=(), plan=()),))
    assert print_core(plain) == print_core(replace(p, schemas=(shifted(p.schemas[0]),)))
