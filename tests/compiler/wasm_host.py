"""A host of WebAssembly modules for tests, with the methods of the page's ``rules.js``."""

from __future__ import annotations

import struct
from functools import cache

import wasmtime

import gamedsl
from gamedsl.compiler import WasmModule, compile_to_wasm
from gamedsl.engine import Game

ARENA = 1 << 18  # words of noted positions
SPARE = 1 << 20  # bytes for lists of actions


class WasmHost:
    """One module in a machine of its own. States are ``bytes``."""

    def __init__(self, module: WasmModule, players: int) -> None:
        self.module, self.players = module, players
        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        instance = wasmtime.Instance(self.store, wasmtime.Module(engine, module.code), [])
        self.exports = instance.exports(self.store)
        self.memory = self.exports["memory"]
        self.context = int(self.exports["heap"].value(self.store))
        self.state = self.context + module.memory.context
        self.out = self.state + module.memory.state
        arena = self.out + SPARE
        end = arena + 8 * (ARENA if module.memory.notes else 1)
        self.memory.grow(self.store, max(0, -(-end // 65536) - self.memory.size(self.store)))
        self.call("prepare", arena, ARENA)

    def call(self, name: str, *values: int) -> int:
        return int(self.exports[name](self.store, self.context, *values))

    def read(self, at: int, size: int) -> bytes:
        return bytes(self.memory.read(self.store, at, at + size))

    def initial(self) -> bytes:
        assert self.call("initial", self.state) >= 0
        return self._state()

    def _state(self) -> bytes:
        return self.read(self.state, self.module.memory.state)

    def _put(self, state: bytes) -> None:
        self.memory.write(self.store, state, self.state)

    def kind(self, state: bytes) -> int:
        self._put(state)
        return self.call("kind", self.state)

    def actors(self, state: bytes) -> list[int]:
        self._put(state)
        n = self.call("actors", self.state, self.out)
        return list(struct.unpack(f"<{n}q", self.read(self.out, 8 * n)))

    def legal(self, state: bytes) -> list[int]:
        self._put(state)
        n = self.call("legal", self.state, self.out, SPARE // 4)
        return sorted(struct.unpack(f"<{n}I", self.read(self.out, 4 * n)))

    def act(self, state: bytes, action: int) -> bytes:
        self._put(state)
        assert self.call("act", self.state, action) >= 0
        return self._state()

    def step(self, state: bytes, k: int) -> bytes:
        self._put(state)
        assert self.call("step", self.state, k) >= 0
        return self._state()

    def payoffs(self, state: bytes) -> tuple[int, ...]:
        self._put(state)
        assert self.call("payoffs", self.state, self.out) == 0
        return struct.unpack(f"<{self.players}q", self.read(self.out, 8 * self.players))

    def plays(self, n: int, seed: int, first: int = 0) -> list[int] | None:
        """The words of the tally of a series of plays; None after a rules error."""
        words = 3 + 5 * self.players + 4096
        self.initial()
        self.memory.write(self.store, bytes(8 * words), self.out)
        status = self.call("batch", self.state, n, seed, first, self.out)
        self.call("error", self.state)
        return list(struct.unpack(f"<{words}q", self.read(self.out, 8 * words))) if status >= 0 else None


@cache
def hosted(name: str) -> tuple[Game, WasmHost]:
    game = gamedsl.load(name)
    return game, WasmHost(compile_to_wasm(game), game.num_players)
