"""What constructs of the language mean, each by a small ruleset and numbers worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import gamedsl
from gamedsl.engine.perft_counts import perft
from gamedsl.engine.stop import codes_of
from gamedsl.language.source.diagnostic import GameDSLError

from .play import after, game, texts

HEAD = """
game "T"
players A, B
"""


def test_a_countdown_covers_the_plies_after_it_was_set(tmp_path: Path) -> None:
    """Set to 2 in ply 1, it stands through plies 2 and 3 and is over in ply 4."""
    g = game(
        tmp_path,
        HEAD
        + """
state
  rest: countdown up to 5
move start
  when rest = 0
  set rest to 2
move idle
  take 0 from rest
play
  turns from A
    me plays start | idle
""",
    )
    assert texts(after(g, "start")) == ["idle"]
    assert texts(after(g, "start", "idle")) == ["idle"]
    assert texts(after(g, "start", "idle", "idle")) == ["start", "idle"]


def test_waiting_lets_time_pass_and_nothing_else(tmp_path: Path) -> None:
    """`after waiting` sees the countdown of the next ply: 1 now is 0 then."""
    g = game(
        tmp_path,
        HEAD
        + """
state
  rest: countdown up to 5
move start
  set rest to 2
move soon
  when after waiting: rest = 0
  take 0 from rest
play
  turns from A
    me plays start | soon
""",
    )
    assert texts(after(g, "start")) == ["start"]  # 2 now, 1 after waiting
    assert texts(after(g, "start", "start")) == ["start"]
    assert "soon" in texts(g.initial_state())


def test_only_the_first_decision_of_a_turn_lets_time_pass(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        HEAD
        + """
state
  rest: countdown up to 5 = 3
move first
  take 0 from rest
move second
  when rest >= 2
  take 0 from rest
play
  turns from A
    me plays first
    me plays second
      stuck
        win me
""",
    )
    # turn 1: 3 -> 2 at its first decision, second is possible; turn 2: 2 -> 1, stuck
    state = after(g, "first", "second", "first")
    assert state.is_terminal
    assert state.returns == (Fraction(-1), Fraction(1))


def test_turn_counts_plies_and_look_ahead_counts_on(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        HEAD
        + """
state
  n: 0..9
move late
  when turn >= 3
  add 1 to n
move early
  when turn < 3
  add 1 to n
move prophet
  when some m in moves(rival, late): yes
  add 1 to n
play
  turns from A
    me plays late | early | prophet
""",
    )
    assert texts(g.initial_state()) == ["early"]
    assert texts(after(g, "early")) == ["early"]
    assert texts(after(g, "early", "early")) == ["late", "prophet"]


def test_again_and_skip(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        HEAD
        + """
state
  n: 0..9
move one
  add 1 to n
move two
  add 2 to n
play
  turns from A
    me plays one | two
    if n = 2
      again
    if n = 3
      skip
    if n > 6
      win me
""",
    )
    assert after(g, "one").current_player == 1
    assert after(g, "two").current_player == 0  # again
    assert after(g, "two", "one").current_player == 1  # skip goes on to the next
    assert after(g, "two", "one", "two", "two").returns == (Fraction(1), Fraction(-1))


def test_stacks_push_and_pop(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        HEAD
        + """
board track 2
state
  pile: cell -> stack of player up to 3
move lay(c: cell) written "{c}"
  when height(pile[c]) < 3
  push me on pile[c]
move lift(c: cell) written "lift {c}"
  when height(pile[c]) > 0 and top(pile[c]) = rival
  pop pile[c] -> who
  push who on pile[c]
  pop pile[c]
play
  turns from A
    me plays lay | lift
""",
    )
    first = texts(g.initial_state())[0]
    state = after(g, first)
    assert f"lift {first}" in texts(state)
    assert f"lift {first}" not in texts(after(g, first, f"lift {first}"))


def test_a_bag_is_drawn_by_shares(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        HEAD
        + """
type ball = {red, white}
state
  bag: ball -> 0..5
  last: ball
move fill
  add 3 to bag[red]
  add 1 to bag[white]
play
  A plays fill
  draw from bag -> got
  set last to got
  draw from bag -> again_got
  if again_got = red
    win A
  win B
