"""What the core does without any extra: it reads, checks, tests, prints and plays rules, and names the extra of all else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from gamedsl.language.source.extras import LIBRARIES

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WITHOUT = """
import sys
from gamedsl.language.source.extras import LIBRARIES
sys.modules.update(dict.fromkeys(LIBRARIES))  # as if none of them were installed
from gamedsl.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
DISTRIBUTIONS = {"pyspiel": "open-spiel", "z3": "z3-solver"}


def run(*words: str, input: str = "", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *words],
        input=input,
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
    )


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("check", "atreso", "abs-trac-toe"), "fine"),
        (("test", "horn-tiles"), "passed"),
        (("rules", "t-tic-t-tac-toe"), "three"),
        (("fmt", "--check", str(ROOT / "rulesets" / "atreso.gdl")), "0 of 1"),
        (("export", "tic-tac-toe", "--to", "yaml"), "cites"),
        (("play", "x-s-and-lines", "--seats", "random,random", "--seed", "1", "--plain"), "returns"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_the_core_works_alone(words: tuple[str, ...], shown: str) -> None:
    done = run(*words)
    assert done.returncode == 0 and shown in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("simulate", "tic-tac-toe"), "native"),
        (("verify", "tic-tac-toe"), "native"),
        (("play", "tic-tac-toe", "--seats", "mcts:10,random", "--plain"), "native"),
        (("play", "abs-trac-toe", "--seats", "random,random", "--plain"), "drawing"),
        (("report", "tic-tac-toe", "-o", "report.html"), "pages"),
        (("serve",), "server"),
        (("site", "-o", "public", "tic-tac-toe"), "docs"),
        (("completions", "bash"), "completions"),
        (("lsp",), "lsp"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else value,
)
def test_what_needs_an_extra_names_it(words: tuple[str, ...], extra: str, tmp_path: Path) -> None:
    done = run(*words, folder=tmp_path)
    assert done.returncode == 2 and f"pip install 'gamedsl[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr and not list(tmp_path.iterdir())


def test_a_hint_in_the_middle_of_a_game_names_the_extra_and_the_game_goes_on() -> None:
    done = run("play", "tic-tac-toe", "--seats", "human,human", "--plain", input="hint\nb2\nquit\n")
    _, named, after = done.stdout.partition("pip install 'gamedsl[native]'")
    assert named and "O> " in after  # X has made its move, and the other is asked


def test_every_library_that_may_be_missing_stands_in_its_extra_and_none_in_the_core() -> None:
    extras = {
        name: {Requirement(each).name for each in each_extra}
        for name, each_extra in PROJECT["optional-dependencies"].items()
    }
    core = {Requirement(each).name for each in PROJECT["dependencies"]}
    for module, (_, extra) in LIBRARIES.items():
        name = DISTRIBUTIONS.get(module, module)
        brought_by = {"markupsafe": "jinja2"}.get(name, name)
        assert brought_by in {each.replace("_", "-") for each in extras[extra]} and brought_by not in core
    assert re.fullmatch(r"gamedsl\[[a-z,]+\]", PROJECT["optional-dependencies"]["all"][0])
