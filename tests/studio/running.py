"""A studio in a process of its own, with a data folder of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.patience import PATIENCE

RULES = """\
game "Row"

players X, O

option n: 3..5 = 3 "squares on each side"

board grid n by n named by letters from bottom

piece mark of player

move place(c: cell) written "{c}"
  when c in empty "that square is taken"
  put mark[me] on c

play
  turns from X
    me plays place
    if some l in lines(3): l within mark[me]
      win me
    if empty = {}
      draw

claim ends within n * n plies

look
  show mark[X] as "X"
  show mark[O] as "O"
"""


class Studio:
    """``gamedsl studio`` on a free port, or on a given one. ``kill`` ends it as a power cut would."""

    def __init__(self, data: Path, *arguments: str, port: int = 0, folder: Path | None = None) -> None:
        command = [sys.executable, "-m", "gamedsl.cli.main", "studio", *arguments, "--port", str(port)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
            env={**os.environ, "XDG_DATA_HOME": str(data)}, start_new_session=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if said.startswith("written: "):
            said = self.process.stdout.readline()
        assert "http://" in said, self.process.stderr.read() if self.process.stderr else said
        self.link = said.split()[4]
        self.address, _, self.key = self.link.partition("/#")
        self.port = int(self.address.rpartition(":")[2])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=PATIENCE)

    def stop(self) -> str:
        """Ends it politely; what it complained about."""
        self.process.send_signal(signal.SIGTERM)
        _, complaints = self.process.communicate(timeout=PATIENCE)
        return complaints

    def socket(self, origin: str | None = None) -> ClientConnection:
        address = self.address.replace("http:", "ws:") + "/studio"
        return connect(address, origin=Origin(origin or self.address), max_size=None).__enter__()


class Talk:
    """A page's side of the socket, without a browser."""

    def __init__(self, studio: Studio) -> None:
        self.socket = studio.socket()
        self.socket.send(json.dumps({"do": "hello", "key": studio.key}))
        self.welcome = json.loads(self.socket.recv(PATIENCE))
        self.number = 0
        self.call("initialize", {"processId": None, "rootUri": self.welcome["root"], "capabilities": {}})
        self.socket.send(json.dumps({"jsonrpc": "2.0", "method": "initialized", "params": {}}))

    def call(self, method: str, params: Any) -> Any:
        self.number += 1
        self.socket.send(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            if message.get("id") == self.number and "method" not in message:
                return message.get("result", message.get("error"))

    def ask(self, **request: Any) -> Any:
        return self.call("workspace/executeCommand", {"command": "gamedsl.studio", "arguments": [request]})
