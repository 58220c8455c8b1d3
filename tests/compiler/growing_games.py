"""Random games of sets that grow: cells are taken, and lines, connections, what a chain touches, or rings decide.

In the games of ``generate.py`` and ``piece_games.py``, such sets are rare: something else changes them. Here a few moves do
so on purpose (they empty a set, add an element again, or leave the last cell as it is), and the others let monitors work.
"""

from __future__ import annotations

from random import Random

from .deeds import Lines
from .words import Pick

BOARDS = (
    (3, "grid 5 by 5"), (2, "grid 3 by 4"), (3, "grid 9 by 8"), (1, "grid 5 by 5 without c3"), (4, "hex 3"), (3, "hex 4"),
    (2, "hex 6"), (1, "hex 4 by 4"), (1, "hex 9 by 9"), (1, "hex 4 without d4"), (1, "track 12"),
)  # fmt: skip


def growing_game(seed: int) -> str:
    """The ruleset of a seed."""
    rng = Random(seed)
    return "\n".join(['game "Growing sets"', *Maker(Pick(lambda n: rng.randrange(n))).ruleset()]) + "\n"


class Maker:
    def __init__(self, pick: Pick) -> None:
        self.pick = pick
        self.board = pick.weighted(*BOARDS)
        self.own = pick.weighted((2, "mark[me]"), (2, "ours[me]"), (1, "common"))
        self.other = pick.of([x for x in ("ours[me]", "common", "ours[rival]") if x.split("[")[0] not in self.own])

    def ruleset(self) -> Lines:
        moves = self._moves()
        return [
            "players X, O",
            f"board {self.board}",
            "piece mark of player",
            "state",
            "  ours: player -> set of cell",
            "  common: set of cell",
            "  last: cell",
            "define rest = cell - mark[X] - mark[O] - ours[X] - ours[O] - common",
            "define ends = {c in cell: number(c) < 5}",
            "define far = {c in cell: number(c) > count(cell) - 5}",
            "define corners = {c in rim: count(neighbors(c)) <= 3}",
            "define sides = rim - corners",
            f"define chain = component({{last}} & {self.own}, {self.own})",
            *(line for lines in moves.values() for line in lines),
            "play",
            *self._start(),
            f"  turns from {self.pick.of(('X', 'O'))}, {self.pick.upto(20, 90)} times",
            f"    me plays {' | '.join(moves)}",
            "      stuck",
            "        draw",
            *self._ends(),
            "  draw",
        ]

    def _start(self) -> Lines:
        if not self.pick.maybe(30):
            return []
        owner = self.own.replace("[me]", "[X]")
        chosen = f"{{c in cell: (number(c) + {self.pick.below(4)}) mod {self.pick.upto(3, 9)} = 0}}"
        return [f"  put mark[X] on {chosen}"] if owner == "mark[X]" else [f"  set {owner} to {chosen}"]

    def _moves(self) -> dict[str, Lines]:
        pick = self.pick
        take = ["move take(c: cell)", f"  when c in {self._over()}", *self._noting(), *self._growth()]
        found = {"take": take}
        if pick.maybe(35):
            other = self.other
            changed = pick.weighted(
                (3, f"{other} | {{c}}"), (1, "{c}"), (1, f"{other} - {{c}}"), (1, f"{other} | neighbors(c)")
            )
            found["other"] = [
                "move other(c: cell)",
                "  when c in rest",
                *self._noting(),
                f"  set {other} to {changed}",
            ]
        if pick.maybe(15):
            found["more"] = ["move more(c: cell)", f"  when c in {self._over()}", *self._growth(), *self._noting()]
        return found

    def _over(self) -> str:
        free = "cell - mark[rival] - ours[rival]" if self.own != "mark[me]" else "rest"
        return self.pick.weighted(
            (6, "rest"), (1, "rest & (neighbors(last) | ends)"), (1, "rest & {d in cell: number(d) != 3}"), (2, free)
        )

    def _noting(self) -> Lines:
        return ["  set last to c"] if self.pick.maybe(80) else []

    def _growth(self) -> Lines:
        if self.own == "mark[me]":
            grown = ["  put mark[me] on c"]
        else:
            grown = [f"  set {self.own} to {self.own} | {{c}}"]
        if self.pick.maybe(20):
            grown.append(f"  set {self.other} to {self.pick.of(('{}', self.other + ' | {c}'))}")
        return grown

    def _ends(self) -> Lines:
        asked = f"({self._condition()})"
        for _ in range(self.pick.weighted((4, 0), (3, 1), (2, 2))):
            asked = f"{asked} or ({self._condition()})"
        if self.pick.maybe(15):
            return [f"    if not ({asked})", "      set last to last", "    else", "      lose me"]
        what = self.pick.of(("win me", "lose me", "win rival"))
        what = "lose rival" if what == "win rival" else what
        lines = [f"    if {asked}", f"      {what}"]
        if self.pick.maybe(30):
            lines += [f"    if {self._condition()}", "      draw"]
        return lines

    def _condition(self) -> str:
        pick = self.pick
        own = pick.weighted((5, self.own), (2, self.other))
        hexes = self.board.startswith("hex")
        rows = pick.upto(3, 5) if not self.board.startswith("track") else 3
        ring = f"cell - {own} - component(rim - {own}, cell - {own}) != {{}}"
        return pick.weighted(
            (2, f"some l in lines({min(rows, 4)}): l within {own}"),
            (2, f"connected({own}, {pick.of(('ends', 'rim', 'sides'))}, {pick.of(('far', 'corners'))})"),
            (
                2,
                f"some c in {own} & ends: component(c, {own}) meets far and component(c, {own}) meets "
                f"{pick.of(('corners', 'far', '(sides - far)'))}",
            ),
            (2, f"count(chain & {pick.of(('corners', 'sides', 'far', 'ends'))}) >= {pick.upto(1, 4)}"),
            (2, f"count(component(chain & sides, sides)) >= {pick.upto(2, 9)}"),
            (4 if hexes else 1, ring),
            (2, f"some c in {own} - rim: neighbors(c) within {own}"),
            (1, f"count({own}) >= {pick.upto(4, 30)}"),
            (1, "count(rest) < 3"),
        )
