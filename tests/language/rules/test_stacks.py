"""Stacks read below their top: what stands at a level, quantifiers and loops over what lies in a stack."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from gamedsl.engine import InterpretedGame
from gamedsl.engine.information.observation import known_slots
from gamedsl.engine.information.unknown_values import Answers, NotKnown, Unknown
from gamedsl.engine.perft_counts import perft
from gamedsl.engine.stop import codes_of, evaluate_at
from gamedsl.engine.values import item
from gamedsl.lab.base.verdict import Status
from gamedsl.lab.claims.verification import VerifyConfig, verify
from gamedsl.lab.mutation.mutants import list_mutants
from gamedsl.lab.mutation.mutation_operators import Vocabulary
from gamedsl.lab.symmetry.symmetries import symmetries
from gamedsl.language.core.nodes import IntT
from gamedsl.language.rules import check_file, load_program
from gamedsl.language.source import NOWHERE
from gamedsl.language.source.diagnostic import GameDSLError
from gamedsl.language.syntax.parser import parse_text
from tests.compiler.agree import agree, compiled
from tests.lab.test_symmetry_laws import law
from tests.values import codes_named

from .play import after, game, texts

# Stacks move as far as they move pieces. What comes to lie below the third is cut off from below; a rival's piece among
# that is captured. Nobody lands on a tower in which one of one's own stands, unless it is the second from the top.
TOWERS = """
    players red, blue
    board grid 2 by 3

    state
      pile: cell -> stack of player up to 3
      moved: stack of player up to 6
      taken: player -> 0..6

    move go(a: cell, n: 1..3, b: cell) written "{n} {a}-{b}"
      when n <= height(pile[a]) and top(pile[a]) = me
      when aligned(a, b) and distance(a, b) = n
      when height(pile[b]) < 2 or pile[b] at height(pile[b]) - 1 = me or me not in pile[b]
      let h = height(pile[a])
      for x in pile[b]
        push x on moved
        pop pile[b]
      for k in {k in 1..3: k > h - n and k <= h}
        push pile[a] at k on moved
      repeat n times
        pop pile[a]
      let low = max(height(moved) - 3, 0)
      for k in {k in 1..6: k <= height(moved)}
        if k > low
          push moved at k on pile[b]
        else if moved at k != me
          add 1 to taken[me]
      repeat height(moved) times
        pop moved

    play
      for c in {a1, b1}
        push red on pile[c]
        push red on pile[c]
      for c in {a1, c1, b2}
        push blue on pile[c]
      for c in {a2, c2, b1}
        push red on pile[c]
      turns from red, 30 times
        me plays go
          stuck
            lose me
        if taken[me] >= 2
          win me
      draw
"""


# ------------------------------------------------------------------------- the same game, written for this test

RED, BLUE = 0, 1
CELLS = [(r, c) for r in (1, 2) for c in (1, 2, 3)]
Piles = dict[tuple[int, int], tuple[int, ...]]


def first_piles() -> Piles:
    red_twice = (RED, RED)
    return {
        (1, 1): (*red_twice, BLUE), (1, 2): (*red_twice, RED), (1, 3): (BLUE,),
        (2, 1): (RED,), (2, 2): (BLUE,), (2, 3): (RED,),
    }  # fmt: skip


def successors(piles: Piles, taken: tuple[int, int], me: int) -> Iterator[tuple[Piles, tuple[int, int]]]:
    for a in CELLS:
        for n in range(1, len(piles[a]) + 1):
            if piles[a][-1] != me:
                continue
            for b in CELLS:
                straight = (a[0] == b[0]) != (a[1] == b[1])
                if not straight or abs(a[0] - b[0]) + abs(a[1] - b[1]) != n:
                    continue
                there = piles[b]
                if len(there) > 1 and there[-2] != me and me in there:
                    continue
                whole = there + piles[a][-n:]
                cut, kept = whole[:-3], whole[-3:]
                gained = list(taken)
                gained[me] += sum(x != me for x in cut)
                yield {**piles, a: piles[a][:-n], b: kept}, (gained[0], gained[1])


def plays(piles: Piles, taken: tuple[int, int], me: int, depth: int) -> int:
    """The number of ways to make ``depth`` plies; a play that is over has none."""
    found = list(successors(piles, taken, me))
    if depth == 1:
        return len(found)
    return sum(plays(p, t, 1 - me, depth - 1) for p, t in found if t[me] < 2)


# -------------------------------------------------------------------------------------------------------- tests


def test_the_towers_have_as_many_plays_as_another_program_counts(tmp_path: Path) -> None:
    found = game(tmp_path, TOWERS)
    start = found.initial_state()
    assert codes_named(start, "pile") == [first_piles()[c] for c in CELLS]
    expected = [plays(first_piles(), (0, 0), RED, depth) for depth in (1, 2, 3, 4)]
    assert [perft(start, depth) for depth in (1, 2)] == expected[:2]
    native = compiled(found)
    assert [native.perft(start, depth) for depth in (1, 2, 3, 4)] == expected


def test_native_code_plays_the_towers_alike(tmp_path: Path) -> None:
    found = game(tmp_path, TOWERS)
    native = compiled(found)
    for seed in range(10):
        assert agree(found, seed, 60, native) != "error"


# 3 1 3 2 from below; the tuples (red, 1), (blue, 4), (red, 2); and nothing
FORMS = """
    players red, blue
    board grid 1 by 2
    type man = (player, 1..4)
    state
      pile: stack of 1..4 up to 5
      men: cell -> stack of man up to 4
      none_yet: stack of player up to 3
      answer: -99..99
    play
      push 3 on pile
      push 1 on pile
      push 3 on pile
      push 2 on pile
      push (red, 1) on men[b1]
      push (blue, 4) on men[b1]
      push (red, 2) on men[b1]
      {}
      draw
