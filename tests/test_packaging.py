"""What a release consists of, besides the package: the bill of materials and the recipe for conda."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import gamedsl

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]


def test_one_version() -> None:
    assert gamedsl.__version__ == PROJECT["version"]


# ------------------------------------------------------------------------------------------------- bill of materials


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    command = [sys.executable, str(ROOT / ".ci" / "sbom")]
    first, again = (subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert first == again
    found: dict[str, Any] = json.loads(first)
    return found


def test_the_bill_has_the_fields_of_cyclonedx(bill: dict[str, Any]) -> None:
    """Those that the schema requires, and those of the minimum elements (NTIA): name, version, identifier, dependencies."""
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    parts = [bill["metadata"]["component"], *bill["components"]]
    assert bill["metadata"]["component"]["name"] == "gamedsl"
    for part in parts:
        assert part["type"] in ("application", "library") and part["name"] and part["version"]
        assert re.fullmatch(r"pkg:pypi/[a-z0-9-]+@\S+", part["purl"]) and part["bom-ref"] == part["purl"]
        for license in part["licenses"]:
            assert license.keys() == {"expression"} or license["license"]["name"]


def test_the_bill_is_whole(bill: dict[str, Any]) -> None:
    refs = [part["bom-ref"] for part in (bill["metadata"]["component"], *bill["components"])]
    assert len(refs) == len(set(refs))
    assert {d["ref"] for d in bill["dependencies"]} == set(refs)
    assert {ref for d in bill["dependencies"] for ref in d["dependsOn"]} | {refs[0]} == set(refs)
    needed = {canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]}
    listed = {part["purl"].removeprefix("pkg:pypi/").partition("@")[0]: part["version"] for part in bill["components"]}
    assert {name: version(name) for name in needed}.items() <= listed.items()


# --------------------------------------------------------------------------------------------------- the recipe


def test_the_recipe_is_the_project() -> None:
    """`conda-build` reads a recipe in this way: a Jinja template that can load files, then YAML."""

    def load_file_data(path: str, from_recipe_dir: bool) -> dict[str, Any]:
        assert from_recipe_dir and (ROOT / "conda" / path).resolve() == ROOT / "pyproject.toml"
        return PYPROJECT

    text = (ROOT / "conda" / "meta.yaml").read_text(encoding="utf-8")
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    rendered = environment.from_string(text).render(load_file_data=load_file_data, PYTHON="python")
    recipe = yaml.safe_load(rendered)
    assert recipe["package"] == {"name": "gamedsl", "version": PROJECT["version"]}
    assert (ROOT / "conda" / recipe["source"]["path"]).resolve() == ROOT
    python, *needed = recipe["requirements"]["run"]
    assert python == f"python {PROJECT['requires-python']}"
    [everything] = map(Requirement, PROJECT["optional-dependencies"]["all"])
    extras = [text for extra in everything.extras for text in PROJECT["optional-dependencies"][extra]]
    wanted = [r for r in map(Requirement, [*PROJECT["dependencies"], *extras]) if r.name != "gamedsl"]
    assert sorted(str(Requirement(text)) for text in needed) == sorted(map(str, wanted))
    assert all(re.fullmatch(r"[a-z0-9_-]+ [<>=!0-9.,]+", text) for text in needed), "conda wants NAME VERSIONS"
    assert set(PYPROJECT["build-system"]["requires"]) == {
        t.replace(" ", "") for t in recipe["requirements"]["host"][2:]
    }
    assert recipe["build"]["entry_points"] == ["gamedsl = gamedsl.cli.main:main"]
    assert recipe["about"]["license"] == "MIT" and (ROOT / "conda" / ".." / recipe["about"]["license_file"]).exists()
