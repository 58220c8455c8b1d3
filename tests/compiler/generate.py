"""Random well-typed rulesets, as texts: ``texts()`` for Hypothesis, ``ruleset(pick)`` for any source of choices.

Every text should pass the checker; plays may hit rules errors, which any two engines must report at the same point.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from .course import Course
from .deeds import Deeds, Lines, indented
from .words import (
    Action,
    Bool,
    Define,
    Dom,
    Elem,
    Move,
    Num,
    Opt,
    Pick,
    Piece,
    Scope,
    Set,
    Single,
    Stack,
    Type,
    Var,
    World,
    numbers,
    written,
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Rulesets that shrink towards few and plain declarations."""
    return ruleset(Pick(lambda n: draw(st.integers(0, n - 1)) if n > 1 else 0))


def random_text(seed: int) -> str:
    """The ruleset of a seed."""
    rng = Random(seed)
    return ruleset(Pick(lambda n: rng.randrange(n)))


def ruleset(pick: Pick) -> str:
    maker = Maker(pick)
    return "\n".join(['game "Generated"', *maker.ruleset()]) + "\n"


# ----------------------------------------------------------------------------------------------------------- boards

BOARDS: tuple[tuple[str, str, int], ...] = (
    ("grid 2 by 2", "grid", 4),
    ("none", "none", 0),
    ("grid 2 by 3", "grid", 6),
    ("grid 3 by 3", "grid", 9),
    ("track 4", "track", 4),
    ("hex 2", "hex", 7),
    ("graph", "graph", 5),
    ("grid 3 by 3 without b2", "grid", 8),
    ("grid 2 by 2 with grid 2 by 2 at 1, 3", "grid", 8),
    ("hex 3 by 3", "hex", 9),
    ("grid 4 by 4", "grid", 16),
    ("track 66", "track", 66),
    ("track 64", "track", 64),
)
EDGES = {
    "grid 2 by 2": 4,
    "grid 2 by 3": 7,
    "grid 3 by 3": 12,
    "track 4": 3,
    "hex 2": 12,
    "graph": 5,
    "grid 4 by 4": 24,
}
PAIRS = {
    "grid 2 by 2": 12,
    "grid 2 by 3": 22,
    "grid 3 by 3": 40,
    "track 4": 6,
    "hex 2": 24,
    "graph": 10,
    "grid 4 by 4": 84,
}
TRUTHS = Dom("bool", "{no, yes}", 2, ("no", "yes"))
LARGE_NUMBERS = (
    Num(0, 255),
    Num(0, 256),
    Num(-128, 127),
    Num(-1, 254),
    Num(0, 65536),
    Num(-40_000, 30_000),
    Num(5, 900_000),
)
COMPASS = ("north", "east", "south", "west", "northeast", "southwest")
HEX_WAYS = ("east", "northeast", "west", "southwest")
LINKS = ["  nodes u, v, w, x, y", "  u to v, w", "  w to x, v", "  x to y"]


