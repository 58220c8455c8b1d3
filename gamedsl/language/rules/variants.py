"""``variant of``: the declarations of another file, with some replaced, added or removed.

A declaration replaces the one of its kind and name, in its place. Of declarations that list names (`state`,
`piece`) and of `info`, only the lines named are replaced; a header keeps the lines that its successor does not name.
``in part`` does the same to the declarations of a part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from gamedsl.language.core import memoized
from gamedsl.language.rules.error_report import Report
from gamedsl.language.rules.variant_info import INFO_KEYS, merge_info, remove_info
from gamedsl.language.syntax import ast, node_text

Line = TypeVar("Line", bound=ast.Node)


@memoized  # an editor's declarations stay from check to check
def key_of(d: ast.Decl) -> tuple[str, str]:
    """Returns the identity of a declaration: its kind and, if there can be several, its name or text."""
    match d:
        case ast.ClaimDecl(name):
            return d.word, name or node_text(d) or ""
        case ast.ForbidDecl(condition, message):
            return d.word, message or node_text(condition) or ""
        case _:
            return d.word, d.identity()


def apply_variant(
    base: tuple[ast.Decl, ...], variant: ast.VariantDecl, own: tuple[ast.Decl, ...], report: Report
) -> tuple[ast.Decl, ...]:
    """Returns the base declarations with those of the variant substituted; new ones are appended."""
    decls = list(base)
    for binding in variant.bindings:
        _bind_option(decls, binding, report)
    return apply_changes(tuple(decls), own, report)


def apply_changes(base: tuple[ast.Decl, ...], changes: tuple[ast.Decl, ...], report: Report) -> tuple[ast.Decl, ...]:
    """Returns the declarations of a ruleset or a part with those of a variant substituted."""
    decls = list(base)
    for d in changes:
        match d:
            case ast.VariantDecl():
                continue
            case ast.RemoveDecl():
                _remove(decls, d, report)
            case ast.InPartDecl():
                _change_part(decls, d, report)
            case ast.StateDecl():
                _merge_state(decls, d)
            case ast.PieceDecl():
                _merge_piece(decls, d)
            case ast.InfoDecl():
                merge_info(decls, d)
            case ast.GameDecl():
                _replace_header(decls, d)
            case _:
                _replace_or_add(decls, d, report)
    return tuple(decls)


def _bind_option(decls: list[ast.Decl], binding: ast.Binding, report: Report) -> None:
    options = {d.name.id: i for i, d in enumerate(decls) if isinstance(d, ast.OptionDecl)}
    if binding.name.id not in options:
        report.add("E0439", binding.span, near=report.near_names(binding.name.id, options), name=binding.name.id)
        return
    i = options[binding.name.id]
    d = decls[i]
    assert isinstance(d, ast.OptionDecl)
    decls[i] = replace(d, default=binding.value)


def _replace_or_add(decls: list[ast.Decl], d: ast.Decl, report: Report) -> None:
    key = key_of(d)
    place = next((i for i, x in enumerate(decls) if key_of(x) == key), None)
    if place is not None:
        if isinstance(d, ast.PartDecl):
            _refuse_lost_part(d, report)
        decls[place] = d
        return
    decls.append(d)
    for part in (x for x in decls if isinstance(x, ast.PartDecl)):
        if key[1] and part is not d and any(key_of(x) == key for x in part.decls):
            report.add("W0921", d.span, kind=key[0], name=key[1], part=part.name.id)


def _refuse_lost_part(d: ast.PartDecl, report: Report) -> None:
    """Reports a part that replaces one of the original but is incomplete, which should be ``in part``."""
    kinds = {x.word for x in d.decls}
    lost = next((kind for kind in ("players", "play") if kind not in kinds), None)
    if lost is not None:
        report.fail("E0496", d.span, name=d.name.id, what=lost)


def _replace_header(decls: list[ast.Decl], d: ast.GameDecl) -> None:
    """Replaces the header, which keeps the lines that the new one does not name. An index of clauses is added to the
    original's.
    """
    place = next((i for i, x in enumerate(decls) if isinstance(x, ast.GameDecl)), None)
    if place is None:
        decls.append(d)
        return
    old = decls[place]
    assert isinstance(old, ast.GameDecl)
    named = {item.key for item in d.items} - {"clauses"}
    kept = tuple(item for item in old.items if item.key not in named and item not in d.items)
    order = ("by", "source", "clauses")
    decls[place] = replace(d, items=tuple(sorted((*kept, *d.items), key=lambda item: order.index(item.key))))


def _change_part(decls: list[ast.Decl], d: ast.InPartDecl, report: Report) -> None:
    """Changes a part. Changes to a used ruleset are applied when it is read (``changed_use``)."""
    for i, x in enumerate(decls):
        if isinstance(x, ast.PartDecl) and x.name.id == d.name.id:
            decls[i] = replace(x, decls=apply_changes(x.decls, d.decls, report))
            return
    if any(isinstance(x, ast.UseDecl) and x.name.id == d.name.id for x in decls):
        decls.append(d)
        return
    parts = [x.name.id for x in decls if isinstance(x, ast.PartDecl | ast.UseDecl)]
    report.add("E0497", d.name.span, near=report.near_names(d.name.id, parts), name=d.name.id)


def changed_use(
    decls: tuple[ast.Decl, ...], name: str, used: tuple[ast.Decl, ...], report: Report
) -> tuple[ast.Decl, ...]:
    """Returns the declarations of a ruleset that is used under a name, with those below ``in part`` substituted."""
    for d in decls:
        if isinstance(d, ast.InPartDecl) and d.name.id == name:
            used = apply_changes(used, d.decls, report)
    return used


def refuse_outside_variants(decls: tuple[ast.Decl, ...], report: Report) -> None:
    """Reports changes to an original in a ruleset that is not a variant, even in parts."""
    for d in decls:
        match d:
            case ast.RemoveDecl():
                report.add("E0438", d.span, what="remove declarations")
            case ast.InPartDecl():
                report.add("E0438", d.span, what="change a part")
            case ast.PartDecl(_, inner):
                refuse_outside_variants(inner, report)
            case _:
                pass


# ------------------------------------------------------------------------------------------------------- removals


def _remove(decls: list[ast.Decl], d: ast.RemoveDecl, report: Report) -> None:
    wanted = (d.kind, d.name.id if d.name is not None else "")
    before = list(decls)
    if d.kind in INFO_KEYS:
        remove_info(decls, d)
    elif d.kind == "state" and d.name is not None:
        _without_variable(decls, d.name.id)
    elif d.kind == "piece" and d.name is not None:
        decls[:] = _without(decls, {wanted[1]})
    else:
        decls[:] = [x for x in decls if key_of(x) != wanted and not (d.name is None and key_of(x)[0] == d.kind)]
    if d.kind == "use":  # with the changes to it
        gone = {x.name.id for x in before if isinstance(x, ast.UseDecl)}
        gone -= {x.name.id for x in decls if isinstance(x, ast.UseDecl)}
        decls[:] = [x for x in decls if not (isinstance(x, ast.InPartDecl) and x.name.id in gone)]
    if decls == before:
        names = [n for k, n in _names(decls) if k == d.kind]
        report.add("E0441", d.span, near=report.near_names(wanted[1], names), kind=d.kind, name=wanted[1])


def _names(decls: Sequence[ast.Decl]) -> Iterator[tuple[str, str]]:
    """Yields the kind and name of everything that can be removed."""
    for d in decls:
        match d:
            case ast.PieceDecl(names):
                yield from (("piece", n.id) for n in names)
            case ast.StateDecl(variables):
                yield from (("state", n.id) for v in variables for n in v.names)
            case ast.InfoDecl(items):
                yield from ((x.key, x.name.id) for x in items if x.name is not None)
            case _:
                yield key_of(d)


def _without_variable(decls: list[ast.Decl], name: str) -> None:
    for i, x in enumerate(decls):
        if isinstance(x, ast.StateDecl):
            decls[i] = replace(x, variables=_without(x.variables, {name}))
    decls[:] = [x for x in decls if not isinstance(x, ast.StateDecl) or x.variables]


# ---------------------------------------------------------------------------- declarations that list several names


def _without(lines: Iterable[Line], names: Collection[str], by: Line | None = None) -> tuple[Line, ...]:
    """Returns lines without some of the names that they declare, and with ``by`` in the place of the first of these."""
    out: list[Line] = []
    standing = by is None
    for line in lines:
        if not isinstance(line, ast.PieceDecl | ast.Variable) or not any(n.id in names for n in line.names):
            out.append(line)
            continue
        kept = tuple(n for n in line.names if n.id not in names)
        if kept:
            out.append(replace(line, names=kept))
        if not standing and by is not None:
            out.append(by)
            standing = True
    return tuple(out)


def _merge_state(decls: list[ast.Decl], d: ast.StateDecl) -> None:
    """Replaces state variables one by one, and adds new ones."""
    added: list[ast.Variable] = []
    for v in d.variables:
        names, standing = {n.id for n in v.names}, False
        for i, x in enumerate(decls):
            if isinstance(x, ast.StateDecl) and any(n.id in names for y in x.variables for n in y.names):
                merged = _without(x.variables, names, None if standing else v)
                decls[i], standing = replace(x, variables=merged), True
        if not standing:
            added.append(v)
    if added:
        decls.append(replace(d, variables=tuple(added)))


def _merge_piece(decls: list[ast.Decl], d: ast.PieceDecl) -> None:
    """Replaces kinds of pieces one by one, or adds the declaration."""
    names = {n.id for n in d.names}
    if any(n.id in names for x in decls if isinstance(x, ast.PieceDecl) for n in x.names):
        decls[:] = _without(decls, names, d)
    else:
        decls.append(d)