""",
    )
    state = after(g, "fill")
    assert [p for _, p in state.chance_outcomes()] == [Fraction(3, 4), Fraction(1, 4)]
    white = state.chance_outcomes()[1][0]
    then = state.apply(white)
    assert [(str(m).split()[-1], p) for m, p in then.chance_outcomes()] == [("red", Fraction(1))]


def test_shuffling_gives_every_order_its_share(tmp_path: Path) -> None:
    """Three cards, two alike: orders aab, aba, baa, each with probability 1/3."""
    g = game(
        tmp_path,
        HEAD
        + """
type card = {a, b}
state
  deck: stack of card up to 3
  seen: 0..200
move load
  push a on deck
  push a on deck
  push b on deck
play
  A plays load
  shuffle deck
  repeat 3 times
    pop deck -> top_one
    set seen to seen * 3 + (if top_one = a then 1 else 2)
  A chooses seen from {1, 2}
  win A
""",
    )
    chances: dict[int, Fraction] = {}

    def walk(state: gamedsl.State, p: Fraction) -> None:
        if state.kind == "chance":
            for move, q in state.chance_outcomes():
                walk(state.apply(move), p * q)
            return
        seen = codes_of(state, next(v for v in g.program.variables if v.name == "seen"))[0]
        chances[seen] = chances.get(seen, Fraction(0)) + p

    walk(after(g, "load"), Fraction(1))
    # base 3, a = 1, b = 2, top first: aab = 14, aba = 16, baa = 22
    assert chances == {14: Fraction(1, 3), 16: Fraction(1, 3), 22: Fraction(1, 3)}


def test_two_dice_by_their_ways(tmp_path: Path) -> None:
    g = game(tmp_path, HEAD + "play\n  roll 2 d6 -> r\n  if r = 7\n    win A\n  win B\n")
    outcomes = g.initial_state().chance_outcomes()
    assert len(outcomes) == 11
    assert outcomes[5][1] == Fraction(6, 36)  # seven
    assert perft(g.initial_state(), 1) == 11


def test_for_over_players_with_decisions(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        """
game "T"
players A, B, C
state
  bid: player -> 0..3
play
  for p in players
    p chooses bid[p]
  rank by bid
""",
    )
    assert perft(g.initial_state(), 3) == 4**3
    state = after(g, "1", "3", "3")
    assert state.winners == {1, 2}
    assert state.returns == (Fraction(-1), Fraction(1), Fraction(1))
    assert after(g, "2", "2", "2").returns == (0, 0, 0)


def test_everyone_in_a_group(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        """
game "T"
players A, B, C
state
  shown: player -> 0..2
move show(n: 0..2) written "{n}"
  set shown[me] to n
play
  everyone in {A, C} plays show
  rank by shown
""",
    )
    state = g.initial_state()
    assert state.to_act == (0, 2)
    assert perft(state, 1) == 9


def test_flood_and_connection_on_a_hexagonal_board(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        HEAD
        + """
board hex 3
piece mark of player
move place(c: cell) written "{c}"
  when c in empty
  put mark[me] on c
play
  turns from A
    me plays place
    if count(component(center, empty)) = 0
      win me
""",
    )
    # hexagon of side 3: 1 + 6 + 12 = 19 cells
    assert len(texts(g.initial_state())) == 19


def test_a_graph_board(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        HEAD
        + """
board graph
  nodes hub, x, y, z
  hub to x, y, z
piece mark of player
move place(c: cell) written "{c}"
  when c in empty and neighbors(c) disjoint mark[me]
  put mark[me] on c
play
  turns from A
    me plays place
      stuck
        lose me
""",
    )
    # A takes the hub: B takes a leaf, A touches its hub everywhere and is stuck
    assert after(g, "hub", "x").returns == (Fraction(-1), Fraction(1))
    assert perft(g.initial_state(), 2) == 12


def test_a_rules_error_has_its_place(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        HEAD
        + """
state
  n: 0..1
move up
  add 1 to n
play
  turns from A
    me plays up
