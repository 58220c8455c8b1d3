"""The page alone tells every seat the same of every ply as a served table does. The modules of the page are run by Node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.engine import Game, Ply, SeatLog, State, announcements_at
from gamedsl.engine.stop import evaluate_at
from gamedsl.play.web import describe_game
from gamedsl.play.web.offline.core_data import core_data
from gamedsl.play.web.offline.page_questions import Questions
from gamedsl.play.web.offline.playable_page import packed
from gamedsl.play.web.offline.seen_values import conditions
from gamedsl.play.web.offline.turn_data import turn_data
from tests.engine.hiding import Steps, game_of, random_play
from tests.engine.hiding.test_exact import CALLS, DRAWS, HANDS, HEAP, TRICKS
from tests.play.web.test_rules_js import NAMES, NODE, STATIC

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
CHECK = Path(__file__).with_name("announcements_check.mjs")
Log = list[list[str]]  # per ply what is told after it


def page_logs(folder: Path, game: Game, games: Sequence[Steps], over: bool = False) -> list[list[Log]]:
    """Per game and seat (the last is a spectator) what the page says, once it is ``over`` if all are."""
    facts = {"game": describe_game(game), "turns": turn_data(game, Questions(game)), "core": core_data(game)}
    plies = [[(game.action(m), m.player) for _, m in steps if m is not None] for steps in games]
    held = [_held(game, steps[-1][0]) if over else None for steps in games]
    data = {"facts": facts, "games": plies, "seats": [*range(game.num_players), None], "held": held}
    (folder / "games.json").write_text(json.dumps(data), encoding="utf-8")
    done = subprocess.run(
        [str(NODE), str(CHECK), str(STATIC), str(folder / "games.json")], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: list[list[Log]] = json.loads(done.stdout)
    return found


def _held(game: Game, end: State) -> int:
    """The conditions under which results may tell something that hold at the end, as bits."""
    found = 0
    for i, (claim, player) in enumerate(conditions(game)):
        assert claim.when is not None
        known = {claim.owner.id: player} if claim.owner is not None and player is not None else None
        found |= int(bool(evaluate_at(end, claim.when, known))) << i
    return found


def server_log(steps: Steps, seat: int | None) -> Log:
    def said(one: Any) -> str:
        return f"{'null' if one.player is None else one.player}: {one.text}"

    return [[said(one) for one in announcements_at(steps, at, seat)] for at in range(1, len(steps))]


# The shipped rulesets that hide something: written out, because lowering them all takes seconds while tests are collected.
HIDING = [
    *("battleship", "dark-chess", "dark-hex", "goofspiel", "kuhn-poker", "leduc-poker", "liars-dice"),
    *("macmahon-dominoes", "phantom-go", "phantom-tic-tac-toe", "sealed-bid-auction", "stratego", "tsuro", "whist"),
]
GUESS = """
game "Guess"
players A, B
state
  coin: player -> 0..2, seen by owner
  said: player -> 0..2
move hide(n: 1..2 seen by owner) written "hide {n}"
  set coin[me] to n
move guess(n: 1..2) written "guess {n}"
  set said[me] to n
play
  A plays hide
  B plays guess
  if said[B] = coin[A]
    win B
  else
    win A
"""
ROUNDS = """
game "Rounds"
use "guess.gdl" as small
players left, right
state
  points: player -> 0..2
play
  for p in players
    play small with A = p, B = rival(p) -> result
    if result.winner is some
      add 1 to points[result.winner]
  rank by points
