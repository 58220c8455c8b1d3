"""The plugin, run by pytest inside pytest: what it collects, what passes, what fails and how that is told."""

from __future__ import annotations

import shutil
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import gamedsl.lab.claims.verification

pytest_plugins = ["pytester"]
assert gamedsl.lab.claims.verification
ROOT = Path(__file__).resolve().parents[2]

GAME = """game "Little Nim"

players a, b

state
  left: 0..5 = 5

move take_one written "one"
  take 1 from left

move take_two written "two"
  when left > 1 "too few are left"
  take 2 from left

play
  turns from a
    me plays take_one | take_two
    if left = 0
      win me

claim "never below nothing": always left >= 0
claim never left = 2
claim ends within 5 plies
"""

EXAMPLES = """examples:
  - name: two are too many for one
    moves: [two, two]
    legal: [one]
    illegal: [two]
  - name: wrong on purpose
    moves: [two]
    to_move: a
"""


@pytest.fixture
def inside(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeini("[pytest]\naddopts = --disable-plugin-autoload -p gamedsl.pytest_plugin -p no:cacheprovider\n")
    pytester.path.joinpath("nim.gdl").write_text(GAME, encoding="utf-8")
    pytester.path.joinpath("nim.examples.yaml").write_text(EXAMPLES, encoding="utf-8")
    return pytester


def test_examples_and_claims_are_tests(inside: pytest.Pytester) -> None:
    found = inside.runpytest_inprocess("-v")
    found.assert_outcomes(passed=4, failed=2)
    found.stdout.fnmatch_lines(
        [
            "*nim.examples.yaml::two are too many for one PASSED*",
            "*nim.examples.yaml::wrong on purpose FAILED*",
            "*nim.gdl::never below nothing PASSED*",
            "*nim.gdl::never left = 2 FAILED*",
            "*nim.gdl::ends within 5 plies PASSED*",
            "*nim.gdl::sound PASSED*",
        ]
    )


def test_failures_are_told_without_tracebacks(inside: pytest.Pytester) -> None:
    text = inside.runpytest_inprocess().stdout.str()
    assert "to move: b, not a" in text
    assert "violated" in text and "play: " in text
    assert "Traceback" not in text and ".py:" not in text


def test_what_is_collected_can_be_chosen(inside: pytest.Pytester) -> None:
    inside.runpytest_inprocess("-o", "gamedsl_collect=examples").assert_outcomes(passed=1, failed=1)
    inside.runpytest_inprocess("-o", "gamedsl_collect=").assert_outcomes()


def test_one_test_by_its_name(inside: pytest.Pytester) -> None:
    inside.runpytest_inprocess("nim.gdl::sound").assert_outcomes(passed=1)


def test_a_broken_file_is_an_error_with_its_diagnostics(inside: pytest.Pytester) -> None:
    inside.path.joinpath("nim.gdl").write_text(GAME.replace("left >= 0", "right >= 0"), encoding="utf-8")
    found = inside.runpytest_inprocess("nim.gdl")
    found.assert_outcomes(errors=1)
    found.stdout.fnmatch_lines(["*E0201*right*"])


def test_few_states_are_no_proof_and_no_failure(inside: pytest.Pytester) -> None:
    found = inside.runpytest_inprocess("nim.gdl", "-o", "gamedsl_states=2", "-k", "below")
    found.assert_outcomes(passed=1)


def test_a_shipped_game_passes(inside: pytest.Pytester) -> None:
    for name in ("tic-tac-toe.gdl", "tic-tac-toe.examples.yaml"):
        shutil.copy(ROOT / "rulesets" / name, inside.path / name)
    shutil.copytree(ROOT / "rulesets" / "clauses", inside.path / "clauses")
    found = inside.runpytest_inprocess("tic-tac-toe.gdl", "tic-tac-toe.examples.yaml")
    assert found.ret == 0 and found.parseoutcomes()["passed"] > 4


def test_the_package_announces_the_plugin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = project["entry-points"]["pytest11"]["gamedsl"]
    assert import_module(name).pytest_collect_file
