"""Rules of a card game in which hands are hidden, for tests of what is known of them."""

from __future__ import annotations

EXPEDITIONS = """
game "Two Suits"
players north, south
type suit = {sun, moon}
type card = (suit, 0..HIGHEST)
state
  deck: set of card = card, seen by nobody
  hand: player -> set of card, seen by owner
  pile: suit -> stack of 0..HIGHEST up to SIZE
  row: player -> suit -> set of 0..HIGHEST
move lay(c: suit, n: 0..HIGHEST) written "lay {c} {n}"
  when (c, n) in hand[me] "you do not have that card"
  take (c, n) from hand[me]
  add n to row[me, c]
move throw(c: suit, n: 0..HIGHEST) written "throw {c} {n}"
  when (c, n) in hand[me] "you do not have that card"
  take (c, n) from hand[me]
  push n on pile[c]
move pick(c: suit) written "take {c}"
  when height(pile[c]) > 0 "no card lies there"
  pop pile[c] -> n
  add (c, n) to hand[me]
move draw_card written "draw"
  deal from deck to hand[me]
play
  for p in players
    deal DEALT from deck to hand[p]
  turns from north until deck = {}
    me plays lay | throw
    me plays draw_card | pick
  draw
"""


def expeditions(highest: int, dealt: int) -> str:
    """Two suits of cards from 0 to the highest; each player is dealt so many of them."""
    text = EXPEDITIONS.replace("HIGHEST", str(highest)).replace("SIZE", str(highest + 1))
    return text.replace("DEALT", str(dealt))
