"""Image fusion (deforestation of relational images): an image of an image becomes an image of the first set.

    union x in (union y in S: T(y)): L(x)
    →
    union y in S: (L ∘ T)(y)

Nearly the same holds for the x of which every part is met, ``x not in union p in complement(union y in S: T(p)): of(p)``: where each x has
few parts, it is the meet of as many images of S, and those x that are always in it together become one. Done where fewer words
are looked up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from gamedsl.boards import Domain, elements
from gamedsl.core import fold, map_children
from gamedsl.core.nodes import Const, ElemT, Expr, LetE, Load, Local, Lookup, Loop, Op1, Op2, Program, SetT, TableData
from gamedsl.native import cutoffs
from gamedsl.native.transform.converse_tables import converse

NAMES = 5_000_000  # ids of the names made here


@dataclass(frozen=True)
class _Met:
    """A set of x: those for which every part in ``parts[x]``, a bit set of y, meets ``of``."""

    of: Expr
    domain: Domain
    parts: tuple[frozenset[int], ...]
    cost: int


def fuse_images(program: Program) -> Program:
    """Fuses images of images in the program's functions."""
    composed = ImageFusion()
    return replace(program, functions=tuple(replace(f, body=composed.expr(f.body)) for f in program.functions))


class ImageFusion:
    """Rewrites expressions. A set that is used several times gets a fresh name."""

    def __init__(self) -> None:
        self._names = NAMES

    def expr(self, e: Expr) -> Expr:
        """Fuses images of images in the expression."""
        found = self._fused(e) if isinstance(e, Loop) else None
        return map_children(e if found is None else found, self.expr)

    def _fused(self, e: Loop) -> Expr | None:
        """Fuses ``union x in (what S meets): L(x)``."""
        image = _image(e)
        met = None if image is None else _met(image[0])
        if image is None or met is None or not isinstance(met.of.type, SetT):
            return None
        table = image[1]
        t, source = table.type, met.of.type.domain
        assert isinstance(t, SetT)
        groups: dict[frozenset[int], int] = defaultdict(int)
        for parts, onward in zip(met.parts, table.values, strict=True):
            groups[_least(parts)] |= onward
        always = groups.pop(frozenset(), 0)
        groups = {parts: onward for parts, onward in groups.items() if onward and 0 not in parts}
        single = [0] * source.size
        for parts in [p for p in groups if len(p) == 1]:
            onward = groups.pop(parts)
            for y in elements(*parts):
                single[y] |= onward
        several = _Classes(source, t, groups)
        if several.cost + (_cost(source.size, t.domain.size) if any(single) else 0) >= met.cost + _table_cost(table):
            return None
        self._names += 1
        name = Local(self._names, "from", met.of.type)
        whole = Op2("union", Const(always, t), several.image(Load(name)), t)
        first = _image_of(Load(name), TableData(f"{table.name} from there", (source,), t, tuple(single)))
        return LetE(name, met.of, fold(Op2("union", first if any(single) else Const(0, t), whole, t)))


class _Classes:
    """Equivalence classes of elements that need several parts to be met, and their images."""

    def __init__(self, source: Domain, t: SetT, groups: dict[frozenset[int], int]) -> None:
        self.t, self.source = t, source
        self.onward = tuple(groups.values())
        n = len(groups)
        self.domain = Domain("class", tuple(f"{i}" for i in range(1, n + 1)))
        most = max((len(p) for p in groups), default=0)
        padded = [(*(ordered := sorted(p)), *[ordered[-1]] * (most - len(p))) for p in groups]
        self.tables = [
            tuple(sum(1 << c for c in range(n) if padded[c][j] >> y & 1) for y in range(source.size))
            for j in range(most)
        ]

    @property
    def cost(self) -> int:
        n = len(self.onward)
        return len(self.tables) * _cost(self.source.size, n) + _cost(n, self.t.domain.size) if n else 0

    def image(self, over: Expr) -> Expr:
        """The image of the classes whose parts all meet a set."""
        if not self.onward:
            return Const(0, self.t)
        own = SetT(self.domain)
        met: Expr = Const(self.domain.full, own)
        for number, values in enumerate(self.tables, 1):
            met = Op2("meet", met, _image_of(over, TableData(f"met {number}", (self.source,), own, values)), own)
        return _image_of(fold(met), TableData("of class", (self.domain,), self.t, self.onward))


def _met(e: Expr) -> _Met | None:
    """The set as those elements whose parts all meet another set. Returns None if it has another form."""
    if isinstance(e, Loop):
        found = _image(e)
        if found is None:
            return None
        over, table = found
        assert isinstance(table.type, SetT)
        parts = tuple(frozenset((v,)) for v in converse(table, False).values)
        return _Met(over, table.type.domain, parts, _table_cost(table))
    match e:
        case Op1(op="complement", operand=Loop() as outer):
            found = _image(outer)
            if found is None or not isinstance(found[0], Op1) or found[0].op != "complement":
                return None
            inner, table = found[0].operand, found[1]
            met = _image(inner) if isinstance(inner, Loop) else None
            if met is None:
                return None
            assert isinstance(table.type, SetT)
            back, through = converse(table, False).values, converse(met[1], False).values
            if max(v.bit_count() for v in back) > cutoffs.FUSED_PARTS:
                return None
            parts = tuple(frozenset(through[p] for p in elements(v)) for v in back)
            return _Met(met[0], table.type.domain, parts, _table_cost(table) + _table_cost(met[1]))
        case _:
            return None


def _image(e: Loop) -> tuple[Expr, TableData] | None:
    """S and T of ``union x in S: T(x)``, or None."""
    match e:
        case Loop(
            kind="union", local=local, over=over, condition=None, body=Lookup(table=table, keys=(Load(local=key),))
        ):
            small = (
                isinstance(table.type, SetT)
                and max(table.keys[0].size, table.type.domain.size) <= cutoffs.FUSED_ELEMENTS
            )
            return (over, table) if small and key.id == local.id else None
        case _:
            return None


def _image_of(over: Expr, table: TableData) -> Loop:
    x = Local(NAMES, "x", ElemT(table.keys[0]))
    return Loop("union", x, over, None, Lookup(table, (Load(x),)), table.type)


def _least(parts: Iterable[int]) -> frozenset[int]:
    """The minimal parts: a part that contains another one is redundant."""
    found = set(parts)
    return frozenset(p for p in found if not any(q != p and q & ~p == 0 for q in found))


def _table_cost(table: TableData) -> int:
    assert isinstance(table.type, SetT)
    shifts = {y - x for x, v in enumerate(table.values) for y in elements(v)}
    own = _cost(table.keys[0].size, table.type.domain.size)
    return min(own, len(shifts)) if len(shifts) <= cutoffs.FUSED_SHIFTS else own


def _cost(size: int, wide: int) -> int:
    """The number of words looked up for an image, by chunks of six elements for sets of one word and of four for
    larger ones."""
    return -(-size // (6 if size <= 64 else 4)) * -(-wide // 64)
