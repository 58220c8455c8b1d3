"""Error recovery: each declaration is processed separately, so that one mistake does not hide others."""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.scope import Env
from gamedsl.language.syntax import ast


def each(env: Env, kinds: tuple[type, ...], do: Callable[[Env, ast.Decl], None]) -> None:
    for d in env.decls:
        if isinstance(d, kinds):
            recover(env, d, do)


def recover(env: Env, d: ast.Decl, do: Callable[..., None]) -> None:
    """Processes one declaration; if it is wrong, marks its names as broken so that the others can still be processed."""
    try:
        do(env, d)
    except Bail:
        env.failed = True
        env.broken |= declared_names(d)


def declared_names(d: ast.Decl) -> set[str]:
    """Returns the names that a declaration introduces."""
    lines: tuple[object, ...] = (
        d.variables if isinstance(d, ast.StateDecl) else d.strokes if isinstance(d, ast.DrawingDecl) else (d,)
    )
    out: set[str] = set()
    for line in lines:
        name = getattr(line, "name", None)
        out |= {n.id for n in getattr(line, "names", ())} | ({name.id} if isinstance(name, ast.Name) else set())
    if isinstance(d, ast.TokenDecl):
        out |= {k.name.id for k in d.kinds}
    return out
