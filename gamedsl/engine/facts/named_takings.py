"""The pieces that kinds of moves remove themselves, where the rules remove such pieces, too, whoever moves."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.core import walk, walk_statements


def named_takings(program: n.Program) -> dict[int, dict[int, int]]:
    """Per kind of piece (the number of its variable) what kinds of moves remove of it; without those that the rules remove for
    nobody but the player who moves: there, all pieces that disappear are taken."""
    pieces = [v for v in program.variables if v.role == "piece" and v.keys == (program.parts[v.part].players,)]
    return {v.index: named for v in pieces if (named := _named(program, v)) is not None}


def _named(program: n.Program, var: n.Var) -> dict[int, int] | None:
    """Per kind of move how many pieces of the other player it removes from a place that it names; None for a kind of piece
    that the rules remove for nobody but the player who moves: all that disappear are taken then."""
    flow = [s for b in program.blocks for s in walk_statements(b.statements)]
    if not any(isinstance(s, n.Assign) and s.var == var and _is_removal(s) and not _is_of_mover(s) for s in flow):
        return None
    if len(program.parts[var.part].players.names) != 2:
        return {}
    counts = {x.index: sum(_names_its_place(s, var) for s in x.effect) for x in program.schemas if x.part == var.part}
    return {schema: count for schema, count in counts.items() if count}


def _is_removal(s: n.Assign) -> bool:
    return not (isinstance(s.value, n.Op2) and s.value.op == "union")


def _is_of_mover(s: n.Assign) -> bool:
    """Whether the owner of the pieces depends on who moves."""
    return any(isinstance(e, n.Get) and e.var.role == "temp" for key in s.keys for e in walk(key))


def _names_its_place(s: n.CoreStmt, var: n.Var) -> bool:
    """Whether a statement removes one piece of another player from a place that the move names."""
    if not (isinstance(s, n.Assign) and s.var == var and isinstance(s.value, n.Op2) and s.value.op == "minus"):
        return False
    place = s.value.right
    return isinstance(s.keys[0], n.Lookup) and isinstance(place, n.Op1) and place.op == "single"
