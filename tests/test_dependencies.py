"""The locked versions: whole, within what `pyproject.toml` declares, for every machine, and used by every installation."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = (ROOT / "constraints.txt").read_text(encoding="utf-8")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def declared() -> list[Requirement]:
    """Every dependency of the project and of its extras, without the project itself."""
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    return [r for group in groups for r in map(Requirement, group) if r.name != PROJECT["name"]]


def holds(marker: Marker | None, python: str) -> bool:
    return marker is None or marker.evaluate({"python_version": python, "python_full_version": f"{python}.0"})


@pytest.mark.parametrize("python", PYTHONS)
def test_every_dependency_has_one_locked_version_that_is_declared_to_work(python: str) -> None:
    locked: dict[str, list[Requirement]] = {}
    for line in LOCK.splitlines():
        if not line.startswith("#") and holds((entry := Requirement(line)).marker, python):
            locked.setdefault(canonicalize_name(entry.name), []).append(entry)
    assert {name: entries for name, entries in locked.items() if len(entries) != 1} == {}
    for needed in declared():
        [entry] = locked[canonicalize_name(needed.name)]
        [pin] = entry.specifier
        assert pin.operator == "==" and needed.specifier.contains(pin.version), (
            f"run .ci/lock: {needed}, locked {entry}"
        )


def test_every_dependency_declares_its_oldest_version() -> None:
    """Without one, nobody knows what works, and `.ci/oldest` would install the first version ever published."""
    assert [str(r) for r in declared() if not any(s.operator == ">=" for s in r.specifier)] == []


def test_the_lock_names_no_machine() -> None:
    assert not re.search(r"://|^-|\s/|@", LOCK, re.M)


@pytest.mark.parametrize("file", ["README.md", ".ci/run"])
def test_every_installation_uses_the_lock(file: str) -> None:
    commands = [line for line in (ROOT / file).read_text(encoding="utf-8").splitlines() if "pip install" in line]
    assert commands
    assert [line for line in commands if "-c constraints.txt" not in line] == []
