"""Processor seconds of every test, its child processes included, and the table of the most expensive.

`python -m pytest -n 2 -p tests.cpu_seconds --cpu-seconds FILE` adds a line per test to FILE;
`python -m tests.cpu_seconds BEFORE AFTER` writes `docs/reference/slowest-tests.md` from two such files.
A browser or server of a module counts for the test in which it ends.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "slowest-tests.md"
SHOWN = 50
HEAD = """# The slowest tests

Written by `python -m tests.cpu_seconds BEFORE AFTER` from two runs of
`python -m pytest tests/ -n 2 -p tests.cpu_seconds --cpu-seconds FILE`; do not edit.

Processor seconds, child processes included, of the {shown} most expensive tests before the suite was made quicker, and after.
A browser or a server counts for the test in which it ends. No figure: the test is a long one now (`slow`), has another name, or
was not measured again. Figures of a busy machine vary by half. All tests together: {before:.0f} s before{after}.

Quicker does not mean weaker. What a test asserts is in the last column, and it has not changed; the cost is in what the tests share:

- Property tests try a quarter of their examples, at least ten; `python -m pytest -n 2 -m "slow or law"` tries all.
- Cases of more than a third of a CPU second are long ones (`slow`); the cheapest case of a test stays, if it takes less than one.
- Tests that read the sources parse them once in a process.
- Kernels are compiled once as a whole and come from the code cache afterwards; so do WebAssembly modules and prepared drawings.
  Tests of the compiler and of the cache itself use a cache of their own, or none.
- Each shipped ruleset is lowered once in a process; a page is served as one script, by the process that tests it.

| Before | After | Test | What it asserts |
|---:|---:|---|---|
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cpu-seconds", metavar="FILE", help="add the processor seconds of every test to a file")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    before = sum(os.times()[:4])
    result = yield
    file = item.config.getoption("--cpu-seconds")
    if file:
        with open(file, "a", encoding="utf-8") as out:
            out.write(json.dumps([item.nodeid, round(sum(os.times()[:4]) - before, 2)]) + "\n")
    return result


def seconds_of(file: str) -> dict[str, float]:
    """The seconds of each test in a file; the last line counts."""
    return dict(map(json.loads, Path(file).read_text(encoding="utf-8").splitlines()))


def asserted(node_id: str) -> str:
    """The first sentence of a test's docstring, or its first assertion."""
    file, _, name = node_id.partition("[")[0].partition("::")
    path = ROOT / file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            said = ast.get_docstring(node)
            first = next((n for n in ast.walk(node) if isinstance(n, ast.Assert)), None)
            if said:
                return " ".join(said.split("\n\n")[0].split())
            return f"`{ast.unparse(first.test)}`" if first else name.removeprefix("test_").replace("_", " ")
    return "(the test is gone)"


def lines(before: dict[str, float], after: dict[str, float]) -> Iterable[str]:
    for node in sorted(before, key=lambda n: -before[n])[:SHOWN]:
        now = f"{after[node]:.1f}" if node in after else ""
        said = asserted(node).replace("|", "\\|")[:160]
        yield f"| {before[node]:.1f} | {now} | `{node.removeprefix('tests/')}` | {said} |\n"


def main(before_file: str, after_file: str) -> None:
    before, after = seconds_of(before_file), seconds_of(after_file)
    whole = f", {sum(after.values()):.0f} s after" if len(after) > len(before) / 2 else ""
    head = HEAD.format(shown=SHOWN, before=sum(before.values()), after=whole)
    PAGE.write_text(head + "".join(lines(before, after)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
