"""The pages "how to add ...": their blocks are applied to a copy of the tree, and their commands run there.

Words of a fence: ``file=NAME`` a new file, or, for ``diff``, a change to one (space, ``-`` and ``+`` as in a patch; ``...`` separates
places); ``console`` commands with lines that they print; ``python run`` a program.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(p for p in (ROOT / "docs" / "contributing").glob("*.md") if p.name != "README.md")
FENCE = re.compile(r"^(?P<indent> *)```(?P<words>[^\n`]+)\n(?P<text>.*?)^(?P=indent)```$", re.S | re.M)
MOST_FILES = {"statement": 5, "expression": 8}  # that a page may change by hand; more means that some file keeps a list
COPIED = ("gamedsl", "grammar", "rulesets", "templates", "scripts")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the program reads. Bytecode that Python has cached comes along and is used where a file stays as it is:
    compiling the whole package anew takes longer than everything else on a page."""
    for name in (*COPIED, "tests/cli", "tests/language/core", "tests/language/errors", "docs/reference"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*-kernels-*", "*-pytest-*"))
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def changed(text: str, difference: str) -> str:
    """A text with a change as the pages write it. Every place must be found once, after the one before."""
    done = ""
    for place in re.split(r"^\.\.\.\n", difference, flags=re.M):
        lines = place.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        assert text.count(before) >= 1, f"not found:\n{before}"
        head, _, rest = text.partition(before)
        done, text = done + head + after, rest
    return done + text


def run(tree: Path, words: list[str], program: str | None = None) -> str:
    env = {k: v for k, v in os.environ.items() if k != "GAMEDSL_DATA"}
    env |= {"PYTHONPATH": str(tree), "GAMEDSL_DATA": str(tree / "data"), "COLUMNS": "100"}
    done = subprocess.run(
        words, cwd=tree, env=env, input=program, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert "Traceback" not in done.stdout, done.stdout
    return done.stdout


# Runs commands one after the other in one process, which starts once.
DRIVER = """
import contextlib, io, json, runpy, sys
found = []
for command, *words in json.load(sys.stdin):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        if command == "gamedsl":
            from gamedsl.cli.main import main
            main(words)
        else:
            assert words[0] == "-m", words
            sys.argv = words[1:]
            with contextlib.suppress(SystemExit):
                runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    found.append(out.getvalue())
json.dump(found, sys.stdout)
"""


def run_session(tree: Path, text: str) -> None:
    parts = [part.partition("\n") for part in re.split(r"^\$ ", text, flags=re.M)[1:]]
    lines = [shlex.split(line) for line, _, _ in parts]
    assert {words[0] for words in lines} <= {"gamedsl", "python"}
    (tree / "driver.py").write_text(DRIVER, encoding="utf-8")
    said = run(tree, [sys.executable, "driver.py"], json.dumps(lines))
    assert said.startswith("["), said
    for (line, _, expected), out in zip(parts, json.loads(said), strict=True):
        assert "Traceback" not in out, out
        for wanted in filter(None, map(str.strip, expected.splitlines())):
            assert wanted in out, f"{line}\n{out}"


def apply_page(page: Path, tree: Path, runs: bool) -> None:
    """Applies the changes of a page to a tree, and runs its commands and programs in it."""
    for block in FENCE.finditer(page.read_text(encoding="utf-8")):
        language, *words = block["words"].split()
        text = re.sub(rf"^{block['indent']}", "", block["text"], flags=re.M)
        file = next((tree / word[5:] for word in words if word.startswith("file=")), None)
        if language == "console":
            if runs:
                run_session(tree, text)
        elif language == "diff":
            assert file is not None
            write(file, changed(file.read_text(encoding="utf-8"), text))
        elif file is not None:
            assert not file.exists()
            write(file, text)
        elif words == ["run"] and runs:
            run(tree, [sys.executable, "-"], text)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_changes_apply_and_compile(page: Path, tmp_path: Path) -> None:
    blocks = list(FENCE.finditer(page.read_text(encoding="utf-8")))
    assert any("console" in block["words"] for block in blocks)
    files = {word[5:] for block in blocks for word in block["words"].split() if word.startswith("file=")}
    for name in sorted(files):
        if (ROOT / name).exists():
            write(tmp_path / name, (ROOT / name).read_text(encoding="utf-8"))
    apply_page(page, tmp_path, runs=False)
    assert files
    for name in sorted(files):
        if name.endswith(".py"):
            compile((tmp_path / name).read_text(encoding="utf-8"), name, "exec")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_page(page: Path, tree: Path) -> None:
    apply_page(page, tree, runs=True)


def test_a_change_is_applied() -> None:
    assert changed("a\nb\nc\nd\n", dedent(" a\n+x\n...\n-c\n+y\n d\n")) == "a\nx\nb\ny\nd\n"
    with pytest.raises(AssertionError, match="not found"):
        changed("a\nb\n", "-b\n-c\n")
    with pytest.raises(AssertionError, match="not found"):  # the second place lies before the first
        changed("a\nb\n", "-b\n...\n-a\n")


@pytest.mark.parametrize(("page", "most"), MOST_FILES.items())
def test_few_files_are_touched(page: str, most: int) -> None:
    text = (ROOT / "docs" / "contributing" / f"{page}.md").read_text(encoding="utf-8")
    touched = {name for name in re.findall(r"```\w+ file=(\S+)", text) if "/" in name}
    assert 1 < len(touched) <= most, sorted(touched)


def test_every_page_is_listed() -> None:
    listed = re.findall(r"\]\((\w+)\.md\)", (ROOT / "docs/contributing/README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == [page.stem for page in PAGES]
