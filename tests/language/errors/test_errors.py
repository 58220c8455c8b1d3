"""Every code has a page, whose broken example gives the code and whose fixed example is fine; the rendering is a golden.

A file named after a code holds what one example cannot show: other sentences of the same code."""

from __future__ import annotations

import json
import os
import re
import shutil
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gamedsl.language.boards.drawing.messages import DRAWING_MESSAGES
from gamedsl.language.rules import check_file
from gamedsl.language.rules.messages import RULE_MESSAGES
from gamedsl.language.source.diagnostic import Diagnostic, GameDSLError
from gamedsl.language.source.explanations import PAGES, codes, example, explain
from gamedsl.language.source.render import render, render_all
from gamedsl.language.syntax.data.messages import DATA_MESSAGES
from gamedsl.language.syntax.parse.messages import SYNTAX_MESSAGES
from tests.language.errors.findings import SUFFIXES, code_of, expected, findings, is_case

HERE = Path(__file__).parent
FILES = sorted(p for p in HERE.iterdir() if p.suffix in SUFFIXES and is_case(p))
COMPANIONS = [
    p for p in HERE.iterdir() if p.suffix in (".gdl", ".moves") and not is_case(p)
]  # files that examples speak of
TABLES = {**SYNTAX_MESSAGES, **RULE_MESSAGES, **DATA_MESSAGES, **DRAWING_MESSAGES}
PACKAGE = HERE.parents[2] / "gamedsl"
# Too large to stand in a page or a file: test_bounds makes them. E0009 needs a stream that fails: tests/cli/test_streams.py.
# E0012 needs another package: tests/test_plugins.py.
MADE_BY_TESTS = {
    "E0009",
    "E0012",
    "E0112",
    "E0113",
    "E0116",
    "E0131",
    "E0134",
    "E0445",
    "E0446",
    "E0460",
    "E0607",
    "E0608",
    "E0634",
}
# Found before any line is looked at, or at the end.
PLACELESS = {".sh", ".py", ".draw"}


@pytest.fixture(autouse=True)
def _in_this_folder() -> Iterator[None]:
    """Paths in the goldens are relative to this folder."""
    before = Path.cwd()
    os.chdir(HERE)
    yield
    os.chdir(before)


def test_every_code_has_a_page() -> None:
    assert set(TABLES) <= set(codes())


def test_every_code_in_the_program_has_a_page() -> None:
    used = {
        c for path in PACKAGE.rglob("*.py") for c in re.findall(r'"([EW][0-9]{4})"', path.read_text(encoding="utf-8"))
    }
    assert used == set(codes())


def test_there_are_many_codes() -> None:
    assert len(codes()) >= 300 and {code_of(p) for p in FILES} < set(codes())


def _check_rendering(found: list[Diagnostic]) -> None:
    """Each is shown with its message, and plain where no color is wanted."""
    for d in found:
        text = render(d)
        assert d.message.splitlines()[0][:20] in text
        assert "\x1b" not in text
        assert "\x1b" in render(d, colour=True)


def _sentences(found: list[Diagnostic]) -> set[tuple[str, str]]:
    """Codes with their sentences, without names and numbers."""
    return {(d.code, re.sub(r"`[^`]*`|[0-9]+", "_", d.message.splitlines()[0])) for d in found}


@pytest.mark.parametrize("path", FILES, ids=code_of)
def test_no_file_repeats_the_example_of_its_page(path: Path, tmp_path: Path) -> None:
    own = _sentences(findings(Path(path.name)))
    assert not own <= _sentences(_run_example(code_of(path), "Broken", tmp_path)), "the example of the page is enough"


@pytest.mark.parametrize("path", FILES, ids=code_of)
def test_file_gives_its_code_at_its_line(path: Path, golden: Callable[[Path, str], None]) -> None:
    """What is shown of it is the golden, complete."""
    found = findings(Path(path.name))
    golden(HERE / f"{code_of(path)}.txt", render_all(found) + "\n")
    announced = expected(path.read_text(encoding="utf-8"))
    assert code_of(path) in [code for code, _ in announced]
    if path.suffix in PLACELESS:
        assert {d.code for d in found} == {code for code, _ in announced}
    else:
        assert {(d.code, d.span.line) for d in found} == set(announced)
    _check_rendering(found)


# -------------------------------------------------------------------------------------------------------- pages


def _run_example(code: str, heading: str, folder: Path) -> list[Diagnostic]:
    found = example(explain(code), heading)
    assert found is not None, f"the page of {code} has no example under {heading}"
    language, text = found
    ending = {"examples": "examples.yaml", "text": "gdl"}.get(language, language)
    shutil.copytree(HERE / "clauses", folder / "clauses")
    for companion in COMPANIONS:
        shutil.copy(companion, folder)
    path = folder / f"example.{ending}"
    path.write_text(text, encoding="utf-8")
    os.chdir(folder)
    if code == "E0613" and heading == "Broken":
        path = path.rename(folder / "E0613.yaml")
    return findings(Path(path.name))


MESSAGE = re.compile(r"^```text\n(.*?)^```\n\n", re.S | re.M)


