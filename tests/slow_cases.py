"""Cases of parametrized tests that take long: `python -m tests.slow_cases JUNIT.xml...` lists them anew in `slow_cases.txt`.

The files are those of whole runs of the quick suite (`pytest -n 2 --junitxml=JUNIT.xml`). A case of more than a second is
slow, unless it is the quickest of its test: every test stays in the quick suite with one case at least. Cases that are
listed already stay listed; remove the file's lines first, and run with `-m ""`, to measure them too.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

LIST = Path(__file__).with_suffix(".txt")
LIMIT = 1.0  # seconds of a case


def listed() -> frozenset[str]:
    """The node ids of the slow cases."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def over_limit(seconds: dict[str, float]) -> set[str]:
    """The slow ones of these cases, by node id."""
    tests: dict[str, list[str]] = defaultdict(list)
    for node in sorted(seconds, key=lambda node: (seconds[node], node)):
        tests[node.partition("[")[0]].append(node)
    return {node for cases in tests.values() for node in cases[1:] if seconds[node] > LIMIT}


def measured(report: Path) -> dict[str, float]:
    """Seconds of each case in a JUnit report, by node id."""
    cases = ElementTree.parse(report).iter("testcase")
    return {
        f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}": float(case.get("time", 0))
        for case in cases
    }


def main(reports: list[str]) -> None:
    found: dict[str, float] = {}
    for report in reports:
        for node, seconds in measured(Path(report)).items():
            found[node] = max(seconds, found.get(node, 0.0))
    LIST.write_text("".join(f"{node}\n" for node in sorted(listed() | over_limit(found))), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
