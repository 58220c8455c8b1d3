"""The strategies and the machine for authors: what they draw is play, and what is wrong is found and shrunk."""

from __future__ import annotations

import gc
import pickle
import re
import shlex
from ast import literal_eval
from pathlib import Path
from random import Random
from typing import Any, Literal
from weakref import ref

import pytest
from hypothesis import HealthCheck, Phase, example, find, given, reproduce_failure, settings, target
from hypothesis import strategies as st
from hypothesis.stateful import invariant, run_state_machine_as_test
from hypothesis.vendor.pretty import pretty

import gamedsl
from gamedsl.cli.main import main
from gamedsl.engine.interpreted_game import InterpretedGame
from gamedsl.engine.interpreted_state import InterpretedState
from gamedsl.lab.search import legal_version
from gamedsl.language.rules import shipped
from gamedsl.testing import (
    GameMachine,
    Play,
    check_laws,
    claims,
    covering_playouts,
    directed_playouts,
    go_on,
    laws,
    machine,
    play_of,
    plays,
    states,
)
from gamedsl.testing.known_steps import KnownSteps
from tests.shipped_sample import sampled
from tests.values import codes_named

TIC_TAC_TOE = gamedsl.load("tic-tac-toe")
QUICK = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@QUICK
@given(plays(TIC_TAC_TOE))
def test_a_play_is_one_that_the_rules_allow(play: Play) -> None:
    state = TIC_TAC_TOE.initial_state()
    assert play.states[0] == state and len(play.states) == len(play.moves) + 1
    for move, after in zip(play.moves, play.states[1:], strict=True):
        state = state.apply(move)
        assert state == after
    assert len(play.moves) <= 9


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "rock-paper-scissors", "abs-trac-toe", "phantom-tic-tac-toe"])
def test_the_laws_hold_in_shipped_games(name: str) -> None:
    @settings(QUICK, max_examples=8)
    @given(states(gamedsl.load(name), max_plies=6))
    def check(state: gamedsl.State) -> None:
        check_laws(state)

    check()


def test_plays_shrink() -> None:
    """X wins in five plies at the least, and in seven when both take the first squares in turn."""
    patient = settings(QUICK, max_examples=2000, database=None)
    won = find(plays(TIC_TAC_TOE), lambda p: p.last.is_terminal and p.last.winners == {0}, settings=patient)
    assert len(won.moves) in (5, 7)


def test_a_number_too_many_does_nothing() -> None:
    state = TIC_TAC_TOE.initial_state()
    for number in range(30):
        state = go_on(state, number)
    assert state.is_terminal and go_on(state, 3) is state


@QUICK
@given(
    states(
        TIC_TAC_TOE, start=TIC_TAC_TOE.initial_state().apply(TIC_TAC_TOE.parse_move("b2", TIC_TAC_TOE.initial_state()))
    )
)
def test_positions_from_a_given_one(state: gamedsl.State) -> None:
    assert codes_named(state, "mark")[0] >> 4 & 1


def test_the_machine_plays_by_the_laws() -> None:
    run_state_machine_as_test(machine("pig", target=8), settings=QUICK)


def test_a_broken_ruleset_breaks_the_laws(tmp_path: object) -> None:
    """A game in which somebody must act and can't raises the rules error on the way."""
    path = f"{tmp_path}/stuck.gdl"
    with open(path, "w", encoding="utf-8") as file:
        file.write(STUCK)
    with pytest.raises(gamedsl.GameDSLError, match="no legal move"):
        run_state_machine_as_test(machine(path), settings=settings(QUICK, database=None))


STUCK = """game "Stuck"

players a, b

board grid 1 by 3 named by letters

piece man of player

move place(c: cell) written "{c}"
  when c in empty "taken"
  put man[me] on c

play
  turns from a
    me plays place
"""


def test_a_loaded_game_has_a_machine_too() -> None:
    made = machine(TIC_TAC_TOE)
    assert issubclass(made, GameMachine) and made.game is TIC_TAC_TOE


