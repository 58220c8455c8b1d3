"""What other programs and people find beside the package: hooks, completions, the pages for contributors."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from gamedsl.cli.command_list import COMMANDS
from gamedsl.cli.completions_command import completions
from gamedsl.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
PAGES = ("CONTRIBUTING.md", "SECURITY.md", "RELEASE.md")


@pytest.mark.parametrize(("text", "code"), [("  mine", 0), ("  nobody", 1)])
def test_hooks_run_on_the_files_of_a_commit(tmp_path: Path, text: str, code: int) -> None:
    file = tmp_path / "mine.gdl"
    shutil.copy(ROOT / "rulesets" / "tic-tac-toe.gdl", file)
    if code:
        file.write_text(file.read_text(encoding="utf-8") + "\nplay again\n", encoding="utf-8")
    for hook in HOOKS.values():
        assert re.search(hook["files"], file.name) and hook["language"] == "python"
        _, *words = shlex.split(hook["entry"])
        assert (main([*words, str(file)]) != 0) == bool(code)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [(["ver"], {"verify"}), (["play", "ches"], {"chess", "chess960"}), (["check", "--fo"], {"--format"})],
)
def test_a_shell_completes(tmp_path: Path, words: list[str], expected: set[str]) -> None:
    pytest.importorskip("shtab")
    script = tmp_path / "completions"
    script.write_text(completions("bash"), encoding="utf-8")
    line = f"source {script}; COMP_WORDS=(gamedsl {' '.join(words)}); COMP_CWORD={len(words)}; _shtab_gamedsl; "
    found = subprocess.run(
        ["bash", "-c", line + 'echo "${COMPREPLY[@]}"'], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert set(found.stdout.split()) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_every_command_is_completed(shell: str) -> None:
    pytest.importorskip("shtab")
    script = completions(shell)
    assert [name for name in COMMANDS if name not in script] == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_what_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    paths = re.findall(r"`((?:gamedsl|tests|docs|benchmarks|grammar|\.ci)/[\w./-]*)`", text)
    paths += [word for command in re.findall(r"`([^`]+)`", text) for word in command.split() if "/" in word]
    known = [p for p in [*links, *paths] if not re.search(r"[*<]", p)]
    assert [p for p in known if not (ROOT / p).exists()] == []
    assert [c for c in re.findall(r"`gamedsl ([a-z]+)", text) if c not in COMMANDS] == []
    for module in re.findall(r"python -m (gamedsl[\w.]+)", text):
        assert (ROOT / (module.replace(".", "/") + ".py")).exists()