"""
NUMBERS = {
    "pile at 1": 3,
    "pile at 2": 1,
    "pile at height(pile)": 2,
    "pile at height(pile) - 1": 3,
    "10 * (pile at 2) + (pile at (pile at 2))": 13,
    "count x in pile: x = 3": 2,
    "count x in pile: x > 1": 3,
    "count (p, n) in men[b1]: p = red and n < 2": 1,
    "count m in men[b1]: m.player = red": 2,
    "number((men[b1] at 2).player)": 2,
    "sum of x for x in pile": 9,
    "sum of 10 * x for x in pile: x != 3": 30,
    "sum of x * y for x in pile, y in pile": 81,
    "max of -x for x in pile": -1,
    "min of x for x in pile: x > 2": 3,
    "max of x for x in pile: x > 3 or -5": -5,
    "max of x for x in pile: x < 3 or -5": 2,
    "max of number(p) for p in none_yet or 0": 0,
    "count({x in pile: x > 1})": 2,
    "count({x + 1 for x in pile})": 3,
    "count({m for m in men[b1]})": 3,
    "count({(p, n) in men[b1]: p = red})": 2,
    "count(union of {x, x + 1} for x in pile)": 4,
    "count x in pile, y in pile: x < y": 5,
    "count distinct x, y in pile: x = y": 2,
    "count x, y in pile: x = y": 6,
}
TRUTHS = {
    "3 in pile": True,
    "4 in pile": False,
    "4 not in pile": True,
    "99 in pile": False,
    "red in none_yet": False,
    "(red, 2) in men[b1]": True,
    "(blue, 2) in men[b1]": False,
    "(blue, 9) in men[b1]": False,
    "(blue, 4) in men[a1]": False,
    "some x in pile: x = 2": True,
    "every x in pile: x > 1": False,
    "no x in pile: x > 3": True,
    "every p in none_yet: p = red": True,
    "some p in none_yet: yes": False,
    "some distinct x, y in pile: x = y": True,
    "some distinct x, y, z in pile: x = y and y = z": False,
    "some x in pile, c in cell: x = height(men[c])": True,
    "pile at 1 = pile at 3 and pile at 1 != pile at 2": True,
    "men[b1] at 2 in {m for m in men[b1]}": True,
    "men[b1] at 1 in men[b1]": True,
    "every k in 1..4: k > height(pile) or pile at k > 0": True,
}


@pytest.mark.parametrize(("asked", "expected"), NUMBERS.items())
def test_numbers_about_a_stack(asked: str, expected: int, tmp_path: Path) -> None:
    """By hand."""
    found = game(tmp_path, FORMS.replace("{}\n", f"set answer to {asked}\n"))
    assert codes_named(found.initial_state(), "answer") == [expected]


@pytest.mark.parametrize(("asked", "expected"), TRUTHS.items())
def test_truths_about_a_stack(asked: str, expected: bool, tmp_path: Path) -> None:
    """By hand."""
    found = game(tmp_path, FORMS.replace("{}\n", f"if {asked}\n        win red\n"))
    assert found.initial_state().winners == (frozenset({0}) if expected else frozenset())


# ------------------------------------------------------------------------------------------------ what checks them


def test_reflected_towers_have_reflected_moves(tmp_path: Path) -> None:
    """The board has four reflections; with red for blue as well there are eight symmetries. A rule about one player's
    piece at the bottom leaves the reflections."""
    path = tmp_path / "towers.gdl"
    for rule, expected in (("n <=", 8), ("(height(pile[b]) = 0 or pile[b] at 1 != red) and n <=", 4)):
        path.write_text(dedent(TOWERS).replace("when n <=", f"when {rule}", 1), encoding="utf-8")
        found = InterpretedGame(load_program(path))
        assert len(symmetries(found.program)) + 1 == expected
        assert law(found, 1, 4, 20, 6) > 0


def test_a_mutant_reads_the_top(tmp_path: Path) -> None:
    tree = parse_text("players A, B\nstate\n  pile: stack of player up to 3\nplay\n  win pile at 2\n")
    told = [(m.operator, m.text) for m in list_mutants(tree, Vocabulary()) if m.operator in ("BOD", "CRP")]
    assert ("BOD", "`win top(pile)`") in told
    assert ("CRP", "`win pile at 3`") in told


def test_what_z3_is_not_asked_may_be_anything(tmp_path: Path) -> None:
    """A stack's items are left open: no proof, and no play that is not there."""
    text = """
        players red, blue
        state
          pile: stack of 1..3 up to 3
        move lay
          when height(pile) < 3
          push height(pile) + 1 on pile
        play
          turns from red, 3 times
            me plays lay
          draw
        claim "sorted": always every k in 1..2: k >= height(pile) or pile at k < pile at (k + 1)
        claim "late": never 3 in pile and height(pile) < 3
    """
    game(tmp_path, text)
    path = tmp_path / "ruleset.gdl"
    assert [v.status for v in verify(path, config=VerifyConfig(defaults=False)).verdicts] == [
        Status.PROVED,
        Status.PROVED,
    ]
    statuses = {v.status for v in verify(path, config=VerifyConfig(defaults=False, smt=True)).verdicts}
    assert statuses == {Status.UNKNOWN, Status.NOTED}


