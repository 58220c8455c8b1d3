"""How values of one type are used as another, by small rulesets and numbers worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import gamedsl
from tests.language.core.verifier import verify

from .play import after, game, texts

HEAD = """
game "T"
players A, B
"""
WON, LOST = (Fraction(1), Fraction(-1)), (Fraction(-1), Fraction(1))


def sound(folder: Path, text: str) -> gamedsl.Game:
    """The game of a text; its program must be well formed."""
    g = game(folder, HEAD + text)
    assert verify(g.program) == []
    return g


def holds(folder: Path, before: str, question: str) -> bool:
    """Whether A, who wins just then, wins."""
    g = sound(folder, f"{before}play\n  if {question}\n    win A\n  win B\n")
    return after(g).returns == WON


# ----------------------------------------------------------------------------------- numbers of different ranges


def test_two_ranges_in_one_if(tmp_path: Path) -> None:
    """2 of 0..3 or 4 of 1..4: the sum over both ways of choosing is what either branch gives."""
    g = sound(
        tmp_path,
        """
state
  n: 0..9
move take(a: 0..3, b: 1..4, first: bool) written "{a} {b} {first}"
  let chosen = if first then a else b
  set n to chosen
play
  A plays take
  if n = 2
    win A
  if n = 4
    win B
  draw
""",
    )
    assert after(g, "2 4 yes").returns == WON
    assert after(g, "2 4 no").returns == LOST
    assert after(g, "3 1 no").returns == (0, 0)


OPTIONAL = """
state
  near: 0..3? = {near}
  far: 1..6? = {far}
"""


@pytest.mark.parametrize(("near", "far", "equal"), [("2", "2", True), ("2", "6", False), ("none", "none", True),
                                                    ("none", "1", False), ("0", "none", False)])  # fmt: skip
def test_optional_numbers_are_compared_whatever_their_ranges(tmp_path: Path, near: str, far: str, equal: bool) -> None:
    assert holds(tmp_path, OPTIONAL.format(near=near, far=far), "near = far") is equal
    assert holds(tmp_path, OPTIONAL.format(near=near, far=far), "far != near") is not equal


@pytest.mark.parametrize(("near", "n", "equal"), [("3", "3", True), ("3", "9", False), ("none", "9", False)])
def test_an_optional_number_and_a_plain_one(tmp_path: Path, near: str, n: str, equal: bool) -> None:
    """A number outside the optional's range is another number, no rules error."""
    before = OPTIONAL.format(near=near, far="none") + f"  n: 0..9 = {n}\n"
    assert holds(tmp_path, before, "near = n") is equal
    assert holds(tmp_path, before, "n != near") is not equal


@pytest.mark.parametrize(("far", "fits"), [("1", True), ("3", True), ("none", True), ("4", False)])
def test_an_optional_number_set_to_one_of_another_range(tmp_path: Path, far: str, fits: bool) -> None:
    play = "play\n  set near to far\n  if near = far\n    win A\n  win B\n"
    text = HEAD + OPTIONAL.format(near="0", far=far) + play
    g = game(tmp_path, text)
    assert verify(g.program) == []
    if fits:
        assert after(g).returns == WON
    else:
        with pytest.raises(gamedsl.GameDSLError) as caught:
            after(g)
        assert caught.value.diagnostics[0].code == "E0510"


def test_optional_numbers_in_one_if(tmp_path: Path) -> None:
    before = OPTIONAL.format(near="0", far="6") + "  c: bool\n"
    assert holds(tmp_path, before, "(if c then near else far) = 6")
    assert holds(tmp_path, before, "(if c then far else near) = 0")
    assert not holds(tmp_path, before, "(if c then far else near) is none")


def test_a_narrow_number_becomes_an_optional_one(tmp_path: Path) -> None:
    before = "state\n  wide: -2..9?\n  n: 3..5 = 4\n"
    g = sound(tmp_path, before + "play\n  set wide to n\n  if wide = 4\n    win A\n  win B\n")
    assert after(g).returns == WON


@pytest.mark.parametrize(("n", "size"), [(-9, 9), (5, 5), (0, 0), (-1, 1)])
def test_the_number_without_its_sign(tmp_path: Path, n: int, size: int) -> None:
    assert holds(tmp_path, f"state\n  n: -9..5 = {n}\n", f"abs(n) = {size}")


FEW = "board grid 2 by 2\npiece mark of player\nstate\n  few: 0..2 -> 0..9 = 4\n"


