"""Near names are looked for with bounded work: a file of n declarations and n unknown names does not compare n * n names."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.language.rules import check_file, error_report
from gamedsl.language.source import Diagnostic, GameDSLError

REST = """
move place(c: cell) written "{c}"
  when c in empty
  put stone[me] on c

play
  turns from X
    me plays place
    if empty = {}
      draw
"""


def checked(path: Path, names: list[str]) -> list[Diagnostic]:
    """What a check finds in a ruleset with one definition for each of these names, all of them unknown."""
    lines = [f"define d{number}(c: cell) = c in {name}" for number, name in enumerate(names)]
    head = "players X, O\n\nboard grid 3 by 3\n\npiece stone of player\n\n"
    path.write_text(head + "\n\n".join(lines) + "\n" + REST, encoding="utf-8")
    try:
        return [d for d in check_file(path)[1] if d.code == "E0201"]
    except GameDSLError as mistake:
        return [d for d in mistake.diagnostics if d.code == "E0201"]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of names with which a name is compared, one for each search."""
    sizes: list[int] = []
    search = error_report.near_names

    def count(name: str, candidates: tuple[str, ...]) -> tuple[str, ...]:
        sizes.append(len(candidates))
        return search(name, candidates)

    monkeypatch.setattr(error_report, "near_names", count)
    return sizes


def test_a_check_compares_a_bounded_number_of_names(
    tmp_path: Path, compared: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(error_report, "MOST_COMPARED", 1000)
    found = checked(tmp_path / "many.gdl", [f"emptyy{number}" for number in range(40)])
    assert len(found) == 40, "every message is kept"
    assert 0 < sum(compared) <= 1000 and 0 < len(compared) < 40
    assert found[0].near == ("empty",) and found[-1].near == ()


def test_names_in_a_usual_number_all_get_their_near_names(tmp_path: Path) -> None:
    found = checked(tmp_path / "usual.gdl", [f"emptyy{number}" for number in range(40)])
    assert [d.near for d in found] == [("empty",)] * 40


def test_one_name_is_looked_for_once(tmp_path: Path, compared: list[int]) -> None:
    assert len(checked(tmp_path / "same.gdl", ["emptyy"] * 10)) == 10
    assert len(compared) == 1
