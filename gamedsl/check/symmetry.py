"""Symmetries of a ruleset: ways to turn its boards and change its players' seats that leave every rule as it is.

A candidate is a turn or reflection of the boards together with a permutation of the players. It counts only when it maps
the Core to itself: every constant, table, move, condition, effect and result that can matter after the first position
(``symmetry_core`` looks at them all). So a wrong guess costs nothing but the reduction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product
from math import cos, pi, sin, sqrt
from typing import TypeAlias

from gamedsl.boards.domains import Board, Domain, Family, elements
from gamedsl.core.nodes import ElemT, Expr, OptT, Program, SetT, StackT, TableData, VarT
from gamedsl.core.traverse import walk

Permutation: TypeAlias = tuple[int, ...]
Matrix: TypeAlias = tuple[float, float, float, float]
MOST_PLAYERS = 4
MOST = 48  # candidates tried


class NoSymmetry(Exception):
    """This candidate does not map a domain to itself."""


@dataclass
class Turn:
    """A candidate: a linear map of the boards' planes and a permutation of the players, and with them what becomes of the
    elements of every domain."""

    program: Program
    matrix: Matrix
    seats: Permutation
    known: dict[Domain, Permutation] = field(default_factory=dict)

    def of(self, domain: Domain) -> Permutation:
        """Where each element of a domain goes. Domains that have nothing to do with boards or players stay."""
        found = self.known.get(domain)
        if found is None:
            found = self.known[domain] = self._found(domain)
        return found

    def _found(self, domain: Domain) -> Permutation:
        if domain == self.program.players:
            return self.seats
        if isinstance(domain, Family):
            return self._family(domain)
        if domain.components:
            return self._product(domain)
        for part in self.program.parts:
            if part.board is not None and domain in part.board.domains.values():
                moved = on_board(part.board, domain, self.matrix)
                if moved is not None:
                    return moved
        return tuple(range(domain.size))

    def _family(self, domain: Family) -> Permutation:
        number = {m: i for i, m in enumerate(domain.members)}
        try:
            return tuple(number[self.set_of(domain.base, m)] for m in domain.members)
        except KeyError:
            raise NoSymmetry(domain.name) from None

    def _product(self, domain: Domain) -> Permutation:
        rows = list(zip(*(indices for _, indices in domain.components), strict=True))
        number = {row: i for i, row in enumerate(rows)}
        moves = [self.of(factor) for factor, _ in domain.components]
        try:
            return tuple(number[tuple(m[x] for m, x in zip(moves, row, strict=True))] for row in rows)
        except KeyError:
            raise NoSymmetry(domain.name) from None

    def set_of(self, domain: Domain, members: int) -> int:
        """Where a set over a domain goes."""
        moved = self.of(domain)
        return sum(1 << moved[i] for i in elements(members))

    def value(self, t: VarT, code: int) -> int:
        """Where a value of a type goes (numbers and yes or no stay)."""
        match t:
            case ElemT(domain):
                return self.of(domain)[code]
            case SetT(domain):
                return self.set_of(domain, code)
            case OptT(inner):
                return self.value(inner, code - 1) + 1 if code and isinstance(inner, ElemT) else code
            case StackT(inner, _):
                raise NoSymmetry("a stack has no single code")
            case _:
                return code

    def moves(self, domain: Domain) -> bool:
        """Does any element of the domain change places?"""
        return self.of(domain) != tuple(range(domain.size))

    @property
    def is_identity(self) -> bool:
        return not any(m != tuple(range(len(m))) for m in self.known.values())


def on_board(board: Board, domain: Domain, matrix: Matrix) -> Permutation | None:
    """Where the elements of a board's domain go when it is turned about its middle; None when they have no place.

    Raises ``NoSymmetry`` when the board does not come to lie on itself.
    """
    name = next(n for n, d in board.domains.items() if d == domain)
    try:
        places = [board.position(name, i) for i in range(domain.size)]
        middle = _middle([board.position(board.place, i) for i in range(board.domains[board.place].size)])
    except (ValueError, KeyError):
        return None
    if domain.components:
        return None
    tall = sqrt(3) / 2 if board.kind.startswith("hex") else 1.0
    number = {_key(x, y): i for i, (x, y) in enumerate(places)}
    if len(number) != len(places):
        return None
    found = []
    for x, y in places:
        dx, dy = x - middle[0], (y - middle[1]) * tall
        a, b, c, d = matrix
        at = number.get(_key(middle[0] + a * dx + b * dy, middle[1] + (c * dx + d * dy) / tall))
        if at is None:
            raise NoSymmetry(f"{name} does not come to lie on itself")
        found.append(at)
    return tuple(found)


def _middle(places: list[tuple[float, float]]) -> tuple[float, float]:
    n = max(1, len(places))
    return sum(x for x, _ in places) / n, sum(y for _, y in places) / n


def _key(x: float, y: float) -> tuple[int, int]:
    return round(x * 1000), round(y * 1000)


def matrices() -> Iterator[Matrix]:
    """Turns and reflections of the square and of the hexagon, the identity first."""
    seen: set[tuple[int, ...]] = set()
    for corners in (4, 6):
        for k in range(corners):
            for flip in (1.0, -1.0):
                angle = 2 * pi * k / corners
                m = (cos(angle), -sin(angle) * flip, sin(angle), cos(angle) * flip)
                key = tuple(round(x * 1000) for x in m)
                if key not in seen:
                    seen.add(key)
                    yield m


def candidates(program: Program) -> Iterator[Turn]:
    """All candidates that map the boards to themselves, the identity left out."""
    players = program.players.size
    seatings = list(permutations(range(players))) if players <= MOST_PLAYERS else [tuple(range(players))]
    tried = 0
    for matrix, seats in product(matrices(), seatings):
        turn = Turn(program, matrix, seats)
        try:
            for part in program.parts:
                if part.board is not None:
                    turn.of(part.board.domains[part.board.place])
            for domain in sorted(_domains(program), key=lambda d: d.name):
                turn.of(domain)
            settle_directions(turn)
        except NoSymmetry:
            continue
        if not turn.is_identity and tried < MOST:
            tried += 1
            yield turn


def _domains(program: Program) -> set[Domain]:
    """The domains of the variables and tables."""
    found: set[Domain] = set()
    for var in program.variables:
        found.update(var.keys)
        t = var.type.inner if isinstance(var.type, StackT) else var.type
        t = t.inner if isinstance(t, OptT) else t
        if isinstance(t, ElemT | SetT):
            found.add(t.domain)
    for table in tables(program):
        found.update(table.keys)
    return found


def tables(program: Program) -> list[TableData]:
    """The tables that the rules look something up in, each once."""
    from gamedsl.check.symmetry_core import expressions
    from gamedsl.core.nodes import Flood, Lookup

    found: dict[int, TableData] = {}
    for e in expressions(program):
        for x in walk(e):
            if isinstance(x, Lookup | Flood):
                found[id(x.table.values)] = x.table
    return list(found.values())


def settle_directions(turn: Turn) -> None:
    """Finds where the elements of further domains go (directions, say) from what the tables say of them: one goes to the
    element whose rows are the turned rows of its own. Where that is not so, they stay as they are."""
    known = tables(turn.program)
    for domain in sorted({k for t in known for k in t.keys}, key=lambda d: d.name):
        if domain == turn.program.players or isinstance(domain, Family) or domain.components or turn.moves(domain):
            continue
        about = [t for t in known if domain in t.keys and not _gives(t, domain) and t.keys.count(domain) == 1]
        before = [_rows(t, domain, None) for t in about]
        after = [_rows(t, domain, turn) for t in about]
        found: list[int] = []
        for i in range(domain.size):
            wanted = tuple(rows[i] for rows in after)
            same = [j for j in range(domain.size) if j not in found and tuple(rows[j] for rows in before) == wanted]
            found.append(i if i in same else same[0] if same else -1)
        if about and -1 not in found and len(set(found)) == domain.size:
            turn.known[domain] = tuple(found)


def _gives(table: TableData, domain: Domain) -> bool:
    t = table.type.inner if isinstance(table.type, OptT) else table.type
    return isinstance(t, ElemT | SetT) and t.domain == domain


def _rows(table: TableData, domain: Domain, turn: Turn | None) -> list[frozenset[tuple[tuple[int, ...], int]]]:
    """Per element of a key's domain what the table says with it: the other keys and the value, turned."""
    at = table.keys.index(domain)
    rows: list[set[tuple[tuple[int, ...], int]]] = [set() for _ in range(domain.size)]
    for keys, value in zip(product(*(range(k.size) for k in table.keys)), table.values, strict=True):
        others = [(d, k) for i, (d, k) in enumerate(zip(table.keys, keys, strict=True)) if i != at]
        if turn is None:
            rows[keys[at]].add((tuple(k for _, k in others), value))
        else:
            rows[keys[at]].add((tuple(turn.of(d)[k] for d, k in others), turn.value(table.type, value)))
    return [frozenset(r) for r in rows]


def symmetries(program: Program, asked: tuple[Expr, ...] = (), seats: bool = True) -> list[Turn]:
    """All symmetries, the identity left out. ``asked``: further expressions that they must leave as they are; without
    ``seats``: only those that leave the players as they are."""
    from gamedsl.check.symmetry_core import Core

    core = Core(program)
    plain = tuple(range(program.players.size))
    chosen = (turn for turn in candidates(program) if seats or turn.seats == plain)
    return [turn for turn in chosen if core.maps_to_itself(turn, asked)]
