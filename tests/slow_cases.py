"""Cases that take long: `python -m tests.slow_cases FILE...` lists them anew in `slow_cases.txt`.

The files are those that `pytest -n 2 -p tests.cpu_seconds --cpu-seconds FILE` writes. A case is slow if it takes
more than a third of a CPU second; the cheapest case of a test stays in the quick suite up to a whole one. Cases that are listed
already stay listed; to measure them too, remove their lines first, or run with `-m ""`.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

from .cpu_seconds import seconds_of

LIST = Path(__file__).with_suffix(".txt")
LIMIT = 0.3  # CPU seconds of a case
CHEAPEST_LIMIT = 1.0  # of the cheapest case of its test
# Always quick, for any change of the sources can break them; and what stands among them, but runs what it reads.
LINTS = ("tests/docs/", "tests/test_", "tests/cli/test_commands.py::test_the_index")
RUNS = ("tests/docs/test_code_blocks.py", "tests/docs/test_contributing.py::test_page[", "tests/test_action.py")


@cache
def listed() -> frozenset[str]:
    """The node ids of the slow cases."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def over_limit(seconds: dict[str, float]) -> set[str]:
    """The slow ones of these cases, by node id."""
    tests: dict[str, list[str]] = defaultdict(list)
    for node in sorted(seconds, key=lambda node: (seconds[node], node)):
        tests[node.partition("[")[0]].append(node)
    return {
        node
        for cases in tests.values()
        for node in cases
        if seconds[node] > (CHEAPEST_LIMIT if node == cases[0] else LIMIT) and not is_lint(node)
    }


def is_lint(node: str) -> bool:
    return node.startswith(LINTS) and not node.startswith(RUNS)


def main(files: list[str]) -> None:
    found: dict[str, float] = {}
    for file in files:
        for node, seconds in seconds_of(file).items():
            found[node] = max(seconds, found.get(node, 0.0))
    LIST.write_text("".join(f"{node}\n" for node in sorted(listed() | over_limit(found))), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
