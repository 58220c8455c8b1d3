"""Signs that the look lets players choose: their checks, and their sentence in the rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamedsl.language.core import HEADINGS, chosen_signs, signs_left_to, words
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.scope import Env
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

SECTION = "setup"


def check_chosen(env: Env, marks: Sequence[n.Mark], spans: Sequence[Span]) -> None:
    """Reports every rule with a sign chosen by the owner that does not show one sign for all pieces of a player."""
    by_owner: dict[str, str] = {}
    for mark, span in zip(marks, spans, strict=True):
        if not mark.chosen:
            continue
        found = list(signs_left_to(mark))
        wrong = any(not owner or not sign or by_owner.setdefault(owner, sign) != sign for owner, sign in found)
        if wrong:
            env.report.add("E0457", span)
            env.failed = True


def with_choice(env: Env, part: n.Part) -> Iterator[n.Paragraph]:
    """Yields the rulebook of a part; if it lets players choose their signs, with a sentence about that."""
    signs = chosen_signs(part)
    if not part.info or not any(signs):
        yield from part.info
        return
    names = [words(name) for name, sign in zip(part.players.names, signs, strict=True) if sign]
    who = "Each player" if len(names) == part.players.size else f"Each of {', '.join(names)}"
    clauses = tuple(dict.fromkeys(c.clause for item in _lines(env) for c in item.notes.cites))
    said = n.Paragraph(SECTION, f"{who} may choose their own mark. No two marks may look alike.", clauses)
    order = list(HEADINGS)
    later = (i for i, p in enumerate(part.info) if order.index(p.key) > order.index(SECTION))
    at = next(later, len(part.info))
    yield from (*part.info[:at], said, *part.info[at:])


def _lines(env: Env) -> Iterator[ast.LookShow]:
    """Yields the lines of the look that let the owner choose the sign."""
    for d in env.decls:
        if isinstance(d, ast.LookDecl):
            yield from (item for item in d.items if isinstance(item, ast.LookShow) and item.chosen)
