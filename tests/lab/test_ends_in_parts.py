"""``ends within`` of a part counts the plies of each of its games, with the ply that ends it, in `verify` and in pytest."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.lab.claims import VerifyConfig, verify
from gamedsl.testing import claims, play_of
from gamedsl.testing.one_liners import _violations

# a heap of three, of which one or two are taken: by hand, a game has two or three plies
HEAP = """

part heap
  players A, B
  state
    left: 0..3 = 3
  move take(k: 1..2) written "{{k}}"
    when k <= left
    take k from left
  claim ends within {plies} plies
  play
    turns from A
      me plays take
      if left = 0
        win me
"""
TWICE = 'game "Twice"\n\nplayers one, two\n\nplay\n' + "  play heap with A = one, B = two\n" * 2 + "  win one" + HEAP
AGAIN = (
    'game "Again"\n\nplayers one, two\n\nstate\n  games: 0..3\n\nplay\n  repeat\n    play heap with A = one, B = two\n'
    "    add 1 to games\n  until games = 3\n  win one" + HEAP
)


def verdicts(folder: Path, text: str, plies: int) -> set[str]:
    path = folder / "game.gdl"
    path.write_text(text.format(plies=plies), encoding="utf-8")
    found = verify(str(path), {}, config=VerifyConfig())
    return {str(v.status) for v in found.verdicts if v.claim.startswith("ends within")}


@pytest.mark.parametrize(("plies", "expected"), [(3, {"proved"}), (2, {"violated"})])
def test_the_ply_that_leaves_the_part_counts(plies: int, expected: set[str], tmp_path: Path) -> None:
    """Two plies were proved: the last one was not counted."""
    assert verdicts(tmp_path, TWICE, plies) == expected


@pytest.mark.parametrize(("plies", "expected"), [(9, {"proved"}), (3, {"unknown"})])
def test_games_that_follow_each_other_are_not_one_long_game(plies: int, expected: set[str], tmp_path: Path) -> None:
    """Three games of the same part have nine plies at most; which of them a position belongs to, it does not say."""
    assert verdicts(tmp_path, AGAIN, plies) == expected


@pytest.mark.parametrize("text", [TWICE, AGAIN])
@pytest.mark.parametrize(("plies", "holds"), [(3, True), (2, False)])
def test_pytest_counts_each_game_for_itself(text: str, plies: int, holds: bool, tmp_path: Path) -> None:
    path = tmp_path / "game.gdl"
    path.write_text(text.format(plies=plies), encoding="utf-8")
    game = gamedsl.load(str(path))
    play = play_of(game, "1; 1; 1; 1; 1; 1")
    assert all(not list(_violations(claim, play)) for claim in game.program.claims) is holds


def test_the_part_of_a_match_holds_its_claim() -> None:
    """Rock-paper-scissors comes first: nine plies of the match are only seven of tic-tac-toe."""
    game = gamedsl.load("t-tic-t-tac-toe")
    play = play_of(game, "scissors; paper; a2; b2; c2; c1; b3; b1; a3")
    assert not [p for claim in game.program.claims if claim.checked_along for p in _violations(claim, play)]


def test_chance_is_not_a_ply(tmp_path: Path) -> None:
    """One ply, with a die before and after it."""
    path = tmp_path / "dice.gdl"
    path.write_text(
        'game "Dice"\n\nplayers A, B\n\nstate\n  seen: 0..6\n\nmove keep(k: 1..2) written "{k}"\n  set seen to k\n\n'
        "claim ends within 1 plies\n\nplay\n  roll d6 -> first\n  A plays keep\n  roll d6 -> second\n"
        "  if first + second > 6 + seen\n    win A\n  win B\n",
        encoding="utf-8",
    )
    claims(str(path))()
