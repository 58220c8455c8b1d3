"""Builds and runs the hand-written C++ programs of this folder, where there is a compiler."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
FLAGS = ("-std=c++20", "-O3", "-march=native", "-w")


@dataclass(frozen=True)
class Program:
    """A built program, or the reason why there is none."""

    name: str
    path: Path | None
    missing: str = ""

    def run(self, *words: str) -> dict[str, object] | None:
        """What it prints, read as JSON; None when it has not this form or is not there."""
        if self.path is None:
            return None
        done = subprocess.run([str(self.path), *words], capture_output=True, text=True, check=False)
        return dict(json.loads(done.stdout)) if done.returncode == 0 else None


def build(name: str, folder: Path) -> Program:
    """The program NAME.cpp, built into a folder."""
    compiler = shutil.which("g++")
    if compiler is None:
        return Program(name, None, "g++ is not installed")
    target = folder / name
    command = [compiler, *FLAGS, "-o", str(target), str(HERE / f"{name}.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        told = next((line for line in done.stderr.splitlines() if "error" in line), "g++ failed")
        return Program(name, None, f"{name}.cpp cannot be built here: {told}")
    return Program(name, target)
