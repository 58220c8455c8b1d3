"""Findings in the forms of other programs: annotations of GitHub Actions, and SARIF."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.cli.findings import Finding, sarif, workflow_command
from gamedsl.cli.main import main
from gamedsl.language.rules.files import shipped

Capture = pytest.CaptureFixture[str]
ROOT = Path(__file__).resolve().parents[2]
NAME = "half, or 50%: mine.gdl"  # everything that GitHub escapes
TEXT = """game "Count"

players one, two

state
  n: 0..5

move count
  when n < 5 "already, at 50%: five"
  add 1 to n

play
  turns from one
    me plays count
    if n = 5
      win me

claim never n = 4
"""
BAD = TEXT.replace("add 1 to n", "add m to n")


def read_command(line: str) -> tuple[str, dict[str, str], str]:
    """A line as GitHub's runner reads it (``ActionCommand.TryParseV2``)."""
    found = re.fullmatch(r"::(\w+) ([^\n]*?)::(.*)", line)
    assert found, line
    values = dict(pair.split("=", 1) for pair in found[2].split(","))
    return found[1], {key: _unescaped(value, True) for key, value in values.items()}, _unescaped(found[3], False)


def _unescaped(text: str, is_property: bool) -> str:
    pairs = [("%0D", "\r"), ("%0A", "\n"), *([("%3A", ":"), ("%2C", ",")] if is_property else []), ("%25", "%")]
    for escape, char in pairs:
        text = text.replace(escape, char)
    return text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    (tmp_path / NAME).write_text(TEXT, encoding="utf-8")
    return tmp_path


def annotations(capture: Capture) -> list[tuple[str, dict[str, str], str]]:
    return [read_command(line) for line in capture.readouterr().out.splitlines()]


# ------------------------------------------------------------------------------------------------------ the commands


def test_check_marks_the_line(folder: Path, capsys: Capture) -> None:
    (folder / NAME).write_text(BAD, encoding="utf-8")
    assert main(["check", "--format", "github", NAME, "tic-tac-toe"]) == 1
    [(level, place, message)] = annotations(capsys)
    assert (level, place) == ("error", {"file": NAME, "line": "10", "col": "7", "title": "E0201"})
    assert message.splitlines()[1:] and "m" in message.splitlines()[0]


def test_check_of_what_is_no_file(folder: Path, capsys: Capture) -> None:
    assert main(["check", "--format", "github", "no, such: file%"]) == 2
    [(level, place, message)] = annotations(capsys)
    assert (level, place["file"]) == ("error", "no, such: file%") and "no, such: file%" in message


def test_a_failing_example_is_marked(folder: Path, capsys: Capture) -> None:
    examples = folder / NAME.replace(".gdl", ".examples.yaml")
    examples.write_text("examples:\n  - {name: 'one, 50%: more', legal_count: 3}\n", encoding="utf-8")
    assert main(["test", "--format", "github", NAME]) == 3
    [(level, place, message)] = annotations(capsys)
    assert (level, place["line"], place["title"]) == ("error", "2", "example-failed")
    assert place["file"] == examples.name
    assert message.splitlines()[0] == "one, 50%: more" and len(message.splitlines()) == 2


def test_a_violated_claim_is_marked_with_its_play(folder: Path, capsys: Capture) -> None:
    line = ["verify", "--only", "--no-save", "--backend", "interpreter", "--format", "github", NAME]
    assert main(["verify", "--no-defaults", *line[2:]]) == 3
    [(level, place, message)] = annotations(capsys)
    assert (level, place["file"], place["line"], place["title"]) == ("error", NAME, "18", "claim-violated")
    assert len([m for m in message.splitlines() if "count" in m]) == 4  # they count to four
    assert main([*line, "--claim", "never n = 3"]) == 3
    [(level, place, _)] = annotations(capsys)
    assert (level, place) == ("error", {"file": NAME, "title": "claim-violated"})


