"""Symmetries of a ruleset: permutations of its variables and of its domains' elements (cells, players, heaps ...) that
preserve every rule.

A symmetry maps the whole Core to itself: every constant, table, move, condition, effect and result that can matter
after the first stop (``core_terms`` encodes them, ``automorphisms`` finds the permutations). So it maps every
position to one with the corresponding actions and the same results, with players mapped; it need not fix the first
position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TypeAlias

from gamedsl.lab.base import Clock
from gamedsl.lab.symmetry.automorphisms import AutomorphismSearch, Exchange, Level
from gamedsl.lab.symmetry.core_terms import Core, blocks_after
from gamedsl.lab.symmetry.terms import NoSymmetry
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import is_stop
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

__all__ = ["Found", "NoSymmetry", "Permutation", "Symmetry", "find", "symmetries"]

Permutation: TypeAlias = tuple[int, ...]
MOST = 1_500  # maximum number of symmetries in use


@lazy_dataclass(frozen=True)
class Symmetry:
    """A permutation of the elements of the domains in variables and moves, and of the variables.

    ``stops``: the blocks at whose ends it may be used, since everything after them is mapped to itself.
    ``resting[b]``: variables that it leaves unchanged at the end of block b because they are dead there.
    """

    program: n.Program = field(repr=False, compare=False)
    domains: tuple[tuple[Domain, Permutation], ...] = field(repr=False)
    variables: Permutation
    seats: Permutation
    stops: frozenset[int]
    resting: tuple[frozenset[int], ...] = field(repr=False, compare=False)

    def of(self, domain: Domain) -> Permutation:
        """Returns the image of each element of a domain."""
        found = next((moved for d, moved in self.domains if d is domain or d == domain), None)
        return tuple(range(domain.size)) if found is None else found

    def set_of(self, domain: Domain, members: int) -> int:
        """Returns the image of a set over a domain."""
        moved = self.of(domain)
        return sum(1 << moved[i] for i in elements(members))

    def value(self, t: n.VarT, code: int) -> int:
        """Returns the image of a value (numbers and truth values are fixed). Raises ``NoSymmetry`` for a stack."""
        match t:
            case n.ElemT(domain):
                return self.of(domain)[code]
            case n.SetT(domain):
                return self.set_of(domain, code)
            case n.OptT(inner):
                return self.value(inner, code - 1) + 1 if code and isinstance(inner, n.ElemT) else code
            case n.StackT():
                raise NoSymmetry("a stack has no single code")
            case _:
                return code

    def moves(self, domain: Domain) -> bool:
        """Whether it moves any element of the domain."""
        return self.of(domain) != tuple(range(domain.size))

    @property
    def exchange(self) -> object:
        """The permutation, regardless of stops."""
        return self.domains, self.variables

    @property
    def key(self) -> str:
        """A string that identifies the symmetry within a program."""
        return f"{[moved for _, moved in self.domains]} {self.variables} {sorted(self.stops)}"

    def __str__(self) -> str:
        """Formats the exchanges as cycles: ``player: (first-second)``."""
        rounds = [f"{d.name}: {_rounds(d.names, moved)}" for d, moved in self.domains if self.moves(d)]
        names = tuple(v.name for v in self.program.variables)
        if self.variables != tuple(range(len(names))):
            rounds.append(f"variables: {_rounds(names, self.variables)}")
        return "; ".join(rounds)


def _rounds(names: Sequence[str], moved: Permutation) -> str:
    """Formats the cycles of a permutation."""
    found, seen = [], set[int]()
    for first in range(len(moved)):
        if first not in seen and moved[first] != first:
            here, line = first, [names[first]]
            while moved[here] != first:
                here = moved[here]
                line.append(names[here])
            found.append("-".join(line))
            seen |= {names.index(number) for number in line}
    return "(" + ") (".join(found) + ")"


@lazy_dataclass(frozen=True)
class Found:
    """The symmetries found.

    ``turns``: the symmetries without the identity, at most ``MOST`` from each stop. ``total``: their number,
    including the identity. ``why``: why none were sought.
    """

    turns: list[Symmetry]
    total: int = 1
    why: str = ""


def symmetries(program: n.Program, asked: tuple[n.Expr, ...] = (), seats: bool = True) -> list[Symmetry]:
    """Returns the symmetries except the identity (see ``Found``).

    ``asked``: further expressions that they must preserve; without ``seats``: only those that fix the players.
    """
    return find(program, asked, seats).turns


def find(program: n.Program, asked: tuple[n.Expr, ...] = (), seats: bool = True, clock: Clock | None = None) -> Found:
    """Like ``symmetries``, with additional information; none if the time runs out before they are found."""
    clock = clock or Clock()
    turns: dict[object, Symmetry] = {}
    total, why = 1, ""
    looked: set[frozenset[int]] = set()
    for b in program.blocks:
        after = blocks_after(program, b.index) | {b.index}
        if is_stop(b) and not isinstance(b.end, n.End) and after not in looked:
            looked.add(after)
            try:
                count, found = _at(Core(program, b.index, asked, seats), after, clock)
            except NoSymmetry as no:
                why = why or str(no)
                continue
            total = max(total, count)
            for turn in found:
                known = turns.get(turn.exchange)
                turns[turn.exchange] = turn if known is None else replace(turn, stops=turn.stops | known.stops)
    return Found(list(turns.values()), total, why)


def _at(core: Core, after: frozenset[int], clock: Clock) -> tuple[int, list[Symmetry]]:
    """Returns the number of symmetries from a stop on, and at most ``MOST`` of them except the identity."""
    levels = AutomorphismSearch(core.terms, clock=clock).levels()
    visible = _visible(core)
    chosen = _as_many_as_fit(levels, visible)
    stops = frozenset(i for i in after if is_stop(core.program.blocks[i]))
    return _order(levels, visible), [_turn(core, exchange, stops) for exchange in chosen]


def _as_many_as_fit(levels: list[Level], visible: list[int]) -> list[Exchange]:
    """Returns the permutations generated by the deepest levels, as many levels as yield at most ``MOST``.

    Levels of freely interchangeable points come last: they are numerous and rarely help.
    """
    taken: list[Level] = []
    group: list[Exchange] = []
    for free in (False, True):
        for level in (level for level in reversed(levels) if level.free == free):
            larger = _closure([*taken, level], visible, MOST) if len(group) < MOST else None
            if larger is None:
                break
            taken, group = [*taken, level], larger
    return group


def _visible(core: Core) -> list[int]:
    """Returns the points observable in a state or a choice: those of the variables' and parameters' domains."""
    domains = {core.program.players: None}
    for var in core.program.variables:
        domains |= dict.fromkeys(var.keys)
        domains |= _domain_of(var.type)
    for schema in core.program.schemas:
        for p in schema.params:
            domains |= _domain_of(p.local.type)
    points = [point for d in domains if d in core.elements for point in core.elements[d]]
    return [*points, *core.variables]


def _domain_of(t: n.VarT) -> dict[Domain, None]:
    t = t.inner if isinstance(t, n.OptT | n.StackT) else t
    return {t.domain: None} if isinstance(t, n.ElemT | n.SetT) else {}


def _order(levels: list[Level], visible: list[int]) -> int:
    """Returns the number of distinct symmetries on the observable points."""
    group = _closure(levels, visible, MOST)
    if group is not None:
        return len(group) + 1
    total = 1
    for level in levels:
        total *= level.size if level.point in visible else 1
    return total


def _closure(levels: list[Level], visible: list[int], most: int) -> list[Exchange] | None:
    """Returns all permutations generated by the levels, restricted to observable points, without the identity.

    None if there are more than ``most``.
    """
    makers = [tuple(g[p] for p in visible) for level in levels for g in level.found]
    place = {p: i for i, p in enumerate(visible)}
    start = tuple(visible)
    found, todo = {start: None}, [start]
    while todo:
        here = todo.pop()
        for g in makers:
            there = tuple(g[place[p]] for p in here)
            if there not in found:
                if len(found) > most:
                    return None
                found[there] = None
                todo.append(there)
    return [dict(zip(visible, there, strict=True)) for there in found if there != start]


def closed(turns: Sequence[Symmetry]) -> bool:
    """Whether these symmetries and the identity form a group (are closed under composition)."""
    domains = list(dict.fromkeys(d for t in turns for d, _ in t.domains))
    flat = {(*(t.of(d) for d in domains), t.variables) for t in turns}
    if not flat:
        return True
    same = tuple(tuple(range(len(part))) for part in next(iter(flat)))
    flat.add(same)
    made, makers = {same}, []
    for one in flat:
        if one not in made:
            makers.append(one)
            todo = [same]
            made = {same}
            while todo:
                here = todo.pop()
                for g in makers:
                    there = tuple(tuple(b[i] for i in a) for a, b in zip(here, g, strict=True))
                    if there not in made:
                        if there not in flat:
                            return False
                        made.add(there)
                        todo.append(there)
    return True


def _turn(core: Core, exchange: Exchange, stops: frozenset[int]) -> Symmetry:
    domains = []
    for domain, points in core.elements.items():
        if points and points[0] in exchange:
            number = {p: i for i, p in enumerate(points)}
            moved = tuple(number[exchange[p]] for p in points)
            if moved != tuple(range(len(points))):
                domains.append((domain, moved))
    order = {p: i for i, p in enumerate(core.variables)}
    variables = tuple(order[exchange[p]] for p in core.variables)
    seats = dict(domains).get(core.program.players, tuple(range(core.program.players.size)))
    domains.sort(key=lambda one: (one[0].name, one[0].names))
    return Symmetry(core.program, tuple(domains), variables, seats, stops, tuple(core.at_rest))
