"""Candidate invariants of positions where the game continues: guessed from playouts, to be proved by ``induction``.

Candidates are constant sums (pieces in hand, in the supply and on the board), disjoint or nested sets, numbers with
tighter bounds than their type, and values that never change, or not at some stops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from fractions import Fraction
from itertools import combinations
from math import lcm
from random import Random
from typing import TypeAlias

from gamedsl.engine import Game, codes_of
from gamedsl.engine import State as GameState
from gamedsl.lab.smt.encode import State
from gamedsl.lab.smt.smt_values import Value, and_, choose, known_count, not_, number, or_, same
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, lazy_dataclass

Formula: TypeAlias = Callable[[int, State], Value]  # a function of the stop's block and the position
Slot: TypeAlias = tuple[n.Var, int]
FEW = 4  # elements of a domain that are counted one by one
MOST_FEATURES = 70
MOST_TERMS = 12
MOST_SETS = 40
PLAYS, PLIES = 60, 80


@lazy_dataclass(frozen=True)
class Invariant:
    """A candidate. ``text``: in words. ``formula``: for z3."""

    text: str
    formula: Formula = field(compare=False, repr=False)
    at_end: bool = False  # whether it also concerns stops where the game is over


@lazy_dataclass(frozen=True)
class Feature:
    """A number computed from a position: its description, its value in an engine position, and its formula."""

    text: str
    of: Callable[[GameState], int]
    formula: Formula


def sampled(game: Game, seed: int = 0, plays: int = PLAYS) -> list[GameState]:
    """Returns distinct nonterminal positions of playouts, including the first."""
    found: dict[GameState, None] = {}
    for number_ in range(plays):
        rng = Random(f"invariants {seed} {number_}")
        try:
            state = game.initial_state()
            for _ in range(PLIES):
                if state.is_terminal or state.kind == "drawing":
                    break
                if not state.pending:
                    found[state] = None
                state = state.apply(state.propose(rng))
        except GameDSLError:
            continue
    return list(found)


def guessed(game: Game, states: list[GameState]) -> list[Invariant]:
    """Returns candidates that hold in all these positions."""
    if not states:
        return []
    found = [*_sums(game, states), *_sets(game, states), *_ranges(game, states), *_constants(game, states)]
    return list({i.text: i for i in found}.values())


def slots(program: n.Program) -> Iterator[Slot]:
    return ((v, slot) for v in program.variables for slot in range(v.slots))


def slot_name(slot: Slot) -> str:
    """Formats a slot: ``mark[X]``."""
    var, at = slot
    names = []
    for domain in reversed(var.keys):
        names.append(domain.names[at % domain.size])
        at //= domain.size
    return f"{var.name}[{', '.join(reversed(names))}]" if names else var.name


def code_of(state: GameState, slot: Slot) -> int:
    value: int = codes_of(state, slot[0])[slot[1]]
    return value


# ------------------------------------------------------------------------------------------------------------ sums


def _sums(game: Game, states: list[GameState]) -> Iterator[Invariant]:
    """Yields linear combinations of features with integer coefficients that are constant over all positions."""
    features = _features(game.program, states)
    if len(features) > MOST_FEATURES:
        return
    rows = {(*(f.of(s) for f in features), 1) for s in states}
    for row in _null_space(sorted(rows), len(features) + 1):
        terms = [(c, f) for c, f in zip(row, features, strict=False) if c]
        if 1 < len(terms) <= MOST_TERMS and max(map(abs, row)) < 1000:
            yield _sum(terms, -row[-1])


def _sum(terms: list[tuple[int, Feature]], total: int) -> Invariant:
    def formula(block: int, s: State) -> Value:
        value: Value = sum(c * f.formula(block, s) for c, f in terms)
        return value == total

    text = (
        " + ".join(f.text if c == 1 else f"{c} * {f.text}" for c, f in terms)
        .replace("+ -1 * ", "- ")
        .replace("+ -", "- ")
    )
    return Invariant(f"{text} = {total}", formula)


def _features(program: n.Program, states: list[GameState]) -> list[Feature]:
    found: list[Feature] = []
    for var in program.variables:
        if isinstance(var.type, n.IntT) and var.slots > 16:
            found.append(_whole(var))
        elif var.slots <= 16:
            found += [f for slot in range(var.slots) for f in _of_slot((var, slot))]
    blocks = sorted({s.block for s in states})[1:]
    found += [_at(b) for b in blocks]
    return [f for f in found if len({f.of(s) for s in states}) > 1]


def _whole(var: n.Var) -> Feature:
    return Feature(
        f"sum of {var.name}",
        lambda s: sum(codes_of(s, var)),
        lambda _, s: sum(s[var.index, slot] for slot in range(var.slots)),
    )


def _of_slot(slot: Slot) -> Iterator[Feature]:
    var, name, key = slot[0], slot_name(slot), (slot[0].index, slot[1])
    match var.type:
        case n.IntT():
            yield Feature(name, lambda s: code_of(s, slot), lambda _, s: s[key])
        case n.BoolT():
            yield Feature(name, lambda s: code_of(s, slot), lambda _, s: choose(s[key], 1, 0))
        case n.SetT():
            yield Feature(f"count({name})", lambda s: code_of(s, slot).bit_count(), lambda _, s: size_of(s[key]))
        case n.OptT():
            yield Feature(
                f"({name} is some)", lambda s: int(code_of(s, slot) > 0), lambda _, s: choose(s[key][0], 0, 1)
            )
        case n.ElemT(domain) if domain.size <= FEW:
            for i in range(domain.size - 1):
                yield _is_element(slot, i, domain.names[i])


def _is_element(slot: Slot, i: int, element: str) -> Feature:
    key = slot[0].index, slot[1]
    text = f"({slot_name(slot)} = {element})"
    return Feature(text, lambda s: int(code_of(s, slot) == i), lambda _, s: choose(s[key][i], 1, 0))


def _at(block: int) -> Feature:
    return Feature(f"(at {block})", lambda s: int(s.block == block), lambda at, _: int(at == block))


def size_of(x: list[Value]) -> Value:
    known = known_count(x)
    return sum(choose(b, 1, 0) for b in x) if known is None else known


def _null_space(rows: list[tuple[int, ...]], width: int) -> Iterator[tuple[int, ...]]:
    """Yields an integer basis of the null space of the rows (Gaussian elimination)."""
    basis: dict[int, list[Fraction]] = {}  # by pivot column
    for row in rows:
        new = [Fraction(x) for x in row]
        for column, known in basis.items():
            if new[column]:
                factor = new[column]
                new = [a - factor * b for a, b in zip(new, known, strict=True)]
        pivot = next((i for i, x in enumerate(new) if x), None)
        if pivot is not None:
            new = [x / new[pivot] for x in new]
            for column, known in basis.items():
                if known[pivot]:
                    basis[column] = [a - known[pivot] * b for a, b in zip(known, new, strict=True)]
            basis[pivot] = new
    for free in (i for i in range(width) if i not in basis):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for column, known in basis.items():
            vector[column] = -known[free]
        whole = lcm(*(x.denominator for x in vector))
        yield tuple(int(x * whole) for x in vector)


# ----------------------------------------------------------------------------------------------- sets and numbers


def _sets(game: Game, states: list[GameState]) -> Iterator[Invariant]:
    """Yields pairs of disjoint or nested sets."""
    sets = [slot for slot in slots(game.program) if isinstance(slot[0].type, n.SetT)]
    sets = [slot for slot in sets if any(code_of(s, slot) for s in states)]
    for a, b in combinations(sets[:MOST_SETS], 2):
        if a[0].type == b[0].type:
            pairs = [(code_of(s, a), code_of(s, b)) for s in states]
            if all(not x & y for x, y in pairs):
                yield Invariant(f"{slot_name(a)} disjoint {slot_name(b)}", _disjoint(a, b))
            for small, large, within in (
                (a, b, all(not x & ~y for x, y in pairs)),
                (b, a, all(not y & ~x for x, y in pairs)),
            ):
                if within:
                    yield Invariant(f"{slot_name(small)} within {slot_name(large)}", _within(small, large))


def _disjoint(a: Slot, b: Slot) -> Formula:
    def formula(_: int, s: State) -> Value:
        pairs = zip(s[a[0].index, a[1]], s[b[0].index, b[1]], strict=True)
        return and_([not_(and_([x, y])) for x, y in pairs])

    return formula


def _within(a: Slot, b: Slot) -> Formula:
    def formula(_: int, s: State) -> Value:
        pairs = zip(s[a[0].index, a[1]], s[b[0].index, b[1]], strict=True)
        return and_([or_([not_(x), y]) for x, y in pairs])

    return formula


def _ranges(game: Game, states: list[GameState]) -> Iterator[Invariant]:
    """Yields bounds of numbers that are tighter than those of their type."""
    for slot in slots(game.program):
        t = slot[0].type
        if isinstance(t, n.IntT) and slot[0].slots <= 32:
            values = [code_of(s, slot) for s in states]
            if min(values) > t.low:
                yield _bound(slot, min(values), least=True)
            if max(values) < t.high:
                yield _bound(slot, max(values), least=False)


def _bound(slot: Slot, bound: int, *, least: bool) -> Invariant:
    key = slot[0].index, slot[1]
    if least:
        return Invariant(f"{slot_name(slot)} >= {bound}", lambda _, s: s[key] >= bound)
    return Invariant(f"{slot_name(slot)} <= {bound}", lambda _, s: s[key] <= bound)


def _constants(game: Game, states: list[GameState]) -> Iterator[Invariant]:
    """Yields values that never change, and values that are always some, none, yes or no at a stop."""
    for slot in slots(game.program):
        t = slot[0].type
        if not isinstance(t, n.IntT | n.StoredT):
            codes = {code_of(s, slot) for s in states}
            if len(codes) == 1:
                yield Invariant(f"{slot_name(slot)} stays as it is", _is(slot, codes.pop()))
            elif isinstance(t, n.BoolT | n.OptT):
                yield from _at_stops(slot, states)


def _is(slot: Slot, code: int) -> Formula:
    var, key = slot[0], (slot[0].index, slot[1])
    return lambda _, s: same(s[key], number(var.type, code))


def _at_stops(slot: Slot, states: list[GameState]) -> Iterator[Invariant]:
    key, is_bool = (slot[0].index, slot[1]), isinstance(slot[0].type, n.BoolT)
    for block in sorted({s.block for s in states}):
        some = {code_of(s, slot) > 0 for s in states if s.block == block}
        if len(some) == 1:
            wanted = some.pop()

            def formula(at: int, s: State, block: int = block, wanted: bool = wanted) -> Value:
                holds = s[key] if is_bool else not_(s[key][0])
                return True if at != block else holds if wanted else not_(holds)

            word = ("yes" if wanted else "no") if is_bool else ("some" if wanted else "none")
            yield Invariant(f"{slot_name(slot)} is {word} at {block}", formula)
