"""Random plays that look for what has not been met, and plays made shorter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamedsl.engine import InterpretedGame
from gamedsl.engine.information.paper import Sheet
from gamedsl.engine.interpreted_state import ReferenceState
from gamedsl.engine.records.record import Record
from gamedsl.lab.base.claim_kinds import read_claim
from gamedsl.lab.base.verdict import Evidence, Status, Verdict
from gamedsl.lab.claims.default_choices import leaks
from gamedsl.lab.claims.default_redraw import check_redraws
from gamedsl.lab.claims.random import plies, sample_claims
from gamedsl.lab.claims.verification import VerifyConfig, verify
from gamedsl.lab.explore.explorer import Limits
from gamedsl.lab.search.random_search import Budget, RandomSearch
from gamedsl.lab.search.recorded_play import Play, replayed
from gamedsl.lab.search.shrink import shrunk
from gamedsl.language.rules import load_lowered, load_program


def shown(name: str, text: str, plays: int = 20, seed: int = 0, **options: int) -> Evidence | None:
    """The play that random plays show a claim with, made shorter."""
    rules = load_lowered(name, options)
    claim = read_claim(rules, text)
    return sample_claims(InterpretedGame(rules.program).initial_state(), [claim], Budget(plays, 60.0, seed)).shown(
        claim
    )


# The least number of plies in which it can be so, by the rules.
SHORTEST = [
    ("connect-four", "never line_of(yellow)", 7),
    ("connect-four", "never line_of(red)", 8),
    ("m-n-k", "never line_of(O)", 6),
    ("tic-tac-toe", "never over", 5),
]


@pytest.mark.parametrize(("name", "text", "least"), SHORTEST)
def test_plays_are_made_short(name: str, text: str, least: int) -> None:
    found = shown(name, text, plays=8)
    assert found is not None
    assert least <= len(found.moves) <= least + 2
    assert len(list(found.states())) == len(found.moves) + 1


def test_the_same_seed_shows_the_same() -> None:
    claim = "never line_of(red)"
    a, b = (shown("connect-four", claim, plays=20, seed=5) for _ in range(2))
    assert a is not None
    assert b is not None
    assert a.moves == b.moves
    met = [
        RandomSearch(InterpretedGame(load_program("pig")).initial_state(), [], Budget(8, 60.0, s)).run()
        for s in (1, 1, 2)
    ]
    assert met[0].positions == met[1].positions
    assert met[0].positions != met[2].positions


def test_true_claims_are_not_broken() -> None:
    assert shown("connect-four", "never line_of(yellow) and line_of(red)", plays=10) is None
    assert shown("connect-four", "ends within 42 plies", plays=10) is None


def test_plays_that_are_too_long() -> None:
    found = shown("tic-tac-toe", "ends within 7 plies", plays=40)
    assert found is not None
    assert len(found.moves) == 8


def test_plays_that_go_round() -> None:
    found = shown("nine-mens-morris", "ends", plays=4)
    if found is not None and found.loop is not None:
        states = list(found.states())
        assert states[found.loop] == states[-1]


def test_what_is_led_to_comes() -> None:
    assert shown("connect-four", "line_of(red) leads to winners = {red}", plays=10) is None
    found = shown("connect-four", "count(occupied) = 4 leads to winners = {red}", plays=10)
    assert found is not None
    assert list(found.states())[-1].is_terminal


def test_all_kinds_of_moves_phases_and_results_are_met() -> None:
    """In a game whose kinds of moves are not equally frequent, few plays do."""
    game = InterpretedGame(load_program("atreso"))
    met = RandomSearch(game.initial_state(), [], Budget(4, 60.0, 0)).run()
    assert met.schemas == {s.index for s in game.program.schemas}
    assert {phase for _, phase in met.phases} >= {b.phase for b in game.program.blocks if b.phase}


@pytest.mark.slow
def test_all_conditions_are_seen_to_refuse() -> None:
    game = InterpretedGame(load_program("atreso"))
    met = RandomSearch(game.initial_state(), [], Budget(60, 60.0, 0)).run()
    assert met.refusals is not None
    assert [g.span.text for g in met.refusals.idle()] == []


def test_moves_that_are_not_legal_are_left_out() -> None:
    game = InterpretedGame(load_program("tic-tac-toe"))
    start = game.initial_state()
    moves = [game.parse_move(text, start) for text in ("a1", "a1", "b2", "a1", "c3")]
    play = replayed(Play.begin(start), moves)
    assert [str(m) for m in play.moves] == ["a1", "b2", "c3"]
    assert [m.player for m in play.moves] == [0, 1, 0]


def test_shrinking_keeps_what_is_shown() -> None:
    game = InterpretedGame(load_program("m-n-k", {"m": 5, "n": 5, "k": 4}))
    start = game.initial_state()
    wanted = game.parse_move("c3", start).args[0]

    def shows(play: Play) -> bool:
        return any(m.args == (wanted,) and m.player == 1 for m in play.moves)

    play = Play.begin(start)
    for text in ("a1", "b1", "c1", "d1", "e2", "a2", "b2", "c3", "d2"):
        play.do(game.parse_move(text, play.end))
    assert shows(play)
    short = shrunk(play, shows)
    assert shows(short)
    assert len(short.moves) == 2


def test_plies_count_no_chance() -> None:
    game = InterpretedGame(load_program("pig"))
    play = Play.begin(game.initial_state())
    play.do(play.end.legal_moves()[0])
    play.do(play.end.chance_outcomes()[1][0])
    assert len(play.moves) == 2
    assert plies(play) == 1


# ------------------------------------------------------------------------------------------------------- secrets


def test_secrets_that_show_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    game = InterpretedGame(load_program("rock-paper-scissors"))
    state = game.initial_state()
    state = state.apply(state.legal_moves(0)[0])
    assert leaks(state) is None
    plain = ReferenceState.observation
    monkeypatch.setattr(ReferenceState, "observation", lambda s, p: plain(s, p) | {"chosen": len(s.pending)})
    assert "right sees something" in str(leaks(state))


# ------------------------------------------------------------------------------------------------------- redrawing


def redrawn(name: str) -> list[Verdict]:
    return list(check_redraws(InterpretedGame(load_program(name)).initial_state()))


def test_redraws_change_nothing_and_do_happen() -> None:
    (found,) = redrawn("t-tic-t-tac-toe-game")
    assert found.status == Status.NOTED
    assert int(found.detail.split()[0]) > 3
    assert redrawn("tic-tac-toe") == []


def test_a_redraw_that_wipes_out_too_much_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Sheet.redrawn
    monkeypatch.setattr(Sheet, "redrawn", lambda s: replace(plain(s), left=s.left))
    (found,) = redrawn("t-tic-t-tac-toe-game")
    assert (found.status, found.detail) == (Status.VIOLATED, "something is left to redraw")
    assert found.evidence is not None
    monkeypatch.setattr(Sheet, "redrawn", plain)
    monkeypatch.setattr(Record, "replay", lambda r, game: [game.initial_state()])
    assert redrawn("t-tic-t-tac-toe-game")[0].status == Status.VIOLATED


# --------------------------------------------------------------------------------------------------- the five games


@pytest.mark.slow
def test_lines_on_four_by_four() -> None:
    found = verify("x-s-and-lines", {"n": 4})
    assert {v.status for v in found.verdicts} == {Status.PROVED}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t-tic-t-tac-toe-game", "atreso", "horn-tiles"])
def test_random_plays_break_nothing(name: str) -> None:
    found = verify(name, config=VerifyConfig(limits=Limits(states=2000), budget=Budget(200, 30.0, 1)))
    assert [(v.claim, v.detail) for v in found.verdicts if v.status == Status.VIOLATED] == []