@QUICK
@given(st.integers(0, 10**9))
def test_any_number_is_a_way_on(number: int) -> None:
    assert go_on(TIC_TAC_TOE.initial_state(), number) != TIC_TAC_TOE.initial_state()


# ----------------------------------------------------------------------------------------------------------- depth


def ends_of(game: gamedsl.Game, examples: int = 30) -> list[bool]:
    """Whether each of some generated plays reached the end of the game."""
    found: list[bool] = []

    @settings(QUICK, max_examples=examples, database=None, phases=[Phase.generate], derandomize=True)
    @given(plays(game))
    def generate(play: Play) -> None:
        found.append(play.last.is_terminal)

    generate()
    return found


@pytest.mark.parametrize(
    "name", ["pig", "x-s-and-lines", *(pytest.param(n, marks=pytest.mark.slow) for n in shipped())]
)
def test_many_of_the_plays_reach_the_end_of_a_long_game(name: str) -> None:
    found = ends_of(gamedsl.load(name))
    assert sum(found) >= 0.4 * len(found)


def test_a_play_along_a_playout_shrinks_to_the_few_plies_that_matter() -> None:
    """Pig: a player who holds has rolled before: roll, its outcome, hold."""
    game = gamedsl.load("pig", target=20)
    patient = settings(QUICK, max_examples=500, database=None)
    found = find(plays(game), lambda p: any(str(m) == "hold" for m in p.moves), settings=patient, random=Random(1))
    assert len(found.moves) <= 3


def test_a_drawing_is_followed_only_where_it_may_be_made() -> None:
    """A drawing whose turn has not come is left out, as any other ply is."""
    (playout, *_) = covering_playouts(gamedsl.load("abs-trac-toe"))
    drawings = [n for n, move in enumerate(playout.moves) if move.kind == "drawing"]
    assert len(drawings) > 1
    for at in drawings:
        for n in drawings:
            mine = legal_version(playout.states[at], playout.moves[n])
            assert mine is None if n != at else mine == playout.moves[n]


def test_playouts_go_with_their_game() -> None:
    game = gamedsl.load("tic-tac-toe")
    playouts = covering_playouts(game)
    assert covering_playouts(game) is playouts
    known = ref(game)
    del game, playouts
    gc.collect()
    assert known() is None


def test_playouts_are_the_same_each_time_and_cover_more_than_one_game_does() -> None:
    one, other = (covering_playouts(gamedsl.load("pig", target=20)) for _ in range(2))
    assert [p.moves for p in one] == [p.moves for p in other] and len(one) > 1


@pytest.mark.slow
def test_a_directed_search_reaches_what_random_playouts_do_not() -> None:
    """Castling needs its squares empty and king and rook unmoved: rare at random, found by the search."""
    game = gamedsl.load("chess")
    found = {str(move) for play in directed_playouts(game, walks=60) for move in play.moves}
    assert {"O-O", "O-O-O"} & found or any("castle" in text for text in found)


def test_no_directed_search_where_players_draw() -> None:
    with pytest.raises(gamedsl.UsageError, match="draw"):
        directed_playouts(gamedsl.load("abs-trac-toe"))


# --------------------------------------------------------------------------------------------- what a failure shows


def shown(play: Play) -> str:
    return pretty(play)


def test_a_play_is_shown_with_its_moves_its_board_its_rule_and_lines_that_make_it_again() -> None:
    play = play_of(TIC_TAC_TOE, "a1; b1; a2; b2; a3")
    text = shown(play)
    assert "1. X: a1  2. O: b1" in text and "X wins" in text
    assert "tic-tac-toe.gdl:" in text and "win me" in text
    assert "gamedsl replay --game tic-tac-toe --moves 'a1; b1; a2; b2; a3'" in text
    code = repr(play)
    assert eval(code, {"gamedsl": gamedsl, "play_of": play_of}) == play


