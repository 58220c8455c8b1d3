"""The index of error codes, and a page for every group of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamedsl.language.source import codes, explain, marked, title
from gamedsl.language.source.explanations import CHANGED
from scripts.reference.form_facts import forms_of_codes
from scripts.reference.markdown import page, slug, table

FOLDER = "reference/errors"
GROUPS = {
    "E00": "Commands and files",
    "E01": "Syntax",
    "E02": "Names and declarations",
    "E03": "Types and expressions",
    "E04": "Statements, parts and the look",
    "E05": "Moves, records and programs",
    "E06": "Data, examples and positions",
    "E07": "Drawings",
    "W09": "Warnings",
}


def error_pages() -> Iterator[tuple[str, str]]:
    """The pages, by their paths in the docs."""
    yield f"{FOLDER}/README.md", _index()
    for group, heading in GROUPS.items():
        parts = [_section(code) for code in codes() if code.startswith(group)]
        lead = f"Codes {group}xx, from the [index of all codes](README.md). `gamedsl explain CODE` prints the same."
        yield f"{FOLDER}/{group}.md", page(f"{group}: {heading}", lead, *parts)


def _index() -> str:
    parts = []
    for group, heading in GROUPS.items():
        rows = [
            (f"[{code}]({group}.md#{code.lower()})", title(code), _form(code))
            for code in codes()
            if code.startswith(group)
        ]
        assert rows, group
        parts.append(f"## [{heading}]({group}.md)\n\n{table(('code', 'mistake', 'form'), rows)}")
    missing = [code for code in codes() if code[:3] not in GROUPS]
    assert not missing, missing
    lead = (
        f"All {len(codes())} codes of errors (E) and warnings (W), each with its message, what it means, an example that has it, "
        "and the example corrected. A code keeps its meaning from version to version."
    )
    return page("Error index", lead, *parts)


def _form(code: str) -> str:
    form = forms_of_codes().get(code)
    return f"[{form}](../language/{slug(form)}.md)" if form else ""


def _section(code: str) -> str:
    """The page of `gamedsl explain`, one level of headings deeper, with an anchor that is the code."""
    head, _, rest = marked(explain(code)).partition("\n")
    rest = rest.replace("```gdl\n", "```gdl broken\n", 1) if "```gdl" in rest.partition("## Fixed")[0] else rest
    rest = rest.replace("```gdl\n", "```gdl fixed\n")
    rest = re.sub(r"^## (Broken|Fixed)[^\n]*$", r"**\1**", rest, flags=re.M)
    rest = re.sub(r"^```py\n.*?^```$", _unaligned, rest, flags=re.M | re.S)
    form = f"\n\nForm: {_form(code)}." if code in forms_of_codes() else ""
    return f'<a id="{code.lower()}"></a>\n\n## {head.removeprefix("# ")}\n\n{rest.strip()}{form}'


def _unaligned(block: re.Match[str]) -> str:
    """A block of Python with its marks as formatters have them: after two spaces."""
    return re.sub(rf" +# {CHANGED}$", f"  # {CHANGED}", block[0], flags=re.M)
