"""Random board games in which pieces step, slide, jump, capture and are placed; with look-ahead, repetition and chance.

``generate.py`` makes any well-typed text, in which such games are rare. Here every text is one, so the strategies of the
compiler for pieces that move are tried together. Some seeds give rulesets that the checker refuses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from .deeds import Lines, indented
from .words import Pick

BOARDS = (
    (4, "grid 4 by 4"), (4, "grid 3 by 4"), (4, "grid 5 by 5"), (3, "grid 4 by 6"), (2, "grid 8 by 8"), (2, "grid 9 by 8"),
    (2, "grid 5 by 5 without c3"), (3, "hex 3"), (2, "hex 4 by 4"), (1, "hex 5"), (1, "track 9"), (1, "track 70"),
)  # fmt: skip
GRID_WAYS = (
    (3, ("north", "south", "east", "west")), (3, ("northeast", "northwest", "southeast", "southwest")), (2, ("direction",)),
    (1, ("north", "east")), (1, ("southwest",)),
)  # fmt: skip
WAYS = {
    "grid": GRID_WAYS,
    "hex": ((3, ("direction",)), (1, ("east", "northeast")), (1, ("west", "southwest", "northwest"))),
    "track": ((2, ("direction",)), (1, ("forward",))),
}
TURNED = {
    "north": "south", "northeast": "southeast", "northwest": "southwest", "east": "west", "forward": "back",
    "south": "north", "southeast": "northeast", "southwest": "northwest", "west": "east", "direction": "direction",
}  # fmt: skip


def piece_game(seed: int) -> str:
    """The ruleset of a seed."""
    rng = Random(seed)
    return "\n".join(['game "Pieces"', *Maker(Pick(lambda n: rng.randrange(n))).ruleset()]) + "\n"


def either(texts: list[str]) -> str:
    return " | ".join(texts)


@dataclass
class Maker:
    pick: Pick
    kinds: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    after: Lines = field(default_factory=list)  # the effects at the end of every move; they know ``to``

    def ruleset(self) -> Lines:
        pick = self.pick
        self.board = pick.weighted(*BOARDS)
        self.shape = self.board.split()[0]
        self.kinds = ["man", "king", "wall"][: pick.weighted((3, 1), (3, 2), (2, 3))]
        self.owned = [k for k in self.kinds if k != "wall"]
        self.noted, self.quiet = pick.maybe(35), pick.maybe(35)
        self.after = self._after()
        lines = ["players A, B", f"board {self.board}"]
        lines += [f"piece {k}" + ("" if k == "wall" else " of player") + self._supply() for k in self.kinds]
        lines += ["state", "  quiet: 0..99", "  last: cell?", "  points: player -> 0..99"]
        lines += [
            f"define mine = {either([f'{k}[me]' for k in self.owned])}",
            f"define theirs = {either([f'{k}[rival]' for k in self.owned])}",
            *self._ways(),
        ]
        moves = self._moves()
        return [*lines, *self._questions(), *moves, *self._forbid(), "play", *indented(self._play())]

    def _supply(self) -> str:
        return f", {self.pick.upto(8, 20)} each" if self.pick.maybe(20) else ""

    def _ways(self) -> Lines:
        """Where the kinds go: all ways, or other ways for other players, or for other kinds."""
        some = [self.pick.weighted(*WAYS[self.shape]) for _ in range(2)]
        sets = ["direction" if w == ("direction",) else "{" + ", ".join(w) + "}" for w in some]
        turned = ["direction" if w == ("direction",) else "{" + ", ".join(TURNED[x] for x in w) + "}" for w in some]
        match self.pick.below(4):
            case 0:
                return [f"define ways(c: cell) = {sets[0]}"]
            case 1:
                return [f"define ways(c: cell) = if me = A then {sets[0]} else {turned[0]}"]
            case 2:
                return [f"define ways(c: cell) = if c in {self.owned[-1]}[me] then {sets[0]} else {sets[1]}"]
            case _:
                own = f"c in {self.owned[-1]}[me]"
                return [
                    f"define ways(c: cell) = if {own} then {sets[1]} else if me = A then {sets[0]} else {turned[0]}"
                ]

    def _questions(self) -> Lines:
        landing = "union of steps(o, {direction(c, o)}) & empty for o in steps(c, ways(c)) & theirs"
        near = self._near("c")
        return [
            f"define landings(c: cell) = {landing}",
            f"define attacked = some c in {self.owned[-1]}[me]: {near} meets theirs",
            "define flanked(c: cell) = {d in steps(c, direction) & theirs: steps(d, {direction(c, d)}) meets mine}",
            f"define breathless = {{c in theirs: {self._near('component(c, theirs)')} disjoint empty}}",
        ]

    def _near(self, cells: str) -> str:
        by = self.pick.weighted((3, ""), (1, ", any"), (1, ", corner")) if self.shape == "grid" else ""
        return f"neighbors({cells}{by})"

    # ----------------------------------------------------------------------------------------------------- moves

    def _moves(self) -> Lines:
        makers = [self._step, self._slide, self._jump, self._long_jump, self._place, self._swap, self._place_two]
        lines: Lines = []
        for i in range(self.pick.weighted((2, 1), (4, 2), (2, 3))):
            lines += makers[self.pick.weighted((4, 0), (4, 1), (4, 2), (2, 3), (4, 4), (1, 5), (1, 6))](f"move{i}")
        self.shot = self.pick.maybe(15)
        if self.shot:
            lines += ["move shoot(to: cell)", *self._arrow()]
        return lines

    def _arrow(self) -> Lines:
        kind = self.kinds[-1] + ("" if self.kinds[-1] == "wall" else "[me]")
        return [
            "  when last is some and to in empty",
            "  when in_line(last, to) and between(last, to) within empty",
            f"  put {kind} on to",
        ]

    def _head(self, name: str, kind: str) -> Lines:
        self.moves.append(name)
        source = "mine" if kind == "" else f"{kind}[me]"
        return [f"move {name}(from: cell, to: cell)", f"  when from in {source}"]

    def _target(self) -> str:
        return self.pick.weighted(
            (3, "to in empty"), (3, "to not in mine"), (1, "to in theirs"), (1, "to in theirs | empty")
        )

    def _travel(self, target: str, kind: str) -> Lines:
        takes = [] if target == "to in empty" else ["  remove all from to"]
        if kind:
            travel = [f"  move {kind}[me] from from to to"]
        else:
            travel = []
            for k in self.owned[:-1]:
                travel += [f"  {'else ' if travel else ''}if from in {k}[me]", f"    move {k}[me] from from to to"]
            last = f"move {self.owned[-1]}[me] from from to to"
            travel += ["  else", f"    {last}"] if travel else [f"  {last}"]
        return [*takes, *travel, *self._finish()]

    def _finish(self) -> Lines:
        return ["  set last to to", *(f"  {line}" for line in self.after)]

    def _kind(self) -> str:
        return self.pick.of(["", *self.owned])

    def _more(self) -> Lines:
        """Conditions that a move may have besides: what is compulsory, what must hold afterwards."""
        found: Lines = []
        if self.pick.maybe(12):
            found.append("  when every c in mine: landings(c) = {}")
        if self.pick.maybe(20):
            found.append(f"  when after this: {self._later()}")
        if self.pick.maybe(10):
            found.append("  when last is none or from != last")
        return found

    def _later(self) -> str:
        kind = self.pick.of(self.owned)
        options = [
            "not attacked",
            f"count({kind}[me]) >= {self.pick.upto(1, 3)}",
            "breathless = {} or count(theirs) > 1",
        ]
        options.append("not repetition(1)" if self.noted else "empty != {}")
        options.append(f"every c in {kind}[me]: {self._near('c')} meets empty")
        return self.pick.of(options)

    def _step(self, name: str) -> Lines:
        kind, target = self._kind(), self._target()
        reach = self.pick.of(["steps(from, ways(from))", self._near("from"), "steps(from, direction)"])
        goes = self.pick.of([f"to in {reach}", f"to in {reach} & (empty | theirs)"])
        return [
            *self._head(name, kind),
            f"  when {goes}",
            f"  when {target}",
            *self._more(),
            *self._travel(target, kind),
        ]

    def _slide(self, name: str) -> Lines:
        kind, target = self._kind(), self._target()
        line = self.pick.of(["aligned(from, to)", "in_line(from, to)"])
        limit = ["  when distance(from, to) <= 3"] if self.pick.maybe(20) else []
        conditions = [f"  when {line}", *limit, "  when between(from, to) within empty", f"  when {target}"]
        return [*self._head(name, kind), *conditions, *self._more(), *self._travel(target, kind)]

    def _jump(self, name: str) -> Lines:
        kind = self._kind()
        taken = [f"  remove {k}[rival] from between(from, to)" for k in self.owned] if self.pick.maybe(80) else []
        hop = ["  when to in landings(from)"]
        return [*self._head(name, kind), *hop, *self._more(), *taken, *self._travel("to in empty", kind)]

    def _long_jump(self, name: str) -> Lines:
        """Over any number of pieces in a row, or over exactly one of whatever colour, from afar."""
        kind = self._kind()
        over = self.pick.of(
            [
                "between(from, to) within theirs and distance(from, to) > 1",
                "count(between(from, to) & occupied) = 1",
                "count(between(from, to) & theirs) = 1 and between(from, to) & mine = {}",
            ]
        )
        taken = [f"  remove {k}[rival] from between(from, to)" for k in self.owned]
        conditions = ["  when aligned(from, to) and to in empty", f"  when {over}"]
        return [*self._head(name, kind), *conditions, *self._more(), *taken, *self._travel("to in empty", kind)]

    def _place(self, name: str) -> Lines:
        self.moves.append(name)
        kind = self.pick.of(self.kinds)
        whose = "" if kind == "wall" else "[me]"
        near = self._near("to")
        options = [
            "to in empty",
            f"to in empty and ({near} meets mine or mine = {{}})",
            f"to in empty and not ({near} within mine)",
        ]
        conditions = [f"  when {self.pick.of(options)}"]
        if self.pick.maybe(25):
            conditions.append(f"  when flanked(to) != {{}} or turn <= {self.pick.upto(2, 9)}")
        if self.pick.maybe(20):
            conditions.append(f"  when after this: {self._later()}")
        return [f"move {name}(to: cell)", *conditions, f"  put {kind}{whose} on to", *self._finish()]

    def _place_two(self, name: str) -> Lines:
        self.moves.append(name)
        kind = self.owned[0]
        apart = self.pick.of(["to != other_cell", "adjacent(to, other_cell)", "distance(to, other_cell) = 2"])
        return [
            f"move {name}(to: cell, other_cell: cell)",
            "  when to in empty and other_cell in empty",
            f"  when {apart}",
            f"  put {kind}[me] on to",
            f"  put {kind}[rival] on other_cell",
            *self._finish(),
        ]

    def _swap(self, name: str) -> Lines:
        kind = self.owned[0]
        return [
            *self._head(name, kind),
            f"  when to in {kind}[rival] and to in {self._near('from')}",
            "  remove all from {from, to}",
            f"  put {kind}[me] on to",
            f"  put {kind}[rival] on from",
            *self._finish(),
        ]

    def _after(self) -> Lines:
        lines: Lines = []
        if self.pick.maybe(30):
            lines += [f"remove {k}[rival] from flanked(to)" for k in self.owned]
        if self.pick.maybe(20):
            lines += [f"remove {k}[rival] from breathless" for k in self.owned]
        if len(self.owned) > 1 and self.pick.maybe(40):
            goal = self.pick.of(
                ["rim", "{to}"] if self.shape == "track" else ["top_row", "rim", "top_row | bottom_row"]
            )
            lines += ["if to in man[me] & " + f"({goal})", "  remove man[me] from to", "  put king[me] on to"]
        if self.quiet:
            lines += ["if theirs = {}", "  set quiet to 0", "else if quiet < 99", "  add 1 to quiet"]
        return lines

    def _forbid(self) -> Lines:
        if not self.pick.maybe(10):
            return []
        return [f"forbid {self.pick.of(['attacked', 'mine = {}', 'occupied = {}'])}"]

    # ------------------------------------------------------------------------------------------------------ play

    def _play(self) -> Lines:
        pick, lines = self.pick, self._first_pieces()
        if pick.maybe(12):
            lines += ["pick at random from cell -> spot", *self._put_by_chance("spot")]
        turns = ["note position"] if self.noted else []
        turns += self._draws()
        choices = either([m for m in self.moves if pick.maybe(75)] or self.moves[:1])
        stuck = pick.weighted((4, ["stuck", "  lose me"]), (2, ["stuck", "  draw"]), (2, ["stuck", "  skip"]))
        turns += [f"me plays {choices}", *(["  may pass"] if pick.maybe(15) else []), *(f"  {x}" for x in stuck)]
        if self.shot:
            turns += ["me plays shoot", "  stuck", "    skip"]
        if pick.maybe(15):
            turns += [f"if last is some and landings(last) != {{}} and turn < {pick.upto(5, 40)}", "  again"]
        turns += self._ends()
        if pick.maybe(12):
            turns += ["pick at random from cell -> other", *self._put_by_chance("other")]
        limit = pick.weighted((2, 12), (2, 30), (1, 60))
        lines += [f"turns from {pick.of(['A', 'B'])}, {limit} times", *indented(turns)]
        return [*lines, *pick.of([["draw"], [f"if {self.owned[0]}[A] meets rim", "  win A", "else", "  draw"]])]

    def _put_by_chance(self, where: str) -> Lines:
        kind = self.kinds[-1]
        return [f"if {where} in empty", f"  put {kind if kind == 'wall' else f'{kind}[A]'} on {where}"]

    def _first_pieces(self) -> Lines:
        lines: Lines = []
        if self.pick.maybe(85):
            for k in self.owned:
                for p in "AB":
                    share = self.pick.upto(2, 5)
                    start = f"{{c in cell: (number(c) + {self.pick.below(share)}) mod {share} = 0}}"
                    lines.append(f"put {k}[{p}] on {start} & empty")
        if "wall" in self.kinds and self.pick.maybe(50):
            lines.append(f"put wall on {{c in empty: number(c) mod {self.pick.upto(4, 7)} = 1}}")
        return lines

    def _draws(self) -> Lines:
        lines: Lines = []
        if self.noted and self.pick.maybe(80):
            lines += [f"if repetition({self.pick.upto(2, 3)})", "  draw"]
        if self.quiet:
            lines += [f"if quiet >= {self.pick.upto(4, 30)}", "  draw"]
        return lines

    def _ends(self) -> Lines:
        kind = self.pick.of(self.owned)
        goals = ["theirs = {}", f"count({kind}[me]) = {self.pick.upto(1, 9)}", "last is some and last in rim"]
        if self.shape == "track":
            goals.pop()
        goals.append(f"some l in lines(3): l within {kind}[me]")
        if self.shape != "track":
            goals.append("connected(mine, top_row, bottom_row)")
            goals.append(f"{kind}[me] meets top_row")
            goals.append("count(component(last, mine)) >= 4")
        goals.append("attacked")
        lines: Lines = []
        for _ in range(self.pick.weighted((1, 0), (4, 1), (2, 2))):
            lines += [f"if {self.pick.of(goals)}", f"  {self.pick.of(['win me', 'lose me', 'draw'])}"]
        return lines