# ------------------------------------------------------------------------------------------------------- loops


@pytest.mark.parametrize("backend", ["interpreter", "native"])
@pytest.mark.parametrize("after_choice", [False, True])
def test_a_loop_goes_over_what_lay_there_before(after_choice: bool, backend: str, tmp_path: Path) -> None:
    """The stack is turned over while the loop goes through it, with and without decisions in the loop."""
    decision = "red chooses last from {x}" if after_choice else "set last to x"
    text = f"""
        players red, blue
        state
          pile: stack of 1..9 up to 4
          seen: stack of 1..9 up to 9
          last: 1..9
        play
          for n in {{2, 5, 7}}
            push n on pile
          for x in pile
            {decision}
            push last on seen
            pop pile
            if x < 5
              push 9 on pile
          draw
    """
    state = game(tmp_path, text, backend).initial_state()
    while not state.is_terminal:
        state = state.apply(state.legal_moves()[0])
    assert (codes_named(state, "seen"), codes_named(state, "pile")) == ([(2, 5, 7)], [(2,)])


@pytest.mark.parametrize("word", ["", "distinct "])
def test_pairs_of_a_loop(word: str, tmp_path: Path) -> None:
    """The keys of the stack are those from before the loop."""
    text = f"""
        players red, blue
        board grid 1 by 2
        state
          pile: cell -> stack of player up to 3
          here: cell
          pairs: stack of 1..99 up to 9
        play
          push red on pile[a1]
          push blue on pile[a1]
          push blue on pile[a1]
          for {word}x, y in pile[here]
            set here to b1
            push 10 * number(x) + number(y) on pairs
          draw
    """
    pairs = [12, 12, 21, 22, 21, 22] if word else [11, 12, 12, 21, 22, 22, 21, 22, 22]
    assert codes_named(game(tmp_path, text).initial_state(), "pairs") == [tuple(pairs)]


@pytest.mark.parametrize("source", ["{1, 2, 3}", "pile"])
def test_distinct_names_of_a_loop_with_decisions(source: str, tmp_path: Path) -> None:
    text = f"""
        players red, blue
        state
          pile: stack of 1..3 up to 3
          pairs: stack of 1..99 up to 9
          last: 1..3
        play
          for n in 1..3
            push n on pile
          for distinct x, y in {source}
            red chooses last from {{y}}
            push 10 * x + y on pairs
          draw
    """
    state = game(tmp_path, text).initial_state()
    while not state.is_terminal:
        state = state.apply(state.legal_moves()[0])
    assert codes_named(state, "pairs") == [(12, 13, 21, 23, 31, 32)]


def test_a_name_keeps_its_meaning_in_a_later_position(tmp_path: Path) -> None:
    """x is what lies there now; after the move the pile is another."""
    text = """
        players red, blue
        state
          pile: stack of 1..9 up to 3
        move empty_it
          when height(pile) = 2
          pop pile
          pop pile
          push 9 on pile
        move ask(n: 1..9)
          when some x in pile: (some m in moves(me, empty_it): after m: x = n and n not in pile)
          push n on pile
        play
          push 4 on pile
          push 6 on pile
          turns from red, 2 times
            me plays ask | empty_it
              stuck
                draw
          draw
    """
    found = game(tmp_path, text)
    assert texts(found.initial_state()) == ["ask 4", "ask 6", "empty it"]
    for seed in range(4):
        assert agree(found, seed) != "error"


