"""Every class of statements and declarations answers what passes ask; a new statement needs no list elsewhere."""

from __future__ import annotations

from dataclasses import fields
from types import SimpleNamespace
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from gamedsl.language.rules.symbols import VarSym
from gamedsl.language.rules.unused import report_unused
from gamedsl.language.source import NOWHERE, node
from gamedsl.language.syntax import ast
from gamedsl.language.syntax import walk as ast_walk
from gamedsl.language.syntax.print.print_statements import statement_text

NAME, REF = ast.Name("a_name"), ast.Ref("a_value")
FORMS = get_args(ast.Expr)


def sample(cls: type[ast.Statement]) -> Any:
    """A statement of a class, with a name or expression in every field."""
    hints = get_type_hints(cls, vars(ast))
    return cls(**{f.name: _value(f.name, hints[f.name]) for f in fields(cls) if f.name not in ("span", "notes")})


def _value(name: str, hint: Any) -> Any:
    parts = get_args(hint)
    if hint is ast.Name or (ast.Name in parts[:1] and get_origin(hint) is not tuple):
        return NAME
    if hint is str:
        return NAME.id
    if hint in (int, bool):
        return hint(1)
    if get_origin(hint) is Literal:
        return parts[0]
    if set(FORMS) <= set(parts):
        return REF
    if get_origin(hint) is tuple:
        return (_value(name, parts[0]),) if ast.Name in parts or set(FORMS) <= set(get_args(parts[0])) else ()
    if ast.Branch in parts or hint is ast.Binder:
        return ast.Binder((NAME,), False, REF)
    return None


STATEMENTS: tuple[type[ast.Statement], ...] = get_args(ast.Stmt)


@pytest.mark.parametrize("cls", STATEMENTS)
def test_the_word_begins_the_text(cls: type[ast.Statement]) -> None:
    assert cls.word
    if cls is not ast.If:  # (which has no text without branches)
        first = statement_text(sample(cls)).split()[0]
        assert first in cls.first_words() or (cls.first_words() == () and first.startswith("a_"))


@pytest.mark.parametrize("cls", STATEMENTS)
def test_targets_are_written(cls: type[ast.Statement]) -> None:
    """A target is a variable, except that of ``move``: pieces are no variables, and nothing warns of them."""
    if cls is not ast.MovePiece and any(f.name == "target" for f in fields(cls)):
        s = sample(cls)
        assert s.target in s.writes()
        assert set(s.only_writes()) <= set(s.writes())


@pytest.mark.parametrize("cls", STATEMENTS)
def test_results_are_bound_and_bodies_found(cls: type[ast.Statement]) -> None:
    names = {f.name for f in fields(cls)}
    assert not names & {"result"} or sample(cls).binds() == NAME
    assert not names & {"body", "branches", "stuck"} or cls.bodies is not ast.Statement.bodies


@node(slots=True)
class Flip(ast.Statement):
    """A statement that the language does not have."""

    word = "flip"
    target: ast.Expr

    def writes(self) -> tuple[ast.Expr, ...]:
        return (self.target,)


def test_a_new_statement_that_writes_is_known_to_do_so() -> None:
    """``flip lit[c]`` changes ``lit``, which a claim reads: nothing to warn of. Without it, ``lit`` never changes."""

    def warned(*body: Any) -> list[str]:
        found: list[str] = []
        decls = (ast.PlayDecl(body), ast.ClaimDecl(None, ast.Always(ast.Index(ast.Ref("lit"), (REF,))), None))
        env: Any = SimpleNamespace(
            decls=decls,
            symbols={"lit": VarSym(None, NOWHERE)},  # type: ignore[arg-type]
            used={"lit"},
            carried={},
            report=SimpleNamespace(add=lambda code, *_, **__: found.append(code)),
            nodes_of=lambda *kinds, parts: [node for node in ast_walk(decls) if isinstance(node, kinds)],
        )
        report_unused(env)
        return found

    assert warned(Flip(ast.Index(ast.Ref("lit"), (REF,)))) == []
    assert warned() == ["W0910"]


def test_words_of_declarations_are_those_that_remove_knows() -> None:
    words = [d.word for d in get_args(ast.Decl)]
    assert words.count("") == 2  # variant and remove, which are about other declarations
    assert all(d.identity is ast.Declaration.identity for d in get_args(ast.Decl) if d.once)
