"""The conventions of the command line hold for every command: names, defaults, examples, and the page about them."""

from __future__ import annotations

import argparse
import io
import json
import re
import shlex
from collections import defaultdict
from pathlib import Path

import pytest

from gamedsl.cli import commands_page
from gamedsl.cli.command_examples import examples_of
from gamedsl.cli.command_list import COMMANDS
from gamedsl.cli.main import build_parser, main
from gamedsl.cli.program_parser import parser_with
from gamedsl.language.source import GameDSLError

ROOT = Path(__file__).parents[2]
Capture = pytest.CaptureFixture[str]
PARSERS = parser_with(list(COMMANDS), lists_others=False).commands.choices
ACTIONS = [(name, action) for name, parser in PARSERS.items() for action in parser._actions]
OPTIONS = [(name, action) for name, action in ACTIONS if action.option_strings]


def ids(value: object) -> str:
    return getattr(value, "dest", str(value))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_quiet_verbose_and_colored_alike(name: str) -> None:
    found = {text for action in PARSERS[name]._actions for text in action.option_strings}
    assert {"-q", "--quiet", "-v", "--verbose", "--color", "-h", "--help"} <= found


def test_one_option_has_one_short_form_one_value_and_one_type() -> None:
    """An option of several commands means one thing."""
    shorts, metavars, flags = defaultdict(set), defaultdict(set), defaultdict(set)
    for _, action in OPTIONS:
        long = action.option_strings[-1]
        shorts[long].add(tuple(action.option_strings[:-1]))
        metavars[long].add(action.metavar)
        flags[long].add(action.nargs == 0)
    assert {k: v for k, v in shorts.items() if len(v) > 1} == {}
    assert {k: v for k, v in flags.items() if len(v) > 1} == {}
    different = {k: v for k, v in metavars.items() if len(v) > 1}
    assert different == {"--output": {"FILE", "FOLDER"}}  # a site is a folder


def test_names_of_what_is_counted_in_seconds_end_alike() -> None:
    seconds = {action.option_strings[-1] for _, action in OPTIONS if action.metavar == "SECONDS"}
    assert {name for name in seconds if not name.endswith("time")} == {"--delay"}


def test_one_default_seed() -> None:
    seeds = {name: action.default for name, action in OPTIONS if "--seed" in action.option_strings}
    assert seeds.pop("play") is None  # people want another game every time
    assert len(seeds) > 6 and set(seeds.values()) == {0}


def test_a_ruleset_is_called_game_everywhere() -> None:
    metavars = {str(action.metavar) for _, action in ACTIONS if not action.option_strings}
    assert metavars == {"GAME", "RECORD", "OLD", "NEW", "CODE|WORD", "WORD", "NAME", "COMMAND", "SHELL", "FOLDER"}


@pytest.mark.parametrize(("name", "action"), ACTIONS, ids=ids)
def test_every_argument_has_help_with_its_default(name: str, action: argparse.Action) -> None:
    formatter = PARSERS[name]._get_formatter()
    text = formatter._expand_help(action)
    assert text and not text.endswith(".") and text[0] == text[0].lower(), text
    if action.nargs == 0 or (action.nargs is None and not action.option_strings) or action.nargs == "+":
        return
    assert isinstance(action, argparse.BooleanOptionalAction) or re.search(r"\((?:default: .+|required)\)$", text), text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_ends_with_examples_that_can_be_parsed(name: str) -> None:
    examples = examples_of(name)
    assert examples and "examples:" in PARSERS[name].format_help()
    for line, _ in examples:
        words = shlex.split(line.rpartition("| ")[2].partition(" > ")[0].partition(" < ")[0])
        assert words[0] == "gamedsl"
        build_parser(words[1:]).parse_args(words[1:])


def test_every_command_is_in_a_group(capsys: Capture) -> None:
    assert main(["--help"]) == 0
    overall = capsys.readouterr().out
    for name, command in COMMANDS.items():
        assert f"\n{command.group}:\n" in overall and f"\n  {name} " in overall


def test_the_page_is_fresh() -> None:
    """`python -m gamedsl.cli.commands_page` writes it anew."""
    assert commands_page.PAGE.read_text(encoding="utf-8") == commands_page.page()


def command_lines() -> list[tuple[str, str]]:
    """The whole command lines in the docs, the templates and the pages of codes."""
    pages = [ROOT / "README.md", ROOT / "action.yml", ROOT / "templates/README.md", *(ROOT / "docs").rglob("*.md")]
    pages += (ROOT / "gamedsl/language/source/pages").glob("*.md")
    found = []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        lines = re.findall(r"`gamedsl ([^`\n]+)`", text) + re.findall(r"^(?:\$ )?gamedsl (.+)$", text, re.M)
        found += [(page.name, line) for line in lines if not re.search(r"[\[$|…]|\.\.\.", line)]
    return found


def test_command_lines_in_the_docs_have_options_that_exist() -> None:
    """Whatever page shows a command line: no option in it has another name now."""
    lines = command_lines()
    assert len(lines) > 200
    wrong = []
    for page, line in lines:
        words = shlex.split(line, comments=True)
        if not words or words[0] not in PARSERS:
            continue
        known = {text for action in PARSERS[words[0]]._actions for text in action.option_strings}
        options = {word.partition("=")[0] for word in words[1:] if re.match(r"--?[a-z]", word)}
        wrong += [(page, line, option) for option in options - known if option not in ("--version",)]
    assert wrong == []