def test_the_command_that_a_failure_shows_shows_the_play(capsys: pytest.CaptureFixture[str]) -> None:
    play = play_of(gamedsl.load("nim", a=2, b=1, c=0), "1 from A; 1 from A")
    (line,) = [x for x in shown(play).splitlines() if "gamedsl replay" in x]
    assert main(shlex.split(line.strip("# ").strip())[1:]) == 0
    assert "2. second: 1 from A" in capsys.readouterr().out


def test_a_rules_error_comes_with_its_play(tmp_path: Path) -> None:
    path = tmp_path / "stuck.gdl"
    path.write_text(STUCK, encoding="utf-8")
    game = gamedsl.load(path)

    @settings(QUICK, database=None)
    @given(plays(game))
    def check(play: Play) -> None: ...

    with pytest.raises(gamedsl.GameDSLError, match="no legal move") as failure:
        check()
    notes = "\n".join(failure.value.__notes__)
    assert "1. a: " in notes and f"gamedsl replay --game {path} --moves" in notes


def test_a_machine_shows_moves_not_numbers() -> None:
    class Careful(machine("nim", a=2, b=1, c=0)):  # type: ignore[misc]
        @invariant()
        def something_is_left(self) -> None:
            assert any(codes_named(self.state, "size"))

    with pytest.raises(AssertionError) as failure:
        run_state_machine_as_test(Careful, settings=settings(QUICK, database=None, phases=[Phase.generate]))
    notes = "\n".join(failure.value.__notes__)
    assert "way=" not in notes and "from" in notes and "gamedsl replay --game nim" in notes


def test_an_explicit_example_and_a_profile_work_as_in_hypothesis() -> None:
    seen: list[int] = []

    @example(play_of(TIC_TAC_TOE, "a1; b2"))
    @settings(QUICK, phases=[Phase.explicit])
    @given(plays(TIC_TAC_TOE))
    def check(play: Play) -> None:
        target(float(len(play.moves)))
        seen.append(len(play.moves))

    check()
    assert seen == [2]


def test_a_failure_is_reproduced_by_its_blob() -> None:
    @settings(QUICK, database=None, print_blob=True)
    @given(plays(TIC_TAC_TOE))
    def check(play: Play) -> None:
        assert len(play.moves) < 3

    with pytest.raises(AssertionError) as failure:
        check()
    (blob,) = re.findall(r"@reproduce_failure\(('[^']*'), (b'[^']*')\)", "\n".join(failure.value.__notes__))
    with pytest.raises(AssertionError):
        reproduce_failure(literal_eval(blob[0]), literal_eval(blob[1]))(check)()


# ------------------------------------------------------------------------------------------------------ one-liners

# Three planted faults: a square that nobody can ever reach (the claim says that all are), two men on one square, and a
# game that ends before it begins to matter.
RACE = """game "Race"

players A, B

board track 5

piece man of player

move step(c: {cell}) written "{{c}}"
  when c in empty "taken"
  put man[me] on c

claim never {never}
claim ends within {plies} plies

play
  turns from A
    me plays step
    if {over}
      draw
"""


def race(folder: Path, never: str = "count(man[A]) > 3", plies: int = 5, over: str = "empty = {}") -> Path:
    path = folder / "race.gdl"
    path.write_text(RACE.format(cell="cell", never=never, plies=plies, over=over), encoding="utf-8")
    return path


def test_the_one_liners_pass_for_a_sound_game(tmp_path: Path) -> None:
    laws(race(tmp_path), settings=QUICK)()
    claims(race(tmp_path), settings=QUICK)()


def test_a_claim_that_does_not_hold_is_refuted_with_its_line_and_the_moves(tmp_path: Path) -> None:
    """A has two men after three plies at the earliest."""
    with pytest.raises(AssertionError, match=r"race.gdl:13: never count\(man\[A\]\) > 1") as failure:
        claims(race(tmp_path, never="count(man[A]) > 1"), settings=settings(QUICK, database=None))()
    assert str(failure.value).count(";") == 2


def test_an_end_that_comes_too_late_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="ends within 4 plies"):
        claims(race(tmp_path, plies=4), settings=QUICK)()


