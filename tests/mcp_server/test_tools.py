"""The tools, called by the client of the package ``mcp``: in one process, and over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gamedsl.editor import MOST_CHARACTERS
from gamedsl.language.rules import shipped
from gamedsl.mcp_server import bounded_process
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from mcp.client.client import Client

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="needs the package mcp")  # which takes 0.8 s to import

# X takes a1, O b2: by hand. A 2 by 2 board is full after four plies; the second move is O's.
GAME = """\
players X, O
board grid 2 by 2
piece mark of player

move place(c: cell)
  when c in empty "that cell is taken"
  put mark[me] on c

play
  turns from X
    me plays place
    if empty = {}
      draw

claim "center": never b2 in mark[O]
"""


def client_of(root: Path | None) -> Client:
    """A client of the tools, in this process."""
    from mcp.client.client import Client

    from gamedsl.mcp_server import make_tool_server

    return Client(make_tool_server(root))


def call(root: Path | None, *calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, str]]:
    """Whether each call failed, and its text."""

    async def session() -> list[tuple[bool, str]]:
        async with client_of(root) as client:
            found = [await client.call_tool(name, words) for name, words in calls]
            return [(bool(one.is_error), "".join(part.text for part in one.content)) for one in found]

    return asyncio.run(asyncio.wait_for(session(), 4 * PATIENCE))


def one(root: Path | None, tool: str, /, **words: Any) -> Any:
    """The answer of a tool that does not fail, as data if it is JSON."""
    ((failed, text),) = call(root, (tool, words))
    assert not failed, text
    return json.loads(text) if text.startswith(("{", "[")) else text


def test_a_mistake_comes_with_edits_that_cure_it() -> None:
    text = GAME.replace('empty "', 'empti "')
    (file,) = one(None, "check", game=text)["files"]
    (mistake,) = file["diagnostics"]
    assert mistake["code"] == "E0201" and mistake["place"]["path"] == "rules.gdl"
    (edit,) = mistake["fixes"][0]["edits"]
    lines = text.splitlines(keepends=True)
    line, start, end = edit["place"]["line"] - 1, edit["place"]["column"] - 1, edit["place"]["end_column"] - 1
    lines[line] = lines[line][:start] + edit["text"] + lines[line][end:]
    assert "".join(lines) == GAME


def test_a_line_of_moves() -> None:
    found = one(None, "play_line", game=GAME, moves=["place a1"])
    assert found["to_act"] == ["O"] and found["legal"]["O"]["count"] == 3
    refused = one(None, "play_line", game=GAME, moves=["place a1", "place a1", "place b2"])
    assert (refused["made"], refused["refused"]) == (1, "place a1")
    assert refused["why"]["place a1"][0] == {"reason": "that cell is taken", "clauses": [], "line": 6}
    over = one(None, "play_line", game=GAME, moves=[f"place {c}" for c in ("a1", "a2", "b1", "b2")])
    assert over["returns"] == {"X": 0, "O": 0} and "legal" not in over


def test_reasons_and_boards() -> None:
    found = one(None, "legal_moves", game=GAME, moves=["place a1"], why=["place a1", "place b2", "c9"])
    assert found["why"]["place a1"][0]["reason"] == "that cell is taken"
    assert found["why"]["place b2"] == "legal"
    assert found["why"]["c9"]["problems"][0]["code"] == "E0501"
    assert "a" in one(None, "draw_position", game=GAME, moves=["place a1"])


def test_what_a_seat_may_not_know_is_not_drawn() -> None:
    """Each player's own card is chosen in secret: X has laid rock, and O is to lay."""
    game = "rock-paper-scissors"
    name = json.loads(call(None, ("play_line", {"game": game, "moves": []}))[0][1])["to_act"][1]
    open_board = one(None, "draw_position", game=game, moves=["rock"])
    assert one(None, "draw_position", game=game, moves=["rock"], seat=name) == one(
        None, "draw_position", game=game, moves=["paper"], seat=name
    )
    assert isinstance(open_board, str)


def test_claims_come_with_the_shortest_game() -> None:
    found = json.dumps(one(None, "verify", game=GAME, seconds=5))
    assert "violated" in found and "b2" in found


def test_examples_that_are_given() -> None:
    examples = (
        "examples:\n  - name: first\n    moves: [place a1]\n    to_move: O\n  - name: second\n    legal_count: 3\n"
    )
    (file,) = one(None, "run_examples", game=GAME, examples=examples)["files"]
    assert [e["passed"] for e in file["examples"]] == [True, False]


