"""A bound on the number of decisions in a game, by lexicographic ranking functions.

In a cycle of blocks, a measure (``play_measures.py``) that no step raises bounds the number of steps that lower it.
Between two of these, play stays in the cycles that remain without them. Their steps have their own measures, which can
start again each time, such as counters of rounds within rounds. A cycle in which players decide, but no measure falls,
leaves the length unbounded as far as this analysis can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, compress

from gamedsl.language.core import nodes as n
from gamedsl.language.core.known_members import facts_of_schema, is_never_legal
from gamedsl.language.core.play_measures import Measures, Name
from gamedsl.language.core.play_steps import Step
from gamedsl.language.core.traverse import reached, targets, terminator_tick, walk_statements


def longest_play(program: n.Program, chance: bool = False) -> int | None:
    """Returns an upper bound on the decisions in a game; None if the analysis finds none. A simultaneous choice is one
    decision, and chance makes none (with ``chance``: one per chance event).
    """
    blocks = (program.blocks[i] for i in sorted(reached(program, [program.entry])))
    return _most_decisions(program, [s for b in blocks for s in _steps(program, b, chance)])


def claimed_length(program: n.Program) -> int | None:
    """Returns the least bound of the claims ``ends within N plies`` about the whole game; None if there is no such
    claim.
    """
    bounds = [c.bound for c in program.claims if isinstance(c, n.Ends) and c.part == 0]
    return min((b.value for b in bounds if isinstance(b, n.Const)), default=None)


# ---------------------------------------------------------------------------------------------------------- the steps


def _steps(program: n.Program, block: n.Block, chance: bool) -> Iterator[Step]:
    """Yields the steps from a block."""
    tick = terminator_tick(block.end)
    sure = (*block.statements, *tick)
    match block.end:
        case n.Decide(alternatives=alternatives, may_pass=may_pass, stuck=stuck):
            for a in alternatives:
                if not is_never_legal(program.schemas[a.schema]):
                    yield _of_move(program, block, sure, a)
            if may_pass is not None:
                yield Step(block.index, may_pass, True, sure)
            if stuck is not None:
                yield Step(block.index, stuck, False, block.statements)
        case n.DecideTogether(alternatives=alternatives, target=target):
            maybe = tuple(chain.from_iterable(program.schemas[a.schema].effect for a in alternatives))
            registers = frozenset(v.index for a in alternatives for v in a.registers)
            yield Step(block.index, target, True, sure, maybe=maybe, chosen=registers)
        case n.Choose(var=var, target=target) | n.DecideDrawing(var=var, target=target):
            yield Step(block.index, target, True, sure, chosen=frozenset({var.index}))
        case n.Chance(result=var, target=target):
            yield Step(block.index, target, chance, sure, chosen=frozenset({var.index}))
        case _:
            for target in targets(block.end):
                yield Step(block.index, target, False, sure)


def _of_move(program: n.Program, block: n.Block, before: tuple[n.CoreStmt, ...], a: n.Alt) -> Step:
    """Returns the step of a kind of move. ``before``: the statements executed before its effect."""
    schema, facts = program.schemas[a.schema], tuple(facts_of_schema(program, program.schemas[a.schema]))
    if any(isinstance(s, n.StopS) for s in walk_statements(schema.effect)):  # statements after a stop are not certain
        return Step(block.index, a.target, True, before, maybe=schema.effect)
    registers = frozenset(v.index for v in a.registers)
    sure = before if a.registers else (*before, *schema.effect)
    return Step(block.index, a.target, True, sure, len(block.statements), facts, chosen=registers)


# ---------------------------------------------------------------------------------------------------------- the bound


def _most_decisions(program: n.Program, steps: Sequence[Step]) -> int | None:
    """Returns the greatest number of decisions by these steps; None if no bound is found."""
    first = _cycles(steps)
    weights: dict[int, int] = {}
    for one in {first[s.source] for s in steps if first[s.source] == first[s.target]}:
        inside = _inside(program, [s for s in steps if first[s.source] == first[s.target] == one])
        if inside is None:
            return None
        weights[one] = inside
    linking = [s for s in steps if first[s.source] != first[s.target]]
    return _longest([(first[s.source], first[s.target], s.decides) for s in linking], weights)


def _inside(program: n.Program, steps: Sequence[Step]) -> int | None:
    """Returns the greatest number of decisions while play stays in a cycle; None if no bound is found."""
    if not any(s.decides for s in steps):
        return 0
    measures = Measures(program, steps)
    names = sorted(measures.room)
    choices = [{name} for name in names] + ([set(names)] if len(names) > 1 else [])
    found = [number for chosen in choices if (number := _ranked(program, steps, measures, chosen)) is not None]
    return min(found, default=None)


def _ranked(program: n.Program, steps: Sequence[Step], measures: Measures, chosen: set[Name]) -> int | None:
    """Returns a bound on the decisions in a cycle by the sum of some measures, and by those of the steps that lower
    none of them.
    """
    falls = measures.falls(chosen)
    if not any(falls):
        return None
    between = _most_decisions(program, [s for s, low in zip(steps, falls, strict=True) if not low])
    if between is None:
        return None
    room, counted = sum(measures.room[name] for name in chosen), any(compress((s.decides for s in steps), falls))
    return room * counted + (room + 1) * between


def _cycles(steps: Sequence[Step]) -> dict[int, int]:
    """Returns, by block, the first of the blocks with which it is in a cycle (itself if it is in none)."""
    following: dict[int, set[int]] = {}
    for s in steps:
        following.setdefault(s.source, set()).add(s.target)
        following.setdefault(s.target, set())
    ahead = {i: _ahead(i, following) for i in following}
    return {i: min([i, *(j for j in ahead[i] if i in ahead[j])]) for i in following}


def _ahead(block: int, following: dict[int, set[int]]) -> set[int]:
    found: set[int] = set()
    todo = [block]
    while todo:
        new = following[todo.pop()] - found
        found |= new
        todo += new
    return found


def _longest(links: Sequence[tuple[int, int, bool]], weights: dict[int, int]) -> int:
    """Returns the greatest number of decisions on a path that links cycles, including those in the cycles."""
    best = dict(weights)
    for _ in range(len(links) + 1):  # Bellman-Ford, without cycles
        changed = False
        for source, target, decides in links:
            length = weights.get(source, 0) + decides + best.get(target, 0)
            if length > best.get(source, 0):
                best[source], changed = length, True
        if not changed:
            break
    return max(best.values(), default=0)