@pytest.mark.parametrize(("n", "inside"), [("0 - 1", False), ("0 + 2", True), ("0 + 3", False)])
def test_a_known_number_outside_a_range_is_not_in_it(tmp_path: Path, n: str, inside: bool) -> None:
    """`count({})` may be 0 to 4 by its type; what it is, is known all the same."""
    n = n.replace("0", "count({a1} - {a1})")
    assert holds(tmp_path, FEW, f"{n} in 0..2") is inside


def test_a_known_number_divides(tmp_path: Path) -> None:
    """`count(players)` may be 0 to 2 by its type, and is 2."""
    assert holds(tmp_path, FEW, "9 div count(players) = 4 and 9 mod count(players) = 1")


def test_a_known_number_outside_a_range_is_no_key(tmp_path: Path) -> None:
    with pytest.raises(gamedsl.GameDSLError) as caught:
        holds(tmp_path, FEW + "define high = count(cell) - 1\n", "few[high] = 4")
    assert caught.value.diagnostics[0].code == "E0510"
    assert holds(tmp_path, FEW + "define high = count(cell) - 2\n", "few[high] = 4")


# ----------------------------------------------------------------------------------------- yes and no as elements


def test_a_map_from_yes_and_no(tmp_path: Path) -> None:
    g = sound(
        tmp_path,
        """
state
  said: bool -> 0..5
move say(b: bool) written "{b}"
  add 1 to said[b]
play
  turns from A, 3 times
    me plays say
  if said[yes] = 2 and said[said[yes] = 9] = 1
    win A
  win B
""",
    )
    assert after(g, "yes", "no", "yes").returns == WON
    assert after(g, "yes", "no", "no").returns == LOST


def test_sets_of_yes_and_no(tmp_path: Path) -> None:
    g = sound(
        tmp_path,
        """
state
  said: set of bool
move say(b: bool) written "{b}"
  add b to said
play
  turns from A, 2 times
    me plays say
  if no not in said and {yes} = said
    win A
  if every b in said: b = no
    win B
  draw
""",
    )
    assert after(g, "yes", "yes").returns == WON
    assert after(g, "no", "no").returns == LOST
    assert after(g, "no", "yes").returns == (0, 0)


def test_a_bag_of_yes_and_no(tmp_path: Path) -> None:
    g = sound(
        tmp_path,
        """
state
  bag: bool -> 0..5 = 1
play
  set bag[yes] to 3
  draw from bag -> got
  if got
    win A
  win B
""",
    )
    state = g.initial_state()
    assert [p for _, p in state.chance_outcomes()] == [Fraction(1, 4), Fraction(3, 4)]
    assert [state.apply(m).returns for m, _ in state.chance_outcomes()] == [LOST, WON]


def test_shuffling_yes_and_no(tmp_path: Path) -> None:
    """Two yes and a no: the no is on top in one order of three."""
    g = sound(
        tmp_path,
        """
state
  pile: stack of bool up to 3
play
  push yes on pile
  push no on pile
  push yes on pile
  shuffle pile
  if top(pile)
    win A
  win B
""",
    )
    chances = {WON: Fraction(0), LOST: Fraction(0)}

    def walk(state: gamedsl.State, p: Fraction) -> None:
        if state.kind == "chance":
            for move, q in state.chance_outcomes():
                walk(state.apply(move), p * q)
            return
        chances[state.returns] += p  # type: ignore[index]

    walk(g.initial_state(), Fraction(1))
    assert chances == {WON: Fraction(2, 3), LOST: Fraction(1, 3)}


def test_yes_is_no_set_by_itself(tmp_path: Path) -> None:
    with pytest.raises(gamedsl.GameDSLError) as caught:
        game(tmp_path, HEAD + "play\n  if some b in yes: b\n    win A\n  win B\n")
    assert [d.code for d in caught.value.diagnostics] == ["E0301"]


# --------------------------------------------------------------------------------------- pieces beside the cells


def test_pieces_stacked_on_edges(tmp_path: Path) -> None:
    """A piece on a cell is nothing to one on the edge of the same number, and the second stands upon the first."""
    g = sound(
        tmp_path,
        """
board grid 2 by 2
piece mark of player
piece post of player on edge, 3 each, stacking
move plant(e: edge) written "{e}"
  put post[me] on e
play
  put mark[B] on cell
  turns from A, 4 times
    me plays plant
  remove post[A] from edge
  if post[A] = {}
    win B
  win A
""",
    )
    edges = texts(g.initial_state())
    assert len(edges) == 4
    a, b, c, _ = edges
    assert after(g, a, b, a, b).returns == WON  # one of A's two is left
    assert after(g, a, b, c, b).returns == LOST