def test_statistics_rulebook_form_and_pages() -> None:
    found = one(None, "simulate", game="tic-tac-toe", games=50)
    assert "50" in json.dumps(found)
    assert "board" in one(None, "rulebook", game="tic-tac-toe")
    assert (
        one(None, "format_ruleset", game=GAME.replace("  put", "    put").replace("  when", "    when")) == GAME.strip()
    )
    assert "E0201" in one(None, "explain", topic="E0201")


def test_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    assert one(folder, "write_file", name="mine.gdl", text=GAME) == "written: mine.gdl"
    assert (folder / "mine.gdl").read_text(encoding="utf-8") == GAME
    assert one(folder, "list_rulesets") == {"folder": ["mine.gdl"], "shipped": sorted(shipped())}
    assert one(folder, "read_file", name="mine.gdl") == GAME
    assert one(folder, "check", game="mine.gdl")["files"][0]["fine"]
    assert sorted(p.name for p in folder.iterdir()) == ["mine.gdl"], "only what was asked for is written"


def test_nothing_is_written_over_what_was_not_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.gdl"
    mine, theirs = GAME.replace("X, O", "Y, O"), GAME.replace("X, O", "X, Z")
    file.write_bytes(GAME.replace("\n", "\r\n").encode())

    async def session() -> list[tuple[bool, str]]:
        async with client_of(tmp_path) as client:
            found: list[tuple[bool, str]] = []

            async def ask(tool: str, **words: str) -> None:
                one = await client.call_tool(tool, {"name": "mine.gdl", **words})
                found.append((bool(one.is_error), "".join(part.text for part in one.content)))

            await ask("write_file", text=mine)  # never read
            await ask("read_file")
            await ask("write_file", text=mine)
            await ask("write_file", text=GAME)  # written by itself before
            file.write_text(theirs, encoding="utf-8")
            await ask("write_file", text=mine)
            await ask("read_file")
            await ask("write_file", text=mine)
            file.unlink()
            await ask("write_file", text=GAME)
            return found

    found = asyncio.run(asyncio.wait_for(session(), 4 * PATIENCE))
    assert [failed for failed, _ in found] == [True, False, False, False, True, False, False, False]
    assert "you have not read it" in found[0][1] and "has changed since you read it" in found[4][1]
    assert (found[1][1], found[5][1]) == (GAME, theirs)
    assert file.read_text(encoding="utf-8") == GAME and sorted(p.name for p in tmp_path.iterdir()) == ["mine.gdl"]


