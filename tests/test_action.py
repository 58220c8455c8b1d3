"""The GitHub Action: its steps run here with bash, as a runner would run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
GOOD = """game "Count"

players one, two

state
  n: 0..3

move count(k: 1..2)
  when n + k <= 3 "three is the end"
  add k to n

play
  turns from one
    me plays count
    if n = 3
      win me

claim reachable n = 3
"""
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


def run_steps(folder: Path, **given: str) -> tuple[int, str]:
    """Runs the shell steps with these inputs; returns the exit code and what the last one printed."""
    values = {name: given.get(name.replace("-", "_"), str(i["default"])) for name, i in ACTION["inputs"].items()}
    bin = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    base = {**os.environ, "PATH": bin, "PYTHONPATH": str(ROOT), "GITHUB_WORKSPACE": str(folder)}
    code, out = 0, ""
    for step in STEPS:
        if "run" not in step:
            continue
        env = base | {name: evaluated(text, values) for name, text in step["env"].items()}
        where = folder / evaluated(step.get("working-directory", "."), values)
        script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(script, env=env, cwd=where, capture_output=True, text=True)
        code, out = done.returncode, done.stdout
        if code:
            break
    return code, out


def evaluated(text: str, inputs: dict[str, str]) -> str:
    """An expression of the action, as the runner evaluates it."""
    text = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: inputs[m[1]], text)
    return text.replace("${{ github.action_path }}", str(ROOT))


def test_every_input_is_described_and_used() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(ACTION["inputs"]) and all(i["description"] for i in ACTION["inputs"].values())


def test_no_input_becomes_part_of_a_script() -> None:
    """An input in the text of a script is run by the shell: `$(...)` in it is a command."""
    assert [s["name"] for s in STEPS if "${{" in s.get("run", "")] == []


def test_the_guide_shows_inputs_that_exist() -> None:
    page = (ROOT / "docs" / "guide" / "continuous-integration.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```", page, re.S | re.M)
    steps = [s for b in blocks for j in yaml.safe_load(b).get("jobs", {}).values() for s in j["steps"] if "with" in s]
    used = {name for s in steps if "gamedsl" in s["uses"] for name in s["with"]}
    assert used and used <= set(ACTION["inputs"])


@needs_bash
def test_a_sound_ruleset_passes(tmp_path: Path) -> None:
    (tmp_path / "a game.gdl").write_text(GOOD, encoding="utf-8")
    (tmp_path / "a game.examples.yaml").write_text("examples: [{name: first, legal_count: 2}]\n", encoding="utf-8")
    code, out = run_steps(tmp_path, install="pip", commands="check fmt test")
    assert code == 0, out
    assert [line for line in out.splitlines() if line.startswith(("::", "gamedsl"))] == [
        "gamedsl check",
        "gamedsl fmt",
        "gamedsl test",
    ]


@needs_bash
def test_a_faulty_ruleset_fails_at_its_line(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    (games / "good.gdl").write_text(GOOD, encoding="utf-8")
    (games / "bad.gdl").write_text(GOOD.replace("win me", "win you"), encoding="utf-8")
    code, out = run_steps(tmp_path, install="pip", working_directory="games")
    assert code == 1
    assert "::error file=games/bad.gdl,line=16,col=11,title=E0201::" in out
    assert "gamedsl test" not in out  # the same mistake is not marked again by every command


@needs_bash
def test_a_failing_example_and_a_violated_claim_fail(tmp_path: Path) -> None:
    (tmp_path / "it.gdl").write_text(GOOD.replace("reachable n = 3", "never n = 3"), encoding="utf-8")
    (tmp_path / "it.examples.yaml").write_text("examples: [{name: first, legal_count: 3}]\n", encoding="utf-8")
    code, out = run_steps(tmp_path, install="pip", commands="test verify")
    assert code == 3
    assert "::error file=it.examples.yaml,line=1,col=12,title=example-failed::" in out
    assert out.count("::error") == 2 and "::error file=it.gdl,line=18,col=1,title=claim-violated::" in out


@needs_bash
@pytest.mark.parametrize(
    ("given", "message"),
    [({"files": "*.txt"}, "no file matches"), ({"commands": "chekc"}, "takes check, fmt, test and verify")],
)
def test_wrong_inputs_are_reported(tmp_path: Path, given: dict[str, str], message: str) -> None:
    (tmp_path / "it.gdl").write_text(GOOD, encoding="utf-8")
    code, out = run_steps(tmp_path, install="pip", **given)
    assert code == 2 and message in out