@pytest.mark.parametrize("code", sorted(set(codes()) - MADE_BY_TESTS))
def test_broken_example_of_the_page(code: str, tmp_path: Path, golden: Callable[[Path, str], None]) -> None:
    """The example gives the code; what is shown of it is the golden, complete; and the page shows its message below the
    title (`--rebaseline` writes both)."""
    every = _run_example(code, "Broken", tmp_path)
    assert code in {d.code for d in every}
    found = next(d for d in every if d.code == code)
    _check_rendering(every)
    if code not in {code_of(path) for path in FILES}:
        golden(HERE / f"{code}.txt", render_all(every) + "\n")
    kind = "error" if found.is_error else "warning"
    message = f"{kind}[{code}]: {found.message}".splitlines()[0].replace(str(tmp_path), "FOLDER")
    lines = textwrap.wrap(message, 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    title, _, rest = explain(code).partition("\n\n")
    shown = "\n".join(["```text", *lines, "```"])
    golden(
        PAGES / f"{code}.md",
        f"{title}\n\n{shown}\n\n{MESSAGE.sub('', rest, count=1) if rest.startswith('```text') else rest}",
    )


@pytest.mark.parametrize("code", sorted(set(codes()) - {"E0131"}))
def test_fixed_example_of_the_page(code: str, tmp_path: Path) -> None:
    found = [d.code for d in _run_example(code, "Fixed", tmp_path)]
    assert [c for c in found if c.startswith("E") or c == code] == []


@pytest.mark.parametrize("code", codes())
def test_page_form(code: str) -> None:
    lines = explain(code).splitlines()
    assert lines[0].startswith(f"# {code} ")
    assert all(len(line) <= 120 for line in lines)
    assert "## Broken" in lines
    assert "## Fixed" in lines


# ------------------------------------------------------------------------------------------------------- bounds


GAME = "players X, O\n{}\nplay\n  draw\n"


def made(folder: Path, name: str, content: str | bytes) -> set[str]:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return {d.code for d in findings(path)}


def test_a_data_document_that_is_too_deep(tmp_path: Path) -> None:
    assert made(tmp_path, "x.json", '{"kind": "ruleset", "decls": ' + "[" * 600 + "]" * 600 + "}") == {"E0608"}


def test_a_data_document_that_is_too_large(tmp_path: Path) -> None:
    from gamedsl.language.syntax.data.load import load_data

    _, problems = load_data('{"kind": "ruleset", "decls": [' + " " * 2_000_000 + "]}")
    assert [d.code for d in problems] == ["E0607"]
    assert made(tmp_path, "x.json", " " * 3_000_000) == {"E0003"}


def test_a_text_that_is_too_large(tmp_path: Path) -> None:
    assert made(tmp_path, "x.gdl", GAME.format("# long\n" * 180_000)) == {"E0112"}


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    assert made(tmp_path, "x.gdl", b"players X, O\n\xff\xfe\n") == {"E0113"}


def test_a_text_that_is_too_deep(tmp_path: Path) -> None:
    assert made(tmp_path, "x.gdl", GAME.format("define f = " + "(" * 500 + "1" + ")" * 500)) == {"E0116"}


def test_an_expression_with_something_behind_it() -> None:
    from gamedsl.language.syntax.parser import parse_expression

    with pytest.raises(GameDSLError) as found:
        parse_expression("1 + 1\n2")
    assert {d.code for d in found.value.diagnostics} <= {"E0131", "E0101", "E0120"}


def test_a_text_with_very_many_faults(tmp_path: Path) -> None:
    assert "E0134" in made(tmp_path, "x.gdl", GAME.format("peice x\n" * 1000))


def test_a_definition_that_is_too_long(tmp_path: Path) -> None:
    assert made(tmp_path, "x.gdl", GAME.format("define f = " + " + ".join(["1"] * 3000))) & {"E0460", "E0116"}


def test_very_many_parts(tmp_path: Path) -> None:
    toss = "players X, O\npart toss\n  players X, O\n  play\n    draw\nplay\n"
    assert made(tmp_path, "x.gdl", toss + "  play toss\n" * 150 + "  draw\n") == {"E0445"}


def test_actions_that_grow(tmp_path: Path) -> None:
    actions = "".join(f"action a{n}\n" + f"  a{n - 1}\n" * 10 for n in range(1, 8))
    text = "players X, O\nstate\n  n: 0..9\naction a0\n  set n to 1\n" + actions + "play\n  a7\n  draw\n"
    assert made(tmp_path, "x.gdl", text) == {"E0446"}


def test_data_that_is_too_deep_for_a_text(tmp_path: Path) -> None:
    deep: dict[str, object] = {"kind": "ref", "name": "x"}
    for _ in range(220):
        deep = {"kind": "unary", "op": "not", "operand": deep}
    tree = {"kind": "ruleset", "decls": [{"kind": "forbid_decl", "condition": deep}]}
    assert made(tmp_path, "x.json", json.dumps(tree)) == {"E0634"}


@pytest.mark.parametrize("backwards", [False, True], ids=["in order", "last first"])
def test_definitions_in_a_long_row(tmp_path: Path, backwards: bool) -> None:
    """Each of 300 definitions uses the one before: too deep to be worked out, and said so at one of them."""
    row = ["define d0(k: 0..1) = k", *(f"define d{n}(k: 0..1) = d{n - 1}(k)" for n in range(1, 300))]
    path = tmp_path / "x.gdl"
    path.write_text(GAME.format("\n".join(reversed(row) if backwards else row)), encoding="utf-8")
    _, found = check_file(path)
    assert {d.code for d in found if d.is_error} == {"E0460"}
    assert all(d.span.start > 0 for d in found if d.is_error)
