"""``variant of``: the declarations of another file, with some replaced, added or removed."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.rules.report import Report, near_names
from gamedsl.syntax import ast, node_text

KINDS: dict[type, str] = {
    ast.GameDecl: "game", ast.UseDecl: "use", ast.PlayersNamed: "players", ast.PlayersRange: "players", ast.OptionDecl: "option",
    ast.TypeDecl: "type", ast.BoardDecl: "board", ast.GraphDecl: "board", ast.DrawingDecl: "board", ast.PieceDecl: "piece",
    ast.TokenDecl: "token", ast.StateDecl: "state", ast.DefineDecl: "define", ast.ActionDecl: "action", ast.MoveDecl: "move",
    ast.ForbidDecl: "forbid", ast.PlayDecl: "play", ast.ClaimDecl: "claim", ast.LookDecl: "look", ast.InfoDecl: "info",
    ast.PartDecl: "part", ast.TableDecl: "table", ast.ShapeDecl: "shape", ast.NotationDecl: "notation",
}  # fmt: skip
ALWAYS_ADDED = {"forbid", "info"}


def key_of(d: ast.Decl) -> tuple[str, str]:
    """The identity of a declaration: its kind and, where there may be several, its name."""
    kind = KINDS.get(type(d), "")
    match d:
        case ast.PieceDecl(names):
            return kind, names[0].id
        case ast.ClaimDecl(name):
            return kind, name or node_text(d) or ""
        case ast.UseDecl() | ast.OptionDecl() | ast.TypeDecl() | ast.TokenDecl() | ast.DefineDecl() | ast.ActionDecl():
            return kind, d.name.id
        case ast.MoveDecl() | ast.PartDecl() | ast.TableDecl() | ast.ShapeDecl() | ast.NotationDecl():
            return kind, d.name.id
        case _:
            return kind, ""


def apply_variant(
    base: tuple[ast.Decl, ...], variant: ast.VariantDecl, own: tuple[ast.Decl, ...], report: Report
) -> tuple[ast.Decl, ...]:
    """The base declarations with the variant's substituted; new ones are appended."""
    decls = list(base)
    for binding in variant.bindings:
        _bind_option(decls, binding, report)
    for d in own:
        match d:
            case ast.VariantDecl():
                continue
            case ast.RemoveDecl():
                _remove(decls, d, report)
            case ast.StateDecl():
                _merge_state(decls, d)
            case _:
                key = key_of(d)
                place = next((i for i, x in enumerate(decls) if key_of(x) == key), None)
                if place is None or key[0] in ALWAYS_ADDED:
                    decls.append(d)
                else:
                    decls[place] = d
    return tuple(decls)


def _bind_option(decls: list[ast.Decl], binding: ast.Binding, report: Report) -> None:
    options = {d.name.id: i for i, d in enumerate(decls) if isinstance(d, ast.OptionDecl)}
    if binding.name.id not in options:
        report.add("E0439", binding.span, near=near_names(binding.name.id, options), name=binding.name.id)
        return
    i = options[binding.name.id]
    d = decls[i]
    assert isinstance(d, ast.OptionDecl)
    decls[i] = replace(d, default=binding.value)


def _remove(decls: list[ast.Decl], d: ast.RemoveDecl, report: Report) -> None:
    wanted = (d.kind, d.name.id if d.name is not None else "")
    kept = [x for x in decls if key_of(x) != wanted and not (d.name is None and key_of(x)[0] == d.kind)]
    if len(kept) == len(decls):
        names = [n for k, n in map(key_of, decls) if k == d.kind]
        report.add("E0441", d.span, near=near_names(wanted[1], names), kind=d.kind, name=wanted[1])
    decls[:] = kept


def _merge_state(decls: list[ast.Decl], d: ast.StateDecl) -> None:
    """State variables are replaced one by one."""
    names = {n.id for v in d.variables for n in v.names}
    for i, x in enumerate(decls):
        if isinstance(x, ast.StateDecl):
            kept = tuple(v for v in x.variables if not names & {n.id for n in v.names})
            decls[i] = replace(x, variables=kept)
    decls.append(d)