class Maker:
    """``path``: what its names begin with, for a part inside a ruleset."""

    def __init__(self, pick: Pick, path: str = "", players: int = 0) -> None:
        self.pick, self.path = pick, path
        count = players or pick.weighted((6, 2), (2, 1), (2, 3))
        names = tuple(f"{path or 'P'}{i + 1}" for i in range(count))
        self.part_option = ""
        self.given: tuple[tuple[str, Type], ...] = ()
        self.world = World(Dom("player", "players", count, names))
        self.lines: Lines = [f"players {', '.join(names)}"]

    def ruleset(self) -> Lines:
        w, pick = self.world, self.pick
        self.board()
        w.doms = [w.players]
        if w.cell is not None:
            w.doms = [w.cell, w.cell, w.cell, w.players, *w.board_doms]
        self.types()
        self.pieces()
        self.state()
        w.notes, w.turns = pick.maybe(25), pick.maybe(25)
        w.given = self.given
        self.deeds = Deeds(pick, w)
        self.say = self.deeds.say
        self.defines()
        self.actions()
        self.moves()
        if pick.maybe(25):
            self.define(tuple(m.name for m in w.moves if not m.chance)[:2])
        parts = self.parts()
        course = Course(self.deeds, parts, self.part_option)
        if pick.maybe(20):
            course.action = self.name("turnabout")
            self.lines += [f"action {course.action}", *indented(course.prelude(Scope())[0])]
        return [*self.lines, "play", *indented(course.play())]

    def name(self, prefix: str) -> str:
        return self.path + self.pick.name(prefix)

    def board(self) -> None:
        w, pick = self.world, self.pick
        text, kind, size = pick.weighted(*((1 if b[2] > 60 else 4, b) for b in BOARDS))
        w.board = kind
        doms: list[Dom] = []
        if kind != "none":
            w.cell = Dom("cell", "cell", size, cell_names(text, kind, size))
            self.lines.append(f"board {text}")
            self.lines += LINKS if kind == "graph" else []
            ways = {"grid": COMPASS, "hex": HEX_WAYS, "track": ("forward", "back")}.get(kind)
            if ways:
                doms.append(Dom("direction", "direction", 8 if kind == "grid" else 6 if kind == "hex" else 2, ways))
            if text in EDGES and pick.maybe(40):
                doms.append(Dom("edge", "edge", EDGES[text]))
            if text in PAIRS and pick.maybe(30):
                doms.append(Dom("step", "step", PAIRS[text], pair=(w.cell, w.cell)))
            w.families = families(text, kind, w.cell)
            w.sets = [(n, w.cell) for n in sets_of(kind)]
        w.board_doms = doms

    def types(self) -> None:
        w, pick = self.world, self.pick
        for i in range(pick.weighted((4, 0), (3, 1), (1, 2))):
            names = tuple(f"{self.path}{'rst'[i]}{k}" for k in range(pick.upto(1, 4)))
            kind = self.name("kind")
            self.lines.append(f"type {kind} = {{{', '.join(names)}}}")
            w.doms.append(Dom(kind, kind, len(names), names))
        if pick.maybe(40):
            low = pick.of([0, 1, -2])
            w.doms.append(numbers(low, low + pick.below(5)))
        if pick.maybe(4):
            w.doms.append(numbers(*pick.of([(-3, 70), (0, 63), (-20, 43)])))
        if pick.maybe(15):
            self.tokens()

    def tokens(self) -> None:
        """Things with fields: a domain of two kinds, and variables over it that are read as ``t.field``."""
        w, pick = self.world, self.pick
        name, owned, plain = self.name("token"), self.name("big"), self.name("small")
        names = (*(f"{owned}[{p}]" for p in w.players.names), plain)
        dom = Dom(name, name, len(names), names)
        self.lines.append(f"token {name}: {owned} of player, {plain}")
        for _ in range(1 + pick.below(2)):
            field, t = self.name("has"), self.type()
            self.lines.append(f"  {field}: {written(t)}{self._first(t)}")
            w.variables.append(Var(f".{field}", (dom,), t))
        w.doms.append(dom)

    # ------------------------------------------------------------------------------------------ pieces and variables

    def pieces(self) -> None:
        w, pick = self.world, self.pick
        if w.cell is None:
            return
        edge = w.dom("edge")
        for _ in range(pick.weighted((4, 1), (3, 2), (1, 3), (1, 0))):
            name, owned = self.name("piece"), not pick.maybe(30)
            place = edge if edge is not None and pick.maybe(30) else w.cell
            each, stacking = pick.maybe(30), pick.maybe(25)
            text = f"piece {name}" + (" of player" if owned else "")
            text += f" on {place.type}" if place is edge else ""
            text += f", {pick.upto(1, 4)} each" if each else ""
            self.lines.append(text + (", stacking" if stacking else ""))
            w.pieces.append(Piece(name, owned, place, each, stacking))

    def state(self) -> None:
        w, pick = self.world, self.pick
        lines: Lines = []
        for _ in range(1 + pick.below(5)):
            keys = tuple(
                pick.of(self._small()) if not pick.maybe(6) else TRUTHS
                for _ in range(pick.weighted((5, 0), (4, 1), (1, 2)))
            )
            t = self.type()
            name = self.name("x")
            lines.append(f"  {name}: {arrows(keys)}{written(t)}{self._first(t)}")
            w.variables.append(Var(name, keys, t))
        if pick.maybe(25):
            inner = self.single()
            stack = Stack(self.name("pile"), (pick.of(self._small()),) if pick.maybe(50) else (), inner)
            lines.append(f"  {stack.name}: {arrows(stack.keys)}stack of {written(inner)} up to 3")
            w.stacks.append(stack)
        if pick.maybe(25):
            w.countdown = True
            clock = Var(self.name("rest"), (w.players,) if pick.maybe(40) else (), Num(0, pick.upto(2, 5)))
            assert isinstance(clock.type, Num)
            first = f" = {pick.upto(1, clock.type.high)}" if pick.maybe(40) else ""
            lines.append(f"  {clock.name}: {arrows(clock.keys)}countdown up to {clock.type.high}{first}")
            w.variables.append(clock)
        if pick.maybe(30) and not any(v.keys == (w.players,) and isinstance(v.type, Num) for v in w.variables):
            points = Var(self.name("points"), (w.players,), Num(pick.of([0, -5]), 9))
            lines.append(f"  {points.name}: player -> {written(points.type)}")
            w.variables.append(points)
        self.lines += ["state", *lines]

    def _small(self) -> list[Dom]:
        return [x for x in self.world.doms if x.size <= 16]

    def single(self) -> Single:
        match self.pick.below(5):
            case 0 if self.pick.maybe(20):
                return self.pick.of(LARGE_NUMBERS)
            case 0:
                return Num(0, self.pick.upto(1, 6))
            case 1:
                return Bool()
            case 2:
                low = -self.pick.upto(0, 5)
                return Num(low, low + self.pick.upto(2, 9))
            case _:
                dom = self.pick.of(self.world.doms)
                return Elem(dom) if dom.low is None else Num(dom.low, dom.low + dom.size - 1)

    def type(self) -> Type:
        match self.pick.weighted((5, "single"), (2, "optional"), (3, "set")):
            case "single":
                return self.single()
            case "optional":
                return Opt(self.single())
            case _:
                return Set(self.pick.of(self.world.doms))

    def _first(self, t: Type) -> str:
        if not self.pick.maybe(35):
            return ""
        match t:
            case Bool():
                return " = yes"
            case Num(low, high):
                return f" = {self.pick.upto(low, high)}"
            case Elem(dom) if dom.names:
                return f" = {self.pick.of(dom.names)}"
            case Set(dom):
                return f" = {dom.full}"
            case _:
                return ""

    # ----------------------------------------------------------------------------------------------------- rules

    def defines(self) -> None:
        w, pick = self.world, self.pick
        for _ in range(pick.weighted((2, 0), (3, 1), (3, 2), (1, 3))):
            name = self.name("f")
            params = [(pick.name("a"), self.parameter()) for _ in range(pick.weighted((3, 1), (2, 0), (2, 2)))]
            needs_me = pick.maybe(25)
            s = Scope(tuple(params), me=needs_me, cost=4)
            result = self.type()
            if isinstance(result, Num):
                text, low, high = self.say.number(s, 2)
                if pick.maybe(30) and high >= 0 >= low:  # a written range: a number outside it is a rules error
                    kind, result = ": -9..99", Num(-9, 99)
                    text = f"min(max({text}, -9), 99)" if pick.maybe(80) else text
                else:
                    kind, result = "", Num(low, high)
            else:
                text, kind = self.say.value(s, result, 2), f": {written(result)}"
            if params and pick.maybe(15):
                text, kind = self.nested(s, Define(name, tuple(t for _, t in params), result, needs_me), text, kind)
            # a definition says "me" or not; what it is taken for must be so
            says = needs_me and any(x in re.findall(r"\w+", text) for x in ("me", "rival", "repetition"))
            given = f"({', '.join(f'{n}: {written(t)}' for n, t in params)})" if params else ""
            self.lines.append(f"define {name}{given}{kind} = {text}")
            w.defines.append(Define(name, tuple(t for _, t in params), result, needs_me or says))

    def nested(self, s: Scope, f: Define, text: str, kind: str) -> tuple[str, str]:
        """A definition that calls itself: its value and what stands before the equals sign."""
        call = self.say.call(s, f, 2)
        return f"if {self.say.truth(s, 2)} then {text} else {call}", f"{kind} at most {self.pick.upto(1, 4)} deep"

    def define(self, tries: tuple[str, ...]) -> None:
        """A condition that looks ahead, for the course of play."""
        name = self.name("f")
        text = self.say.truth(Scope(me=True, tries=tries), 3)
        says = any(x in re.findall(r"\w+", text) for x in ("me", "rival", "repetition"))
        self.lines.append(f"define {name} = {text}")
        self.world.defines.append(Define(name, (), Bool(), says))

    def parameter(self) -> Type:
        match self.pick.below(6):
            case 0:
                return Elem(self.world.players)
            case 1 if self.pick.maybe(60):
                return self.type()
            case 2:
                return self.single()
            case _:
                dom = self.pick.of(self.world.doms)
                return Elem(dom) if dom.low is None else Num(dom.low, dom.low + dom.size - 1)

    def actions(self) -> None:
        pick = self.pick
        for _ in range(pick.weighted((3, 0), (2, 1))):
            params = [(pick.name("a"), self.parameter()) for _ in range(pick.below(3))]
            name = self.name("act")
            body, _ = self.deeds.body(Scope(tuple(params), cost=4), 1, 3)
            given = f"({', '.join(f'{n}: {written(t)}' for n, t in params)})" if params else ""
            self.lines += [f"action {name}{given}", *indented(body)]
            self.world.actions.append(Action(name, tuple(t for _, t in params)))

    def moves(self) -> None:
        w, pick = self.world, self.pick
        with_chance = pick.maybe(30)
        count = pick.weighted((3, 1), (4, 2), (2, 3), (1, 4))
        heads: list[Move] = []
        for _ in range(count):
            chance = with_chance and pick.maybe(50)
            heads.append(Move(self.name("move"), (), chance))
        tries: list[str] = []
        for head in heads:
            self.move(head, tuple(tries))
            if not head.chance and len(tries) < 2:
                tries.append(head.name)
        if pick.maybe(25) and not with_chance:
            first = heads[0].name if w.turns or pick.maybe(50) else ""
            s = Scope(me=True, tries=(first,) if first else (), forbidding=True, cost=4)
            self.lines.append(f"forbid {self.say.truth(s, 2)}")

    def move(self, head: Move, tries: tuple[str, ...]) -> None:
        w, pick = self.world, self.pick
        s, params, rounds = Scope(me=True), list[tuple[str, Type]](), 1
        texts: list[str] = []
        for _ in range(pick.weighted((5, 1), (2, 0), (3, 2), (1, 3)) if not w.big else pick.below(2)):
            text, name, t, size = self.param(s)
            if rounds * size > 150:
                continue
            rounds *= size
            texts.append(text)
            params.append((name, t))
            s = s.bind(name, t)
        w.moves.append(Move(head.name, tuple(params), head.chance))
        mistake = " by mistake" if tries and pick.maybe(10) else ""
        head_line = f"move {head.name}" + (f"({', '.join(texts)})" if texts else "") + mistake
        cost = 1 if rounds <= 20 else 6 if rounds <= 60 else 40
        guards = Scope(s.locals, me=True, cost=cost, this=not head.chance, tries=tries)
        lines = [head_line]
        for name, t in params:
            if t == Elem(w.cell) if w.cell is not None else False:
                if pick.maybe(40) and any(p.place == w.cell for p in w.pieces):
                    lines.append(f"  when {name} in empty")
        for _ in range(pick.weighted((3 if tries else 8, 0), (3, 1), (1, 2))):
            lines.append(f"  when {self.guard(guards)}")
        body, _ = self.deeds.body(Scope(s.locals, me=True), 2, 4, effect=True, chance=head.chance)
        if head.chance:
            lots, inner = self.deeds.lots(Scope(s.locals, me=True), 1)
            body = [*lots, *self.deeds.body(inner, 1, 2, effect=True, chance=True)[0]]
        self.lines += [*lines, *indented(body)]

    def guard(self, s: Scope) -> str:
        text = self.say.truth(s, 2)
        return text if self.pick.maybe(35) else f"{text} or {self.say.truth(s, 1)}"

    def param(self, s: Scope) -> tuple[str, str, Type, int]:
        """How a parameter is written, its name, its type inside, and how many values it may have."""
        w, pick = self.world, self.pick
        name = pick.name("c")
        dom = pick.of(w.doms)
        match pick.weighted((5, "dom"), (2, "part"), (1, "bool"), (2, "number"), (1, "optional"), (1, "family")):
            case "bool":
                return f"{name}: bool", name, Bool(), 2
            case "number":
                low = pick.of([0, 1, -1])
                high = low + pick.upto(1, 3)
                return f"{name}: {low}..{high}", name, Num(low, high), high - low + 1
            case "optional":
                inner = Elem(dom) if dom.low is None else Num(dom.low, dom.low + dom.size - 1)
                return f"{name}: {dom.type}?", name, Opt(inner), dom.size + 1
            case "family" if w.families:
                family = pick.of(w.families)
                return f"{name} in {family.full}", name, Elem(family), family.size
            case "part":
                return f"{name} in {self.deeds.say.members(s, dom, 2)}", name, Elem(dom), dom.size
        return f"{name}: {dom.type}", name, Elem(dom), dom.size

    def parts(self) -> tuple[str, ...]:
        if self.path or not self.pick.maybe(15):
            return ()
        inner = Maker(self.pick, "q", self.world.players.size)
        if self.pick.maybe(40):
            self.part_option = "qoption"
            inner.lines.append("option qoption: 0..5 = 2")
            inner.given = (("qoption", Num(0, 5)),)
        self.lines += ["part q", *indented(inner.ruleset())]
        return ("q",)


