"""The budget of lines: what counts as a line of code, and what is over the budget."""

from __future__ import annotations

import importlib.util
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / ".ci" / "budget"
# Seven lines hold code: the import, the class, the two parts of the tuple, the function, the return, and the string that is data.
TEXT = '''"""A docstring
of two lines."""

import os

# a comment
class Thing:
    """What it is."""

    parts = (1,
             2)  # with a comment

    def name(self) -> str:
        """Its name."""
        return """a string
that is data"""
'''


@pytest.fixture
def budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, with a tree of its own: two packages, tests, benchmarks, a script of the page."""
    loader = SourceFileLoader("budget_script", str(SCRIPT))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    loader.exec_module(module)
    for name in (
        "gamedsl/one/a.py",
        "gamedsl/one/b.py",
        "gamedsl/two/a.py",
        "gamedsl/top.py",
        "tests/t.py",
        "benchmarks/b.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    (tmp_path / "gamedsl/one/page.js").write_text("// a comment\nlet a = 1\n\nlet b = 2\n", encoding="utf-8")
    (tmp_path / ".ci").mkdir()
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "BUDGETS", tmp_path / ".ci" / "budget.txt")
    monkeypatch.setattr(module, "STEP", 1)
    monkeypatch.setattr(module, "FILE_STEP", 1)
    return module


def test_lines_are_counted(budget: ModuleType) -> None:
    sizes = budget.measure()
    assert sizes["one"][:3] == (14, 2, 7) and sizes["two"][:2] == (7, 1)
    assert sizes["scripts-of-the-page"][:2] == (2, 1)
    assert set(sizes) == {"one", "two", "gamedsl", "scripts-of-the-page", "tests", "benchmarks"}


def test_what_is_over_the_budget_is_named(budget: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert budget.main(["--renew"]) == 0
    assert budget.main([]) == 0
    file = budget.ROOT / "gamedsl" / "one" / "a.py"
    file.write_text(TEXT + "x = 1\n" * 4, encoding="utf-8")
    capsys.readouterr()
    assert budget.main([]) == 1
    out = capsys.readouterr().out
    assert "over budget: one: 18 lines, and its budget is 14" in out
    assert "over budget: gamedsl/one/a.py: 11 lines, and the budget of a file is 7" in out
    assert budget.main(["--renew"]) == 0 and budget.main([]) == 0


def test_a_new_package_needs_a_budget(budget: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert budget.main(["--renew"]) == 0
    (budget.ROOT / "gamedsl" / "three").mkdir()
    (budget.ROOT / "gamedsl" / "three" / "a.py").write_text("x = 1\n", encoding="utf-8")
    assert budget.main([]) == 1
    assert "over budget: three: 1 lines, and its budget is 0" in capsys.readouterr().out


def test_every_package_has_a_budget() -> None:
    named = {line.split()[0] for line in SCRIPT.with_name("budget.txt").read_text(encoding="utf-8").splitlines()[1:]}
    packages = {p.parent.name for p in (SCRIPT.parents[1] / "gamedsl").glob("*/__init__.py")}
    assert packages | {"tests", "benchmarks"} <= named
