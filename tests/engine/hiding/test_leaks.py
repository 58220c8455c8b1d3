"""The default claims that legal moves, refusals and results tell nothing that is hidden, and the claims that allow it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl import Game
from gamedsl.engine import HiddenReads, Ply, SeatLog, announced_plies
from gamedsl.lab.base import Clock, Status, Verdict
from gamedsl.lab.claims.default_leaks import LEAKS, RESULT, check_leaks, judge_may_tell
from gamedsl.lab.claims.twin_plays import TwinPlays
from gamedsl.lab.claims.verdict_text import play_lines
from gamedsl.lab.claims.verification import VerifyConfig, verify
from gamedsl.language.core import nodes as n
from gamedsl.play.web.logged import describe_entry, describe_logged
from tests.engine.hiding import Steps
from tests.play.web.test_local_announcements import page_logs
from tests.play.web.test_rules_js import NODE

HERE = Path(__file__).parent
CARDS = """
game "Two Cards"
players one, two
type card = 1..3
state
  deck: set of card = card, seen by nobody
  hand: player -> set of card, seen by owner
  called: 0..3
define holds(p: player, k: card) = k in hand[p]
move call(k: card) written "{{k}}"
  {guard}
  set called to k
move show_off(k: card) written "show {{k}}"
  when k in hand[me] "not yours"
  set called to k
play
  for p in players
    deal from deck to hand[p]
  turns from one, 2 times
    me plays call
    {end}
  rank by called_now
define called_now(p: player) = called
{claims}
"""
MINES = """
game "Mines"
players one, two
board grid 2 by 2
piece mine of player, seen by owner
state
  struck: bool
move lay(c: cell) written "{c}"
  when c not in mine[me] "yours is there"
  GUARD
  EFFECT
play
  turns from one, 4 times
    me plays lay
  draw
