"""Block merging: equivalent blocks become one, by partition refinement as in the minimization of automata.

    block 3: decide X: place -> 4        turn 2
    block 7: decide X: place -> 8        turn 4, and 8 is to 7 what 4 is to 3
    →
    block 3: decide X: place -> 4

Two blocks are equivalent if they are alike except for names and have equivalent successors. ``specialize`` copies
blocks for control variables that turn out to make no difference. Without this pass, playouts are as fast but compiling
is slower.

Not done for programs without functions, in which blocks are cheap.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from gamedsl.compiler.transform.specialize import Specialization
from gamedsl.language.core import nodes as n
from gamedsl.language.core import targets
from gamedsl.language.source import Span


def merge_blocks(special: Specialization) -> Specialization:
    """Merges equivalent blocks. Leaves programs without functions as they are."""
    program = special.program
    if not program.functions:
        return special
    classes = _classes(program)
    first: dict[int, int] = {}
    for b, c in enumerate(classes):
        first.setdefault(c, b)
    number = {c: i for i, c in enumerate(first)}
    new = [number[c] for c in classes]
    blocks = tuple(_redirected(program.blocks[b], i, new) for i, b in enumerate(first.values()))
    places = tuple(special.places[b] for b in first.values())
    kept = set(first.values())
    also = tuple((new[b], *special.places[b]) for b in range(len(classes)) if b not in kept)
    used = {a.schema for b in blocks if isinstance(b.end, n.Decide) for a in b.end.alternatives}
    schemas = tuple(s if s.index in used else replace(s, plan=(), effect=()) for s in program.schemas)
    return Specialization(replace(program, blocks=blocks, schemas=schemas, entry=new[program.entry]), places, also)


def _classes(program: n.Program) -> list[int]:
    """The class number of each block. Blocks of a class are alike and have successors of the same classes."""
    contents = [_content(program, b) for b in program.blocks]
    classes = _numbered(contents)
    while True:
        finer = _numbered([(classes[b.index], *(classes[t] for t in targets(b.end))) for b in program.blocks])
        if max(finer) == max(classes):
            return finer
        classes = finer


def _numbered(keys: list[Any]) -> list[int]:
    known: dict[Any, int] = {}
    return [known.setdefault(k, len(known)) for k in keys]


def _content(program: n.Program, b: n.Block) -> Any:
    """The contents and the part of a block, without the numbers of blocks, schemas and names."""
    shape = _CanonicalForm()
    schemas: list[Any] = []
    if isinstance(b.end, n.Decide):
        schemas = [program.schemas[a.schema] for a in b.end.alternatives]
    moves = tuple(shape.of((s.name, s.me, s.params, s.plan, s.effect)) for s in schemas)
    registers = tuple(shape.of(a.registers) for a in b.end.alternatives) if isinstance(b.end, n.Decide) else ()
    return b.part, shape.of(b.statements), shape.of(_without_targets(b.end)), moves, registers


def _without_targets(end: n.Terminator) -> n.Terminator:
    end = end.redirected(lambda _: 0)
    return replace(end, alternatives=()) if isinstance(end, n.Decide) else end


def _redirected(b: n.Block, index: int, new: list[int]) -> n.Block:
    """Renumbers the block and its successors."""
    return replace(b, index=index, end=b.end.redirected(lambda target: new[target]))


class _CanonicalForm:
    """Turns nodes into tuples that are equal for alpha-equivalent nodes."""

    def __init__(self) -> None:
        self.names: dict[int, int] = {}

    def of(self, x: Any) -> Any:
        match x:
            case n.Local():
                return "name", self.names.setdefault(x.id, len(self.names))
            case n.Var():
                return "variable", x.index
            case n.TableData():
                return "table", x.values
            case Span():
                return None
            case tuple():
                return tuple(self.of(one) for one in x)
            case _ if is_dataclass(x) and not isinstance(x, type):
                parts = (getattr(x, f.name) for f in fields(x) if f.name not in ("span", "type"))
                return type(x).__name__, *(self.of(one) for one in parts)
            case _:
                return x
