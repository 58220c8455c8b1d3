"""Random control flow: phases, turns, decisions, chance, ends."""

from __future__ import annotations

from dataclasses import replace

from .deeds import Deeds, Lines, indented
from .words import Bool, Elem, Num, Opt, Scope, Single, Var, is_large


class Course:
    """``action``: the name of one that holds decisions and chance, if there is any; ``option``: what a part is given."""

    def __init__(self, deeds: Deeds, parts: tuple[str, ...] = (), option: str = "") -> None:
        self.deeds, self.parts, self.option = deeds, parts, option
        self.action = ""
        self.pick, self.world, self.say = deeds.pick, deeds.world, deeds.say

    def play(self) -> Lines:
        s = Scope()
        out: Lines = []
        if self.pick.maybe(35):
            out += self.setting(s)
        if self.pick.maybe(30):
            lines, s = self.prelude(s)
            out += lines
        out += self.phase(self.turns(s)) if self.pick.maybe(25) else self.turns(s)
        if self.parts and self.pick.maybe(75):
            lines, s = self.part(s)
            out += lines
        if self.action:
            out += [f"repeat {self.pick.upto(1, 3)} times", f"  {self.action}"]
        if self.pick.maybe(25):
            out += self.turns(s)
        return [*out, *self.ending(s)]

    def phase(self, lines: Lines) -> Lines:
        return [f"phase {self.pick.name('phase')}", *indented(lines)]

    # ----------------------------------------------------------------------------------------------------- before

    def setting(self, s: Scope) -> Lines:
        """Pieces on the board, values in the variables."""
        out: Lines = []
        for piece in self.world.pieces:
            if piece.place == self.world.cell and not piece.each and not piece.stacking:
                what = self.say.owned(s, piece.name, piece.owned)
                out.append(f"put {what} on ({self.say.members(s, piece.place, 1)} & empty)")
        for v in self.world.variables:
            if self.pick.maybe(40):
                out.append(f"set {self.say.keyed(s, v.name, v.keys, 1)} to {self.say.value(s, v.type, 1)}")
        return out

    def prelude(self, s: Scope) -> tuple[Lines, Scope]:
        out: Lines = []
        for _ in range(1 + self.pick.below(2)):
            match self.pick.weighted(
                (2, "deed"), (2, "lots"), (3, "choose"), (2, "everyone"), (1, "until"), (1, "each")
            ):
                case "deed":
                    lines, s = self.deeds.statement(s, 2)
                case "lots":
                    lines, s = self.deeds.lots(s, 1)
                case "choose":
                    lines = self.choose(s, self.pick.of(self.world.players.names))
                case "everyone":
                    lines = self.everyone(s)
                case "until":
                    name = self.pick.name("r")
                    lines = ["repeat", f"  roll d3 -> {name}", f"until {name} > 1"]
                    s = s.bind(name, Num(1, 3))
                case _:
                    name = self.pick.name("p")
                    inner = s.bind(name, Elem(self.world.players))
                    lines = [f"for {name} in players", *indented(self.choose(inner, name))]
            out += lines
        return out, s

    def choose(self, s: Scope, who: str) -> Lines:
        found = [v for v in self.world.variables if self._choosable(v)]
        if not found:
            return [f"{who} passes"]
        v = self.pick.of(found)
        inner = v.type.inner if isinstance(v.type, Opt) else v.type
        place = self.say.keyed(s, v.name, v.keys, 1)
        source = ""
        if isinstance(inner, Elem) and self.pick.maybe(50):
            part = self.say.members(s, inner.dom, 1)
            full = inner.dom.full
            source = (
                f" from (if {part} meets {full} then {part} else {full})" if not self.pick.maybe(6) else f" from {part}"
            )
        if isinstance(inner, Num) and self.pick.maybe(30):
            source = f" from {{{inner.low}, {inner.high}}}"
        return [f"{who} chooses {place}{source}"]

    def _choosable(self, v: Var) -> bool:
        inner = v.type.inner if isinstance(v.type, Opt) else v.type
        return isinstance(inner, Bool | Num | Elem) and not is_large(inner)

    def everyone(self, s: Scope) -> Lines:
        plain = [m.name for m in self.world.moves if not m.chance]
        if not plain:
            return [f"{self.world.players.names[0]} passes"]
        kinds = " | ".join(plain) if self.pick.maybe(40) else self.pick.of(plain)
        group = ""
        if self.pick.maybe(40):
            group = f" in {self.say.members(s, self.world.players, 1)}"
        return [f"everyone{group} plays {kinds}"]

    # ------------------------------------------------------------------------------------------------------ turns

    def turns(self, s: Scope) -> Lines:
        head = f"turns from {self.say.element(s, self.world.players, 1)}"
        inner = replace(s, me=True)
        until = self.pick.maybe(30)
        if not until or not self.pick.maybe(2):
            head += f", {self.pick.upto(2, 12)} times"
        if until:
            head += f" until {self.say.truth(inner, 2)}"
        return [head, *indented(self.turn(inner))]

    def turn(self, s: Scope) -> Lines:
        out: Lines = []
        if self.world.notes:
            out += ["note position"] if self.pick.maybe(90) else [f"if {self.say.truth(s, 1)}", "  note position"]
        if self.pick.maybe(15):
            lines, s = self.deeds.statement(s, 2)
            out += lines
        if self.pick.maybe(15):
            lines, s = self.deeds.lots(s, 2)
            out += lines
        out += self.plays(s)
        if self.pick.maybe(25):
            lines, s = self.deeds.statement(s, 2)
            out += lines
        if self.pick.maybe(20):
            out += self.plays(s) if self.pick.maybe(60) else self.choose(s, "me")
        if self.pick.maybe(10):
            out += self.everyone(s)
        if self.pick.maybe(35):
            out += [f"if {self.say.truth(s, 2)}", *indented(self.leap(s))]
        if self.pick.maybe(10):
            name = self.pick.name("p")
            inner = s.bind(name, Elem(self.world.players))
            out += [
                f"for {name} in players",
                f"  if {self.say.truth(inner, 1)}",
                *indented(indented(self.choose(inner, name))),
            ]
        if self.pick.maybe(8):
            out.append(self.pick.of(["skip", "again"]))
        return out

    def leap(self, s: Scope) -> Lines:
        """A statement after which nothing follows."""
        found = ["skip", "again", "skip", "draw", "win me", "lose me"]
        if self.pick.maybe(15):
            found = [f"win {self.say.members(s, self.world.players, 1)}"]
        return [self.pick.of(found)]

    def plays(self, s: Scope) -> Lines:
        moves = self.world.moves
        some = [m.name for m in moves if self.pick.maybe(60)]
        who = "me" if self.pick.maybe(85) else self.pick.of(self.world.players.names)
        out = [f"{who} plays {' | '.join(some or [moves[0].name])}"]
        if self.pick.maybe(25):
            out.append("  may pass")
        if self.pick.maybe(92):
            inside = self.deeds.statement(s, 1)[0] if self.pick.maybe(30) else []
            leap = self.leap(s) if self.pick.maybe(60) or not inside else []
            out += ["  stuck", *indented(indented([*inside, *leap]))]
        return out

    def part(self, s: Scope) -> tuple[Lines, Scope]:
        name = self.pick.name("out")
        part = self.pick.of(self.parts)
        names = self.world.players.names
        line = f"play {part}"
        if self.pick.maybe(50):
            order = list(names)
            if self.pick.maybe(50):
                order.reverse()
            given = [f"{part}{i + 1} = {n}" for i, n in enumerate(order)]
            if len(names) == 2 and self.pick.maybe(40):
                v = next((v for v in self.world.variables if v.type == Elem(self.world.players) and not v.keys), None)
                if v is not None:
                    given = [f"{part}1 = {v.name}", f"{part}2 = rival({v.name})"]
            if self.option:
                given.append(f"{self.option} = {self.say.number_in(s, 0, 5, 1)}")
            line += f" with {', '.join(given)}"
        out = [f"{line} -> {name}"]
        s = replace(s, results=(*s.results, name))
        if self.pick.maybe(60):
            out += [f"if {name}.winner is some", f"  win {name}.winner"]
        return out, s

    # -------------------------------------------------------------------------------------------------------- ends

    def ending(self, s: Scope) -> Lines:
        by = [
            v.name
            for v in self.world.variables
            if v.name[0] != "." and v.keys == (self.world.players,) and isinstance(v.type, Num)
        ]
        by += [
            f.name
            for f in self.world.defines
            if f.params == (Elem(self.world.players),) and isinstance(f.result, Num) and not f.needs_me
        ]
        by += [p.name for p in self.world.pieces if p.owned]
        if by and self.pick.maybe(60):
            return [f"{self.pick.of(['rank', 'share', 'score'])} by {self.pick.of(by)}"]
        if self.pick.maybe(50):
            who = self.say.members(s, self.world.players, 2)
            return [f"{self.pick.of(['win', 'lose'])} {who}"]
        return ["draw"]


__all__ = ["Course", "Single"]
