"""Every fix that is offered for the broken example of a code's page cures it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from gamedsl.language.cures import cured
from gamedsl.language.source import Diagnostic, Fix, apply_edits, codes, explain
from gamedsl.language.source.explanations import example
from tests.language.errors.findings import findings
from tests.language.errors.test_errors import COMPANIONS

HERE = Path(__file__).parent
ENDINGS = {"gdl": "gdl", "yaml": "yaml", "json": "json", "examples": "examples.yaml"}
MOST_ROUNDS = 4  # a message at a time, where one hides the next
FORM = ("E01", "E06")  # found before any meaning: behind these, more may come to light


@pytest.fixture(autouse=True)
def _in_this_folder() -> Iterator[None]:
    before = Path.cwd()
    yield
    os.chdir(before)


def test_the_codes_with_a_fix_that_works(tmp_path: Path, golden: Callable[[Path, str], None]) -> None:
    """The list is a golden. Issue 38 wants at least 120 of them."""
    rows, worked = [], 0
    shutil.copytree(HERE.parent / "errors" / "clauses", tmp_path / "clauses")
    for companion in COMPANIONS:
        shutil.copy(companion, tmp_path)
    os.chdir(tmp_path)
    for code in codes():
        broken = example(explain(code), "Broken")
        if broken is None or broken[0] not in ENDINGS:
            continue
        offered = tried(code, *broken)
        if offered:
            worked += 1
            rows.append(f"{code} {'safe' if offered[0].safe else '    '} {offered[0].title}")
    golden(HERE / "fixes.txt", "\n".join([*rows, "", f"{worked} codes", ""]).replace(" \n", "\n"))
    assert worked >= 120


def tried(code: str, language: str, text: str) -> tuple[Fix, ...]:
    """The fixes of a code for its example, of which one cures it."""
    path = Path(f"{'E0613' if code == 'E0613' else 'example'}.{ENDINGS[language]}")
    path.write_text(text, encoding="utf-8")
    before = cured(findings(path))
    offered = next((d.fixes for d in before if d.code == code), ())
    path.unlink()
    works = any(is_cured(path, text, code, number) for number in range(len(offered)))
    assert works or not offered, f"no fix of {code} helps: {[fix.title for fix in offered]}"
    return offered


def is_cured(path: Path, text: str, code: str, number: int) -> bool:
    """Whether the fixes with this number rid an example of a code, without errors that were not there before."""
    known: set[str] | None = None
    for _ in range(MOST_ROUNDS):
        path.write_text(text, encoding="utf-8")
        found = cured(findings(path))
        path.unlink()
        codes_now = {d.code for d in found}
        known = codes_now if known is None else known
        if code not in codes_now:
            new = {c for c in codes_now - known if c.startswith("E")}
            return not {c for c in new if c.startswith(FORM) or not code.startswith(FORM)}
        edits = _edits(found, code, number)
        if not edits:
            return False
        text = apply_edits(text, [edit for fix in edits for edit in fix.edits])
    return False


def _edits(found: Iterable[Diagnostic], code: str, number: int) -> list[Fix]:
    chosen: list[Fix] = []
    for d in found:
        if d.code == code and len(d.fixes) > number and (not chosen or d.fixes[number].start >= chosen[-1].end):
            chosen.append(d.fixes[number])
    return chosen