def test_claims_about_all_plays_together_are_not_tested_by_one(tmp_path: Path) -> None:
    path = tmp_path / "stuck.gdl"
    path.write_text(STUCK + "\nclaim reachable count(man[a]) = 2\n", encoding="utf-8")
    with pytest.raises(gamedsl.UsageError, match="claims nothing that a single game could refute"):
        claims(path)


def test_options_are_not_given_twice() -> None:
    with pytest.raises(gamedsl.UsageError, match="already loaded"):
        laws(TIC_TAC_TOE, n=4)


# -------------------------------------------------------------------------------------------------- asking a state


@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_a_state_answers_in_the_words_of_its_ruleset(backend: Literal["interpreter", "native"]) -> None:
    game = gamedsl.load("tic-tac-toe", backend=backend)
    state = game.initial_state()
    for text in ("a1", "b1", "a2", "b2"):
        state = state.apply(game.parse_move(text, state))
    assert state.ask("count(mark[X])") == 2 and state.ask("mark[O]") == {"b1", "b2"}
    assert state.ask("some l in lines(3): l within mark[X]") is False
    assert state.apply(game.parse_move("a3", state)).ask("some l in lines(3): l within mark[X]") is True
    assert state.ask("me") == "X" and state.ask("me", player=1) == "O"
    assert state.value("mark") == {"X": {"a1", "a2"}, "O": {"b1", "b2"}}


def test_what_is_asked_wrongly_is_refused_with_its_place() -> None:
    state = TIC_TAC_TOE.initial_state()
    for text, code in (("count(mark[Z])", "E0201"), ("1 +", "E0120"), ("", "E0131")):
        with pytest.raises(gamedsl.GameDSLError) as error:
            state.ask(text)
        assert error.value.diagnostics[0].code == code
    with pytest.raises(gamedsl.UsageError):
        state.ask(3)  # type: ignore[arg-type]
    with pytest.raises(gamedsl.GameDSLError) as error:
        state.value("marc")
    assert (error.value.diagnostics[0].code, error.value.diagnostics[0].near) == ("E0506", ("mark",))


@pytest.mark.parametrize("name", sampled(shipped(), "answers"))
def test_answers_equal_the_variables_codes_on_both_backends(name: str) -> None:
    """Numbers and conditions have their codes as values."""
    states = [gamedsl.load(name, backend=b).initial_state() for b in ("interpreter", "native")]
    names = [v.name for v in states[0].game.program.variables if v.role == "state" and not v.part]
    assert [states[0].value(n) for n in names] == [states[1].value(n) for n in names]


def test_a_pickled_game_answers_too() -> None:
    assert pickle.loads(pickle.dumps(TIC_TAC_TOE.initial_state())).ask("count(empty)") == 9


def test_a_play_that_shrinks_is_not_made_anew_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chess game of 80 plies took more than a minute to shrink: every attempt made all plies after the first one left out,
    and two first positions. Most attempts share nearly all plies with those before."""
    game = gamedsl.load("breakthrough")
    playouts = covering_playouts(game)
    made, asked, begun = [0], [0], [0]
    apply, after, initial = InterpretedState.apply, KnownSteps.after, InterpretedGame.initial_state

    def counted(count: list[int], call: Any) -> Any:
        def calling(*arguments: Any) -> Any:
            count[0] += 1
            return call(*arguments)

        return calling

    monkeypatch.setattr(InterpretedState, "apply", counted(made, apply))
    monkeypatch.setattr(KnownSteps, "after", counted(asked, after))
    monkeypatch.setattr(InterpretedGame, "initial_state", counted(begun, initial))

    @settings(max_examples=50, database=None, derandomize=True, deadline=None)
    @given(plays(game, playouts=playouts))
    def short(play: Play) -> None:
        assert len(play.moves) < 50

    with pytest.raises(AssertionError):
        short()
    assert asked[0] > 2 * made[0] > 0
    assert begun[0] <= 3  # the first one, and two to describe the failing play
