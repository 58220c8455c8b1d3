"""Runs every command with a standard stream that is closed or full, in one process.

``python -m tests.cli.every_command FOLDER STREAM HOW`` (``stdout full``) puts what came of it into FOLDER/found.json.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from gamedsl.cli.command_list import COMMANDS
from gamedsl.cli.main import main

NAMES = {0: "stdin", 1: "stdout", 2: "stderr"}
GAME = "rock-paper-scissors"


def command_lines(folder: Path) -> dict[str, list[str]]:
    """A quick line for every command that writes to the standard output."""
    record = folder / "moves"
    record.write_text("rock\npaper\n", encoding="utf-8")
    space = folder / "space.gdl"
    space.write_text('variant of "nim.gdl" with b = 1, c = 1, d = 0\noption a: 1..2 = 1\n', encoding="utf-8")
    lines = {
        "play": ["play", GAME, "--seats", "random,random", "--seed", "1", "--plain"],
        "replay": ["replay", str(record), "--game", GAME],
        "new": ["new", "--help"],
        "list": ["list"],
        "rules": ["rules", GAME],
        "check": ["check", GAME],
        "explain": ["explain", "E0001"],
        "watch": ["watch", GAME, "--once", "--games", "5", "--time", "1"],
        "fmt": ["fmt", GAME, "--check"],
        "export": ["export", GAME, "--to", "yaml"],
        "test": ["test", GAME],
        "clauses": ["clauses", "t-tic-t-tac-toe-game"],
        "verify": ["verify", GAME, "--no-save", "--games", "0"],
        "solve": ["solve", "nim"],
        "exploitability": ["exploitability", "kuhn-poker"],
        "coverage": ["coverage", GAME, "--games", "3"],
        "simulate": ["simulate", GAME, "-n", "5"],
        "tournament": ["tournament", "tic-tac-toe", "--agents", "random,ab:d1", "--rounds", "1"],
        "train": ["train", "tic-tac-toe", "-o", str(folder / "it.net"), "--games", "40"],
        "depth": ["depth", GAME, "--rungs", "2", "--pairs", "2"],
        "compare": ["compare", GAME, GAME, "-n", "5"],
        "ablate": ["ablate", GAME, "-n", "5", "--limit", "0", "--deletions"],
        "sweep": ["sweep", "m-n-k", "--set", "m=1..2", "-n", "5", "--limit", "0"],
        "search-rules": ["search-rules", "nim", "--space", str(space), "-n", "2", "--playouts", "1"],
        "metrics": ["metrics", GAME, "-n", "2"],
        "report": ["report", GAME, "-o", str(folder / "it.html"), "--games", "5", "--time", "1"],
        "position": ["position", GAME],
        "actions": ["actions", GAME, "--list"],
        "perft": ["perft", GAME, "--depth", "1"],
        "serve": ["serve", "--help"],
        "site": ["site", "nim", "-o", str(folder / "site")],
        "compile": ["compile", GAME],
        "help": ["help", "check"],
        "completions": ["completions", "bash"],
        "core": ["core", GAME],
        "studio": ["studio", "--help"],
        "lsp": ["lsp", "--help"],
        "mcp": ["mcp", "--help"],
    }
    assert set(lines) >= set(COMMANDS), f"no line for {set(COMMANDS) - set(lines)}"
    return lines | {"nothing": [], "overall help": ["--help"], "version": ["--version"], "usage": ["nonsense"]}


def spoil(stream: int, how: str) -> None:
    """The stream as it is when Python begins."""
    os.close(stream)
    if how == "closed":
        setattr(sys, NAMES[stream], None)
        return
    assert os.open("/dev/full", os.O_RDWR) == stream
    setattr(sys, NAMES[stream], open(stream, "w", encoding="utf-8", closefd=False))  # noqa: SIM115


def run(line: list[str], stream: int, how: str) -> tuple[int, str]:
    """The exit code, and what was said on the standard error output."""
    with tempfile.TemporaryFile() as said:
        kept = [os.dup(n) for n in range(3)]
        streams = sys.stdin, sys.stdout, sys.stderr
        os.dup2(said.fileno(), 2)
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        spoil(stream, how)
        try:
            code = main(line)
        finally:
            for n, handle in enumerate(kept):
                os.dup2(handle, n)
                os.close(handle)
            sys.stdin, sys.stdout, sys.stderr = streams
        said.seek(0)
        return code, said.read().decode()


if __name__ == "__main__":
    place, name, how = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    stream = {name: n for n, name in NAMES.items()}[name]
    found = {command: run(line, stream, how) for command, line in command_lines(place).items()}
    (place / "found.json").write_text(json.dumps(found), encoding="utf-8")