OUTSIDE = [
    "../secret.gdl",
    "/etc/passwd",
    "a/../../secret.gdl",
    "link.gdl",
    "there/secret.gdl",
    "-x.gdl",
    "mine.txt",
    "a\0.gdl",
    ".gdl",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_nothing_outside_the_folder_is_read_or_written(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "games"
    (folder / "a").mkdir(parents=True)
    secret = tmp_path / "secret.gdl"
    secret.write_text("# the secret\n", encoding="utf-8")
    (folder / "link.gdl").symlink_to(secret)
    (folder / "there").symlink_to(tmp_path)
    words = {"game": name}
    answers = call(
        folder,
        ("read_file", {"name": name}),
        ("write_file", {"name": name, "text": "x"}),
        ("check", words),
        ("rulebook", words),
    )
    assert all(failed for failed, _ in answers) and not any("the secret" in text for _, text in answers)
    assert secret.read_text(encoding="utf-8") == "# the secret\n"
    assert one(folder, "list_rulesets")["folder"] == []


def test_rules_do_not_reach_outside_either(tmp_path: Path) -> None:
    """`use`, `variant of` and `clauses` name files beside the ruleset."""
    folder = tmp_path / "games"
    folder.mkdir()
    (tmp_path / "secret.gdl").write_text(GAME.replace("mark", "secret"), encoding="utf-8")
    (folder / "link.gdl").symlink_to(tmp_path / "secret.gdl")
    for file in ("../secret.gdl", "link.gdl", str(tmp_path / "secret.gdl")):
        (folder / "mine.gdl").write_text(f'variant of "{file}"\ngame "x"\n', encoding="utf-8")
        found = json.dumps(one(folder, "check", game="mine.gdl"))
        assert "E0435" in found and "piece" not in found


def test_requests_are_bounded(tmp_path: Path) -> None:
    asked = [
        ("simulate", {"game": "tic-tac-toe", "games": 10**9}),
        ("verify", {"game": GAME, "seconds": 10**6}),
        ("check", {"game": "#" * (MOST_CHARACTERS + 1)}),
        ("check", {"game": GAME, "options": {"n": "1\n2"}}),
        ("check", {"game": GAME, "options": {"--fix": 1}}),
        ("explain", {"topic": "--help"}),
        ("write_file", {"name": "big.gdl", "text": "#" * (MOST_CHARACTERS + 1)}),
        ("check", {"game": "no-such-game"}),
    ]
    assert [failed for failed, _ in call(tmp_path, *asked)] == [True] * len(asked)


def test_a_process_ends_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_process, "START", 0.0)
    ended = asyncio.run(bounded_process.run_bounded(["command", "simulate", "chess", "-n", "1000000"], 0.5))
    assert ended.code is None and "0 seconds" in ended.messages


def test_resources() -> None:
    async def session() -> tuple[set[str], list[str]]:
        async with client_of(None) as client:
            listed = {str(r.uri) for r in (await client.list_resources()).resources}
            texts = [await client.read_resource(uri) for uri in (*sorted(listed), "gamedsl://rulesets/nim")]
            return listed, [t.contents[0].text for t in texts]

    listed, texts = asyncio.run(asyncio.wait_for(session(), PATIENCE))
    assert {"gamedsl://language", "gamedsl://builtins", "gamedsl://grammar", "gamedsl://templates/hex"} <= listed
    assert all(texts) and "players" in texts[-1]


def test_over_standard_input_and_output(tmp_path: Path) -> None:
    async def session() -> Any:
        from mcp.client.client import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client

        words = ["-m", "gamedsl.cli.main", "mcp", str(tmp_path)]
        server = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
        async with Client(stdio_client(server)) as client:
            tools = {t.name: t for t in (await client.list_tools()).tools}
            return tools, await client.call_tool("check", {"game": GAME})

    tools, found = asyncio.run(asyncio.wait_for(session(), 2 * PATIENCE))
    assert not found.is_error and '"fine": true' in found.content[0].text
    writing = [name for name, tool in tools.items() if not (tool.annotations and tool.annotations.read_only_hint)]
    assert writing == ["write_file"] and len(tools) == 13


def test_arguments_that_do_not_fit_are_named() -> None:
    wrong = {"topic": 7}, {}, {"topic": "E0201", "code": "E0201"}
    found = call(None, *(("explain", words) for words in wrong))
    assert all(failed for failed, _ in found)
    assert [text.partition("the arguments of ")[2] for _, text in found] == [
        "explain are topic: `topic` should be a valid string",
        "explain are topic: `topic` is missing",
        "explain are topic: `code` is none of them",
    ]


def test_examples_that_are_given_find_the_files_beside_a_ruleset(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "base.gdl").write_text(GAME)
    (tmp_path / "sub" / "other.gdl").write_text('variant of "base.gdl"\n\nremove claim "center"\n')
    examples = "examples:\n  - name: a corner\n    moves: [place a1]\n    to_move: O\n"
    (answer,) = one(tmp_path, "run_examples", game="sub/other.gdl", examples=examples)["files"]
    assert [example["passed"] for example in answer["examples"]] == [True]
    assert sorted(p.name for p in tmp_path.rglob("*.*")) == ["base.gdl", "other.gdl"], "nothing is written here"


def test_a_refused_move_is_not_drawn_as_if_it_were_made() -> None:
    answer = one(None, "draw_position", game=GAME, moves=["place a1", "place a1"])
    assert (answer["made"], answer["refused"]) == (1, "place a1")
    assert answer["why"]["place a1"][0]["reason"] == "that cell is taken"


@pytest.mark.parametrize("text", ["players X, O", ""])
def test_a_text_of_one_line_is_taken_for_a_name(text: str, tmp_path: Path) -> None:
    ((failed, answer),) = call(tmp_path, ("check", {"game": text}))
    assert failed and answer.endswith("the text of a ruleset has line ends")


def test_verify_takes_whole_seconds() -> None:
    ((failed, answer),) = call(None, ("verify", {"game": GAME, "seconds": 0.01}))
    assert failed and "`seconds` should be greater than or equal to 1" in answer
