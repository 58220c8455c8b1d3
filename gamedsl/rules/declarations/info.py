"""The rulebook of a ruleset: the lines of ``info`` that hold with the options chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamedsl.core import fold
from gamedsl.core.nodes import Const, Paragraph
from gamedsl.rules.expressions.lowering import lower_bool
from gamedsl.rules.report import Bail
from gamedsl.rules.scope import Ctx, Env
from gamedsl.syntax import ast

SINGLE = ("about", "goal")


def paragraphs(env: Env, lines: Sequence[ast.InfoItem]) -> Iterator[Paragraph]:
    """The paragraphs of lines whose conditions hold; a ruleset has one sentence about it and one goal."""
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
        yield Paragraph(line.key, line.text, tuple(c.clause for c in line.notes.cites))


def _holds(env: Env, line: ast.InfoItem) -> bool | None:
    """Whether a line holds with the options chosen; None: that is known only when the ruleset is played in another."""
    if line.condition is None:
        return True
    value = fold(lower_bool(env, Ctx("look"), line.condition))
    if isinstance(value, Const):
        return bool(value.value)
    if env.outer is None:
        env.report.fail("E0498", line.condition.span)
    return None
