"""A game as two files: a WebAssembly module, and JSON with all that a host needs to know to use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.compiler import compile_to_wasm
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.page_facts import describe_game

if TYPE_CHECKING:
    from gamedsl.compiler import WasmKernels, WasmModule
    from gamedsl.engine import Game
    from gamedsl.language.core import nodes as n

Json: TypeAlias = dict[str, Any]

FORM = 1  # the version of the entry points and of this JSON


@lazy_dataclass(frozen=True)
class WasmFiles:
    """The two files of a game. ``facts``: the JSON, whose fields are in docs/reference/wasm.md."""

    code: bytes
    facts: Json
    module: WasmModule


def wasm_files(game: Game, asked: Sequence[n.Function] = (), kernels: WasmKernels | None = None) -> WasmFiles:
    """Compiles a game. ``asked``, ``kernels``: further functions that the host may call (see ``compile_to_wasm``). Raises
    ``NativeError`` for rules whose numbers do not fit into 64 bits."""
    module = compile_to_wasm(game, asked=asked, kernels=kernels)
    facts = {
        "form": FORM,
        "entries": list(module.entries),
        "memory": asdict(module.memory),
        "lengths": module.lengths,
        "messages": list(module.messages),
        "worst": [game.min_utility] * game.num_players,
        "best": [game.max_utility] * game.num_players,
        "searchable": not game.secrets.hides,
        "game": describe_game(game),
    }
    return WasmFiles(module.code, facts, module)
