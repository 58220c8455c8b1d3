"""A real server: plays to the end, killed at any moment, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from .running import PATIENCE, Person, Server

KILLS = 1


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("tables"), "--tables", "1000", "--sockets", "1000")
    yield found
    found.kill()


def seated(server: Server, game: str, **more: object) -> tuple[str, list[Person]]:
    table, keys = server.make(game, **more)
    people = [server.join(table, key) for key in keys]
    for person in people:
        person.seen()
    return table, people


def test_a_play_to_its_end_and_its_record(server: Server) -> None:
    table, (x, o) = seated(server, "tic-tac-toe")
    for ply, action in enumerate((0, 3, 1, 4, 2)):  # X fills the first row
        mover, other = (x, o) if ply % 2 == 0 else (o, x)
        assert mover.play(action)["ok"]
        other.wait(ply + 1)
        mover.wait(ply + 1)
    assert x.seen()["turn"]["outcome"]["winners"] == [0] == o.seen()["turn"]["outcome"]["winners"]
    watcher = server.join(table)
    watcher.seen()
    assert [n["text"] for n in watcher.nodes] == [n["text"] for n in x.nodes]
    assert watcher.ask("look", node=0)["position"]["turn"]["to_act"] == [0]
    assert watcher.ask("record")["record"].count("\n") > 5


def test_a_move_waits_for_its_turn_and_its_position(server: Server) -> None:
    _, (x, o) = seated(server, "tic-tac-toe")
    assert o.play(0)["code"] == "turn"
    stamp = x.update["stamp"]
    assert x.play(0)["ok"]
    assert x.ask("play", action=1, stamp=stamp)["code"] == "stale"  # sent twice, made once
    o.wait(1)
    refused = o.play(0)
    assert refused["code"] == "illegal" and refused["reasons"][0]["message"]


def test_taking_back_needs_consent(server: Server) -> None:
    _, (x, o) = seated(server, "tic-tac-toe")
    x.play(0)
    assert x.ask("undo")["ok"]
    while not o.update or not o.update["open"]:
        o.read()
    assert o.ask("accept")["ok"]
    while x.update["open"] or len(x.nodes) > 1:
        x.read()
    assert len(x.nodes) == 1 and x.seen()["turn"]["to_act"] == [0]


def test_resigning_and_the_rematch_with_seats_swapped(server: Server) -> None:
    _, (x, o) = seated(server, "tic-tac-toe")
    assert x.ask("study", node=0)["code"] == "no"
    assert x.ask("resign")["ok"]
    while not x.update["over"]:
        x.read()
    assert x.seen()["turn"]["outcome"]["winners"] == [1]
    assert x.ask("rematch")["ok"] and o.ask("rematch")["ok"]
    while not x.update["next"]:
        x.read()
    after = x.update["next"]
    again = server.join(after["table"], after["key"])
    assert again.seen()["turn"]["seat"] == 1


def test_an_agent_answers(server: Server) -> None:
    _, (x,) = seated(server, "tic-tac-toe", seats=["person", "random"])
    assert x.play(4)["ok"]
    x.wait(2)
    assert x.seen()["turn"]["to_act"] == [0]


SLOW = """game "Slow"

players X, O
board grid 16 by 16
piece mark of player

move place(c: cell) written "{c}"
  when c in empty
  when (sum of (count d in cell: d in empty and b in empty and d != c) for b in cell) < 100000
  put mark[me] on c

play
  turns from X
    me plays place
    if empty = {}
      draw
