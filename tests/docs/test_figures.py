"""Every figure of the docs names the command that reproduces it, and that command exists."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from tests.docs.figures import figures, pages, sections

ROOT = Path(__file__).resolve().parents[2]
PAGES = pages(ROOT)
ALLOWED = [
    tuple(part.strip() for part in line.split("|"))
    for line in Path(__file__).with_name("figures_allowed.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_figure_names_its_command() -> None:
    bare = [f for p in PAGES for f in figures(named(p), p.read_text(encoding="utf-8")) if not f.is_reproducible]
    allowed = {(page, text) for page, text, _ in ALLOWED}
    assert [f"{f.page}:{f.line}: {f.number}" for f in bare if (f.page, f.number.strip()) not in allowed] == []
    assert allowed - {(f.page, f.number.strip()) for f in bare} == set(), "no longer needed"
    assert all(reason for _, _, reason in ALLOWED)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_scripts_that_figures_name_exist(page: Path) -> None:
    for section in sections(page.read_text(encoding="utf-8")):
        for script in section.scripts:
            words = [word.partition("::")[0] for word in shlex.split(script) if "/" in word]
            assert words and all((ROOT / word).exists() for word in words if word[0] not in "./-"), script


def test_the_commands_that_figures_name_exist(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    commands = {command.split()[1] for text in texts for section in sections(text) for command in section.commands}
    assert commands
    for command in sorted(commands):
        assert main([command, "--help"]) == 0, command


@pytest.mark.parametrize(
    "line",
    [
        "It takes 27 and 39 seconds of processor time.",
        "It explores 5 to 10 million positions a second.",
        "The rest is 2 to 8 % larger.",
        "That is 1.6 times the speed.",
        "It needs 12 MB.",
        "Our loop is 6 to 12 times faster.",
        "It is proved in about a minute.",
        "It won 1.27 chips a game.",
        "| game | seconds |\n|---|---|\n| hex | 3 |",
        "In one loop, steps a second:\n\n| | hex |\n|---|---|\n| ours | 41,000 |",
    ],
)
def test_a_figure_is_found_and_a_command_beside_it(line: str) -> None:
    def found(text: str) -> list[bool]:
        return [f.is_reproducible for f in figures("page.md", text)]

    assert found(line) and not any(found(line))
    assert all(found(f"{line}\n\nSee `gamedsl solve hex`."))
    assert all(found(f"Measured by `python benchmarks/search.py`.\n\n## How fast\n\n{line}"))
    assert not any(found(f"{line}\n\n## Another section\n\n`gamedsl solve hex`"))
    assert not any(found(f"{line}\n\nSee `gamedsl play`."))


NOT_MEASURED = ["Five turns, 20 times.", "`--time 20 s`", "Chess has 64 squares.", "| a | b |\n|---|---|\n| c | d |"]


@pytest.mark.parametrize("line", NOT_MEASURED)
def test_what_is_no_figure(line: str) -> None:
    assert list(figures("page.md", line)) == []
