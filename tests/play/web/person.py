"""A person at the page: reads the sentence, looks at the board, presses buttons. It knows no rules and no data of the page.

What it sees of the board are pixels: of each it knows only whether the pointer there becomes a hand (something can be touched).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

OVER = "The game is over."
MOST_ACTIONS = 12  # for one move: a person who needs more gives up
LOOKS = (40, 400)  # the pixels of the board at which a person looks for something to touch: two glances,
FINE = 90  # and if these find nothing, the whole of it row by row: every target is wider than a 90th of the board
SELDOM = 0.15  # a button is pressed where something can be touched, too
DRAW_FOR_ME = "Draw for me"
BOARD, FELT = ".board-area .board-view", ".felt"
HELD = ("card", "die", "pile", "shape", "line of the score sheet")  # what lies beside the board

# A pixel of the board, or of the table beside it, at which the pointer becomes a hand; null if there is none. What is taller than
# the screen is looked at screen by screen: `share` (0 to 1) says where the person begins, and the first screen where something can be
# touched stays. `seed` is of the glances, `pick` (0 to 1) chooses among what they find. All of it is one question to the browser.
TOUCHABLE = """([seed, pick, share, looks, fine, surfaces]) => {
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const glance = (number) => Array.from({ length: number }, () => [random(), random()]);
  const rows = () => Array.from({ length: fine * fine }, (_, i) => [(i % fine + 0.5) / fine, (Math.floor(i / fine) + 0.5) / fine]);
  const touchable = (where, spots) => {
    const board = document.querySelector(where);
    if (!board || !board.getClientRects().length) return [];
    board.scrollIntoView({ block: "nearest" });
    const screens = Math.ceil(board.getBoundingClientRect().height / innerHeight);
    for (let i = 0; i < screens; i++) {
      const screen = (Math.floor(share * screens) + i) % screens;
      if (screens > 1) scrollBy({ top: board.getBoundingClientRect().top + screen * innerHeight, behavior: "instant" });
      const box = board.getBoundingClientRect();
      const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)];
      const [right, bottom] = [Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)];
      const found = spots.map(([x, y]) => [left + x * (right - left), top + y * (bottom - top)])
        .filter(([x, y]) => { const at = document.elementFromPoint(x, y); return at && getComputedStyle(at).cursor === "pointer"; });
      if (found.length) return found;
    }
    return [];
  };
  for (const number of [...looks, null]) {
    for (const where of surfaces) {
      const found = touchable(where, number === null ? rows() : glance(number));
      if (found.length) return found[Math.floor(pick * found.length)];
    }
  }
  return null;
}"""

# The sentence, and how many plies are listed, once nothing is under way.
READ = """async () => {
  await globalThis.devBusy;
  const guide = document.querySelector(".guide");
  return [guide.getClientRects().length ? guide.innerText : "", document.querySelectorAll(".move-list .ply").length];
}"""


class Stuck(AssertionError):
    """Following the sentence leads nowhere."""


@dataclass
class Person:
    """``touches``: by finger, else by mouse. ``log``: what it read, and what it did."""

    page: Any
    rng: Random
    touches: bool = False
    log: list[str] = field(default_factory=list)
    presses: int = 0  # of buttons, among the actions in the log
    counts: list[int] = field(default_factory=list)  # actions for each move

    def read(self) -> tuple[str, int]:
        """The sentence, and the number of plies in the list."""
        sentence, plies = self.page.evaluate(READ)
        return sentence, plies

    @property
    def is_over(self) -> bool:
        return self.read()[0] == OVER

    def play(self, most: int = 2_000) -> None:
        """Plays to the end, or for that many moves."""
        told = self.read()
        for _ in range(most):
            if told[0] == OVER:
                return
            told = self.move(*told)

    def move(self, sentence: str, before: int) -> tuple[str, int]:
        """Makes a move, given what is read before it. Returns what is read after it."""
        last = None
        for actions in range(1, MOST_ACTIONS + 1):
            last = self._act(sentence, last)
            sentence, plies = self.read()
            if plies != before or sentence == OVER:
                self.counts.append(actions)
                return sentence, plies
        raise Stuck("\n".join(self.log[-2 * MOST_ACTIONS :]))

    def _act(self, sentence: str, last: tuple[float, float] | None) -> tuple[float, float] | None:
        """One action that the sentence asks for. ``last``: the pixel touched before."""
        ways: list[Callable[[str], tuple[float, float] | None]] = []
        if sentence.startswith("Draw "):
            ways.append(self._let_draw)
        if "Choose" in sentence:
            ways.append(self._touch_board)
        if "press" in sentence.lower():
            ways.append(self._press)
        if len(ways) > 1 and self.rng.random() < SELDOM:  # a pass, as a rule
            ways.reverse()
        if last is not None and " again" in sentence and self.rng.random() < 0.5:
            return self._touch(last, sentence)
        for way in ways:
            found = way(sentence)
            if found is not None:
                return found
        if last is not None and " again" in sentence:
            return self._touch(last, sentence)
        raise Stuck(f"nothing to do: {sentence}\n" + "\n".join(self.log[-2 * MOST_ACTIONS :]))

    def _touch_board(self, sentence: str) -> tuple[float, float] | None:
        says_held = any(f"a {noun}" in sentence for noun in HELD)
        surfaces = [FELT, BOARD] if says_held else [BOARD]
        if says_held and "begin with" in sentence:
            self.rng.shuffle(surfaces)
        seed, pick, share = self.rng.getrandbits(31), self.rng.random(), self.rng.random()
        found = self.page.evaluate(TOUCHABLE, [seed, pick, share, LOOKS, FINE, surfaces])
        return None if found is None else self._touch(found, sentence)

    def _touch(self, spot: Any, sentence: str) -> tuple[float, float]:
        x, y = spot
        self.log.append(f"{sentence} -> touches {x:.0f},{y:.0f}")
        if self.touches:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)
        return x, y

    def _press(self, sentence: str) -> tuple[float, float] | None:
        """Presses one of the buttons; where the sentence names some, one of these."""
        buttons = self.page.locator(".choices .question .pill:not(.quiet), .choices button.main")
        count = buttons.count()
        if not count:
            return None
        button = buttons.nth(self.rng.randrange(count))
        return self._press_this(button, sentence)

    def _let_draw(self, sentence: str) -> tuple[float, float]:
        """A hand that draws has tests of its own."""
        return self._press_this(self.page.get_by_role("button", name=DRAW_FOR_ME), sentence)

    def _press_this(self, button: Any, sentence: str) -> tuple[float, float]:
        self.log.append(f"{sentence} -> presses {button.inner_text()}")
        self.presses += 1
        if self.touches:
            button.tap()
        else:
            button.click()
        return (-1.0, -1.0)
