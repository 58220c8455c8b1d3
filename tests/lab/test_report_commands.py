"""Every number of a report leads to a command on the page, and the command makes it again."""

from __future__ import annotations

import html
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from gamedsl.cli.main import main
from gamedsl.lab.report.known_games import FIGURES
from gamedsl.lab.report.lab_views import SHOWN_EFFECTS
from gamedsl.lab.report.puzzles import MOST_OPENINGS
from gamedsl.language.source import ExitCode
from tests.lab.test_report import VOID, Reader

ANSWERED = (ExitCode.FINE, ExitCode.FAILED, ExitCode.BOUND)


class Numbers(Reader):
    """Notes the numbers that lead to no command: outside of links to one, under a heading that is none."""

    def __init__(self) -> None:
        super().__init__()
        self.leads: list[str] = []  # where the elements around this place lead to
        self.heading = ""  # where the last heading leads to
        self.loose: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if tag in VOID:
            return
        self.leads.append(dict(attrs).get("href") or "")
        if tag in ("h2", "h3"):
            self.heading = ""
        elif tag == "a" and {"h2", "h3"} & set(self.open):
            self.heading = self.leads[-1]

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        self.leads.pop()

    def handle_data(self, data: str) -> None:
        if re.search(r"\d", data) and not any(lead.startswith("#how-") for lead in (self.heading, *self.leads)):
            self.loose.append(data)


def figures_of(page: str) -> str:
    """The parts of a page that have figures: pictures of positions, and all from the findings to the commands. The others
    are the ruleset's own words, and its options."""
    boards = re.findall(r'<div class="boards">.*?</figure></div>', page, re.S)
    (rest,) = re.findall(r'<h2><a class="how" href="#how-findings">.*(?=<h2>Commands</h2>)', page, re.S)
    return re.sub(r"<script.*?</script>|<style.*?</style>|<svg.*?</svg>", "", "".join(boards) + rest, flags=re.S)


def commands_of(page: str) -> dict[str, list[str]]:
    rows = re.findall(r'<tr id="how-(\w+)">.*?<code>gamedsl (.*?)</code>', page)
    return {name: shlex.split(html.unescape(line)) for name, line in rows}


