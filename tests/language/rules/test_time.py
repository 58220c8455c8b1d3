"""`turn mod n` and claims about a phase, against plays counted by hand."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from gamedsl.compiler import compile_program
from gamedsl.engine.perft_counts import perft
from gamedsl.lab.claims.verification import VerifyConfig, verify
from gamedsl.language.rules import check_file
from tests.language.core.verifier import verify as well_formed

from .play import game, texts

COUNTED = """
players X, O
state
  flag: bool
move go written "go"
  set flag to not flag
move jump written "jump"
  when {condition}
play
  turns from X
    me plays go | jump
    if flag and not flag
      draw
"""


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("turn mod 3 = 0", lambda t: t % 3 == 0),
        ("turn mod 3 != 0", lambda t: t % 3 != 0),
        ("(turn + 1) mod 4 = 2", lambda t: (t + 1) % 4 == 2),
        ("(turn - 2) mod 5 in {0, 3}", lambda t: (t - 2) % 5 in (0, 3)),
        ("turn mod 2 = 0 and turn mod 3 = 1", lambda t: t % 6 == 4),
        ("turn mod 2 = 0 and turn > 7", lambda t: t % 2 == 0 and t > 7),
        ("turn = 5 or turn mod 4 = 3", lambda t: t == 5 or t % 4 == 3),
        ("turn <= 3 or turn mod 1 = 0 and turn mod 4 = 0", lambda t: t <= 3 or t % 4 == 0),
    ],
)
def test_every_so_many_turns(tmp_path: Path, condition: str, holds: object) -> None:
    """Forty turns: the second move is there on the right ones, and few states are enough."""
    assert callable(holds)
    g = game(tmp_path, COUNTED.format(condition=condition))
    assert well_formed(g.program) == []
    state, met = g.initial_state(), set()
    for turn in range(1, 41):
        assert ("jump" in texts(state)) == holds(turn), turn
        met.add(state)
        state = state.apply(g.parse_move("go", state))
    assert len(met) < 2 * 24
    compiled, start = compile_program(g.program), g.initial_state()

    assert compiled.perft(start, 12) == perft(start, 12)


def test_the_counter_begins_anew_with_every_run(tmp_path: Path) -> None:
    rules = """
    players X, O
    state
      done: 0..9
    move go written "go"
      when turn mod 2 = 1
    move rest written "rest"
      when turn mod 2 = 0
    play
      repeat
        turns from X, 3 times
          me plays go | rest
        add 1 to done
      until done = 2
      draw
    """
    g = game(tmp_path, rules)
    state, played = g.initial_state(), []
    while not state.is_terminal:
        played.append(str(state.propose(Random(0))))
        state = state.apply(state.propose(Random(0)))
    assert played == ["go", "rest", "go"] * 2


BIDDING = """
players X, O
state
  stock: 0..4 = 4
  bids: 0..9
move bid(n: 1..2) written "bid {n}"
  add n to bids
move lift written "lift"
  take 1 from stock
play
  phase bidding
    turns from X, 4 times
      me plays bid
      if bids = 7
        end phase
  phase taking
    turns from X
      me plays lift
      if stock = 0
        win me
"""


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("in phase bidding: always stock = 4", True),
        ("in phase bidding: always bids < 4", False),
        ("in phase bidding: never stock < 4", True),
        ("in phase taking: never bids < 4", True),
        ("in phase bidding: reachable bids = 6", True),
        ("in phase bidding: reachable bids = 8", False),
        ("in phase taking: reachable stock = 0", True),
        ("in phase taking: always bids >= 4", True),
        ("in phase bidding: bids = 2 leads to stock = 0", True),
        ("in phase taking: bids = 2 leads to stock = 9", True),
    ],
)
def test_claims_about_a_phase(tmp_path: Path, claim: str, holds: bool) -> None:
    g = game(tmp_path, f"{BIDDING}claim {claim}\n")
    assert well_formed(g.program) == []
    found = verify(tmp_path / "ruleset.gdl", config=VerifyConfig(defaults=False))
    (verdict,) = found.verdicts
    assert (verdict.status == "proved") == holds


def test_a_phase_inside_a_phase_of_the_same_name(tmp_path: Path) -> None:
    rules = """
    players X, O
    state
      n: 0..3
    move go written "go"
      add 1 to n
    play
      phase whole
        X plays go
        phase half
          O plays go
        X plays go
      draw
    claim in phase whole: reachable n = 2
    claim in phase half: always n = 1
    claim in phase whole: never n = 3
    """
    game(tmp_path, rules)
    assert [v.status for v in verify(tmp_path / "ruleset.gdl", config=VerifyConfig(defaults=False)).verdicts] == [
        "proved"
    ] * 3


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("when turn mod 0 = 1", "E0344"),
        ("when turn mod stock = 1", "E0307"),
        ("when turn mod 9973 = 1 and turn mod 9967 = 1", "E0344"),
        ("when turn div 2 = 1", "E0331"),
        ("when (turn + stock) mod 2 = 1", "E0307"),
    ],
)
def test_what_is_refused(tmp_path: Path, line: str, code: str) -> None:
    path = tmp_path / "ruleset.gdl"
    path.write_text(BIDDING.replace("  take 1 from stock", f"  {line}\n  take 1 from stock"), encoding="utf-8")
    assert code in [d.code for d in check_file(path)[1]]
