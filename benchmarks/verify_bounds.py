"""What `verify` costs beyond its bounds: ``python benchmarks/verify_bounds.py [FILE...] [--time S] [--play-time S]``.

Every shipped ruleset, and every file named, is verified in a process of its own, with nothing kept on disk but the compiled kernels.
Prints seconds beyond ``--time`` and ``--games-time`` together, worst first: of the processor (user and system), and by the clock.
The bounds are by the clock; ``verify`` is given the processor's time for it here, so that a busy machine shows what an idle
one would. ``--only`` leaves out the shipped rulesets; ``--alarms`` shows what is violated.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RULESETS = Path(__file__).parents[1] / "rulesets"
CODE = "import sys, time; time.perf_counter = time.process_time; from gamedsl.cli.main import main; sys.exit(main())"


@dataclass(frozen=True)
class Run:
    """``cpu``, ``wall``: seconds beyond the bounds. ``verdicts``: as JSON tells them (empty: the command failed)."""

    file: str
    cpu: float
    wall: float
    exit_code: int
    verdicts: list[dict[str, Any]]

    @property
    def violated(self) -> list[str]:
        return [f"{v['claim']}: {v['detail']}" for v in self.verdicts if v["status"] == "violated"]


def run(file: str, bounds: tuple[float, float]) -> Run:
    """One verification in a process of its own."""
    words = [
        "verify",
        file,
        "--time",
        f"{bounds[0]:g}",
        "--games-time",
        f"{bounds[1]:g}",
        "--no-save",
        "--format",
        "json",
    ]
    with tempfile.TemporaryFile() as out:
        environment = os.environ | {"GAMEDSL_CACHE": "off"}
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", CODE, *words],
            stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    verdicts = json.loads(text)["verdicts"] if text.startswith(b"{") else []
    beyond = used.ru_utime + used.ru_stime - sum(bounds), wall - sum(bounds)
    return Run(file, *beyond, process.returncode, verdicts)


def shipped() -> list[str]:
    return [str(path) for path in sorted(RULESETS.rglob("*.gdl"))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--time", type=float, default=2.0, metavar="S")
    parser.add_argument("--play-time", type=float, default=2.0, metavar="S")
    parser.add_argument("--only", action="store_true")
    parser.add_argument("--alarms", action="store_true")
    options = parser.parse_args()
    files = [*([] if options.only else shipped()), *options.files]
    found = []
    for file in files:
        found.append(run(file, (options.time, options.play_time)))
        print(f"{found[-1].cpu:+6.1f} {Path(file).stem}", file=sys.stderr, flush=True)
    print(f"{'cpu':>6} {'wall':>6} {'exit':>4}  ruleset")
    for one in sorted(found, key=lambda r: -r.cpu):
        print(f"{one.cpu:+6.1f} {one.wall:+6.1f} {one.exit_code:4}  {Path(one.file).stem}")
        for told in one.violated if options.alarms else ():
            print(f"                     {told}")


if __name__ == "__main__":
    main()
