"""A real server in a process of its own, and people at its tables."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.patience import PATIENCE

Json = dict[str, Any]


class Server:
    """``gamedsl serve`` on a free port. ``kill`` ends it as a power cut would."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "gamedsl.cli.main", "serve", "--port", "0", "--data", str(folder), *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert "http://" in said, self.process.stderr.read() if self.process.stderr else said
        self.address = said.split()[2].removesuffix("/")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._gone()

    def stop(self) -> str:
        """Ends it politely; what it complained about."""
        self.process.send_signal(signal.SIGTERM)
        return self._gone()

    def _gone(self) -> str:
        _, complaints = self.process.communicate(timeout=PATIENCE)
        return complaints

    def get(self, path: str) -> Json:
        with urllib.request.urlopen(self.address + path, timeout=PATIENCE) as answer:
            found: Json = json.load(answer)
            return found

    def status(self, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> int:
        request = urllib.request.Request(self.address + path, body, headers or {})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    def make(self, game: str, **more: Any) -> tuple[str, list[str]]:
        """A new table: its name, and the keys of its seats."""
        wanted = {"game": game, "seats": ["person", "person"], **more}
        request = urllib.request.Request(f"{self.address}/api/tables", json.dumps(wanted).encode())
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            made = json.load(answer)
        return made["table"], [link["link"].split("#")[1] for link in made["links"]]

    def join(self, table: str, key: str = "", origin: Any = None, greets: bool = True) -> Person:
        return Person(self.address, table, key, origin, greets)


class Person:
    """A socket at a table."""

    def __init__(self, address: str, table: str, key: str, origin: Any = None, greets: bool = True) -> None:
        url = f"{address.replace('http', 'ws', 1)}/live/{table}"
        self.socket: ClientConnection = connect(url, origin=origin, open_timeout=PATIENCE).__enter__()
        self.number = 0
        self.nodes: list[Json] = []
        self.update: Json = {}
        self.answers: dict[int, Json] = {}
        self.error: Json | None = None
        if greets:
            self.send({"do": "hello", "key": key})

    def send(self, data: Json) -> None:
        self.socket.send(json.dumps(data))

    def read(self) -> Json:
        """Takes in the next frame."""
        frame: Json = json.loads(self.socket.recv(timeout=PATIENCE))
        match frame["kind"]:
            case "update":
                self.update = frame
                self.nodes = self.nodes[: frame["from"]] + frame["nodes"]
            case "answer":
                self.answers[frame["id"]] = frame
            case "error":
                self.error = frame
        return frame

    def seen(self) -> Json:
        """The position, once there is one."""
        while not self.update:
            self.read()
        found: Json = self.update["position"]
        return found

    def ask(self, do: str, **fields: Any) -> Json:
        self.number += 1
        self.send({"do": do, "id": self.number, **fields})
        while self.number not in self.answers:
            self.read()
        return self.answers[self.number]

    def play(self, action: int) -> Json:
        return self.ask("play", action=action, stamp=self.update["stamp"])

    def wait(self, nodes: int) -> None:
        """Until so many plies are known."""
        while len(self.nodes) - 1 < nodes:
            self.read()