"""


def cards(folder: Path, guard: str, end: str = "set called to called", claims: str = "") -> Game:
    path = folder / "cards.gdl"
    path.write_text(CARDS.format(guard=guard, end=end, claims=claims), encoding="utf-8")
    return gamedsl.load(path)


def judged(game: Game, clock: Clock | None = None) -> tuple[Verdict, Verdict]:
    moves, result = check_leaks(game.initial_state(), clock)
    assert (moves.claim, result.claim) == (LEAKS, RESULT)
    return moves, result


# ----------------------------------------------------------------------------------------------------------- moves

OPEN = [
    'when k in hand[me] "not yours"',
    'when k > 1 "too low"',
    'when holds(me, k) "not yours"',
    'when some p in {me}: k = 1 or holds(me, k) "not yours"',
    'when after this: k in hand[me] or called > 0 "no use"',
    'when (some m in moves(me, show_off): after m: called = k) or k > 1 "no use"',
]
TELLING = [
    'when not k in hand[next(me)] "the rival has it"',
    'when not holds(rival(me), k) "the rival has it"',
    'when k not in deck "it lies in the deck"',
    'when no p in players: holds(p, k) "somebody has it"',
    'when no m in moves(next(me), show_off): after m: called = k "the rival may show it"',
]


@pytest.mark.parametrize("guard", OPEN)
def test_what_the_mover_may_see_tells_nothing(guard: str, tmp_path: Path) -> None:
    game = cards(tmp_path, guard)
    assert HiddenReads(game.secrets).of_moves() == []
    assert judged(game)[0].status == Status.PROVED


@pytest.mark.parametrize("guard", TELLING)
def test_a_condition_that_reads_something_hidden_is_found_with_two_plays(guard: str, tmp_path: Path) -> None:
    game = cards(tmp_path, guard)
    verdict, _ = judged(game)
    assert verdict.status == Status.VIOLATED
    assert verdict.place.line == 11
    assert guard in verdict.detail
    assert "claim moves may tell" in verdict.detail
    evidence = verdict.evidence
    assert evidence is not None
    assert evidence.twin is not None
    here = there = game.initial_state()
    for one, other in zip(evidence.moves, evidence.twin, strict=True):
        here, there = here.apply(one), there.apply(other)
    (seat,) = here.to_act
    assert here.observation(seat) == there.observation(seat)
    assert {str(m) for m in here.legal_moves()} != {str(m) for m in there.legal_moves()}
    assert "the other game, which looks the same:" in list(play_lines(evidence))


def test_a_refusal_tells_as_much_as_the_list_of_moves(tmp_path: Path) -> None:
    path = tmp_path / "mines.gdl"
    path.write_text(
        MINES.replace("GUARD", 'when c not in mine[rival] "a mine lies there"').replace("EFFECT", "put mine[me] on c")
    )
    verdict, _ = judged(gamedsl.load(path))
    assert (verdict.status, verdict.place.line) == (Status.VIOLATED, 10)


def test_the_cure_is_to_ask_in_the_effect(tmp_path: Path) -> None:
    path = tmp_path / "mines.gdl"
    effect = "if c in mine[rival]\n    set struck to yes\n  else\n    put mine[me] on c"
    path.write_text(MINES.replace("  GUARD\n", "").replace("EFFECT", effect))
    assert [v.status for v in judged(gamedsl.load(path))] == [Status.PROVED, Status.PROVED]


def test_a_claim_allows_it(tmp_path: Path) -> None:
    game = cards(tmp_path, TELLING[0], claims="claim moves may tell hand")
    verdict, _ = judged(game)
    assert verdict.status == Status.PROVED
    assert "line 24" in verdict.detail


def test_a_claim_about_something_else_does_not_allow_it(tmp_path: Path) -> None:
    game = cards(tmp_path, TELLING[0], claims="claim moves may tell deck\nclaim results may tell hand")
    assert judged(game)[0].status == Status.VIOLATED


def test_what_nothing_asks_for_needs_no_claim(tmp_path: Path) -> None:
    cards(tmp_path, TELLING[0], claims="claim moves may tell hand, deck")
    found = verify(tmp_path / "cards.gdl", config=VerifyConfig(defaults=False)).verdicts
    assert [(v.status, "`deck`" in v.detail, "`hand`" in v.detail) for v in found] == [(Status.NOTED, True, False)]


def test_no_time_no_answer() -> None:
    verdict, _ = judged(gamedsl.load(HERE / "peeks.gdl"), Clock().within(0))
    assert verdict.status == Status.UNKNOWN
    assert "line 12" in verdict.detail


def test_the_owner_of_a_moving_piece_is_seen_by_trying() -> None:
    verdict, _ = judged(gamedsl.load(HERE / "scouts.gdl"))
    assert verdict.status == Status.HOLDS
    assert "the moves follow from what the player sees" in verdict.detail


def test_nothing_hidden_nothing_said() -> None:
    assert list(check_leaks(gamedsl.load("tic-tac-toe").initial_state())) == []


# --------------------------------------------------------------------------------------------------------- results


@pytest.mark.parametrize("end", ["if 3 in hand[one]\n      win one", "if called in deck\n      draw"])
def test_a_result_that_depends_on_something_hidden_is_noted(end: str, tmp_path: Path) -> None:
    _, verdict = judged(cards(tmp_path, OPEN[0], end))
    name = "hand" if "hand" in end else "deck"
    assert verdict.status == Status.NOTED
    assert verdict.place.line == 21
    assert verdict.detail.endswith(f"write `claim results may tell {name}`")
    allowed = cards(tmp_path, OPEN[0], end, f"claim results may tell {name}")
    assert judged(allowed)[1].status == Status.PROVED


@pytest.mark.parametrize("end", ["if called = 3\n      win one", "if 3 in hand[one]\n      set called to 0"])
def test_a_result_that_depends_on_what_all_see(end: str, tmp_path: Path) -> None:
    assert judged(cards(tmp_path, OPEN[0], end))[1].status == Status.PROVED


# ------------------------------------------------------------------------------------------------ shipped rulesets

BY_TRYING = {"stratego", "dark-chess"}  # what one's men may do depends on what they are, or on what they see


def hiding() -> list[str]:
    folder = Path(str(gamedsl.__file__)).parent.parent / "rulesets" / "classics"
    return sorted(p.stem for p in folder.glob("*.gdl") if "seen by" in p.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", hiding())
def test_shipped_rulesets_tell_nothing_that_they_do_not_mean_to(name: str) -> None:
    game = gamedsl.load(name)
    assert bool(HiddenReads(game.secrets).of_moves()) == (name in BY_TRYING)
    if name not in BY_TRYING:  # a result under a condition is not checked where the condition does not hold
        limited = any(isinstance(c, n.MayTell) and c.when for c in game.program.claims)
        assert [v.status for v in judged(game)] == [Status.PROVED, Status.NOTED if limited else Status.PROVED]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BY_TRYING))
def test_where_the_moves_depend_on_something_hidden_plays_show_no_leak(name: str) -> None:
    assert [v.status for v in judged(gamedsl.load(name))] == [Status.HOLDS, Status.PROVED]


# -------------------------------------------------------------------------------------- what looks the same is told the same


TWINS = [HERE / f"{name}.gdl" for name in ("peeks", "bids", "scouts", "ranks", "kuhn")]
QUICK_TWINS = ["phantom-tic-tac-toe", "kuhn-poker", "leduc-poker", "goofspiel", "liars-dice"]
SLOW_TWINS = [pytest.param(name, marks=pytest.mark.slow) for name in hiding() if name not in QUICK_TWINS]
SHOWS_ALL_AS_SHIPPED = {"goofspiel": {"bids": "hidden"}}  # (open bids: all know everything once all have chosen)


@pytest.mark.parametrize("file", [*TWINS, *QUICK_TWINS, *SLOW_TWINS])
def test_twin_plays_look_the_same_and_are_told_the_same(file: Path | str, tmp_path: Path) -> None:
    """At a served table, and by the page alone."""
    start = gamedsl.load(file, **SHOWS_ALL_AS_SHIPPED.get(str(file), {})).initial_state()
    differed = 0
    compared: list[tuple[int, int, list[Steps]]] = []
    for number in range(8):
        seat, plies = number % 2, 2 + number // 2 * 2
        twins = TwinPlays(start, seat, Random(number))
        twins.differ(plies, Clock())
        one, other = twins.one, twins.other
        differed += one.now != other.now
        assert one.now.observation(seat) == other.now.observation(seat)
        assert [m for m in one.moves if m.player == seat] == [m for m in other.moves if m.player == seat]
        differ = seat in one.now.to_act and one.now.legal_moves(seat) != other.now.legal_moves(seat)
        last = len(one.moves) - differ  # (what the seat may do is seen too: then the last ply may be told differently)
        both = [steps(start, b.moves) for b in (one, other)]
        told = [[a.text for at, a in announced_plies(s, seat) if at <= last] for s in both]
        assert told[0] == told[1]
        if not any(s[last][0].is_terminal for s in both):  # then the result tells more
            assert shown_to(both[0], seat, last) == shown_to(both[1], seat, last)
        compared.append((seat, last, both))
        for move in attempts(one.now, seat, number):  # the same attempts are refused in the same words
            refused = [[r.message for r in b.now.why_not(move)] for b in (one, other)]
            assert refused[0] == refused[1] or not all(refused)
    assert differed, "no two games differed that look the same: nothing was compared"
    if NODE is not None:
        logs = iter(page_logs(tmp_path, start.game, [s for *_, both in compared for s in both]))
        for seat, last, _ in compared:
            one_log, other_log = (next(logs)[seat][:last] for _ in range(2))
            assert said(one_log) == said(other_log)


def shown_to(steps: Steps, seat: int, last: int) -> str:
    """The log of a seat as it is sent to its page, and the picture after the last of these plies."""
    log = SeatLog(seat)
    log.follow([Ply(*step) for step in steps[: last + 1]])
    return json.dumps([[describe_entry(one) for one in log.entries], describe_logged(log, last)["picture"]])


def said(log: list[list[str]]) -> list[str]:
    return [text for told in log for text in told]


def attempts(state: gamedsl.State, seat: int, seed: int) -> list[gamedsl.Move]:
    """Moves of a seat whose turn it is, legal or not: of all actions, so that games that begin with a deal have some too."""
    if seat not in state.to_act:
        return []
    game = state.game
    some = Random(seed).sample(range(game.num_actions), min(40, game.num_actions))
    return [m for m in (game.move(action, state, seat) for action in some) if m.kind == "move"]


def steps(start: gamedsl.State, moves: list[gamedsl.Move]) -> Steps:
    found: Steps = [(start, None)]
    for move in moves:
        found.append((found[-1][0].apply(move), move))
    return found


def test_claims_name_hidden_things_in_their_order() -> None:
    """As the claim of Battleship has them; sets of names have another order in every process."""
    game = gamedsl.load("battleship")
    (claim,) = (c for c in game.program.claims if isinstance(c, n.MayTell))
    assert judge_may_tell(game.initial_state(), claim)[1].startswith("it is not needed for `ship` and `number`: ")
