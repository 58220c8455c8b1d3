"""Rules from outside: played by two people over a real server, their faults told, bounded, and going on after a crash."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .running import PATIENCE, Person, Server

RULES = """game "Pairs"

players X, O
board grid 2 by 2 named by letters from bottom
piece mark of player

move place(c: cell) written "{c}"
  when c in empty "that square is taken"
  put mark[me] on c

play
  turns from X
    me plays place
    if empty = {}
      draw
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("tables"), "tic-tac-toe", "--uploads", "--tables", "1000")
    yield found
    found.kill()


def upload(server: Server, text: str) -> dict[str, Any]:
    """What the server says of a ruleset, also where it refuses it."""
    body = json.dumps({"text": text}).encode()
    request = urllib.request.Request(f"{server.address}/api/uploads", body)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            found: dict[str, Any] = json.load(answer)
    except urllib.error.HTTPError as error:
        found = json.load(error)
    return found


def children(server: Server) -> list[int]:
    """The processes of uploads."""
    told = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in told.splitlines() if "uploads.child" in line]
    return [int(pid) for pid, parent, _ in rows if int(parent) == server.process.pid]


def seated(server: Server, game: str) -> tuple[str, list[str], list[Person]]:
    table, keys = server.make(game)
    people = [server.join(table, key) for key in keys]
    for person in people:
        person.seen()
    return table, keys, people


def test_two_people_play_rules_that_one_of_them_brought(server: Server) -> None:
    made = upload(server, RULES)
    assert made["title"] == "Pairs"
    assert server.get(f"/api/games/{made['name']}")["game"]["title"] == "Pairs"
    table, _, (x, o) = seated(server, made["name"])
    assert server.get(f"/api/tables/{table}")["game"]["players"][0]["name"] == "X"
    refused = o.play(0)
    assert refused["code"] == "turn"
    for ply, action in enumerate((0, 1, 2, 3)):
        mover, other = (x, o) if ply % 2 == 0 else (o, x)
        assert mover.play(action)["ok"]
        other.wait(ply + 1)
        mover.wait(ply + 1)
    assert o.seen()["turn"]["outcome"]["winners"] == []
    assert x.ask("rematch")["ok"] and o.ask("rematch")["ok"]
    while not x.update["next"]:
        x.read()
    after = x.update["next"]
    assert server.join(after["table"], after["key"]).seen()["turn"]["seat"] == 1


def test_links_lead_to_where_the_server_was_asked(server: Server) -> None:
    name = upload(server, RULES)["name"]
    body = json.dumps({"game": name, "seats": ["person", "person"]}).encode()
    request = urllib.request.Request(f"{server.address}/api/tables", body)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        made = json.load(answer)
    assert made["watch"]["link"] == f"{server.address}/table/{made['table']}"


def test_a_wrong_key_and_a_wrong_table_are_refused(server: Server) -> None:
    table, _ = server.make(upload(server, RULES)["name"])
    for name, key, code in ((table, "x" * 22, "key"), ("x" * 20, "", "table"), (table[:8] + "x" * 12, "", "table")):
        person = server.join(name, key)
        while person.error is None:
            person.read()
        assert person.error["code"] == code


def test_faults_are_told_as_the_checker_tells_them(server: Server) -> None:
    told = upload(server, RULES.replace("in empty", "in emty"))
    assert told["code"] == "rules"
    assert "E0" in told["message"] and ".gdl:8:" in told["message"] and "did you mean: empty" in told["message"]
    assert str(Path.home()) not in told["message"] and "/rules/" not in told["message"]


@pytest.mark.parametrize("file", ["../tables/secret", "/etc/passwd", "secret", "../../secret"])
def test_rules_read_no_files_of_the_server(server: Server, file: str) -> None:
    told = upload(server, f'use "{file}"\n' + RULES)
    assert told["code"] == "rules"
    assert "root:" not in told["message"]
    clauses = upload(server, RULES.replace('game "Pairs"', f'game "Pairs"\n  clauses "{file}"'))
    assert clauses["code"] == "rules" and "root:" not in clauses["message"]


def test_a_variant_of_a_shipped_game_can_be_brought(server: Server) -> None:
    assert "name" in upload(server, 'variant of "tic-tac-toe.gdl"\n')


@pytest.mark.parametrize("body", [b"", b"[]", b'{"text": 3}', b'{"text": ""}', b'{"text": "x", "name": "y"}', b"\xff"])
def test_malformed_uploads_are_refused(server: Server, body: bytes) -> None:
    assert server.status("/api/uploads", body) == 400


def test_too_long_a_text_is_refused(server: Server) -> None:
    assert upload(server, RULES + "# " + "x" * 70_000 + "\n")["code"] == "malformed"
    assert server.status("/api/uploads", b'{"text": "' + b"x" * 200_000 + b'"}') == 400


def test_another_sites_page_cannot_upload(server: Server) -> None:
    body = json.dumps({"text": RULES}).encode()
    assert server.status("/api/uploads", body, {"origin": "https://elsewhere.example"}) == 403


def test_without_the_option_nothing_is_taken(tmp_path: Path) -> None:
    closed = Server(tmp_path, "tic-tac-toe")
    try:
        assert closed.get("/api/lobby")["uploads"] is False
        assert upload(closed, RULES)["code"] == "uploads"
        assert not (tmp_path / "uploads").exists()
    finally:
        closed.kill()


def test_a_process_that_died_is_begun_again_and_loses_nothing(server: Server) -> None:
    table, keys, (x, _) = seated(server, upload(server, RULES)["name"])
    assert x.play(0)["ok"]
    for pid in children(server):
        os.kill(pid, signal.SIGKILL)
    again = server.join(table, keys[1])
    assert again.seen()["turn"]["to_act"] == [1]
    assert [node["text"] for node in again.nodes[1:]] == ["a1"]


def test_a_killed_server_ends_its_uploads_and_the_next_goes_on(tmp_path: Path) -> None:
    first = Server(tmp_path, "tic-tac-toe", "--uploads")
    table, keys, (x, _) = seated(first, upload(first, RULES)["name"])
    assert x.play(3)["ok"]
    pids = children(first)
    first.kill()
    deadline = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    second = Server(tmp_path, "tic-tac-toe", "--uploads")
    try:
        assert [node["text"] for node in seen(second.join(table, keys[1])).nodes[1:]] == ["b2"]
    finally:
        second.kill()


def seen(person: Person) -> Person:
    person.seen()
    return person


# A ruleset whose first moves take minutes to list: 576 times 576 times 576 questions.
ENDLESS = """players X, O
board grid 24 by 24
piece mark of player

move place(c: cell) written "{c}"
  when (sum of (count d in cell: d in empty and b in empty and d != c) for b in cell) > 3
  put mark[me] on c

play
  turns from X
    me plays place
    draw
"""


@pytest.mark.slow
def test_rules_that_take_too_long_are_refused_and_disturb_nobody(server: Server) -> None:
    told = upload(server, ENDLESS)
    assert told["code"] == "rules" and "too much time or memory" in told["message"]
    assert server.get("/api/lobby")["games"]