def test_options_that_the_docs_name_alone_exist() -> None:
    """An option in a sentence is one of a command, or of a script."""
    known = {text for _, action in OPTIONS for text in action.option_strings}
    of_scripts = {
        "--version",
        "--renew",
        "--seconds",
        "--all",
        "--repairs",
        "--record",
        "--answers",
        "--effort",
    }  # .ci/budget, benchmarks
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    named = [(page.name, text) for page in pages for text in re.findall(r"`(--[a-z][a-z-]*)", page.read_text("utf-8"))]
    assert len(named) > 300
    assert [(page, text) for page, text in named if text not in known | of_scripts] == []


# --------------------------------------------------------------------------------------------------------- what they do


def test_help_of_a_command_is_its_help(capsys: Capture) -> None:
    assert main(["help", "check"]) == 0
    helped = capsys.readouterr().out
    assert main(["check", "--help"]) == 0
    assert capsys.readouterr().out == helped
    assert main(["help"]) == 0
    overall = capsys.readouterr().out
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == overall
    assert main(["help", "chekc"]) == 2
    assert "did you mean: check" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["simulate", "no-such-game", "--format", "json"], 2),
        (["simulate", "tic-tac-toe", "--format=json", "--nonsense"], 2),
        (["solve", "{broken}", "--format", "json"], 1),
    ],
)
def test_a_mistake_is_json_where_json_is_wanted(words: list[str], code: int, tmp_path: Path, capsys: Capture) -> None:
    broken = tmp_path / "broken.gdl"
    broken.write_text("players X, O\n", encoding="utf-8")
    assert main([word.format(broken=broken) for word in words]) == code
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert data["exit_code"] == code and data["diagnostics"][0]["code"] in err


def test_standard_input_holds_a_ruleset(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    text = (ROOT / "rulesets/tic-tac-toe.gdl").read_text(encoding="utf-8")

    def piped(content: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
        return main(list(words)), *capsys.readouterr()

    assert piped(text, "check", "-")[:2] == (0, "-: fine\n")
    assert piped(text, "fmt", "-")[1] == text
    assert piped(text, "perft", "-", "--depth", "2", "--backend", "interpreter")[1] == "72\n"  # 9 * 8
    assert "<standard input>:" in piped(text.replace("players", "player"), "check", "-")[1]
    moves = "b2\na1\n"
    assert piped(moves, "replay", "-", "--game", "tic-tac-toe", "-q")[0] == 0
    assert (
        piped(moves, "position", "tic-tac-toe", "--from", "-")[1]
        == piped("", "position", "tic-tac-toe", "--from", "b2;a1")[1]
    )
    assert piped("", "check", "-", "-")[0] == 2
    code, _, err = piped(text, "play", "-")
    assert code == 2 and "reads moves from standard input" in err
    with pytest.raises(GameDSLError):  # elsewhere it names nothing
        from gamedsl import load

        load("-")


def test_colors(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for words, is_colored in (((), False), (("--color", "always"), True), (("--color", "never"), False)):
        assert main([*words, "coverage", "nim", "-n", "1"]) == 0
        assert ("\x1b[" in capsys.readouterr().out) == is_colored
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["coverage", "nim", "-n", "1", "--color=always"]) == 0
    assert "\x1b[" in capsys.readouterr().out


def test_quiet_and_verbose(tmp_path: Path, capsys: Capture) -> None:
    assert main(["check", "nim", "-q"]) == 0
    assert capsys.readouterr() == ("", "")
    mine = tmp_path / "mine.gdl"
    mine.write_text((ROOT / "rulesets/classics/nim.gdl").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["check", str(mine), "-v"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{mine}: fine\n"
    assert f"read {mine.resolve()}\n" in err
    assert re.search(r"^gamedsl check: \d+\.\d\d s \(.*\), exit code 0$", err, re.M)
    assert main(["check", "nim"]) == 0
    assert capsys.readouterr().err == ""


def test_play_without_a_game_needs_a_terminal(capsys: Capture) -> None:
    assert main(["play", "--no-save"]) == 2
    err = capsys.readouterr().err
    assert "not a terminal" in err and "`gamedsl list`" in err


@pytest.mark.parametrize(
    ("words", "there", "missing"),
    [
        (["--players", "3"], {"pig", "tsuro"}, {"chess", "whist"}),
        (["--players", "4", "--hidden"], {"whist"}, {"pig", "chess"}),
        (["--family", "hex"], {"hex", "havannah"}, {"chess", "dark-hex"}),
        (["--family", "RACE"], {"backgammon"}, {"chess"}),
        (["--no-chance", "--no-hidden", "draughts"], {"english-draughts"}, {"pig", "chess"}),
    ],
)
def test_the_list_is_filtered(words: list[str], there: set[str], missing: set[str], capsys: Capture) -> None:
    assert main(["list", "--format", "json", *words]) == 0
    names = {game["name"] for game in json.loads(capsys.readouterr().out)["games"]}
    assert there <= names and not missing & names
    assert main(["list", "-q", *words]) == 0
    assert set(capsys.readouterr().out.split()) == names


def test_a_list_of_nothing(capsys: Capture) -> None:
    assert main(["list", "--players", "77"]) == 2
    assert "no shipped game fits" in capsys.readouterr().err