""",
    )
    state = after(g, "up")
    with pytest.raises(gamedsl.GameDSLError) as caught:
        state.apply(g.parse_move("up", state))
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.code == "E0510"
    assert diagnostic.span.line == 8


def test_a_part_inside_a_file_sees_options_and_types(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        """
game "T"
players one, two
option top: 1..5 = 2
type side = {left, right}
state
  who: player
play
  play toss with me_first = one, other_one = two -> r
  if r.winner is some
    set who to r.winner
    win who
  draw
part toss
  players me_first, other_one
  state
    n: 0..5
    s: side
  play
    me_first chooses n from {1, 2, 3, 4, 5}
    me_first chooses s
    if n <= top and s = left
      win other_one
    draw
""",
        top=3,
    )
    assert after(g, "3", "left").returns == (Fraction(-1), Fraction(1))
    assert after(g, "4", "left").returns == (0, 0)


def test_equal_situations_are_equal_states(tmp_path: Path) -> None:
    """A let that nobody reads any more leaves no trace."""
    g = game(
        tmp_path,
        HEAD
        + """
state
  n: 0..9
  m: 0..9
play
  A chooses n
  let twice = 2 * n
  B chooses m
  set n to 0
  if twice > 100
    win A
  A chooses m
  win B
""",
    )
    assert after(g, "3", "1") == after(g, "4", "1")
    assert hash(after(g, "3", "1")) == hash(after(g, "4", "1"))
    assert after(g, "3") != after(g, "4")


def test_may_pass_and_forced_pass(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        HEAD
        + """
state
  n: 0..9
move up
  add 1 to n
play
  turns from A, 4 times
    me plays up
      may pass
  A passes
  if n = 4
    win A
  draw
""",
    )
    assert perft(g.initial_state(), 5) == 16
    assert after(g, "up", "up", "up", "up", "pass").winners == {0}


def test_forbid_looks_at_the_position_after_the_move(tmp_path: Path) -> None:
    g = game(
        tmp_path,
        HEAD
        + """
state
  n: 0..9
move add_one(k: 1..3) written "{k}"
  add k to n
forbid n = 2 "two is unlucky" @L1
play
  turns from A
    me plays add_one
    if n >= 4
      win me
""",
    )
    state = g.initial_state()
    assert texts(state) == ["1", "3"]
    refusal = state.why_not(g.parse_move("2", state))[0]
    assert refusal.message == "two is unlucky"
    assert refusal.clauses == ("L1",)


def test_options_reach_domains(tmp_path: Path) -> None:
    text = (
        HEAD
        + """
option n: 2..6 = 3
board grid n by n
piece mark of player
move place(c: cell) written "{c}"
  when c in empty
  put mark[me] on c
play
  turns from A, n times
    me plays place
  draw
"""
    )
    assert perft(game(tmp_path, text).initial_state(), 1) == 9
    assert perft(game(tmp_path, text, n=5).initial_state(), 1) == 25
    with pytest.raises(gamedsl.UsageError):
        game(tmp_path, text, n=7)
    with pytest.raises(gamedsl.UsageError):
        game(tmp_path, text, m=3)


def test_an_optional_number_keeps_its_value(tmp_path: Path) -> None:
    """A number of a narrow range is put into an optional of a wide one."""
    g = game(
        tmp_path,
        HEAD
        + """
state
  best: player -> 0..9?
move bid(n: 1..2) written "{n}"
  set best[me] to n
play
  A plays bid
  if best[A] = 2
    win A
  win B
""",
    )
    assert after(g, "2").winners == {0}
    assert after(g, "1").winners == {1}


def test_forbid_may_try_moves_that_ask_no_forbid(tmp_path: Path) -> None:
    """Nobody may leave the rival without any attempt: on a row of two, with one square taken, the last is forbidden."""
    g = game(
        tmp_path,
        HEAD
        + """
board grid 1 by 3
piece mark of player
move place(c: cell) written "{c}"
  when c in empty
  put mark[me] on c
forbid no m in attempts(rival, place): yes "the rival could do nothing"
play
  turns from A
    me plays place
      stuck
        lose me
""",
    )
    assert len(texts(after(g, "a1"))) == 2
    # two squares taken: the third would leave the rival nothing, so A is stuck and loses
    assert after(g, "a1", "b1").returns == (Fraction(-1), Fraction(1))


SHUTTLE = (
    HEAD
    + """
