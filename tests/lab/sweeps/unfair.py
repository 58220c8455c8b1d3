"""Ten rulesets with an option that is fair at 0 only. The chances are counted by hand, over the 36 throws of two dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

DUEL = """game "Duel"

players a, b

option x: 0..2 = 0 "what is unfair"

state
  points: player -> 0..40
  thrown: 0..2

move throw written "throw"
  roll d6 -> die
  add die to points[me]
  add 1 to thrown
EFFECT
play
START  turns from a
    me plays throw
    if thrown = 2
      if points[a]PLUSA > points[b]PLUSB
        win a "more points"
      if points[b]PLUSB > points[a]PLUSA
        win b "more points"
TIE      draw "equal points"
"""

Points = Callable[[int, int, int], tuple[float, float]]


class Unfair(NamedTuple):
    """A ruleset, and the points of a and b after throws of i and j, with the option at x."""

    text: str
    points: Points

    def fairness(self, x: int) -> float:
        """1 minus the difference of the scores, over all throws."""
        rows = [self.points(i, j, x) for i in range(1, 7) for j in range(1, 7)]
        return 1 - abs(sum((a > b) - (b > a) for a, b in rows)) / 36


def duel(effect: str = "", start: str = "", plus_a: str = "", plus_b: str = "", tie: str = "") -> str:
    text = DUEL.replace("EFFECT\n", f"{effect}\n").replace("START", f"  {start}\n" if start else "")
    text = text.replace("PLUSA", plus_a).replace("PLUSB", plus_b)
    return text.replace("TIE", f'      if x > 0\n        win {tie} "equal points"\n' if tie else "")


def again(who: str) -> str:
    return f"  if me = {who} and die <= x\n    add die to points[me]\n"


def bonus(who: str) -> str:
    return f"  if me = {who}\n    add x to points[me]\n"


UNFAIR = {
    "a begins with points": Unfair(duel(start="set points[a] to x"), lambda i, j, x: (i + x, j)),
    "b begins with points": Unfair(duel(start="set points[b] to x"), lambda i, j, x: (i, j + x)),
    "a gets a bonus": Unfair(duel(effect=bonus("a")), lambda i, j, x: (i + x, j)),
    "b gets a bonus": Unfair(duel(effect=bonus("b")), lambda i, j, x: (i, j + x)),
    "a is ahead at the end": Unfair(duel(plus_a=" + x"), lambda i, j, x: (i + x, j)),
    "b is ahead at the end": Unfair(duel(plus_b=" + x"), lambda i, j, x: (i, j + x)),
    "a wins equal points": Unfair(duel(tie="a"), lambda i, j, x: (i + (x > 0) / 2, j)),
    "b wins equal points": Unfair(duel(tie="b"), lambda i, j, x: (i, j + (x > 0) / 2)),
    "low throws count twice for a": Unfair(duel(effect=again("a")), lambda i, j, x: (i * (1 + (i <= x)), j)),
    "low throws count twice for b": Unfair(duel(effect=again("b")), lambda i, j, x: (i, j * (1 + (j <= x)))),
}
