"""The pieces that a kind of move puts on the board and takes from it, read from its effect."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.boards import Domain, Family
from gamedsl.language.core import free_locals, substitute, walk_statements
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

LINES = {"edge", "point"}  # where pieces lie between the places that are named


@lazy_dataclass(frozen=True)
class PieceChange:
    """Pieces that an effect puts on ``places`` or takes from there. ``slot``: the keys of the variable that holds them,
    such as their owner."""

    var: n.Var
    slot: tuple[n.Expr, ...]
    places: n.Expr

    def is_at(self, param: n.CoreParam) -> bool:
        """Whether the places are those that a parameter names: a place, or all places of a line or a block."""
        if isinstance(param.local.type, n.ElemT) and isinstance(param.local.type.domain, Family):
            return self.depends_on(param)
        return (
            isinstance(self.places, n.Op1) and self.places.op == "single" and self.places.operand == n.Load(param.local)
        )

    def depends_on(self, param: n.CoreParam) -> bool:
        """Whether the places depend on a parameter."""
        return param.local.id in free_locals(self.places)


@lazy_dataclass(frozen=True)
class PieceChanges:
    """Everything that an effect may do to pieces, in the order of its statements."""

    put: tuple[PieceChange, ...]
    taken: tuple[PieceChange, ...]

    def moves(self, taken: PieceChange) -> bool:
        """Whether the effect puts pieces of the same owner somewhere, so that what it takes may be moved."""
        return any(put.slot == taken.slot for put in self.put)


def piece_changes(schema: n.Schema) -> PieceChanges:
    """The changes in the effect of a kind of move. Effects that chance takes part in are empty here."""
    found = list(_changes(schema))
    return PieceChanges(
        tuple(change for op, change in found if op == "union"), tuple(change for op, change in found if op == "minus")
    )


def _changes(schema: n.Schema) -> Iterator[tuple[str, PieceChange]]:
    bound: dict[int, n.Expr] = {}
    for s in walk_statements(schema.effect):
        match s:
            case n.LetS(local=local, value=value):
                bound[local.id] = substitute(value, bound)
            case n.Assign(var=var, keys=keys, value=n.Op2(op=op, left=n.Get() as before, right=places)) if (
                var.role == "piece" and before.var == var and op in ("union", "minus")
            ):
                yield op, PieceChange(var, keys, substitute(places, bound))
            case _:
                pass


def covered_change(schema: n.Schema, changes: PieceChanges) -> PieceChange | None:
    """The pieces that a move puts on edges or points if none of its parameters names any: they say best what it does."""
    named = {domain.name for p in schema.params if (domain := base_of(p.local.type)) is not None}
    own = [c for c in changes.put if (base := base_of(c.var.type)) is not None and base.name in LINES - named]
    return own[0] if schema.params and len(own) == 1 and any(own[0].depends_on(p) for p in schema.params) else None


def base_of(type: n.VarT) -> Domain | None:
    """The kind of place that a value names; None if it names none of a board."""
    match type:
        case n.OptT(inner):
            return base_of(inner)
        case n.ElemT(Family() as domain) | n.SetT(Family() as domain):
            return domain.base
        case n.ElemT(domain) | n.SetT(domain):
            return domain
        case _:
            return None
