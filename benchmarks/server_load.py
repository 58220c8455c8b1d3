"""Load on the server: tables with two sockets each, and how long a move takes to reach the other seat.

    python benchmarks/server_load.py [--tables 500] [--seconds 30] [--pause 2]

Every table makes a move every ``pause`` seconds. Starts a server of its own; prints percentiles in milliseconds, from the
sending of a move to the update at the other socket, and the server's peak memory."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
import urllib.request

from websockets.asyncio.client import ClientConnection, connect

GAME = "reversi"


def make(address: str) -> tuple[str, list[str]]:
    body = json.dumps({"game": GAME, "seats": ["person", "person"]}).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{address}/api/tables", body)) as answer:
        made = json.load(answer)
    return made["table"], [link["link"].split("#")[1] for link in made["links"]]


async def update_of(socket: ClientConnection) -> dict:
    while (frame := json.loads(await socket.recv()))["kind"] != "update":
        pass
    return frame


async def play(address: str, table: str, keys: list[str], pause: float, until: float, times: list[float]) -> None:
    url = f"{address.replace('http', 'ws', 1)}/live/{table}"
    sockets = [await connect(url, compression=None) for _ in keys]
    for socket, key in zip(sockets, keys, strict=True):
        await socket.send(json.dumps({"do": "hello", "key": key}))
    updates = [await update_of(socket) for socket in sockets]
    await asyncio.sleep(random.uniform(0, pause))
    while time.monotonic() < until and not updates[0]["over"]:
        began = time.monotonic()
        seat = updates[0]["position"]["turn"]["to_act"][0]
        action = random.choice(updates[seat]["position"]["turn"]["actions"])[0]
        await sockets[seat].send(json.dumps({"do": "play", "id": 1, "action": action, "stamp": updates[seat]["stamp"]}))
        updates[1 - seat] = await update_of(sockets[1 - seat])
        times.append(time.monotonic() - began)
        updates[seat] = await update_of(sockets[seat])
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))


def peak(pid: int) -> int:
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))


async def load(address: str, arguments: argparse.Namespace) -> list[float]:
    tables = [make(address) for _ in range(arguments.tables)]
    times: list[float] = []
    until = time.monotonic() + arguments.seconds
    await asyncio.gather(*(play(address, t, keys, arguments.pause, until, times) for t, keys in tables))
    return sorted(times)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pause", type=float, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        limits = ["--sockets", "5000", "--tables", "100000"]
        command = [sys.executable, "-m", "gamedsl.cli.main", "serve", GAME, "--port", "0", "--data", folder, *limits]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[2].removesuffix("/")
            times = asyncio.run(load(address, arguments))
            shown = ", ".join(f"{p} %: {1000 * times[int(len(times) * p / 100) - 1]:.0f} ms" for p in (50, 95, 99))
            rate = len(times) / arguments.seconds
            print(
                f"{arguments.tables} tables, {len(times)} moves ({rate:.0f}/s), {shown}, memory {peak(server.pid)} MB"
            )
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
