"""Image fusion (deforestation of relational images): an image of an image becomes an image of the first set.

    union x in (union y in S: T(y)): L(x)
    →
    union y in S: (L ∘ T)(y)

Nearly the same holds for the x whose parts are all met, ``x not in union p in complement(union y in S: T(p)): of(p)``.
If each x has few parts, that set is the meet of as many images of S, and those x that are always in it together become
one. The rewrite is done if fewer words are looked up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.transform.converse_tables import converse
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import fold, map_children
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

NAMES = 5_000_000  # ids of the names made here


@lazy_dataclass(frozen=True)
class _Met:
    """A set of x: those for which every part in ``parts[x]``, a bit set of y, meets ``of``."""

    of: n.Expr
    domain: Domain
    parts: tuple[frozenset[int], ...]
    cost: int


def fuse_images(program: n.Program) -> n.Program:
    """Fuses images of images in the program's functions."""
    composed = ImageFusion()
    return replace(program, functions=tuple(replace(f, body=composed.expr(f.body)) for f in program.functions))


class ImageFusion:
    """Rewrites expressions. A set that is used several times gets a fresh name."""

    def __init__(self) -> None:
        self._names = NAMES

    def expr(self, e: n.Expr) -> n.Expr:
        """Fuses images of images in the expression."""
        found = self._fuse(e) if isinstance(e, n.Loop) else None
        return map_children(e if found is None else found, self.expr)

    def _fuse(self, e: n.Loop) -> n.Expr | None:
        """Fuses ``union x in (the elements that S meets): L(x)``."""
        image = _image(e)
        met = None if image is None else _met(image[0])
        if image is None or met is None or not isinstance(met.of.type, n.SetT):
            return None
        table = image[1]
        t, source = table.type, met.of.type.domain
        assert isinstance(t, n.SetT)
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
        name = n.Local(self._names, "from", met.of.type)
        whole = n.Op2("union", n.Const(always, t), several.image(n.Load(name)), t)
        first = _image_of(n.Load(name), n.TableData(f"{table.name} from there", (source,), t, tuple(single)))
        return n.LetE(name, met.of, fold(n.Op2("union", first if any(single) else n.Const(0, t), whole, t)))


class _Classes:
    """Equivalence classes of elements that need several parts to be met, and their images."""

    def __init__(self, source: Domain, t: n.SetT, groups: dict[frozenset[int], int]) -> None:
        self.t, self.source = t, source
        self.onward = tuple(groups.values())
        size = len(groups)
        self.domain = Domain("class", tuple(f"{i}" for i in range(1, size + 1)))
        most = max((len(p) for p in groups), default=0)
        padded = [(*(ordered := sorted(p)), *[ordered[-1]] * (most - len(p))) for p in groups]
        self.tables = [
            tuple(sum(1 << c for c in range(size) if padded[c][j] >> y & 1) for y in range(source.size))
            for j in range(most)
        ]

    @property
    def cost(self) -> int:
        size = len(self.onward)
        return len(self.tables) * _cost(self.source.size, size) + _cost(size, self.t.domain.size) if size else 0

    def image(self, over: n.Expr) -> n.Expr:
        """The image of the classes whose parts all meet a set."""
        if not self.onward:
            return n.Const(0, self.t)
        own = n.SetT(self.domain)
        met: n.Expr = n.Const(self.domain.full, own)
        for number, values in enumerate(self.tables, 1):
            met = n.Op2("meet", met, _image_of(over, n.TableData(f"met {number}", (self.source,), own, values)), own)
        return _image_of(fold(met), n.TableData("of class", (self.domain,), self.t, self.onward))


def _met(e: n.Expr) -> _Met | None:
    """The set as those elements whose parts all meet another set. Returns None if it has another form."""
    if isinstance(e, n.Loop):
        found = _image(e)
        if found is None:
            return None
        over, table = found
        assert isinstance(table.type, n.SetT)
        parts = tuple(frozenset((v,)) for v in converse(table, False).values)
        return _Met(over, table.type.domain, parts, _table_cost(table))
    match e:
        case n.Op1(op="complement", operand=n.Loop() as outer):
            found = _image(outer)
            if found is None or not isinstance(found[0], n.Op1) or found[0].op != "complement":
                return None
            inner, table = found[0].operand, found[1]
            met = _image(inner) if isinstance(inner, n.Loop) else None
            if met is None:
                return None
            assert isinstance(table.type, n.SetT)
            back, through = converse(table, False).values, converse(met[1], False).values
            if max(v.bit_count() for v in back) > cutoffs.FUSED_PARTS:
                return None
            parts = tuple(frozenset(through[p] for p in elements(v)) for v in back)
            return _Met(met[0], table.type.domain, parts, _table_cost(table) + _table_cost(met[1]))
        case _:
            return None


def _image(e: n.Loop) -> tuple[n.Expr, n.TableData] | None:
    """S and T of ``union x in S: T(x)``, or None."""
    match e:
        case n.Loop(
            kind="union", local=local, over=over, condition=None, body=n.Lookup(table=table, keys=(n.Load(local=key),))
        ):
            small = isinstance(table.type, n.SetT) and table.keys[0].size * table.type.domain.size <= cutoffs.WORK
            return (over, table) if small and key.id == local.id else None
        case _:
            return None


def _image_of(over: n.Expr, table: n.TableData) -> n.Loop:
    x = n.Local(NAMES, "x", n.ElemT(table.keys[0]))
    return n.Loop("union", x, over, None, n.Lookup(table, (n.Load(x),)), table.type)


def _least(parts: Iterable[int]) -> frozenset[int]:
    """The minimal parts: a part that contains another one is redundant."""
    found = set(parts)
    return frozenset(p for p in found if not any(q != p and q & ~p == 0 for q in found))


def _table_cost(table: n.TableData) -> int:
    assert isinstance(table.type, n.SetT)
    shifts = {y - x for x, v in enumerate(table.values) for y in elements(v)}
    own = _cost(table.keys[0].size, table.type.domain.size)
    return min(own, len(shifts)) if len(shifts) <= cutoffs.IMAGE_SHIFTS else own


def _cost(size: int, wide: int) -> int:
    """The number of words looked up for an image, by chunks of six elements for sets of one word and of four for
    larger ones."""
    return -(-size // (6 if size <= 64 else 4)) * -(-wide // 64)
