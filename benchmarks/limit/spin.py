"""Runs SPIN on the models of this folder, where it and a C compiler are installed."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FLAGS = ("-O3", "-march=native", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=4000")
DEEPEST = 100  # plies


def searched(name: str, folder: Path, states: int, seconds: float) -> dict[str, Any] | None:
    """SPIN's depth-first search of the model NAME.pml, with one place in its table for every two states or less, again and
    again until the CPU time is over: states, states a second, bytes a state. None where it can't be run."""
    place = folder / f"spin_{name}"
    place.mkdir(exist_ok=True)
    if not (shutil.which("spin") and shutil.which("gcc")):
        return None
    made = subprocess.run(["spin", "-a", str(HERE / f"{name}.pml")], cwd=place, capture_output=True, check=False)
    command = ["gcc", *FLAGS, "-o", "pan", "pan.c"]
    if made.returncode or subprocess.run(command, cwd=place, capture_output=True, check=False).returncode:
        return None
    times, spent, told = 0, 0.0, ""
    while spent < seconds:
        before = _used()
        run = [str(place / "pan"), f"-m{DEEPEST}", f"-w{states.bit_length()}"]
        told = subprocess.run(run, cwd=place, capture_output=True, text=True, check=False).stdout
        times, spent = times + 1, spent + _used() - before
    found, size = re.search(r"(\d+) states, stored", told), re.search(r"([\d.]+)\s+total actual memory usage", told)
    if found is None or size is None or "errors: 0" not in told:
        return None
    stored = int(found[1])
    return {
        "states": stored, "rate": stored * times / spent, "seconds": spent / times,
        "bytes_per_state": float(size[1]) * 1024 * 1024 / stored,
    }  # fmt: skip


def _used() -> float:
    """CPU seconds of finished programs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
