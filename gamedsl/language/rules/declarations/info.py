"""The rulebook of a ruleset: the lines of ``info`` that apply to the chosen options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from gamedsl.language.boards import elements
from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.lowering import lower_bool
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import TableSym, ValueSym
from gamedsl.language.syntax import ast

_PLACE = re.compile(r"\{([A-Za-z_][A-Za-z_0-9]*)\}")
SINGLE = ("about", "goal")


def paragraphs(env: Env, lines: Sequence[ast.InfoItem]) -> Iterator[n.Paragraph]:
    """Yields the paragraphs of lines whose conditions hold; reports a second ``about`` or ``goal``."""
    known: set[str] = set()
    for line in lines:
        try:
            holds = _holds(env, line)
        except Bail:
            env.failed = True
            continue
        if holds is False:
            continue
        if holds and line.key in SINGLE:
            if line.key in known:
                env.report.add("E0211", line.span, what=line.key)
                env.failed = True
            known.add(line.key)
        try:
            text = _filled(env, line)
        except Bail:
            env.failed = True
            continue
        yield n.Paragraph(line.key, text, tuple(c.clause for c in line.notes.cites))


def _holds(env: Env, line: ast.InfoItem) -> bool | None:
    """Returns whether a line applies to the chosen options; None if that is known only when another ruleset plays this
    one.
    """
    if line.condition is None:
        return True
    value = fold(lower_bool(env, Ctx("look"), line.condition))
    if isinstance(value, n.Const):
        return bool(value.value)
    if env.outer is None:
        env.report.fail("E0498", line.condition.span)
    return None


# ------------------------------------------------------------------------------------------- values in a line


def _filled(env: Env, line: ast.InfoItem) -> str:
    """Returns the text of a line, with names in braces replaced by the values of options and the rows of tables."""
    return _PLACE.sub(lambda place: _find_shown(env, line, place[1]), line.text)


def _find_shown(env: Env, line: ast.InfoItem, name: str) -> str:
    match env.symbols.get(name):
        case ValueSym(n.Const(value, type)):
            env.used.add(name)
            return _said(type, value)
        case ValueSym():
            return name  # its value is given when another ruleset plays this one
        case TableSym(data=n.TableData() as data):
            env.used.add(name)
            keys = product(*(d.names for d in data.keys))
            rows = zip(keys, data.values, strict=True)
            return "; ".join(f"{' '.join(key)} {_said(data.type, value)}".replace("_", " ") for key, value in rows)
        case _:
            known = [one for one, s in env.symbols.items() if isinstance(s, ValueSym | TableSym)]
            env.report.fail("E0499", line.span, near=env.report.near_names(name, known), name=name)


def _said(t: n.ValueT, value: int) -> str:
    match t:
        case n.SetT(domain):
            return ", ".join(domain.names[i] for i in elements(value)) or "none"
        case n.ElemT(domain):
            return domain.names[value]
        case n.BoolT():
            return "yes" if value else "no"
        case n.OptT(inner):
            low = inner.low if isinstance(inner, n.IntT) else 0
            return "none" if value == 0 else _said(inner, value - 1 + low)
        case _:
            return str(value)
