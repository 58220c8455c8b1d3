"""``export --to wasm``: compiled rules for browsers and other hosts."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import read_options
from gamedsl.cli.output import say, write_output
from gamedsl.source import ExitCode

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.native import WasmModule

WASM = "wasm"
FORMAT = "gamedsl wasm 1"
LISTED = 20_000  # actions whose texts a description lists
ARENA = 1 << 18  # words for noted positions: enough for the longest plays of the shipped rulesets


def export_wasm(arguments: argparse.Namespace) -> int:
    """Writes the module, and beside it a JSON file that says how to call it."""
    from gamedsl.engine import Game
    from gamedsl.native import compile_to_wasm
    from gamedsl.rules import load_program

    game = Game(load_program(arguments.file, read_options(arguments.option)))
    module = compile_to_wasm(game)
    path = Path(arguments.output or f"{game.program.name}.wasm")
    about = path.with_suffix(".json")
    write_output(path, module.code)
    write_output(about, json.dumps(_description(module, game), ensure_ascii=False, indent=1) + "\n")
    say(f"{path}: {game.title or game.program.name}, {len(module.code):,} bytes; {about} says how to call it")
    return int(ExitCode.FINE)


def _description(module: WasmModule, game: Game) -> dict[str, Any]:
    """See docs/reference/wasm.md."""
    return {
        "format": FORMAT,
        "game": game.program.name,
        "options": game.options,
        "digest": game.digest,
        "players": list(game.players),
        "state_bytes": module.memory.state,
        "context_bytes": module.memory.context,
        "arena_words": ARENA if module.memory.notes else 1,
        "most_plies": module.memory.plies,
        "actions": {str(a): game.action_text(a) for a in range(game.num_actions)}
        if game.num_actions <= LISTED
        else None,
        "errors": {str(number): message for number, message in enumerate(module.messages, 1)},
    }