board track 3
piece mark of player
define thrice = repetition(3)
define late(n: 0..9) = thrice and n = 0
move shift(a in mark[me], b: cell) written "{{a}}{{b}}"
  when b in empty and b in neighbors(a)
  move mark[me] from a to b
play
  put mark[A] on t1
  turns from A
    note position
    if {question}
      win me
    if me = A
      me plays shift
"""
)


@pytest.mark.parametrize("question", ["repetition(3)", "thrice", "late(0)"])
def test_positions_are_asked_for_in_definitions_as_anywhere(tmp_path: Path, question: str) -> None:
    """t1 with A to move stands at the start, after two moves of A and after four: the third time A has won."""
    g = game(tmp_path, SHUTTLE.format(question=question))
    moves = ("t1t2", "t2t1", "t1t2", "t2t1")
    assert not after(g, *moves[:3]).is_terminal
    assert after(g, *moves).returns == (Fraction(1), Fraction(-1))


def test_a_position_with_a_mover_is_not_asked_for_without_one(tmp_path: Path) -> None:
    text = HEAD + 'board track 3\npiece mark of player\nmove lay(c in empty) written "{c}"\n  put mark[me] on c\n'
    play = "play\n  turns from A, 2 times\n    note position\n    me plays lay\n  if repetition(1)\n    win A\n  draw\n"
    with pytest.raises(gamedsl.GameDSLError) as caught:
        game(tmp_path, text + play)
    assert [(d.code, d.span.line) for d in caught.value.diagnostics] == [("E0371", 12)]
    g = game(tmp_path, text + play.replace("note position", "note board"))
    assert after(g, "t1", "t2").returns == (0, 0)


# ------------------------------------------------------------------------------------------- what the docs promise


def test_the_elements_of_a_loop_are_fixed_before_it(tmp_path: Path) -> None:
    """By hand: the loop sees 1 and 2; what it adds (3, 4) is not gone through. In effects and in the course of play."""
    loop = "for x in s\n    add x + 2 to s"
    for where in (f"move go\n  {loop}\n\nplay\n  A plays go\n", "play\n  A passes\n" + f"  {loop}\n  A passes\n"):
        text = "players A, B\nstate\n  s: set of 1..9 = {1, 2}\n" + where + "  draw\n"
        path = tmp_path / "loop.gdl"
        path.write_text(text)
        for backend in ("interpreter", "native"):
            game = gamedsl.load(path, backend=backend)
            state = game.initial_state()
            state = state.apply(state.legal_moves()[0])
            assert codes_of(state, game.variable("s")) == [0b1111]


def test_turn_outside_turns(tmp_path: Path) -> None:
    """Behind a run of three turns it is 3; before the first run there is none (E0230)."""
    path = tmp_path / "turn.gdl"
    path.write_text(
        "players A, B\nmove one\nmove any\n  when turn < 9\nmove three\n  when turn = 3\n"
        "play\n  A plays one\n  turns from A, 3 times\n    me plays any\n  A plays three\n  draw\n"
    )
    for backend in ("interpreter", "native"):
        state = gamedsl.load(path, backend=backend).initial_state()
        for kind in ("one", "any", "any", "any", "three"):
            [move] = state.legal_moves()
            assert str(move) == kind
            state = state.apply(move)
        assert state.is_terminal


def test_the_element_of_a_set(tmp_path: Path) -> None:
    """Of several the first in the order of their type; none is a rules error. Both backends."""
    path = tmp_path / "the.gdl"
    path.write_text(
        'players A, B\nboard grid 2 by 2\nstate\n  s: set of cell = {b1, a2}\nmove go(c: cell) written "{c}"\n'
        "  when c = the(s)\n  set s to {}\nplay\n  A plays go\n  A plays go\n  draw\n"
    )
    for backend in ("interpreter", "native"):
        state = gamedsl.load(path, backend=backend).initial_state()
        [move] = state.legal_moves()
        assert str(move) == "b1"  # row 1 comes before row 2
        with pytest.raises(GameDSLError, match="E0510 the set is empty here"):
            state.apply(move)