def test_a_mistake_that_stops_a_command_is_marked(folder: Path, capsys: Capture) -> None:
    (folder / NAME).write_text(BAD, encoding="utf-8")
    assert main(["verify", "--format", "github", NAME]) == 1
    [(level, place, _)] = annotations(capsys)
    assert (level, place["line"]) == ("error", "10")


@pytest.mark.parametrize("command", ["rules", "core", "replay", "watch"])
def test_commands_that_show_something_mark_the_mistake_that_stops_them(
    command: str, folder: Path, capsys: Capture
) -> None:
    line = {"replay": ["replay", "--game", NAME, "--moves", "count"], "watch": ["watch", "--once", NAME]}
    words = [*line.get(command, [command, NAME]), "--format"]
    if command != "watch":  # it would judge the claims
        assert main([*words, "github"]) == 0 and annotations(capsys) == []
    (folder / NAME).write_text(BAD, encoding="utf-8")
    assert main([*words, "github"]) == 1
    [(level, place, _)] = annotations(capsys)
    assert (level, place["file"], place["line"], place["title"]) == ("error", NAME, "10", "E0201")
    assert main([*words, "sarif"]) == 1
    assert [r["ruleId"] for r in json.loads(capsys.readouterr().out)["runs"][0]["results"]] == ["E0201"]


def test_a_look_marks_examples_and_claims(folder: Path, capsys: Capture) -> None:
    (folder / NAME.replace(".gdl", ".examples.yaml")).write_text("examples:\n  - {name: two, legal_count: 2}\n")
    assert main(["watch", "--once", "--games", "10", "--time", "1", "--format", "github", NAME]) == 3
    found = {(level, place["title"], place.get("line")) for level, place, _ in annotations(capsys)}
    assert found >= {("error", "example-failed", "2"), ("error", "claim-violated", "18")}
    assert {title for _, title, _ in found} == {"example-failed", "claim-violated"}
    assert main(["watch", "--format", "github", NAME]) == 2  # without --once there would be no end of the log


