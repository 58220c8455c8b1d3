"""The measurement of programs that write rules: its rulebooks, its judge, and the answers that were recorded."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gamedsl.language.rules import check_file
from tests.patience import PATIENCE

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "llm_authors.py"
spec = importlib.util.spec_from_file_location("llm_authors", SCRIPT)
assert spec is not None and spec.loader is not None
llm_authors: Any = importlib.util.module_from_spec(spec)
sys.modules["llm_authors"] = llm_authors  # its data classes look for it there
spec.loader.exec_module(llm_authors)

TASKS = {task["name"]: task for task in yaml.safe_load((SCRIPT.parent / "authors" / "rulebooks.yaml").read_text())}
RECORDED = yaml.safe_load((SCRIPT.parent / "authors" / "recorded.yaml").read_text())
STAGES = {  # by hand: what every recorded answer was written for
    "three in a row": ["right"],
    "crosses only": ["checked", "right"],  # the line wins
    "three heaps": ["nothing", "right"],  # `-=` and `=`
    "four in a line": ["checked", "right"],  # discs float
    "dominoes": ["right"],  # in a fence
    "knock away": ["checked", "checked"],  # puts a stone on another; then it wins who cannot move
    "break through": ["parsed", "right"],  # `step` for `steps`, and a name that there is not
    "turn them over": ["nothing", "right"],  # `elif`
    "pins": ["right"],
    "hands": ["nothing", "right"],  # `while`
    "no triangle": ["nothing", "right"],  # JSON
    "push your luck": ["nothing", "right"],  # 0.5
}


def run(*words: str) -> Any:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--json", *words], capture_output=True, text=True, timeout=4 * PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_there_are_twelve_rulebooks_with_hidden_examples_and_recorded_answers() -> None:
    assert len(TASKS) == 12 and TASKS.keys() == RECORDED.keys() == STAGES.keys()
    assert all(len(task["rulebook"].split()) > 40 and len(task["examples"]) >= 3 for task in TASKS.values())
    assert sum("perft" in example for task in TASKS.values() for example in task["examples"]) >= 10
    assert sum(len(task["claims"]) for task in TASKS.values()) >= 9


@pytest.mark.parametrize("name", ["three heaps", "break through", "dominoes"])
def test_the_first_answer_comes_as_far_as_it_was_written_for(name: str) -> None:
    found = llm_authors.judge(llm_authors.rules_in(RECORDED[name][0]), TASKS[name])
    assert found.stage == STAGES[name][0]
    assert bool(found.messages) == (found.stage != "right")
    assert not any("/tmp" in message for message in found.messages)


@pytest.mark.parametrize("name", TASKS)
def test_the_right_answers_check_without_a_warning_of_a_mistake(tmp_path: Path, name: str) -> None:
    path = tmp_path / "rules.gdl"
    path.write_text(llm_authors.rules_in(RECORDED[name][-1]))
    program, found = check_file(path)
    assert program is not None and not any(one.is_error for one in found)


def test_a_ruleset_is_found_in_an_answer_with_words_around_it() -> None:
    assert llm_authors.rules_in("a\n```gdl\nb\n```\nc\n```\nlonger\n```\n") == "longer\n"
    assert llm_authors.rules_in("players a, b\n") == "players a, b\n"


def test_messages_go_back_to_the_author_and_a_right_answer_ends_the_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    prompts: list[str] = []

    def author(name: str, prompt: str, number: int) -> str:
        prompts.append(prompt)
        return f"answer {number}"

    judged = {0: ("parsed", ["first fault"]), 1: ("checked", ["second fault"]), 2: ("right", [])}
    monkeypatch.setattr(llm_authors, "judge_apart", lambda text, task: llm_authors.Judgment(*judged[int(text[-1])]))
    (row,) = rows = llm_authors.measure([TASKS["pins"]], author, 5)
    assert [one["stage"] for one in row["tries"]] == ["parsed", "checked", "right"]
    assert "Seven pins" in prompts[0] and "first fault" not in prompts[0]
    assert "answer 0" in prompts[1] and "first fault" in prompts[1]
    assert "second fault" in prompts[2] and "answer 0" not in prompts[2]
    assert not any(
        word in prompt.split("Your task")[1] for prompt in prompts for word in ("perft", "122", "plies")
    )  # hidden
    expected = {"parsed": 1, "checked": 0, "right at once": 0, "right after repair": 1}
    assert llm_authors.counts(rows) == expected


@pytest.mark.slow
def test_the_table_of_the_recorded_answers(tmp_path: Path) -> None:
    kept = tmp_path / "answers.yaml"
    found = run("--record", str(kept))
    assert {row["name"]: [one["stage"] for one in row["tries"]] for row in found["rulebooks"]} == STAGES
    counts = {name: found[name] for name in ("of", "parsed", "checked", "right at once", "right after repair")}
    assert counts == {"of": 12, "parsed": 7, "checked": 6, "right at once": 3, "right after repair": 11}
    assert yaml.safe_load(kept.read_text()).keys() == TASKS.keys()


@pytest.mark.slow
def test_a_model_behind_a_command(tmp_path: Path) -> None:
    """One that repairs what the messages say; and one that hangs in its rules."""
    model = tmp_path / "model.py"
    model.write_text(
        "import sys, yaml\n"
        f"answers = yaml.safe_load(open({str(SCRIPT.parent / 'authors' / 'recorded.yaml')!r}))['hands']\n"
        "print(answers['What is wrong' in sys.stdin.read()])\n"
    )
    found = run("--command", f"{sys.executable} {model}", "--rulebook", "hands")
    assert [one["stage"] for one in found["rulebooks"][0]["tries"]] == ["nothing", "right"]


def test_a_command_that_fails_is_an_error_without_a_traceback() -> None:
    for command, says in (
        ("no-such-program", "cannot be run"),
        (f"{sys.executable} -c 'raise SystemExit(3)'", "code 3"),
    ):
        words = [sys.executable, str(SCRIPT), "--command", command, "--rulebook", "pins"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode != 0 and says in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--answers", "none.yaml"], "`none.yaml` cannot be read as YAML"),
        (["--answers", str(Path(__file__).parent)], "cannot be read as YAML"),
        (["--record", "none/answers.yaml"], "`none/answers.yaml` cannot be written"),
        (["--repairs", "-1"], "`--repairs` takes a number from 0 on"),
        (["--seconds", "nan"], "`--seconds` a number above 0"),
        (["--command", " "], "`--command` is empty"),
    ],
)
def test_options_that_do_not_fit_are_refused_before_anything_is_asked(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["llm_authors", *words])
    with pytest.raises(SystemExit) as ended:
        llm_authors.main()
    assert message in f"{ended.value.code}{capsys.readouterr().err}"


def test_answers_are_lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "answers.yaml"
    file.write_text("pins: 5\n")
    monkeypatch.setattr(sys, "argv", ["llm_authors", "--answers", str(file)])
    with pytest.raises(SystemExit, match="does not have a list of answers"):
        llm_authors.main()
