"""Small rulesets for tests: ten with a rule without effect."""

from __future__ import annotations

TAKING = """game "Taking"

players first, second

option n: 1..9 = 5 "counters"
option most: 1..3 = 2 "counters of a turn"

state
  left: 0..9
  noted: 0..90

move pick_up(k: 1..3) written "{k}"
  when k <= left "there are not that many"
  when k <= most "that is too many"
GUARD  take k from left
EFFECT
play
  set left to n
  turns from first
    me plays pick_up
      stuck
        lose me "nothing is left"
COURSE"""


def taking(guard: str = "", effect: str = "", course: str = "") -> str:
    """A game in which two players take counters from a heap, and the one who cannot loses, with further lines."""
    text = TAKING.replace("GUARD", f"  {guard}\n" if guard else "")
    text = text.replace("EFFECT\n", f"  {effect}\n\n" if effect else "\n")
    return text.replace("COURSE", course)


# ten rules that no game ever needs, each with a piece of the line that has no effect
WITHOUT_EFFECT = {
    "a bound above another": (taking('when k <= 3 "never more than three"'), "k <= 3"),
    "a heap that is not empty": (taking('when left > 0 "nothing is left to take"'), "left > 0"),
    "a heap that is too large": (taking('when left <= n "more than at the start"'), "left <= n"),
    "a sum that is large enough": (taking('when k + left >= 2 "too little altogether"'), "k + left >= 2"),
    "a count that nobody reads": (taking(effect="add 1 to noted"), "add 1 to noted"),
    "a note that nobody reads": (taking(effect="set noted to k"), "set noted to k"),
    "a note of what is left": (taking(effect="set noted to left"), "set noted to left"),
    "a win that never comes": (taking(course='    if left > n\n      win me "more than before"\n'), "left > n"),
    "a draw that never comes": (
        taking(course='    if left + most < 1\n      draw "nothing can be taken"\n'),
        "left + most < 1",
    ),
    "a note after each turn": (taking(course="    set noted to 2\n"), "set noted to 2"),
}