# ------------------------------------------------------------------------------------------------------ mistakes


@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_nothing_at_that_height(backend: str, tmp_path: Path) -> None:
    text = """
        players red, blue
        state
          pile: stack of player up to 5
          n: -3..9 = 1
        move up
          add 1 to n
        move take_it
          when pile at n = red
          push red on pile
        play
          push red on pile
          turns from red, 5 times
            me plays up | take_it
          draw
    """
    found = game(tmp_path, text, backend)
    assert "take it" in texts(found.initial_state())
    assert texts(after(found, "take it", "up")) == ["up", "take it"]
    with pytest.raises(GameDSLError, match="E0510 the stack has nothing at this height"):
        after(found, "up").legal_moves()


def test_a_bracket_too_many_is_told_with_its_cure(tmp_path: Path) -> None:
    path = tmp_path / "wrong.gdl"
    path.write_text("players X, O\n\nstate\n  pile: stack of player up to 3\n\nplay\n  win pile[2]\n")
    _, problems = check_file(path)[:2]
    assert [p.code for p in problems] == ["E0478"]


# ------------------------------------------------------------------------------------------------------- secrets


@pytest.mark.parametrize("asked", ["deck at 1", "deck at n", "sum of i for i in deck", "count({i for i in deck})"])
def test_nobody_is_told_what_lies_in_a_hidden_stack(asked: str, tmp_path: Path) -> None:
    text = f"""
        players red, blue
        state
          deck: stack of 1..2 up to 2, seen by nobody
          n: 1..2
          told: 0..9
        move look(k: 1..9)
          when k = {asked}
          set told to k
        play
          push 1 on deck
          push 2 on deck
          shuffle deck
          red plays look
          draw
        look
          beside "it is" {asked}
          beside "{{x}} is in it" told for x in deck
    """
    found = game(tmp_path, text)
    state = after(found, "shuffle 2", "shuffle 1")
    first, second = found.program.parts[0].looks
    assert first.what is not None
    value = {"deck at 1": 2, "deck at n": 2, "sum of i for i in deck": 3, "count({i for i in deck})": 2}[asked]
    assert evaluate_at(state, first.what) == value
    assert state.observation(0)["variables"]["deck"] is None
    for asked_for in (first.what, second.binders[0][1], second.binders[1][1]):
        with pytest.raises(NotKnown):
            evaluate_at(state.seen_by(0), asked_for, {second.binders[0][0].id: 0})


@pytest.mark.parametrize(
    ("asked", "status"), [("deck at 1", Status.VIOLATED), ("max of i for i in deck", Status.HOLDS)]
)
def test_what_moves_tell_of_a_hidden_stack(asked: str, status: Status, tmp_path: Path) -> None:
    """Which card is the lowest is told by what is legal; the greatest is always the 2."""
    text = f"""
        players red, blue
        state
          deck: stack of 1..2 up to 2, seen by nobody
          told: 0..9
        move look(k: 1..2)
          when k = {asked}
          set told to k
        play
          push 1 on deck
          push 2 on deck
          shuffle deck
          red plays look
          draw
    """
    game(tmp_path, text)
    found = verify(tmp_path / "ruleset.gdl", config=VerifyConfig(own=False)).verdicts
    assert [v.status for v in found if "legal moves and refusals reveal" in v.claim] == [status]


def test_at_a_hidden_level_stands_one_of_all() -> None:
    stack = (2, 5, 4)
    answers = Answers()
    there = list(answers.tried(lambda: item(stack, Unknown(answers, 1, 3), NOWHERE), 20))  # type: ignore[arg-type]
    assert all(x is not None for x in there)
    assert {(x.low, x.high) for x in there if isinstance(x, Unknown)} == {(2, 5)}


def test_what_a_loop_with_decisions_keeps_of_a_hidden_stack_is_hidden(tmp_path: Path) -> None:
    text = """
        players red, blue
        state
          deck: stack of 1..2 up to 2, seen by nobody
          last: 1..9
        play
          push 1 on deck
          push 2 on deck
          shuffle deck
          for x in deck
            red chooses last from 1..2
          draw
    """
    found = game(tmp_path, text)
    state = after(found, "shuffle 2", "shuffle 1")
    kept = [v for v in found.program.variables if v.name in ("x", "x to come")]
    assert len(kept) >= 2
    for v in kept:  # where the loop stops, a name is cleared if nothing reads it any more: then it holds nothing
        is_cleared = v.role == "temp" and list(codes_of(state, v)) == list(v.initial)
        assert is_cleared or v.type == IntT(0, 0) or known_slots(state, v, 0) == [False] * v.slots
