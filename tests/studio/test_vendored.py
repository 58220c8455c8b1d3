"""The text editor that the wheel holds is the one of the lock file, and comes with the licenses of what is in it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import gamedsl

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "editors" / "codemirror"
STATIC = Path(gamedsl.__file__).parent / "studio" / "static"


def held() -> dict[str, str]:
    """The packages of the built file, with their versions, as it names them."""
    (words,) = re.findall(r"Holds: (.*?) \*/", (STATIC / "codemirror.js").read_text(encoding="utf-8")[:4000])
    return dict(word.rsplit(" ", 1) for word in words.split(", "))


def test_the_built_file_holds_the_versions_of_the_lock_file() -> None:
    locked = json.loads((SOURCE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert len(held()) >= 15
    assert held() == {name: locked[f"node_modules/{name}"]["version"] for name in held()}
    wanted = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert {n: v for n, v in wanted.items() if n not in ("esbuild", "@lezer/generator")}.items() <= held().items()


def test_every_package_in_it_has_its_license_text() -> None:
    text = (STATIC / "codemirror.licenses.txt").read_text(encoding="utf-8")
    sections = dict(re.findall(r"(?m)^(\S+) \d[\d.]*\n\n((?:.|\n)*?)(?=\n-{78}\n|\Z)", text))
    assert sections.keys() == held().keys()
    assert all("Permission is hereby granted" in one or "MIT" in one for one in sections.values())


def test_the_built_file_is_built_from_this_source(tmp_path: Path) -> None:
    """CI calls `npm ci` before."""
    if not shutil.which("node") or not (SOURCE / "node_modules").exists():
        assert not os.environ.get("GAMEDSL_NEEDS_NODE"), "run `npm ci` in editors/codemirror"
        pytest.skip("needs node, and `npm ci` in editors/codemirror")
    before = {name: (STATIC / name).read_bytes() for name in ("codemirror.js", "codemirror.licenses.txt")}
    try:
        subprocess.run(["npm", "run", "build", "--silent"], cwd=SOURCE, check=True, timeout=120)
        assert {name: (STATIC / name).read_bytes() for name in before} == before
    finally:
        for name, data in before.items():
            (STATIC / name).write_bytes(data)
