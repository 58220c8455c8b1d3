"""``table`` → a constant function of the Core, evaluated on first use, so that the order of declarations does not
matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.lowering import as_plain, lower, lower_any, require
from gamedsl.language.rules.expressions.type_expressions import split_map
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import TableSym
from gamedsl.language.source import Label, Span
from gamedsl.language.syntax import ast, node_text

NAMED_KEYS = 5  # the number of keys without a row that a message names
Key = tuple[int, ...]


def table_of(env: Env, symbol: TableSym, span: Span) -> n.TableData:
    """Returns the values of a table; ``span`` is the place of its use."""
    ensure_table(env, symbol, span)
    assert symbol.data is not None
    return symbol.data


def ensure_table(env: Env, symbol: TableSym, span: Span) -> None:
    if symbol.state == "broken":
        raise Bail
    if symbol.state == "busy":
        env.report.fail("E0351", span, name=symbol.decl.name.id, cure="A table cannot. Write the values out.")
    if symbol.data is None:
        symbol.state = "busy"
        try:
            symbol.data = _Maker(env, symbol.decl).table()
            symbol.state = "done"
        except Bail:
            symbol.state = "broken"
            raise


class _Maker:
    """Fills in the table of one declaration, row by row."""

    def __init__(self, env: Env, decl: ast.TableDecl) -> None:
        self.env, self.decl, self.ctx = env, decl, Ctx("option")
        if not isinstance(decl.type, ast.MapType):
            env.report.fail("E0372", decl.type.span, name=decl.name.id, type=node_text(decl.type))
        keys, t = split_map(env, decl.type)
        if isinstance(t, n.StackT):
            env.report.fail("E0340", decl.type.span)
        self.keys = keys
        self.type: n.ValueT = t  # type: ignore[assignment]  # (it cannot be a drawing or a history)
        self.values: dict[Key, int] = {}
        self.rows: dict[Key, Span] = {}  # the place of each key

    def table(self) -> n.TableData:
        for i, row in enumerate(self.decl.rows):
            if not row.keys and i + 1 < len(self.decl.rows):
                self.env.report.fail("E0377", row.span)
            self.row(row)
        missing = [k for k in self.every() if k not in self.values]
        if missing:
            names = ", ".join(f"`{self.named(k)}`" for k in missing[:NAMED_KEYS])
            more = f" and {len(missing) - NAMED_KEYS} more" if len(missing) > NAMED_KEYS else ""
            example = f"{self.named(missing[0])}: ..."
            self.env.report.fail(
                "E0373", self.decl.name.span, name=self.decl.name.id, keys=names + more, row=example
            )  # fmt: skip
        return n.TableData(self.decl.name.id, self.keys, self.type, tuple(self.values[k] for k in self.every()))

    def every(self) -> Iterator[Key]:
        return product(*(range(k.size) for k in self.keys))

    def named(self, key: Key) -> str:
        return ", ".join(domain.names[i] for domain, i in zip(self.keys, key, strict=True))

    def row(self, row: ast.TableRow) -> None:
        given, wanted = len(row.keys), len(self.keys)
        if not row.keys:
            value = self.value(row, row.values)
            left = [k for k in self.every() if k not in self.values]
            if not left:
                self.env.report.fail("E0378", row.span, name=self.decl.name.id)
            self.values.update(dict.fromkeys(left, value))
        elif given == wanted:
            self.put(row, [self.key(e, d) for e, d in zip(row.keys, self.keys, strict=True)], row.values)
        elif given == wanted - 1:
            self.rest(row)
        else:
            place = row.keys[0].span.to(row.keys[-1].span)
            self.env.report.fail(
                "E0375", place, given=given, name=self.decl.name.id, count=wanted, shape=self.shape(row)
            )  # fmt: skip

    def shape(self, row: ast.TableRow) -> str:
        """Suggests a correct form for a row with the wrong number of keys."""
        if len(self.keys) == 1:
            return f"{{{', '.join(node_text(k) or '' for k in row.keys)}}}"
        names, t = [], self.decl.type
        while isinstance(t, ast.MapType):
            names.append((node_text(t.key) or "").upper())
            t = t.value
        return ", ".join(names)

    def rest(self, row: ast.TableRow) -> None:
        """Takes a row without the last key, which gives one value for each element of that key, in their order."""
        last = self.keys[-1]
        if len(row.values) != last.size:
            span = row.values[0].span.to(row.values[-1].span)
            self.env.report.fail("E0376", span, given=len(row.values), count=last.size, names=", ".join(last.names[:9]))
        keys = [self.key(e, d) for e, d in zip(row.keys, self.keys, strict=False)]
        for i, value in enumerate(row.values):
            self.put(row, [*keys, [i]], (value,))

    def put(self, row: ast.TableRow, keys: Sequence[Sequence[int]], values: Sequence[ast.Expr]) -> None:
        value = self.value(row, values)
        place = row.keys[0].span.to(row.keys[-1].span)
        for key in product(*keys):
            if key in self.values:
                label = Label(self.rows[key], "first given here")
                self.env.report.fail("E0374", place, labels=(label,), key=self.named(key))
            self.values[key] = value
            self.rows[key] = place

    def key(self, e: ast.Expr, domain: Domain) -> Sequence[int]:
        """Returns the elements that a key names: one, or those of a set."""
        value = fold(as_plain(self.env, lower_any(self.env, self.ctx, e, n.ElemT(domain)), e.span))
        several = isinstance(value.type, n.SetT) and conversions.coerce(value, n.SetT(domain)) is not None
        known = require(self.env, value, n.SetT(domain) if several else n.ElemT(domain), e.span)
        if not isinstance(known, n.Const):
            self.env.report.fail("E0307", e.span, what="a key of a table")
        return list(elements(known.value)) if several else [known.value]

    def value(self, row: ast.TableRow, values: Sequence[ast.Expr]) -> int:
        """Returns the value of a row; for a set, the union of all values that it lists."""
        if len(values) > 1 and not isinstance(self.type, n.SetT):
            span = values[0].span.to(values[-1].span)
            self.env.report.fail("E0379", span, given=len(values), name=self.decl.name.id, type=ty.describe(self.type))
        total = 0
        for e in values:
            known = lower(self.env, self.ctx, e, self.type)
            if not isinstance(known, n.Const):
                self.env.report.fail("E0307", e.span, what="a value of a table")
            total = total | known.value if isinstance(self.type, n.SetT) else known.value
        return total
