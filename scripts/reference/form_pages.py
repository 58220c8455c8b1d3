"""A page for every form of the language, and their index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from gamedsl.language.source import read_index, title
from gamedsl.language.syntax import WordEntry, word_entries
from scripts.reference.form_examples import example_ruleset
from scripts.reference.form_facts import ROOT, forms_of_codes, owners, users
from scripts.reference.grammar_lines import lines_of, rules_used
from scripts.reference.markdown import DOCS, fence, link_to, page, slug, table

FOLDER = "reference/language"
FEW = 10  # rulesets that are named; of the rest only the number is given
GROUPS = {
    "declarations": "Declarations stand at the beginning of a line, in any order.",
    "claims": "Claims state what should be true of every game.",
    "effects": "Statements that change the position: in moves, in actions and in the course of play.",
    "course of play": "Statements that say who acts when, and how a game ends.",
    "types": "Types of variables, parameters and options.",
    "expressions": "Expressions, from single values to conditions about the whole position.",
    "look": "Lines of the look: how a position is shown.",
    "notation": "Lines of a notation: other ways to write positions and moves.",
}
READING = """In the lines of the grammar, words in quotation marks are written as they are. `[A]` and `A?` may be left out, `A*` may
occur any number of times, `A+` at least once, `A | B` is one of two. `NAME`, `NUMBER` and `STRING` are a name, a whole number and a
text in double quotes. `INDENT ... DEDENT` are lines that are indented by two more spaces. `expression`, `type`, `statement` and
`declaration` are any of the forms in those groups; `player` is an expression for a player."""


def form_pages() -> Iterator[tuple[str, str]]:
    """The pages, by their paths in the docs."""
    yield f"{FOLDER}/README.md", _index()
    for entry in word_entries():
        yield f"{FOLDER}/{slug(entry.title)}.md", _page(entry)


def _index() -> str:
    parts = []
    for group, lead in GROUPS.items():
        rows = [
            (f"[{e.title}]({slug(e.title)}.md)", f"`{e.form.splitlines()[0]}`")
            for e in word_entries()
            if e.group == group
        ]
        parts.append(f"## {group.capitalize()}\n\n{lead}\n\n{table(('form', 'how it is written'), rows)}")
    lead = (
        "A page for every form: how it is written, what it means, an example that checks, and the errors that belong to it. "
        "The [builtins](../builtins.md) are the functions, sets and words that expressions can use. "
        "[The language, form by form](../../language/spec.md) has everything on one page."
    )
    return page("Forms of the language", lead, *parts, f"## The grammar\n\n{READING}")


def _page(entry: WordEntry) -> str:
    own = {rule.partition(" ")[0] for rule in entry.rules}
    lines = lines_of(entry.rules, frozenset(r.partition(" ")[0] for r in owners()) - own)
    others = dict.fromkeys(
        owners()[r] for r in sorted(rules_used(lines)) if r in owners() and owners()[r] != entry.title
    )
    parts = [
        fence(entry.form),
        entry.meaning,
        f"## Example\n\n{fence(example_ruleset(entry), 'gdl')}",
        f"## Grammar\n\n{fence(chr(10).join(lines))}\n\n[How to read it](README.md)"
        + ("." if not others else f". It contains {', '.join(map(_form_link, others))}."),
        _errors(entry),
        _see_also(entry),
        _used_by(entry),
    ]
    group = f"A form of the group *[{entry.group}](README.md)*."
    return page(entry.title, group, *parts)


def _form_link(name: str) -> str:
    return f"[{name}]({slug(name)}.md)"


def _errors(entry: WordEntry) -> str:
    codes = sorted(code for code, form in forms_of_codes().items() if form == entry.title)
    if not codes:
        return ""
    return "## Errors\n\n" + "\n".join(
        f"- [{code}](../errors/{code[:3]}.md#{code.lower()}): {title(code)}" for code in codes
    )


def _see_also(entry: WordEntry) -> str:
    guide = [link for name in entry.guide if (link := link_to(name, DOCS / FOLDER))]
    links = [*map(_form_link, entry.see), *guide]
    return f"## See also\n\n{', '.join(links)}" if links else ""


@cache
def _files() -> Mapping[str, str]:
    """The links to the shipped rulesets, by name."""
    titles = {e.name: e.title for family in read_index().values() for e in family}
    paths = {p.stem: p.relative_to(ROOT).as_posix() for p in (ROOT / "rulesets").rglob("*.gdl")}
    return {name: f"[{text}](../../../{paths[name]})" for name, text in titles.items()}


def _used_by(entry: WordEntry) -> str:
    names = users().get(entry.title, ())
    number, total = len(names), len(_files())
    if not names:
        return "## Rulesets that use it\n\nNo shipped ruleset needs it."
    some = ", ".join(_files()[name] for name in names[:FEW])
    if number == total:
        return "## Rulesets that use it\n\nAll shipped rulesets use it."
    more = f" and {number - FEW} more" if number > FEW else ""
    return f"## Rulesets that use it\n\n{number} of {total}: {some}{more}."