def arrows(keys: tuple[Dom, ...]) -> str:
    return "".join(f"{k.type} -> " for k in keys)


def cell_names(text: str, kind: str, size: int) -> tuple[str, ...]:
    """A few cells by name."""
    match kind:
        case "track":
            return tuple(f"t{i + 1}" for i in range(min(size, 6)))
        case "graph":
            return ("u", "v", "w", "x", "y")
        case "hex" if text == "hex 2":
            return ("b2", "b1", "c1", "a2", "c2", "a3", "b3")
    return ("a1", "b1", "a2") if size < 9 else ("a1", "b1", "c1", "a2", "c3")


def sets_of(kind: str) -> list[str]:
    match kind:
        case "grid":
            return ["empty", "occupied", "rim", "top_row", "bottom_row", "left_column"]
        case "hex":
            return ["empty", "occupied", "rim", "top_row", "bottom_row"]
        case "track":
            return ["empty", "occupied", "rim"]
    return ["empty", "occupied"]


def families(text: str, kind: str, cell: Dom) -> list[Dom]:
    found: list[tuple[str, int]] = []
    if kind in ("grid", "hex"):
        found += [("lines(2)", 25), ("rows", 4), ("columns", 4)]
        if text in ("grid 3 by 3", "hex 3 by 3", "grid 4 by 4"):
            found.append(("lines(3)", 10))
    if kind == "grid":
        found += [("blocks(1, 2)", 8), ("rows | columns", 8)]
    if kind == "track":
        found.append(("lines(2)", cell.size))
    return [Dom("", name if "|" not in name else f"({name})", size, base=cell) for name, size in found]


__all__ = ["Callable", "random_text", "ruleset", "texts"]
