"""Every code block of the docs runs: rulesets check, Python runs, shell sessions print what they say.

A fence's words: ``gdl`` a whole ruleset (``file=NAME`` keeps it for the blocks after it on the page; ``broken`` and
``fixed`` ones are the examples of a code), ``python``, ``console``
(lines after ``$ gamedsl`` are run; below each stands all that it prints, or ``...`` for lines, or a part of a line, that are
left out), ``yaml file=NAME``. Fences without a language
show forms of the language, not files. ``needs=NAME``: skipped where that package is not installed.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.language.rules import check_file

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(p for p in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(?P<words>[^\n`]*)\n(?P<text>.*?)^```$", re.S | re.M)
WAITS_FOR_A_PERSON = {"play"}


@dataclass
class CodeBlock:
    language: str
    file: str | None
    text: str
    needs: str | None = None
    quoted: str | None = None  # the file of which it is a part
    is_example_of_a_code: bool = False


def blocks(page: Path) -> list[CodeBlock]:
    found = []
    for match in FENCE.finditer(page.read_text(encoding="utf-8")):
        words = match["words"].split()
        file = next((w[5:] for w in words if w.startswith("file=")), None)
        needs = next((w[6:] for w in words if w.startswith("needs=")), None)
        quoted = next((w[5:] for w in words if w.startswith("from=")), None)
        found.append(
            CodeBlock(
                words[0] if words else "", file, match["text"], needs, quoted, {"broken", "fixed"} & set(words) != set()
            )
        )
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number, block in enumerate(blocks(page)):
        if block.needs is not None and importlib.util.find_spec(block.needs) is None:
            continue
        match block.language:
            case "gdl" if block.is_example_of_a_code:
                pass  # tests/language/errors runs it
            case "gdl":
                path = Path(block.file or f"block{number}.gdl")
                path.write_text(block.text, encoding="utf-8")
                _, found = check_file(path)
                assert [d for d in found if d.is_error] == [], block.text
            case "yaml" if block.file:
                Path(block.file).write_text(block.text, encoding="utf-8")
            case "python":
                exec(compile(block.text, f"{page.name} block {number}", "exec"), {})
            case "console":
                run_session(block.text)
            case _:
                pass


def test_quotations_are_in_their_files() -> None:
    quotations = [(page, b) for page in PAGES for b in blocks(page) if b.quoted is not None]
    assert quotations
    for page, block in quotations:
        assert block.text in (ROOT / str(block.quoted)).read_text(encoding="utf-8"), f"{page.name}: {block.quoted}"


def test_a_page_that_says_what_a_shipped_file_has_quotes_it() -> None:
    said = [
        (page, m[1]) for page in PAGES for m in re.finditer(r"`(rulesets/\S+)` has\n", page.read_text(encoding="utf-8"))
    ]
    assert said
    for page, file in said:
        assert file in {b.quoted for b in blocks(page)}, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_sessions_are_bounded_by_counts(page: Path) -> None:
    """What a session prints must not depend on how busy the machine is: no limit or agent of a few seconds."""
    sessions = "".join(block.text for block in blocks(page) if block.language == "console")
    limits = re.findall(r"^\$ .*--(?:play-)?time[ =]([0-9.]+)", sessions, re.M)
    assert [s for s in limits if float(s) < 600] == []
    assert re.findall(r"^\$ .*(?:mcts|ab):[0-9.]+(?:ms|s|m)\b", sessions, re.M) == []


def run_session(text: str) -> None:
    """Runs the commands of a session, and compares all that each prints with the lines below it."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        line, _, shown = part.partition("\n")
        words = shlex.split(line, comments=True)
        assert words[0] == "gamedsl", line
        if words[1] in WAITS_FOR_A_PERSON and "--plain" not in words:
            assert shown.strip() == "", f"{line}: nothing can check what is shown; add --plain, or show no output"
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            main(words[1:])
        assert is_shown(shown, out.getvalue()), f"$ {line}\n{out.getvalue()}\nand the page shows\n{shown}"


def is_shown(shown: str, printed: str) -> bool:
    """Whether these lines are all that was printed. A line ``...`` stands for one or more lines, ``...`` in a line for a part of it."""
    lines = [line.rstrip() for line in shown.strip("\n").splitlines()]
    dots = re.escape("...")
    parts = (r"(?:.*\n)+?" if line.strip() == "..." else re.escape(line).replace(dots, ".*") + r"\n" for line in lines)
    output = "".join(f"{line.rstrip()}\n" for line in printed.strip("\n").splitlines())
    return re.fullmatch("".join(parts), output) is not None


@pytest.mark.parametrize(
    ("shown", "result"),
    [
        ("one\ntwo\nthree", True),
        ("one\n\nthree", False),
        ("one\n...\nthree", True),
        ("one\n...", True),
        ("...", True),
        ("one\ntwo\n...\nthree", False),  # nothing is left out there
        ("one\nthree", False),
        ("one", False),
        ("", False),
        ("o...\ntwo\nthree", True),
        ("one\ntw...", False),
        ("two\none\n...", False),
        ("  one\ntwo\nthree", False),
    ],
)
def test_a_session_shows_the_whole_output_or_dots(shown: str, result: bool) -> None:
    assert is_shown(shown, "one  \ntwo\nthree\n") is result
