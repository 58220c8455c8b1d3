"""Processor seconds from a valid text to the first figures about it in the studio, for every shipped ruleset, worst first.

    python benchmarks/studio_figures.py [NAME]...

Measured in one process that has loaded what it needs, as the studio's has; its clocks are those of the processor, so that the figures
are those of an idle machine. Columns: seconds until the first part that shows a figure; what that shows: ended games, or the plies of one
that has begun.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from gamedsl.language.rules import shipped  # noqa: E402
from gamedsl.studio import figures_run  # noqa: E402
from gamedsl.studio.studio_process import Worker, answers  # noqa: E402


def measure(path: Path) -> tuple[float, str]:
    """The seconds, and what is shown then."""
    text = path.read_text(encoding="utf-8")
    name = str(path.resolve())
    request = {"id": 1, "do": "figures", "path": name, "texts": {name: text}, "options": [], "plies": [], "seed": 0}
    began = time.process_time()
    for line in answers(Worker(), request):
        summary = line.get("part", {}).get("summary")
        if summary is not None:
            seen = f"{summary['plays']} games"
            if summary["is_begun"]:
                seen = f"{summary['branching']['all_decisions'] if summary['branching'] else 0} plies of a game"
            return time.process_time() - began, seen
    return time.process_time() - began, "nothing"


def main() -> None:
    figures_run.time = SimpleNamespace(monotonic=time.process_time)  # type: ignore[assignment]
    wanted = sys.argv[1:] or sorted(shipped())
    found = sorted(((*measure(shipped()[name]), name) for name in wanted), reverse=True)
    for seconds, seen, name in found:
        print(f"{seconds:6.2f}  {name:<28}{seen}")
    print(f"\n{sum(seconds <= 1 for seconds, *_ in found)} of {len(found)} within one second")


if __name__ == "__main__":
    main()
