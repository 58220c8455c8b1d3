"""Processor seconds of every test, its child processes included, and the table of the most expensive.

`python -m pytest -n 2 -p tests.cpu_seconds --cpu-seconds FILE` adds a line per test to FILE;
`python -m tests.cpu_seconds FILE` writes the figures of such a file into `docs/reference/slowest-tests.md`.
Where the system has a folder of processes (`/proc`), what a browser or server does counts for the test that makes it do it;
elsewhere it counts for the test in which it ends.
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Generator, Iterable
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "slowest-tests.md"
SHOWN = 50
PROCESSES = Path("/proc")
HEAD = """# The slowest tests

Written by `python -m tests.cpu_seconds FILE` from a run of
`python -m pytest tests/ -n 2 -p tests.cpu_seconds --cpu-seconds FILE`, but for the figures of before, which it leaves as they
are; do not edit anything else.

Processor seconds, child processes included: also those of a browser or a server that other tests use too. Figures of a busy
machine vary by half. The cache of compiled rules was filled. All tests together: {before} s before the suite was made quicker,
{after:.0f} s now.

Quicker does not mean weaker. What a test asserts is in the last column, and it has not changed; the cost is in what the tests share:

- Property tests try a quarter of their examples, at least ten; `python -m pytest -n 2 -m "slow or law"` tries all.
- Cases of more than a third of a CPU second are long ones (`slow`); the cheapest case of a test stays, if it takes less than one.
- Tests that read the sources parse them once in a process.
- Kernels are compiled once as a whole and come from the code cache afterwards; so do WebAssembly modules and prepared drawings.
  Tests of the compiler and of the cache itself use a cache of their own, or none.
- Each shipped ruleset is lowered once in a process; a page is served as one script, by the process that tests it.
- Folders of tests lie in memory, where the system has 2 GB of room there: nothing waits for a disk.

## The fifty that were the slowest

No figure of now: the test is a long one today (`slow`), or has another name.

| Before | Now | Test | What it asserts |
|---:|---:|---|---|
"""
NOW = """
## The fifty that are the slowest now

| Now | Test | What it asserts |
|---:|---|---|
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cpu-seconds", metavar="FILE", help="add the processor seconds of every test to a file")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    file = item.config.getoption("--cpu-seconds")
    before = spent() if file else 0.0
    result = yield
    if file:
        with open(file, "a", encoding="utf-8") as out:
            out.write(json.dumps([item.nodeid, round(max(0.0, spent() - before), 2)]) + "\n")
    return result


def spent() -> float:
    """The processor seconds of this process and of its children, ended ones and, as far as the system tells, others."""
    children: dict[int, list[int]] = defaultdict(list)
    seconds: dict[int, float] = {}
    for path in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            children[int(fields[1])].append(int(path.parent.name))
            seconds[int(path.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    found, todo = sum(os.times()[:4]), [*children[os.getpid()]]
    while todo:
        process = todo.pop()
        found += seconds[process]
        todo += children[process]
    return found


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


def row(node: str, *figures: str) -> str:
    said = asserted(node).replace("|", "\\|")[:160]
    return f"| {' | '.join(figures)} | `{node.removeprefix('tests/')}` | {said} |\n"


def kept(page: str) -> tuple[str, dict[str, str]]:
    """The figures of before, which no run gives any more: of all tests together, and of the slowest."""
    whole = re.search(r"All tests together: (\d+) s\s+before", page)
    assert whole
    return whole[1], {
        f"tests/{node}": figure for figure, node in re.findall(r"^\| ([\d.]+) \| [\d.]* \| `([^`]+)`", page, re.M)
    }


def lines(page: str, now: dict[str, float]) -> Iterable[str]:
    whole, before = kept(page)
    yield HEAD.format(before=whole, after=sum(now.values()))
    yield from (row(node, figure, f"{now[node]:.1f}" if node in now else "") for node, figure in before.items())
    yield NOW
    yield from (row(node, f"{now[node]:.1f}") for node in sorted(now, key=lambda n: -now[n])[:SHOWN])


def main(file: str) -> None:
    PAGE.write_text("".join(lines(PAGE.read_text(encoding="utf-8"), seconds_of(file))), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
