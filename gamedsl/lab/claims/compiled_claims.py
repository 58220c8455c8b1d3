"""Evaluates claim conditions over many states at once, with code compiled like the rules."""

from __future__ import annotations

import numpy as np
from llvmlite import ir

from gamedsl.compiler import (
    I64,
    Code,
    Fn,
    Frame,
    boolean,
    const,
    has_cpu_feature,
    new_unit,
    object_code,
    set_words,
    switch_on_stop,
)
from gamedsl.lab.base import OVER, Clock, Ints
from gamedsl.lab.explore import NativeStore
from gamedsl.language.boards import elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core import substitute

AT_ONCE = 1 << 14  # states evaluated between two checks of the clock


class Asker:
    """A condition, or the set of winners at terminal states, compiled as an additional entry point of the rules."""

    def __init__(self, store: NativeStore, question: n.Expr | None) -> None:
        self.store = store
        program = store.game.program
        unit = new_unit(program, Frame(program))
        unit.has_deposit = has_cpu_feature("bmi2")
        unit.function(
            "ask",
            "ask",
            I64,
            [I64],
            lambda f, _: switch_on_stop(f, lambda b: _answer(f, b, question), const(0)),
            public=True,
        )
        unit.write_all()
        self._code = Code(object_code(str(unit.module)), ["ask"])

    def answers(self, chosen: Ints) -> tuple[Ints, int]:
        """Returns the answers in these states (0 or 1, or a set of winners as bits), and the index in ``chosen`` of
        the first state where evaluation fails (-1: none).
        """
        out = np.zeros(chosen.size, dtype=np.int64)
        return out, self.store.ask(self._code.addresses["ask"], chosen, out)


def _answer(f: Fn, block: n.Block, question: n.Expr | None) -> ir.Value | None:
    if question is None:
        return set_words(f, block.end.winners)[0] if isinstance(block.end, n.End) else None
    here = substitute(question, {OVER.id: n.Const(int(isinstance(block.end, n.End)), n.BoolT())})
    return f.builder.zext(boolean(f, here), I64)


def ends_by_winners(store: NativeStore, terminals: Ints, clock: Clock | None = None) -> set[frozenset[int]]:
    """Returns all sets of winners in these terminal states. Raises ``OutOfTime``."""
    asker, found = Asker(store, None), set[int]()
    for at in range(0, len(terminals), AT_ONCE):
        (clock or Clock()).check()
        found |= set(asker.answers(terminals[at : at + AT_ONCE])[0].tolist())
    return {frozenset(elements(w)) for w in found}