"""
QUICK: dict[str, tuple[int, int]] = {  # games and plies
    "kuhn-poker": (6, 20),
    "leduc-poker": (4, 30),
    "liars-dice": (1, 20),
    "sealed-bid-auction": (4, 20),
    "phantom-tic-tac-toe": (1, 12),
    "dark-hex": (1, 8),
    "whist": (1, 16),
    "macmahon-dominoes": (1, 8),
    "phantom-go": (1, 3),
}
OPTIONS: dict[str, dict[str, str]] = {
    "goofspiel": {"bids": "hidden"}
}  # (open bids: all know everything once all have chosen)


def compare(folder: Path, game: Game, seeds: int, most: int) -> int:
    """Compares the logs of random games, for all seats and a spectator. Returns how many plies were not announced whole."""
    games = [random_play(game, seed, most) for seed in range(seeds)]
    partly = 0
    for steps, logs in zip(games, page_logs(folder, game, games), strict=True):
        for seat, log in zip([*range(game.num_players), None], logs, strict=True):
            assert log == server_log(steps, seat), (seat, [str(m) for _, m in steps[1:]])
            partly += sum("(hidden)" in text or "?" in text for texts in log for text in texts)
    return partly


@pytest.mark.parametrize("name", QUICK)
def test_the_page_tells_of_every_ply_as_a_served_table_does(tmp_path: Path, name: str) -> None:
    compare(tmp_path, gamedsl.load(name, **OPTIONS.get(name, {})), *QUICK[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDING)
def test_the_page_tells_of_every_shipped_ruleset_as_a_served_table_does(tmp_path: Path, name: str) -> None:
    compare(tmp_path, gamedsl.load(name, **OPTIONS.get(name, {})), 3, 40)


@pytest.mark.slow
def test_no_other_ruleset_hides_anything() -> None:
    assert [name for name in NAMES if gamedsl.load(name).secrets.hides] == HIDING


@pytest.mark.parametrize("text", [HANDS, CALLS, TRICKS, DRAWS, HEAP])
def test_small_rulesets(tmp_path: Path, text: str) -> None:
    path = tmp_path / "small.gdl"
    path.write_text(text, encoding="utf-8")
    assert compare(tmp_path, gamedsl.load(path), 3, 20)


@pytest.mark.parametrize("name", ["ranks", "peeks", "scouts", "bids"])
def test_other_rulesets(tmp_path: Path, name: str) -> None:
    assert compare(tmp_path, game_of(name), 1, 10)


def test_players_who_change_seats(tmp_path: Path) -> None:
    (tmp_path / "guess.gdl").write_text(GUESS, encoding="utf-8")
    (tmp_path / "rounds.gdl").write_text(ROUNDS, encoding="utf-8")
    assert compare(tmp_path, gamedsl.load(tmp_path / "rounds.gdl"), 2, 20) == 2 * 2 * 2


def test_the_rules_as_data_are_small() -> None:
    """(A page may have 600 kB.)"""
    for name in HIDING:
        text = json.dumps(core_data(gamedsl.load(name)), separators=(",", ":"))
        assert len(packed(text.encode())) < 20_000, name


TOLD = [
    "kuhn-poker", "leduc-poker", "liars-dice", "sealed-bid-auction", "dark-hex", "phantom-tic-tac-toe",
    *(pytest.param(x, marks=pytest.mark.slow) for x in ("battleship", "macmahon-dominoes", "tsuro")),
]  # fmt: skip

# Of the games of the next test: something is dealt or picked that others do not notice.
UNNOTICED = {"kuhn-poker", "leduc-poker", "macmahon-dominoes", "sealed-bid-auction", "tsuro"}


@pytest.mark.parametrize("name", TOLD)
def test_after_the_end_the_lines_say_what_follows_from_what_results_may_tell(tmp_path: Path, name: str) -> None:
    """No line says less than before, and lines are added for what was not noticed before. Seeds 0 to 5 of the two kinds of poker have
    showdowns and folds."""
    game = gamedsl.load(name)
    games = [random_play(game, seed, 2000) for seed in range(6 if "poker" in name else 2)]
    more = added = 0
    for steps, logs in zip(games, page_logs(tmp_path, game, games, over=True), strict=True):
        assert steps[-1][0].is_terminal
        for seat, of_page in zip([*range(game.num_players), None], logs, strict=True):
            log = SeatLog(seat)
            log.follow([Ply(*step) for step in steps[:-1]])
            before = log.entries
            log.follow([Ply(*step) for step in steps])
            noticed = {one.at for one in before} | {len(steps) - 1}
            added += sum(one.at not in noticed for one in log.entries)
            assert [one.number for one in log.entries] == list(range(1, len(log.entries) + 1))
            after = [one.announcement for one in log.entries]
            assert [f"{'null' if x.player is None else x.player}: {x.text}" for x in after] == list(
                chain.from_iterable(of_page)
            )
            again = [one.announcement for one in log.entries if one.at in noticed]
            pairs = list(zip([one.announcement for one in before], again, strict=False))
            assert all(y.is_whole or not x.is_whole for x, y in pairs)
            assert all(y.text == str(y.move) for y in after if y.is_whole)
            more += sum(y.is_whole and not x.is_whole for x, y in pairs)
    assert bool(added) == (name in UNNOTICED)
    assert more or name in ("leduc-poker", "liars-dice", "macmahon-dominoes")
