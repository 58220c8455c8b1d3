"""Which lines beside a board count things that moves put on it."""

from __future__ import annotations

from pathlib import Path

import gamedsl
from gamedsl.play.web.reserves import reserves

RULES = """game "Spare"
players red, blue
board grid 3 by 3
type form = {plain, tall}
piece man of player
  kind: form
state
  left: player -> 0..3 = 3
move lay(c: cell, k: form)
  when c in empty "taken"
  when left[me] > 0 "none left"
  put man[me] on c with kind = k
  take 1 from left[TAKER]
move go(a: cell, b: cell)
  when a in man[me] and b in empty "that does not go"
  move man[me] from a to b
  OF_GO
play
  turns from red, 12 times
    me plays lay | go
      stuck
        me passes
  draw "over"
look
  show c as "m" for p in players, c in {c in man[p]: c.kind = plain}
  show c as "TALL" for p in players, c in {c in man[p]: c.kind = tall}
  beside "men of {p}" left[p] for p in players
"""


LAYING = "  take 1 from left[TAKER]\n"


def labels(folder: Path, text: str = RULES, taker: str = "me", of_go: str = "", tall: str = "m") -> list[str]:
    file = folder / "spare.gdl"
    file.write_text(text.replace("TAKER", taker).replace("OF_GO", of_go).replace("TALL", tall), encoding="utf-8")
    return [one["label"] for one in reserves(gamedsl.load(file))]


def test_equal_things_that_moves_put_on_the_board_are_a_reserve(tmp_path: Path) -> None:
    assert labels(tmp_path) == ["men of red", "men of blue"]


def test_things_that_look_different_are_not_drawn_as_one(tmp_path: Path) -> None:
    assert labels(tmp_path, tall="t") == []


def test_the_number_of_another_player_is_not_what_a_move_puts(tmp_path: Path) -> None:
    assert labels(tmp_path, taker="rival") == []


def test_a_number_of_moves_is_not_a_reserve(tmp_path: Path) -> None:
    """The number is lessened where a man goes, and stays where one comes in."""
    text = RULES.replace(LAYING, "").replace(
        "  when a in man[me]", '  when left[me] > 0 "no move left"\n  when a in man[me]'
    )
    assert labels(tmp_path, text, of_go="take 1 from left[me]") == []