def answer(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What a command prints as JSON."""
    capsys.readouterr()
    assert main([*words, "--format", "json"]) in ANSWERED
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def section(page: str, name: str) -> str:
    """The part of a page under the heading that leads to this command."""
    (found,) = re.findall(rf'<h2><a class="how" href="#how-{name}">.*?(?=<h2>|</main>|</body>)', page, re.S)
    return str(found)


def rows_under(page: str, name: str) -> list[tuple[str, ...]]:
    """The rows of the tables there, as text."""
    rows = re.findall(r"<tr>(<td.*?)</tr>", section(page, name), re.S)
    return [
        tuple(html.unescape(re.sub(r"<.*?>", "", c)) for c in re.findall(r"<td.*?>(.*?)</td>", r, re.S)) for r in rows
    ]


def rows_of_metrics(found: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The figures of the scale of known games, with their intervals, as the page writes them."""
    player, rows = found["players"][0] if found["players"] else {"figures": {}, "tree": None}, []
    for known in FIGURES:
        read = known.read({"figures": player["figures"], "tree": player["tree"] or found["tree_by_strata"]})
        if read is not None:
            low, high = read["low"], read["high"]
            ends = "" if low is None or high is None or low == high else f"{known.shown(low)} to {known.shown(high)}"
            rows.append((known.name, known.shown(read["value"]), ends))
    return rows


def best(actions: list[dict[str, Any]]) -> str:
    """The best action: the greatest value; of wins the quickest, of losses the slowest."""

    def rank(action: dict[str, Any]) -> tuple[float, int]:
        value = float(action["low"])
        return -value, action["plies"] if value > 0 else -action["plies"]

    return str(min(actions, key=rank)["move"])


@pytest.mark.parametrize(
    "words",
    [
        ["nim", "-s", "a=1", "-s", "b=2", "-s", "c=0", "--games", "10", "--plain"],
        ["kuhn-poker", "--games", "60", "--plain"],
        pytest.param(["tic-tac-toe", "--games", "60", "--plain"], marks=pytest.mark.slow),
        pytest.param(["nim", "--games", "10", "--counted"], marks=pytest.mark.slow),
        pytest.param(["x-s-and-lines", "-s", "n=3", "--games", "10", "--time", "60"], marks=pytest.mark.slow),
    ],
)
def test_every_number_leads_to_a_command_that_makes_it_again(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", *words, "-o", "it.html"]) == 0
    page = Path("it.html").read_text(encoding="utf-8")
    reader = Numbers()
    reader.feed(figures_of(page))
    assert reader.loose == [] and len(reader.links) > 20
    commands = commands_of(page)
    assert {link.removeprefix("#how-") for link in reader.links} == commands.keys()

    played = answer(commands.pop("games"), capsys)
    for seat in played["seats"]:
        row = "".join(
            f'<td class="n"><a class="how" href="#how-games">{seat[k]}</a></td>' for k in ("wins", "draws", "losses")
        )
        assert f"<tr><td>{seat['player']}</td>{row}" in page
    judged = answer([*commands.pop("claims"), "--no-save"], capsys)["verdicts"]
    shown = re.findall(r'<td class="v (\w+)">\w+</td><td class="claim">(.*?)\n', page)
    assert [(v["status"], f"{v['claim']}: {v['detail']}") for v in judged] == [
        (status, html.unescape(re.sub(r"</?code>", "`", re.sub(r" <span.*", "", text)))) for status, text in shown
    ]
    covered = answer(commands.pop("coverage"), capsys)
    assert f'<a class="how" href="#how-coverage">{covered["told"]}</a>' in page
    if "value" in commands:
        value = answer(commands.pop("value"), capsys)
        assert f"{value['positions']:,} positions examined" in page
    if "ladder" in commands:
        ladder = answer(commands.pop("ladder"), capsys)
        assert f'href="#how-ladder">{ladder["levels"]}</a>' in page
    if "metrics" in commands:
        shown = [row[:3] for row in rows_under(page, "metrics") if len(row) == 4 and row[0] != "levels of play"]
        assert shown == rows_of_metrics(answer(commands.pop("metrics"), capsys)) and shown
    if "effects" in commands:
        effects = [e for e in answer(commands.pop("effects"), capsys)["effects"] if e["invalid"] is None]
        assert f'<a class="how" href="#how-effects">{len(effects)}</a> rulesets' in page
        moved = [(str(e["line"]), e["before"], e["sentence"]) for e in effects if e["effect"]]
        idle = [(str(e["line"]), e["before"]) for e in effects if e["never_matters"]]
        shown = rows_under(page, "effects")
        assert [row for row in shown if len(row) == 3] == moved[:SHOWN_EFFECTS]
        assert [row for row in shown if len(row) == 2] == idle
    if "openings" in commands:
        command = commands.pop("openings")
        actions = answer(command, capsys)["actions"]
        shown = rows_under(page, "openings")
        plies = {action["move"]: str(action["plies"]) for action in actions}
        assert len(shown) == min(len(plies), MOST_OPENINGS)
        assert all(plies[move] == number for move, _, number, _ in shown)
        for move, result, _, reply in shown:
            (value,) = {a["low"] for a in actions if a["move"] == move}
            assert result == {"1": "win for the first player", "0": "draw", "-1": "win for the second player"}[value]
            after = answer([*command, "--from", move], capsys)
            assert reply == (best(after["actions"]) if after["actions"] else "")
    if "puzzles" in commands:
        command = commands.pop("puzzles")
        assert main([*command, "-o", "again.html"]) == ExitCode.FINE
        again = Path("again.html").read_text(encoding="utf-8")
        assert section(again, "puzzles") == section(page, "puzzles")
    for command in commands.values():
        assert main(command) == ExitCode.FINE, command