"""


@pytest.mark.slow
def test_slow_rules_let_no_other_table_wait(tmp_path: Path) -> None:
    """To list the moves of this ruleset takes seconds. Meanwhile another table plays its game to the end."""
    rules = tmp_path / "slow.gdl"
    rules.write_text(SLOW, "utf-8")
    server = Server(tmp_path / "tables", str(rules), "tic-tac-toe")
    try:
        _, (slow, _) = seated(server, "slow")
        _, (x, o) = seated(server, "tic-tac-toe")
        slow.number += 1
        slow.send({"do": "play", "id": slow.number, "action": 0, "stamp": slow.update["stamp"]})
        for ply, action in enumerate((0, 3, 1, 4, 2)):
            mover, other = (x, o) if ply % 2 == 0 else (o, x)
            assert mover.play(action)["ok"]
            other.wait(ply + 1)
            mover.wait(ply + 1)
        with pytest.raises(TimeoutError):
            slow.socket.recv(timeout=0.05)
    finally:
        server.kill()


def test_a_server_with_agents_ends_without_complaints(tmp_path: Path) -> None:
    server = Server(tmp_path, "tic-tac-toe")
    _, (x,) = seated(server, "tic-tac-toe", seats=["person", "easy"])
    assert x.play(4)["ok"]
    x.wait(2)
    assert server.stop() == ""


def test_the_workers_of_a_killed_server_end(tmp_path: Path) -> None:
    server = Server(tmp_path)
    _, (x,) = seated(server, "tic-tac-toe", seats=["person", "easy"])
    assert x.play(4)["ok"]
    x.wait(2)
    process = server.process.pid
    workers = [int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    assert workers
    server.process.kill()
    deadline = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes() for pid in workers):
        assert time.monotonic() < deadline, "workers go on without their server"
        time.sleep(0.1)
    server.process.wait()


@pytest.mark.slow
def test_time_runs_out(server: Server) -> None:
    _, (x, _) = seated(server, "tic-tac-toe", clock={"kind": "move", "base": 5})
    assert x.play(0)["ok"]
    while not x.update["over"]:
        x.read()
    assert x.seen()["turn"]["outcome"]["text"] == "O ran out of time, X wins"


# ------------------------------------------------------------------------------------------------------- killed


def _play_until_cut(server: Server, table: str, keys: list[str], seed: int, acknowledged: list[int]) -> None:
    """Plays until the connection breaks; notes after every acknowledgement how many plies there are."""
    rng = Random(seed)
    with suppress(ConnectionClosed, OSError, TimeoutError, InvalidStatus):
        people = [server.join(table, key) for key in keys]
        for person in people:
            person.seen()
        while not people[0].seen()["turn"]["outcome"]:
            for person in people:
                person.wait(acknowledged[-1])
            acting = people[0].seen()["turn"]["to_act"]
            if not acting:
                break
            turn = people[acting[0]].seen()["turn"]
            mover = people[turn["seat"]]
            if mover.play(rng.choice(turn["actions"])[0])["ok"]:
                acknowledged.append(acknowledged[-1] + 1)


@pytest.mark.parametrize("kills", [KILLS, pytest.param(25, marks=pytest.mark.slow)])
def test_a_killed_server_loses_no_acknowledged_move(tmp_path: Path, kills: int) -> None:
    rng = Random(kills)
    server = Server(tmp_path)
    tables = [server.make("reversi") for _ in range(3)]
    known = [[0] for _ in tables]
    for round in range(kills):
        threads = [
            threading.Thread(target=_play_until_cut, args=(server, *tables[i], 10 * round + i, known[i]))
            for i in range(3)
        ]
        for thread in threads:
            thread.start()
        time.sleep(rng.uniform(0.4, 1.0))
        server.kill()
        for thread in threads:
            thread.join()
        server = Server(tmp_path)
        for (table, keys), plies in zip(tables, known, strict=True):
            person = server.join(table, keys[0])
            person.seen()
            kept = len(person.nodes) - 1
            assert plies[-1] <= kept <= plies[-1] + 1  # the last may be on the disk without having been acknowledged
            plies.append(kept)
    assert sum(len(plies) for plies in known) > 3 * kills
    server.kill()


# ------------------------------------------------------------------------------------------------------- refused


def closed(person: Person) -> int:
    """Reads until the server hangs up; its close code."""
    try:
        while True:
            person.read()
    except ConnectionClosed as end:
        assert end.rcvd is not None
        return end.rcvd.code


@pytest.mark.parametrize("frame", ["", "{", "[]", '{"do":1}', '{"do":"play"}', '{"do":"play","id":-1}', "[" * 5000])
def test_malformed_frames_are_refused_and_nothing_else_happens(server: Server, frame: str) -> None:
    _, (x, _) = seated(server, "tic-tac-toe")
    x.socket.send(frame)
    assert x.read()["code"] == "malformed"
    assert x.play(0)["ok"]


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "play", "action": 10**30, "stamp": ""},
        {"do": "play", "action": True, "stamp": ""},
        {"do": "play", "action": "0", "stamp": ""},
        {"do": "draw", "strokes": [["a", [[1e300, 0]]]], "stamp": ""},
        {"do": "judge", "strokes": 7},
        {"do": "look", "node": 99},
        {"do": "__class__"},
        {"do": "draw", "strokes": [["s", [[0, 0]] * 3000]], "stamp": ""},
    ],
)
def test_bad_fields_are_refused(server: Server, fields: dict[str, object]) -> None:
    _, (x, _) = seated(server, "tic-tac-toe")
    x.send({"id": 5, **fields})
    while 5 not in x.answers:
        x.read()
    assert x.answers[5]["code"] == "malformed"


def test_what_closes_a_socket(server: Server) -> None:
    table, (x, o) = seated(server, "tic-tac-toe")
    assert closed(server.join(table, "A" * 22)) == 4403  # a forged key
    assert closed(server.join("nowherenowhe")) == 4404
    with pytest.raises(InvalidStatus):
        server.join("..%2F..%2Fetc")
    big = server.join(table)
    big.socket.send("x" * 100_000)
    assert closed(big) in (1008, 1009)
    flood = server.join(table)
    with suppress(ConnectionClosed):
        for number in range(300):
            flood.send({"do": "look", "id": number, "node": 0})
    assert closed(flood) == 4429
    with pytest.raises(InvalidStatus):
        server.join(table, origin="https://elsewhere.example")
    assert server.join(table).ask("resign")["code"] == "seat"
    assert x.play(0)["ok"]  # the others were not disturbed
    o.wait(1)


def test_what_was_refused_is_logged_and_no_more_than_can_be_read(tmp_path: Path) -> None:
    server = Server(tmp_path, "tic-tac-toe", "--tables", "1000")
    table, _ = server.make("tic-tac-toe")
    assert closed(server.join(table, "A" * 22)) == 4403
    assert server.status("/api/tables", b"{", {"Origin": "https://elsewhere.example"}) == 403
    for _ in range(200):
        server.status("/api/tables/nowherenowhe")
    lines = server.stop().splitlines()
    assert sum("refused (key): 127.0.0.1, /live/" in line for line in lines) == 1
    assert sum("refused (origin): 127.0.0.1, /api/tables" in line for line in lines) == 1
    assert sum("refused (table)" in line for line in lines) == 98  # a hundred lines a minute
    assert "Traceback" not in "".join(lines)


@pytest.mark.parametrize(
    "first", ["", "hello", '{"do":"play","id":1,"action":0,"stamp":""}', '{"do":"hello"}', '{"do":"hello","key":7}']
)
def test_who_does_not_say_hello_is_sent_away(server: Server, first: str) -> None:
    table, (x, _) = seated(server, "tic-tac-toe")
    stranger = server.join(table, greets=False)
    stranger.socket.send(first)
    assert closed(stranger) in (1008, 4404)
    assert not stranger.update
    assert x.play(0)["ok"]


def test_binary_frames_and_a_key_of_another_table_are_refused(server: Server) -> None:
    table, (x, o) = seated(server, "tic-tac-toe")
    _, keys = server.make("tic-tac-toe")
    assert closed(server.join(table, keys[0])) == 4403
    x.socket.send(b"\x00\x01")
    assert closed(x) == 1008
    assert o.seen()["turn"]["to_act"] == [0]


def test_who_does_not_read_delays_nobody(server: Server) -> None:
    table, (x, o) = seated(server, "tic-tac-toe")
    deaf = [server.join(table) for _ in range(10)]
    for one in deaf:
        for number in range(30):
            one.send({"do": "look", "id": number, "node": 0})
    for ply, action in enumerate((0, 3, 1, 4, 2)):
        mover, other = (x, o) if ply % 2 == 0 else (o, x)
        assert mover.play(action)["ok"]
        other.wait(ply + 1)


def test_pages_refuse_paths_and_forms_from_elsewhere(server: Server) -> None:
    for path in ("/static/../server/app.py", "/static/..%2Fserver%2Fapp.py", "/static/%2e%2e/%2e%2e/cli/main.py"):
        assert server.status(path) == 404
    wanted = json.dumps({"game": "tic-tac-toe", "seats": ["person", "person"]}).encode()
    assert server.status("/api/tables", wanted, {"Origin": "https://elsewhere.example"}) == 403
    assert server.status("/api/tables", b"x" * 100_000) == 400
    for change in ({"game": "../../etc/passwd"}, {"seats": ["strategy:/etc/passwd", "person"]}, {"seats": ["person"]}):
        body = json.dumps({"game": "tic-tac-toe", "seats": ["person", "person"], **change}).encode()
        assert server.status("/api/tables", body) in (400, 404, 422)
    assert server.status("/api/games/..%2F..%2Fpyproject.toml") == 404


@pytest.mark.slow
def test_a_data_folder_has_one_owner(tmp_path: Path) -> None:
    server = Server(tmp_path)
    command = [sys.executable, "-m", "gamedsl.cli.main", "serve", "--port", "0", "--data", str(tmp_path)]
    second = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    server.kill()
    assert second.returncode == 5 and "E0011" in second.stderr and "Traceback" not in second.stderr
