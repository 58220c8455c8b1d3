"""``ends within`` of a part counts the plies of each of its games, with the ply that ends it, in `verify` and in pytest."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

import gamedsl
from gamedsl.lab.claims import VerifyConfig, verify
from gamedsl.lab.explore import Execution
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
# a match of two heaps, and two such matches: by hand, a match has four to six plies, and all of them inside a heap
NESTED = (
    'game "Nested"\n\nplayers one, two\n\nstate\n  games: 0..2\n\nplay\n  repeat\n'
    "    play match with A = one, B = two\n    add 1 to games\n  until games = 2\n  win one\n\n"
    "part match\n  players A, B\n  claim ends within {plies} plies\n  play\n"
    "    play heap with A = A, B = B\n    play heap with A = B, B = A\n    win A\n"
) + "\n".join(f"  {line}" if "claim" not in line else "" for line in HEAP.split("\n"))
# one match, with a ply of its own before each heap, between them and after them: three and four to six plies, at most nine
OWN_PLIES = (
    NESTED.replace("until games = 2", "until games = 1")
    .replace("\n    play heap", "\n    A plays wait\n    play heap")
    .replace("    win A\n", "    A plays wait\n    win A\n", 1)
    .replace("\n  claim", '\n  state\n    waits: 0..3\n  move wait() written "wait"\n    add 1 to waits\n  claim')
)


def verdicts(folder: Path, text: str, plies: int, compiled: bool = True) -> set[str]:
    path = folder / "game.gdl"
    path.write_text(text.format(plies=plies), encoding="utf-8")
    found = verify(str(path), {}, config=VerifyConfig(execution=Execution(native=compiled)))
    return {str(v.status) for v in found.verdicts if v.claim.startswith("ends within")}


@pytest.mark.parametrize(("plies", "expected"), [(3, {"proved"}), (2, {"violated"})])
def test_the_ply_that_leaves_the_part_counts(plies: int, expected: set[str], tmp_path: Path) -> None:
    """Two plies were proved: the last one was not counted."""
    assert verdicts(tmp_path, TWICE, plies) == expected


@pytest.mark.parametrize(("plies", "expected"), [(9, {"proved"}), (3, {"unknown"})])
def test_games_that_follow_each_other_are_not_one_long_game(plies: int, expected: set[str], tmp_path: Path) -> None:
    """Three games of the same part have nine plies at most; which of them a position belongs to, it does not say."""
    assert verdicts(tmp_path, AGAIN, plies) == expected


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("text", "plies", "expected"),
    [
        *(
            (NESTED, plies, {verdict})
            for plies, verdict in ((12, "proved"), (6, "unknown"), (5, "violated"), (0, "violated"))
        ),
        *((OWN_PLIES, plies, {verdict}) for plies, verdict in ((9, "proved"), (8, "violated"), (3, "violated"))),
    ],
)
def test_plies_of_a_part_inside_count(
    text: str, plies: int, expected: set[str], compiled: bool, tmp_path: Path
) -> None:
    """They were not counted: a match whose every ply is one of a heap was proved to have none, the other to have one."""
    assert verdicts(tmp_path, text, plies, compiled) == expected


@pytest.mark.parametrize(("plies", "holds"), [(6, True), (5, False)])
@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_pytest_counts_the_plies_of_a_part_inside(
    plies: int, holds: bool, backend: Literal["interpreter", "native"], tmp_path: Path
) -> None:
    """The second match begins at once, with its first heap, and is counted for itself."""
    path = tmp_path / "game.gdl"
    path.write_text(NESTED.format(plies=plies), encoding="utf-8")
    game = gamedsl.load(str(path), backend=backend)
    play = play_of(game, "1; 1; 1; 1; 1; 1; 1; 1; 1; 1; 1; 1")
    assert [2 + i for i, state in enumerate(play.states[1:]) if 1 in state.entered] == [7]
    assert [e.part for e in play.states[6].ended] == [3] and play.last.is_terminal
    assert all(not list(_violations(claim, play)) for claim in game.program.claims) is holds


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


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (VerifyConfig(execution=Execution(native=True)), "violated"),
        (VerifyConfig(execution=Execution(native=False)), "violated"),
        (VerifyConfig(hashed=True), "violated"),
        (VerifyConfig(smt=True), "violated"),
    ],
)
def test_what_always_holds_in_a_part_holds_in_those_it_plays(
    config: VerifyConfig, expected: str, tmp_path: Path
) -> None:
    """x is 1 while the first heap is played, and 0 before and after it: it was proved to be always 0."""
    path = tmp_path / "game.gdl"
    text = NESTED.format(plies=12).replace("claim ends within 12 plies", "state\n    x: 0..2\n  claim always x = 0")
    text = text.replace("    play heap with A = A", "    set x to 1\n    play heap with A = A")
    path.write_text(text.replace("    win A\n", "    set x to 0\n    win A\n", 1), encoding="utf-8")
    found = verify(str(path), {}, config=config)
    assert [str(v.status) for v in found.verdicts if v.claim == "always x = 0"] == [expected]
