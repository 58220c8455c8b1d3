"""Random statements that change the state: lists of lines, each with its indentation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .phrases import STACKED, Phrases
from .words import Action, Bool, Dom, Elem, Num, Opt, Pick, Piece, Scope, Set, Stack, World, is_large

Lines = list[str]
MOST_STATEMENTS = 60


def indented(lines: Lines) -> Lines:
    return [f"  {line}" for line in lines]


class Deeds:
    """``left`` counts down, so that texts stay short."""

    def __init__(self, pick: Pick, world: World) -> None:
        self.pick, self.world = pick, world
        self.say = Phrases(pick, world)
        self.left = MOST_STATEMENTS

    def body(self, s: Scope, d: int, most: int, effect: bool = False, chance: bool = False) -> tuple[Lines, Scope]:
        """One statement or more, and the scope after them. ``effect``: of a move, where ``stop`` may be said."""
        out: Lines = []
        for _ in range(1 + self.pick.below(most)):
            lines, s = self.statement(s, d, effect, chance)
            out += lines
        if effect and self.pick.maybe(8):
            out.append("stop")
        return out, s

    def statement(self, s: Scope, d: int, effect: bool = False, chance: bool = False) -> tuple[Lines, Scope]:
        self.left -= 1
        w = self.world
        makers: list[tuple[int, Callable[[Scope, int], Lines]]] = [(5, self._change)]
        if w.pieces:
            makers += [(5, self._piece)]
        if w.stacks:
            makers += [(3, self._stack)]
        if d > 0 and self.left > 0:
            makers += [
                (3, lambda s, d: self._if(s, d, effect, chance)),
                (2, lambda s, d: self._for(s, d, effect and not chance)),
                (1, lambda s, d: self._repeat(s, d, effect and not chance)),
            ]
            if w.actions:
                makers.append((2, self._perform))
        if chance and self.pick.maybe(40):
            return self.lots(s, d)
        if self.pick.maybe(12):
            return self._let(s, d)
        return self.pick.weighted(*makers)(s, d), s

    # ------------------------------------------------------------------------------------------------- variables

    def _change(self, s: Scope, d: int) -> Lines:
        w = self.world
        v = self.pick.of(w.variables)
        place = self.say.keyed(s, v.name, v.keys, d)
        match v.type:
            case Num(low, high):
                match self.pick.below(4):
                    case 0:
                        return [f"set {place} to {self.say.number_in(s, low, high, d)}"]
                    case 1 if not self.pick.maybe(10):
                        return [f"if {place} < {high}", f"  add 1 to {place}"]
                    case 2 if not self.pick.maybe(10):
                        return [f"if {place} > {low}", f"  take 1 from {place}"]
                    case _:
                        word, to = self.pick.of([("add", "to"), ("take", "from")])
                        room = min(high - low, 2)
                        change = f"min(max({self.say.number(s, d - 1)[0]}, 0), {room})"
                        text = f"{word} {change} {to} {place}"
                        ends = f"{place} <= {high - room}" if word == "add" else f"{place} >= {low + room}"
                        return [text] if self.pick.maybe(8) else [f"if {ends}", f"  {text}"]
            case Set(dom):
                part = self.say.members(s, dom, d - 1)
                if dom.low is not None and self.pick.maybe(40):
                    part = self.say.number_in(s, dom.low, dom.low + dom.size - 1, d - 1)
                return [
                    self.pick.of(
                        [
                            f"set {place} to {self.say.members(s, dom, d)}",
                            f"add {part} to {place}",
                            f"take {part} from {place}",
                            f"set {place} to {{}}",
                        ]
                    )
                ]
            case t:
                return [f"set {place} to {self.say.value(s, t, d)}"]

    def _let(self, s: Scope, d: int) -> tuple[Lines, Scope]:
        name = self.pick.name("l")
        match self.pick.below(4):
            case 0:
                text, low, high = self.say.number(s, d)
                return [f"let {name} = {text}"], s.bind(name, Num(low, high))
            case 1:
                dom = self.say.some_dom()
                if dom.low is None:
                    return [f"let {name} = {self.say.element(s, dom, d)}"], s.bind(name, Elem(dom))
                return [f"let {name} = {self.say.members(s, dom, d)}"], s.bind(name, Set(dom))
            case 2:
                dom = self.say.some_dom()
                return [f"let {name} = {self.say.members(s, dom, d)}"], s.bind(name, Set(dom))
            case _:
                return [f"let {name} = {self.say.truth(s, d)}"], s.bind(name, Bool())

    # ---------------------------------------------------------------------------------------------------- pieces

    def _piece(self, s: Scope, d: int) -> Lines:
        piece = self.pick.of(self.world.pieces)
        what = self.say.owned(s, piece.name, piece.owned)
        match self.pick.weighted((3, "put"), (2, "remove"), (2, "move"), (1, "many"), (1, "clear")):
            case "put":
                return self._put(s, d, piece, what)
            case "remove":
                everything = "all " if piece.stacking and self.pick.maybe(40) else ""
                source = self.say.members(s, piece.place, d) if self.pick.maybe(50) else self._spot(s, piece, d)
                return [f"remove {everything}{what} from {source}"]
            case "move":
                a, b = self._spot(s, piece, d), self._spot(s, piece, d)
                free = f"{b} in {self._free(piece, what)}"
                line = f"move {what} from {a} to {b}"
                return [line] if self.pick.maybe(6) else [f"if {a} in {what} and {free} and {a} != {b}", f"  {line}"]
            case "many":
                most = f" and supply({what}) >= {min(piece.place.size, 4)}" if piece.each else ""
                cells = f"({self.say.members(s, piece.place, d)} & {self._free(piece, what)})"
                if piece.stacking:
                    return [f"for {(n := self.pick.name())} in {cells}", *indented(self._put_on(what, n, piece))]
                line = f"put {what} on {cells}"
                return [line] if not most else [f"if count({cells}) <= supply({what})", f"  {line}"]
            case _:
                if piece.place == self.world.cell:
                    return [f"remove all from {self.say.members(s, piece.place, d)}"]
                return [f"remove {what} from {piece.place.full}"]

    def _spot(self, s: Scope, piece: Piece, d: int) -> str:
        return self.say.element(s, piece.place, min(d, 1))

    def _free(self, piece: Piece, what: str) -> str:
        if piece.place != self.world.cell:
            return f"({piece.place.full} - {what})"
        return f"(empty | {what})" if piece.stacking else "empty"

    def _put(self, s: Scope, d: int, piece: Piece, what: str) -> Lines:
        spot = self._spot(s, piece, d)
        if self.pick.maybe(6):
            return [f"put {what} on {spot}"]
        return [f"if {spot} in {self._free(piece, what)}", *indented(self._put_on(what, spot, piece))]

    def _put_on(self, what: str, spot: str, piece: Piece) -> Lines:
        conditions = [f"supply({what}) > 0"] if piece.each else []
        if piece.stacking and not piece.each and piece.place == self.world.cell:
            conditions.append(f"height({spot}) < 4")
        line = f"put {what} on {spot}"
        return [f"if {' and '.join(conditions)}", f"  {line}"] if conditions else [line]

    # ---------------------------------------------------------------------------------------------------- stacks

    def _stack(self, s: Scope, d: int) -> Lines:
        k = self.pick.of(self.world.stacks)
        place = self.say.keyed(s, k.name, k.keys, min(d, 1))
        careless = self.pick.maybe(6)
        if self.pick.maybe(40):
            return [f"pop {place}"] if careless else [f"if height({place}) > 0", *self._popped(s, k, place)]
        line = f"push {self.say.value(s, k.inner, d)} on {place}"
        return [line] if careless else [f"if height({place}) < 3", f"  {line}"]

    def _popped(self, s: Scope, k: Stack, place: str) -> Lines:
        if self.pick.maybe(50):
            return [f"  pop {place}"]
        name = self.pick.name("t")
        return [f"  pop {place} -> {name}", *indented(self._change(s.bind(name, k.inner), 1))]

    # ---------------------------------------------------------------------------------------------------- blocks

    def _if(self, s: Scope, d: int, effect: bool, chance: bool) -> Lines:
        out = [f"if {self.say.truth(s, d)}", *indented(self.body(s, d - 1, 2, effect, chance)[0])]
        if self.pick.maybe(25):
            out += [f"else if {self.say.truth(s, d)}", *indented(self.body(s, d - 1, 1, effect, chance)[0])]
        if self.pick.maybe(40):
            out += ["else", *indented(self.body(s, d - 1, 2, effect, chance)[0])]
        return out

    def _for(self, s: Scope, d: int, effect: bool) -> Lines:
        if self.world.stacks and self.pick.maybe(25) and s.cost * STACKED <= 100:
            k, name = self.pick.of(self.world.stacks), self.pick.name()
            pile = self.say.keyed(s, k.name, k.keys, min(d, 1))
            inner = s.bind(name, k.inner, STACKED).plain()
            return [f"for {name} in {pile}", *indented(self.body(inner, d - 1, 2, effect)[0])]
        doms: list[Dom] = [x for x in self.world.doms if s.cost * x.size <= 100]
        if not doms:
            return self._change(s, d)
        dom = self.pick.of(doms)
        if dom.pair is not None and self.pick.maybe(50):
            a, b = self.pick.name(), self.pick.name()
            inner = s.bind(a, Elem(dom.pair[0]), dom.size).bind(b, Elem(dom.pair[1]))
            return [f"for ({a}, {b}) in {dom.full}", *indented(self.body(inner.plain(), d - 1, 1, effect)[0])]
        name = self.pick.name()
        inner = s.bind(name, Elem(dom), dom.size).plain()
        over = self.say.members(s, dom, d - 1)
        return [f"for {name} in {over}", *indented(self.body(inner, d - 1, 2, effect)[0])]

    def _repeat(self, s: Scope, d: int, effect: bool) -> Lines:
        times = str(self.pick.upto(1, 3))
        if self.pick.maybe(30):
            times = self.say.number_in(s, 0, 4, 1)
        inner = replace(s.plain(), cost=s.cost * 4)
        return [f"repeat {times} times", *indented(self.body(inner, d - 1, 2, effect)[0])]

    def _perform(self, s: Scope, d: int) -> Lines:
        a: Action = self.pick.of(self.world.actions)
        args = ", ".join(self.say.value(s, t, d - 1) for t in a.params)
        return [f"{a.name}({args})" if a.params else a.name]

    # ---------------------------------------------------------------------------------------------------- chance

    def lots(self, s: Scope, d: int) -> tuple[Lines, Scope]:
        """A draw by chance, and what is bound by it."""
        name, w = self.pick.name("r"), self.world
        kinds: list[tuple[int, str]] = [(3, "roll"), (3, "pick")]
        if any(self._is_bag(v.keys, v.type) and v.name[0] != "." for v in w.variables):
            kinds.append((3, "draw"))
        decks = [k for k in w.stacks if not is_large(k.inner)]
        if decks:
            kinds.append((1, "shuffle"))
        match self.pick.weighted(*kinds):
            case "roll":
                dice, faces = self.pick.upto(1, 2), self.pick.upto(2, 3)
                many = f"{dice} " if dice > 1 else ""
                return [f"roll {many}d{faces} -> {name}"], s.bind(name, Num(dice, dice * faces))
            case "pick":
                dom = self.pick.of([x for x in w.doms if x.size <= 16])
                source = dom.full
                if self.pick.maybe(50):
                    part = self.say.members(s, dom, d - 1)
                    source = part if self.pick.maybe(8) else f"(if {part} meets {dom.full} then {part} else {dom.full})"
                return [f"pick at random from {source} -> {name}"], s.bind(name, Elem(dom))
            case "draw":
                bag = self.pick.of([v for v in w.variables if self._is_bag(v.keys, v.type) and v.name[0] != "."])
                keys = [self.say.element(s, k, 1) for k in bag.keys[:-1]]
                head = f"{bag.name}[{', '.join(keys)}]" if keys else bag.name
                lines: Lines = []
                if not self.pick.maybe(8):
                    first = self.say.element(s, bag.keys[-1], 0)
                    lines = [f"set {bag.name}[{', '.join([*keys, first])}] to {self.pick.upto(1, 2)}"]
                return [*lines, f"draw from {head} -> {name}"], s.bind(name, Elem(bag.keys[-1]))
            case _:
                k = self.pick.of(decks)
                return [f"shuffle {self.say.keyed(s, k.name, k.keys, 0)}"], s

    def _is_bag(self, keys: tuple[Dom, ...], t: object) -> bool:
        return (
            bool(keys)
            and keys[-1].low is None
            and isinstance(t, Num)
            and t.low == 0
            and t.high >= 2
            and keys[-1].size <= 6
        )


__all__ = ["Deeds", "Lines", "Opt", "indented"]
