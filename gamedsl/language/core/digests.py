"""Digests of programs. Programs with the same digest are the same game with the same notation."""

from __future__ import annotations

import hashlib

from gamedsl.language.boards import Plan
from gamedsl.language.core import nodes as n
from gamedsl.language.core.core_printer import print_core, print_meaning
from gamedsl.language.core.print_names import Names


def digest(program: n.Program) -> str:
    """Returns the SHA-256 of everything on which play and the notation of moves depend.

    Titles, messages, clauses, comments, source positions, the look, and the names of the file and of options do not
    count.
    """
    return _sha256(meaning(program))


def meaning(program: n.Program, names: type[Names] = Names) -> str:
    """Returns the text that is hashed. ``names`` determines how types and names are printed."""
    plans = [line for v in program.variables if isinstance(v.type, n.DrawingT) for line in _plan(v.type.plan)]
    return "\n".join([print_meaning(program, names), *plans])


def former_digest(program: n.Program) -> str:
    """Returns the digest that earlier versions stored in records and saves, of the whole printed Core."""
    return _sha256(print_core(program, former=True))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _plan(plan: object) -> list[str]:
    """Returns the conditions of a drawing, which the printed Core omits."""
    assert isinstance(plan, Plan)
    lines = [f"drawing up to {plan.limit}"]
    for stroke in plan.strokes:
        lines.append(f"stroke {stroke.name} {stroke.shape} across {stroke.across}")
        lines += [f"  {c.kind} {c.degrees} {' '.join(c.names)}" for c in stroke.conditions]
    return lines