def test_a_damaged_record_is_marked(folder: Path, capsys: Capture) -> None:
    assert main(["play", NAME, "--seats", "random", "--seed", "1", "--plain", "-o", "it.record"]) == 0
    capsys.readouterr()
    lines = (folder / "it.record").read_text().splitlines()
    third = next(at for at, line in enumerate(lines) if line.startswith("3. "))
    (folder / "it.record").write_text(
        "\n".join([*lines[:third], lines[third].replace("count", "cuont"), *lines[third + 1 :]])
    )
    assert main(["replay", "it.record", "--format", "github"]) == 1
    [(level, place, _)] = annotations(capsys)
    assert (level, place["file"], place["line"]) == ("error", "it.record", str(third + 1))
    assert main(["replay", "it.record", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [ply["text"] for ply in data["plies"]] == ["count", "count"] and data["exit_code"] == 1
    assert [d["place"]["line"] for d in data["diagnostics"]] == [third + 1]


def test_a_file_that_is_not_formatted_is_marked(folder: Path, capsys: Capture) -> None:
    shutil.copy(shipped()["tic-tac-toe"], folder / NAME)
    assert main(["fmt", "--check", "--format", "github", NAME]) == 0
    assert annotations(capsys) == []
    text = (folder / NAME).read_text(encoding="utf-8")
    (folder / NAME).write_text(text.replace("\nplay", "\n\n\nplay", 1), encoding="utf-8")
    wrong = text[: text.index("\nplay")].count("\n") + 3  # the second empty line
    assert main(["fmt", "--check", "--format", "github", NAME]) == 1
    [(level, place, message)] = annotations(capsys)
    assert (level, place["file"], place["title"]) == ("error", NAME, "format") and "gamedsl fmt" in message
    assert int(place["line"]) in (wrong - 1, wrong)
    assert main(["fmt", "--check", "--format", "json", NAME]) == 1
    [file] = json.loads(capsys.readouterr().out)["files"]
    assert (file["file"], file["changed"], file["line"]) == (NAME, True, int(place["line"]))


def test_clauses_are_marked(folder: Path, capsys: Capture) -> None:
    shutil.copytree(shipped()["tic-tac-toe"].parent / "clauses", folder / "clauses")
    text = shipped()["tic-tac-toe"].read_text(encoding="utf-8")
    (folder / NAME).write_text(text.replace("@2.03c", ""), encoding="utf-8")
    assert main(["clauses", "--format", "github", NAME]) == 1
    found = annotations(capsys)
    assert [f[:2] for f in found] == [("error", {"file": NAME, "title": "clause-uncited"})] * len(found)
    assert any(f[2].startswith("clause 2.03c is not cited") for f in found)


def test_a_change_that_no_example_notices_is_marked(folder: Path, capsys: Capture) -> None:
    examples = folder / NAME.replace(".gdl", ".examples.yaml")
    examples.write_text("examples:\n  - {name: one, legal_count: 1}\n", encoding="utf-8")
    assert main(["test", "--mutants", "--jobs", "1", "--search-time", "0", "--format", "github", NAME]) == 0
    found = annotations(capsys)
    assert found and {f[0] for f in found} == {"warning"} and {f[1]["title"] for f in found} == {"mutant-survived"}
    assert {f[1]["file"] for f in found} == {NAME} and "10" in {f[1]["line"] for f in found}


def test_a_finding_in_a_shared_file_is_marked_once(folder: Path, capsys: Capture) -> None:
    (folder / "shared.gdl").write_text(BAD, encoding="utf-8")
    assert main(["check", "--format", "github", "shared.gdl", "shared.gdl"]) == 1
    assert len(annotations(capsys)) == 1


def test_paths_begin_at_the_root_of_the_repository(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    inside = folder / "games" / "mine"
    inside.mkdir(parents=True)
    (inside / "mine.gdl").write_text(BAD, encoding="utf-8")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(folder))
    monkeypatch.chdir(inside)
    for name in ("mine.gdl", str(inside / "mine.gdl")):
        assert main(["check", "--format", "github", name]) == 1
        assert [f[1]["file"] for f in annotations(capsys)] == ["games/mine/mine.gdl"]


# ------------------------------------------------------------------------------------------------------- the escapes


TEXTS = st.text(st.sampled_from("ab:,%\n\r;=0123456789AD ü"), max_size=30)


@given(TEXTS, TEXTS, st.sampled_from(["error", "warning", "note"]))
def test_github_reads_what_was_written(rule: str, message: str, level: str) -> None:
    line = workflow_command(Finding(rule, level, message))
    assert len(line.splitlines()) == 1
    read, place, text = read_command(line)
    assert (read, place["title"]) == ({"note": "notice"}.get(level, level), rule)
    assert text.replace("<000D>", "\r") == message


def test_control_characters_reach_no_terminal() -> None:
    assert "\x1b" not in workflow_command(Finding("format", "error", "a\x1b[31mb"))


# ------------------------------------------------------------------------------------------------------------- SARIF


def test_sarif_of_a_check(folder: Path, capsys: Capture) -> None:
    (folder / NAME).write_text(BAD, encoding="utf-8")
    assert main(["check", "--format", "sarif", NAME]) == 1
    log = json.loads(capsys.readouterr().out)
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    [result] = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "E0201"
    [location] = result["locations"]
    place = location["physicalLocation"]
    assert unquote(place["artifactLocation"]["uri"]) == NAME and ":" not in place["artifactLocation"]["uri"]
    assert place["region"] == {"startLine": 10, "startColumn": 7, "endLine": 10, "endColumn": 8}


def test_sarif_of_nothing_wrong(capsys: Capture) -> None:
    assert main(["check", "--format", "sarif", "tic-tac-toe"]) == 0
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert run["results"] == []


def test_sarif_names_every_rule_once() -> None:
    found: list[Any] = [Finding(rule, "error", rule, "a.gdl") for rule in ("E0201", "format", "E0201")]
    log = sarif(found)["runs"][0]
    assert [r["id"] for r in log["tool"]["driver"]["rules"]] == ["E0201", "format"]
    assert [r["ruleIndex"] for r in log["results"]] == [0, 1, 0]
