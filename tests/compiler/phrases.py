"""Random expressions of a wanted type over the declarations of a world. Few of them can fail at run time."""

from __future__ import annotations

from collections.abc import Callable

from .words import Bool, Define, Dom, Elem, Num, Opt, Pick, Scope, Set, Type, World, numbers, written

MOST_ROUNDS = 600
LARGE = 3_000_000
STACKED = 3  # no stack is higher
Number = tuple[str, int, int]  # text, least and greatest value


class Phrases:
    def __init__(self, pick: Pick, world: World) -> None:
        self.pick = pick
        self.world = world

    def value(self, s: Scope, t: Type, d: int) -> str:
        match t:
            case Bool():
                return self.truth(s, d)
            case Num(low, high):
                return self.number_in(s, low, high, d)
            case Elem(dom):
                return self.element(s, dom, d)
            case Opt(inner):
                return self.optional(s, inner, d)
            case Set(dom):
                return self.members(s, dom, d)

    # ------------------------------------------------------------------------------------------ what is at hand

    def reads(self, s: Scope, t: Type, d: int) -> list[str]:
        """Names with values of a type: locals, variables (with keys), and calls of definitions."""
        found = [n for n, x in (*s.locals, *self.world.given) if x == t]
        for v in self.world.variables:
            if v.type == t and (d > 0 or all(self._at_hand(s, k) for k in v.keys)):
                found.append(self.keyed(s, v.name, v.keys, d))
        if d > 0:
            callable_ = [f for f in self.world.defines if f.result == t and (s.me or not f.needs_me)]
            found += [self.call(s, f, d) for f in callable_] * 2
        return found

    def _at_hand(self, s: Scope, dom: Dom) -> bool:
        return bool(dom.names) or any(t == Elem(dom) for _, t in s.locals)

    def keyed(self, s: Scope, name: str, keys: tuple[Dom, ...], d: int) -> str:
        if not keys:
            return name
        if name[0] == ".":  # a field
            return f"{self.element(s, keys[0], min(d - 1, 1))}{name}"
        return f"{name}[{', '.join(self.element(s, k, min(d - 1, 1)) for k in keys)}]"

    def call(self, s: Scope, f: Define, d: int) -> str:
        args = ", ".join(self.value(s, t, d - 1) for t in f.params)
        return f"{f.name}({args})" if f.params else f.name

    def players_named(self, s: Scope) -> list[str]:
        found = [*self.world.players.names]
        if s.me:
            found += ["me", "me"] + (["rival", "rival"] if self.world.players.size == 2 else [])
        return found

    # -------------------------------------------------------------------------------------------------- numbers

    def number(self, s: Scope, d: int) -> Number:
        makers: list[tuple[int, Callable[[Scope, int], Number]]] = [(2, self._literal), (7, self._number_read)]
        if d > 0:
            makers += [
                (4, self._counted),
                (3, self._sum_or_difference),
                (2, self._product),
                (2, self._least_or_most),
                (2, self._divided),
                (1, self._negated),
                (2, self._number_if),
                (2, self._folded),
                (2, self._place_number),
            ]
        text, low, high = self.pick.weighted(*makers)(s, d)
        if max(abs(low), abs(high)) > LARGE:
            return f"min(max({text}, -9), 9)", -9, 9
        return text, low, high

    def _literal(self, s: Scope, d: int) -> Number:
        n = self.pick.of([127, 128, 255, 256, 1000, 40_000]) if self.pick.maybe(6) else self.pick.below(4)
        return str(n), n, n

    def _number_read(self, s: Scope, d: int) -> Number:
        found: list[Number] = []
        for name, t in (*s.locals, *self.world.given):
            if isinstance(t, Num):
                found.append((name, t.low, t.high))
            if isinstance(t, Elem) and t.dom.low is not None:
                found.append((name, t.dom.low, t.dom.low + t.dom.size - 1))
        for v in self.world.variables:
            if isinstance(v.type, Num) and (d > 0 or all(self._at_hand(s, k) for k in v.keys)):
                found.append((self.keyed(s, v.name, v.keys, d), v.type.low, v.type.high))
        if d > 0:
            for f in self.world.defines:
                if isinstance(f.result, Num) and (s.me or not f.needs_me):
                    found += [(self.call(s, f, d), f.result.low, f.result.high)] * 2
        return self.pick.of(found) if found else self._literal(s, d)

    def _counted(self, s: Scope, d: int) -> Number:
        if self.world.stacks and self.pick.maybe(20):
            return self._counted_in_stack(s, d)
        dom = self.some_dom()
        if self.pick.maybe(40) and s.cost * dom.size <= MOST_ROUNDS:
            name = self.pick.name()
            body = self.truth(s.bind(name, Elem(dom), dom.size), d - 1)
            return f"(count {name} in {self.members(s, dom, d - 1)}: {body})", 0, dom.size
        return f"count({self.members(s, dom, d - 1)})", 0, dom.size

    def _counted_in_stack(self, s: Scope, d: int) -> Number:
        k, name = self.pick.of(self.world.stacks), self.pick.name()
        inner, pile = s.bind(name, k.inner, STACKED), self.keyed(s, k.name, k.keys, d)
        if self.pick.maybe(60):
            return f"(count {name} in {pile}: {self.truth(inner, d - 1)})", 0, STACKED
        text, low, high = self.number(inner, d - 1)
        where = f": ({self.truth(inner, d - 1)})" if self.pick.maybe(40) else ""
        return f"(sum of {text} for {name} in {pile}{where})", min(0, low * STACKED), max(0, high * STACKED)

    def _sum_or_difference(self, s: Scope, d: int) -> Number:
        (a, al, ah), (b, bl, bh) = self.number(s, d - 1), self.number(s, d - 1)
        if self.pick.maybe(50):
            return f"({a} - {b})", al - bh, ah - bl
        return f"({a} + {b})", al + bl, ah + bh

    def _product(self, s: Scope, d: int) -> Number:
        (a, al, ah), (b, bl, bh) = self.number(s, d - 1), self.number(s, d - 1)
        corners = (al * bl, al * bh, ah * bl, ah * bh)
        if max(map(abs, corners)) > LARGE:
            return a, al, ah
        return f"({a} * {b})", min(corners), max(corners)

    def _least_or_most(self, s: Scope, d: int) -> Number:
        (a, al, ah), (b, bl, bh) = self.number(s, d - 1), self.number(s, d - 1)
        if self.pick.maybe(20):
            return f"abs({a})", 0, max(abs(al), abs(ah))
        if self.pick.maybe(50):
            return f"max({a}, {b})", max(al, bl), max(ah, bh)
        return f"min({a}, {b})", min(al, bl), min(ah, bh)

    def _divided(self, s: Scope, d: int) -> Number:
        a, al, ah = self.number(s, d - 1)
        b, bl, bh = self.number(s, d - 1)
        if bl <= 0:
            b, bl, bh = f"max({b}, 2)", 2, max(bh, 2)
        if self.pick.maybe(50):
            return f"({a} mod {b})", 0, min(bh - 1, ah) if al >= 0 else bh - 1
        return f"({a} div {b})", min(al // bl, al // bh), max(ah // bl, ah // bh)

    def _negated(self, s: Scope, d: int) -> Number:
        a, low, high = self.number(s, d - 1)
        return f"(-{a})", -high, -low

    def _number_if(self, s: Scope, d: int) -> Number:
        c = self.truth(s, d - 1)
        (a, al, ah), (b, bl, bh) = self.number(s, d - 1), self.number(s, d - 1)
        return f"(if {c} then {a} else {b})", min(al, bl), max(ah, bh)

    def _folded(self, s: Scope, d: int) -> Number:
        dom = self.some_dom()
        if s.cost * dom.size > MOST_ROUNDS:
            return self._literal(s, d)
        name = self.pick.name()
        over = self.members(s, dom, d - 1)
        inner = s.bind(name, Elem(dom), dom.size)
        body, low, high = self.number(inner, d - 1)
        where = f": ({self.truth(inner, d - 1)})" if self.pick.maybe(40) else ""
        if self.pick.maybe(30) and not s.this:  # nothing to take the max of is a rules error
            kind = self.pick.of(["max", "min"])
            match self.pick.below(8):
                case 0:
                    return f"({kind} of {body} for {name} in {over}{where})", low, high
                case 1 | 2:
                    other, least, most = self.number(s, d - 1)
                    text = f"({kind} of {body} for {name} in {over}{where} or {other})"
                    return text, min(low, least), max(high, most)
            return f"({kind} of {body} for {name} in {dom.full})", low, high
        if max(abs(low), abs(high)) * dom.size > LARGE:
            return self._literal(s, d)
        return f"(sum of {body} for {name} in {over}{where})", min(0, low * dom.size), max(0, high * dom.size)

    def _place_number(self, s: Scope, d: int) -> Number:
        w, found = self.world, list[Number]()
        doms = [x for x in w.doms if x.low is None]
        dom = self.pick.of(doms)
        found.append((f"number({self.element(s, dom, d - 1)})", 1, dom.size))
        if w.cell is not None:
            a, b = self.element(s, w.cell, d - 1), self.element(s, w.cell, d - 1)
            found.append((f"distance({a}, {b})", 0, w.cell.size))
            if w.board in ("grid", "hex"):
                found += [(f"row({a})", 1, 9), (f"column({a})", 1, 9)]
            if any(p.place == w.cell for p in w.pieces):
                found.append((f"height({a})", 0, 9))
        for k in w.stacks:
            found.append((f"height({self.keyed(s, k.name, k.keys, d)})", 0, 3))
        for p in w.pieces:
            if p.each:
                found.append((f"supply({self.owned(s, p.name, p.owned)})", 0, 4))
        return self.pick.of(found)

    def owned(self, s: Scope, name: str, owned: bool) -> str:
        return f"{name}[{self.pick.of(self.players_named(s))}]" if owned else name

    def number_in(self, s: Scope, low: int, high: int, d: int) -> str:
        """A number for a variable of this range; now and then one that may be out of it."""
        text, least, most = self.number(s, d)
        if low <= least and most <= high:
            return text
        if not (most < low or least > high) and self.pick.maybe(15):
            return text
        if least < low:
            text = f"max({text}, {low})"
        if most > high:
            text = f"min({text}, {high})"
        return text

    # ------------------------------------------------------------------------------------------------- elements

    def some_dom(self) -> Dom:
        return self.pick.of(self.world.doms)

    def element(self, s: Scope, dom: Dom, d: int) -> str:
        if dom.low is not None and self.pick.maybe(60):
            return self.number_in(s, dom.low, dom.low + dom.size - 1, d)
        w, plain = self.world, list(self.players_named(s) if dom == self.world.players else dom.names)
        named = [n for n, t in s.locals if t == Elem(dom)]
        found = [*named * 4, *plain[:2]] if named else [*plain]
        if d >= 0:
            found += [r for r in self.reads(s, Elem(dom), d - 1) if r not in named]
            if self.pick.maybe(25):
                found = [self._made(s, dom, d)]
            elif self.pick.maybe(5):
                found = [self.risky(s, dom, d)]
        if not found:
            return f"the({dom.full})"
        if dom == w.players and s.me and self.pick.maybe(30):
            return "me"
        return self.pick.of(found)

    def _made(self, s: Scope, dom: Dom, d: int) -> str:
        if dom.low is not None:
            return self.number_in(s, dom.low, dom.low + dom.size - 1, d)
        first = self.element(s, dom, d - 1)
        if dom == self.world.players and self.pick.maybe(60):
            return f"next({first})"
        if dom.size == 2 and dom.type != "bool" and self.pick.maybe(60):
            return f"other({first})"
        return f"(if {self.truth(s, d - 1)} then {first} else {self.element(s, dom, d - 1)})"

    def risky(self, s: Scope, dom: Dom, d: int) -> str:
        """An element that may turn out not to exist: a rules error then."""
        found = [f"the({self.members(s, dom, d - 1)})"]
        if dom.low is None:
            found.append(self.optional(s, Elem(dom), d - 1))
        for k in self.world.stacks:
            if k.inner == Elem(dom):
                found.append(f"top({self.keyed(s, k.name, k.keys, d)})")
        text = self.pick.of(found)
        return f"the({dom.full})" if text == "none" else text

    # ------------------------------------------------------------------------------------------------ optionals

    def optional(self, s: Scope, inner: Bool | Num | Elem, d: int) -> str:
        found = ["none", self.value(s, inner, d - 1), *self.reads(s, Opt(inner), d - 1) * 2]
        w = self.world
        if d > 0 and isinstance(inner, Elem) and w.cell is not None:
            a, b = self.element(s, w.cell, d - 1), self.element(s, w.cell, d - 1)
            ways = w.dom("direction")
            if inner.dom == w.cell and ways is not None:
                found += [f"step({a}, {self.element(s, ways, d - 1)})"] * 2
                found.append(f"step({a}, {self.pick.of(['2', '-1', '3'])} {self.pick.of(ways.names)})")
            if inner.dom == ways:
                found += [f"direction({a}, {b})"]
            if inner.dom.type == "edge":
                found += [f"edge_between({a}, {b})"]
        text = self.pick.of(found)
        if d > 1 and self.pick.maybe(10) and text != "none":
            return f"(if {self.truth(s, d - 1)} then {text} else none)"
        return text

    # ----------------------------------------------------------------------------------------------------- sets

    def members(self, s: Scope, dom: Dom, d: int) -> str:
        found = [dom.full, *self.reads(s, Set(dom), d - 1) * 2, *self._sets_at_hand(s, dom) * 2]
        if dom.low is None:
            found.append("{" + self.element(s, dom, d - 1) + "}")
        makers: list[tuple[int, Callable[[Scope, Dom, int], str]]] = [(4, lambda *_: self.pick.of(found))]
        if d > 0:
            makers += [(3, self._joined), (2, self._filter), (1, self._set_if), (2, self._around), (2, self._gathered)]
            makers.append((1, self._reached))
        return self.pick.weighted(*makers)(s, dom, d)

    def _sets_at_hand(self, s: Scope, dom: Dom) -> list[str]:
        w = self.world
        found = [name for name, of in w.sets if of == dom]
        found += [n for n, t in s.locals if isinstance(t, Elem) and t.dom.base == dom]
        found += [self.owned(s, p.name, p.owned) for p in w.pieces if p.place == dom] * 2
        if dom == w.players and s.results:
            found += [f"{r}.winners" for r in s.results]
        return found

    def _joined(self, s: Scope, dom: Dom, d: int) -> str:
        op = self.pick.of(["|", "&", "-"])
        return f"({self.members(s, dom, d - 1)} {op} {self.members(s, dom, d - 1)})"

    def _filter(self, s: Scope, dom: Dom, d: int) -> str:
        if s.cost * dom.size > MOST_ROUNDS:
            return dom.full
        name = self.pick.name()
        body = self.truth(s.bind(name, Elem(dom), dom.size), d - 1)
        return f"{{{name} in {self.members(s, dom, d - 1)}: {body}}}"

    def _set_if(self, s: Scope, dom: Dom, d: int) -> str:
        c = self.truth(s, d - 1)
        return f"(if {c} then {self.members(s, dom, d - 1)} else {self.members(s, dom, d - 1)})"

    def _around(self, s: Scope, dom: Dom, d: int) -> str:
        w = self.world
        if w.cell is None or dom not in (w.cell, w.dom("edge")):
            return self._joined(s, dom, d)
        a, b = self.element(s, w.cell, d - 1), self.element(s, w.cell, d - 1)
        if dom != w.cell:
            return f"sides({a})"
        found = [f"neighbors({a})", f"neighbors({a}, any)", f"component({a}, {self.members(s, dom, d - 1)})"]
        found.append(f"neighbors({self.members(s, dom, d - 1)})")
        adjacency = self.pick.of(["side", "corner", "any", "adjacent", "neighbors"])
        found.append(f"component({self.members(s, dom, d - 1)}, {self.members(s, dom, d - 1)}, {adjacency})")
        ways = w.dom("direction")
        if ways is not None:
            found += [f"ray({a}, {self.element(s, ways, d - 1)})", f"between({a}, {b})"]
            found.append(f"line({a}, {self.element(s, ways, d - 1)})")
            found.append(f"steps({a}, {self.members(s, ways, d - 1)})")
        if w.board == "grid":
            found.append(f"corners({a}, {b})")
        return self.pick.of(found)

    def _gathered(self, s: Scope, dom: Dom, d: int) -> str:
        if self.world.stacks and self.pick.maybe(20):
            piled = [k for k in self.world.stacks if k.inner == Elem(dom)]
            if piled:
                k, name = self.pick.of(piled), self.pick.name()
                body = self.truth(s.bind(name, k.inner, STACKED), d - 1)
                pile = self.keyed(s, k.name, k.keys, d)
                return self.pick.of([f"{{{name} in {pile}: {body}}}", f"{{{name} for {name} in {pile}: {body}}}"])
        over = self.some_dom()
        if s.cost * over.size > MOST_ROUNDS or dom.low is not None:
            return dom.full
        name = self.pick.name()
        inner = s.bind(name, Elem(over), over.size)
        source = self.members(s, over, d - 1)
        where = f": {self.truth(inner, d - 1)}" if self.pick.maybe(40) else ""
        if self.pick.maybe(40):
            return f"{{{self.element(inner, dom, d - 1)} for {name} in {source}{where}}}"
        return f"(union of {self.members(inner, dom, d - 1)} for {name} in {source}{where})"

    def _reached(self, s: Scope, dom: Dom, d: int) -> str:
        if s.cost * dom.size * 2 > MOST_ROUNDS or dom.low is not None:
            return dom.full
        name = self.pick.name()
        inner = s.bind(name, Elem(dom), dom.size)
        where = f": {self.truth(inner, d - 1)}" if self.pick.maybe(40) else ""
        return f"(reach of {self.members(inner, dom, d - 1)} for {name} from {self.members(s, dom, d - 1)}{where})"

    # --------------------------------------------------------------------------------------------------- truths

    def truth(self, s: Scope, d: int) -> str:
        makers: list[tuple[int, Callable[[Scope, int], str]]] = [
            (1, lambda *_: self.pick.of(["yes", "no"])),
            (4, self._membership),
            (3, self._comparison),
        ]
        reads = self.reads(s, Bool(), d)
        if reads:
            makers.append((4, lambda *_: self.pick.of(reads)))
        if d > 0:
            makers += [
                (3, self._connected),
                (2, self._equal),
                (2, self._none),
                (3, self._sets_compared),
                (4, self._quantified),
                (1, self._truth_if),
                (2, self._related),
            ]
            if s.results:
                makers.append((2, self._outcome))
            if self.world.turns:
                makers.append((1, lambda *_: f"turn {self.pick.of(['<', '>=', '='])} {self.pick.upto(1, 5)}"))
            if self.world.notes and s.me:
                makers.append((1, lambda *_: f"repetition({self.pick.upto(1, 3)})"))
            if s.this or s.tries:
                makers.append((9, self._ahead))
            if self.world.stacks:
                makers.append((2, self._stacked))
        text = self.pick.weighted(*makers)(s, d)
        whole = " " not in text or (text[0] in "({" and text[-1] in ")}" and _one(text))
        return text if whole else f"({text})"

    def _stacked(self, s: Scope, d: int) -> str:
        """Something about what lies in a stack. Few levels may turn out to be empty: a rules error then."""
        k = self.pick.of(self.world.stacks)
        pile, value = self.keyed(s, k.name, k.keys, d), self.value(s, k.inner, d - 1)
        match self.pick.below(5):
            case 0:
                return f"{value} {self.pick.of(['in', 'not in'])} {pile}"
            case 1 if s.cost * STACKED * STACKED <= MOST_ROUNDS:
                a, b = self.pick.name(), self.pick.name()
                inner = s.bind(a, k.inner, STACKED).bind(b, k.inner, STACKED)
                return f"(some {self.pick.of(['distinct ', ''])}{a}, {b} in {pile}: {self.truth(inner, d - 1)})"
            case 2:
                level, low, high = self.number(s, d - 1)
                if self.pick.maybe(8) and high >= 1 and low <= STACKED:
                    return f"{pile} at {level} = {value}"
                level = str(self.pick.upto(1, STACKED)) if high < 1 or low > STACKED else level
                return f"(({level}) in 1..{STACKED} and {level} <= height({pile}) and {pile} at {level} = {value})"
            case _:
                name = self.pick.name()
                body = self.truth(s.bind(name, k.inner, STACKED), d - 1)
                return f"({self.pick.of(['some', 'every', 'no'])} {name} in {pile}: {body})"

    def _membership(self, s: Scope, d: int) -> str:
        dom = self.some_dom()
        word = self.pick.of(["in", "in", "not in"])
        if d > 0 and dom.low is None and self.pick.maybe(20):
            text = self.optional(s, Elem(dom), d - 1)
            if text != "none":
                return f"{text} {word} {self.members(s, dom, d - 1)}"
        if dom.low is not None and self.pick.maybe(50):
            return f"{self.number(s, d - 1)[0]} {word} {dom.full}"
        return f"{self.element(s, dom, d - 1)} {word} {self.members(s, dom, d - 1)}"

    def _comparison(self, s: Scope, d: int) -> str:
        op = self.pick.of(["=", "<", "<=", ">", ">=", "!="])
        left = self.number(s, d - 1) if self.pick.maybe(40) else self._number_read(s, d)
        return f"{left[0]} {op} {self.number(s, d - 1)[0]}"

    def _connected(self, s: Scope, d: int) -> str:
        if self.pick.maybe(20):
            return f"not {self.truth(s, d - 1)}"
        return f"{self.truth(s, d - 1)} {self.pick.of(['and', 'or'])} {self.truth(s, d - 1)}"

    def _equal(self, s: Scope, d: int) -> str:
        op = self.pick.of(["=", "!="])
        dom = self.some_dom()
        return f"{self.element(s, dom, d - 1)} {op} {self.element(s, dom, d - 1)}"

    def _none(self, s: Scope, d: int) -> str:
        known = [v for v in self.world.variables if isinstance(v.type, Opt)]
        if known and self.pick.maybe(60):
            v = self.pick.of(known)
            assert isinstance(v.type, Opt)
            text, inner = self.keyed(s, v.name, v.keys, d), v.type.inner
        elif self.world.cell is not None:
            inner = Elem(self.world.cell)
            text = self.optional(s, inner, d - 1)
            if text == "none" or text in self.world.cell.names or not text.startswith("step("):
                return self._comparison(s, d)
        else:
            return self._comparison(s, d)
        match self.pick.below(4):
            case 0:
                return f"{text} is none"
            case 1:
                return f"{text} is some"
            case 2:
                return f"{text} != {self.value(s, inner, d - 1)}"
            case _:
                return f"{text} = {self.value(s, inner, d - 1)}"

    def _sets_compared(self, s: Scope, d: int) -> str:
        dom = self.some_dom()
        op = self.pick.of(["within", "meets", "disjoint", "=", "!="])
        right = "{}" if op in "!=" and self.pick.maybe(30) else self.members(s, dom, d - 1)
        return f"{self.members(s, dom, d - 1)} {op} {right}"

    def _quantified(self, s: Scope, d: int) -> str:
        kind = self.pick.of(["some", "every", "no"])
        families = [f for f in self.world.families if s.cost * f.size <= MOST_ROUNDS]
        pairs = [x for x in self.world.doms if x.pair and s.cost * x.size <= MOST_ROUNDS]
        if families and self.pick.maybe(35):
            return self._over_lines(s, kind, self.pick.of(families), d)
        if pairs and self.pick.maybe(15):
            return self._over_pairs(s, kind, self.pick.of(pairs), d)
        dom = self.some_dom()
        if s.cost * dom.size > MOST_ROUNDS:
            return self._comparison(s, d)
        name = self.pick.name()
        over, inner = self.members(s, dom, d - 1), s.bind(name, Elem(dom), dom.size)
        if self.pick.maybe(15) and inner.cost * dom.size <= MOST_ROUNDS:
            other = self.pick.name()
            body = self.truth(inner.bind(other, Elem(dom), dom.size), d - 1)
            return f"({kind} {name}, {other} in {over}: {body})"
        return f"({kind} {name} in {over}: {self.truth(inner, d - 1)})"

    def _over_lines(self, s: Scope, kind: str, family: Dom, d: int) -> str:
        name = self.pick.name()
        assert family.base is not None
        inner = s.bind(name, Elem(family), family.size)
        if self.pick.maybe(60):
            rest = self.pick.of(["within", "meets", "disjoint"])
            return f"({kind} {name} in {family.full}: {name} {rest} {self.members(inner, family.base, d - 1)})"
        if self.pick.maybe(30) and family.full.startswith(("lines", "rows", "columns")) and self.world.board != "hex":
            a, b = self.pick.name(), self.pick.name()
            deep = inner.bind(a, Elem(family.base), 3).bind(b, Elem(family.base))
            return f"({kind} {name} in {family.full}: every ({a}, {b}) in steps({name}): {self.truth(deep, d - 1)})"
        return f"({kind} {name} in {family.full}: {self.truth(inner, d - 1)})"

    def _over_pairs(self, s: Scope, kind: str, dom: Dom, d: int) -> str:
        assert dom.pair is not None
        a, b = self.pick.name(), self.pick.name()
        inner = s.bind(a, Elem(dom.pair[0]), dom.size).bind(b, Elem(dom.pair[1]))
        return f"({kind} ({a}, {b}) in {dom.full}: {self.truth(inner, d - 1)})"

    def _truth_if(self, s: Scope, d: int) -> str:
        return f"(if {self.truth(s, d - 1)} then {self.truth(s, d - 1)} else {self.truth(s, d - 1)})"

    def _related(self, s: Scope, d: int) -> str:
        w = self.world
        if w.cell is None:
            return self._comparison(s, d)
        found = ["adjacent"]
        if w.board != "graph":
            found += ["aligned", "in_line"]
        if w.board in ("grid", "hex"):
            found += ["same_row", "same_column"]
        if self.pick.maybe(25):
            return f"connected({', '.join(self.members(s, w.cell, d - 1) for _ in range(3))})"
        return f"{self.pick.of(found)}({self.element(s, w.cell, d - 1)}, {self.element(s, w.cell, d - 1)})"

    def _outcome(self, s: Scope, d: int) -> str:
        r = self.pick.of(s.results)
        return self.pick.of([f"{r}.drawn", f"{r}.winner is some", f"{r}.winner = {self.world.players.names[0]}"])

    def _ahead(self, s: Scope, d: int) -> str:
        p, plain = self.pick, s.plain()
        if not s.tries or s.cost > 20 or (s.this and p.maybe(50)):
            if s.cost > 60:
                return self._comparison(s, d)
            word = "this" if s.this and p.maybe(70) else "waiting"
            return f"(after {word}: {self.truth(plain, d - 1)})"
        name = p.name("m")
        kinds = " | ".join(s.tries) if p.maybe(40) else p.of(s.tries)
        word = "attempts" if s.forbidding or p.maybe(20) else "moves"
        mover = self.element(plain, self.world.players, 0)
        body = f"after {name}: {self.truth(plain, d - 1)}" if p.maybe(80) else self.truth(plain, 1)
        if p.maybe(15):
            count = f"(count {name} in {word}({mover}, {kinds}): {body})"
            return f"{count} {p.of(['<', '>=', '='])} {p.below(4)}"
        return f"({p.of(['some', 'every', 'no'])} {name} in {word}({mover}, {kinds}): {body})"


def _one(text: str) -> bool:
    """Whether the brackets at both ends belong together."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "({") - (c in ")}")
        if depth == 0:
            return i == len(text) - 1
    return False


__all__ = ["Phrases", "numbers", "written"]
