"""WebAssembly against machine code and the interpreter: the same plays for the same seeds, the same moves one by one."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.compiler import compile_program, compile_to_wasm
from gamedsl.compiler.compile.machine import wasm_code
from gamedsl.compiler.host.result_tally import read
from gamedsl.compiler.wasm import build_wasm
from gamedsl.compiler.wasm.module_file import module_file, number
from gamedsl.compiler.wasm.object_file import Import, ObjectFile, Reader, read_object
from gamedsl.compiler.wasm.wide_numbers import with_wide_numbers

pytest.importorskip("wasmtime")

from .wasm_host import hosted

ROOT = Path(__file__).parents[2]
NAMES = sorted(p.stem for p in [*ROOT.glob("rulesets/*.gdl"), *ROOT.glob("rulesets/classics/*.gdl")])
QUICK = ["nim", "rock-paper-scissors", "tic-tac-toe"]
MOST_BYTES = 600_000
KINDS = {0: "end", 1: "player", 2: "player", 3: "chance", 4: "together", 5: "drawing"}  # of a state, by those of code


def alike(name: str, plays: int) -> None:
    game, host = hosted(name)
    native = compile_program(game.program)
    for seed in (1, 77):
        found = host.plays(plays, seed)
        assert found is not None
        assert read([found], game.num_players) == native.playouts(plays, seed, lockstep=False)


def moves_alike(name: str, plays: int, plies: int) -> None:
    """Who acts, what is legal, and what it leads to, along random plays."""
    game, host = hosted(name)
    for seed in range(plays):
        rng, state, block = Random(seed), game.initial_state(), host.initial()
        for _ in range(plies):
            assert KINDS[host.kind(block)] == state.kind
            if state.is_terminal:
                assert host.payoffs(block) == tuple(state.returns)
                break
            if state.kind == "drawing":
                return
            if state.kind != "chance":
                assert list(dict.fromkeys(host.actors(block))) == list(state.to_act)
            legal = host.legal(block)
            assert legal == sorted(state.legal_actions())
            action = rng.choice(legal)
            state, block = state.apply_action(action), host.act(block, action)


def test_a_module_comes_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMEDSL_CACHE", str(tmp_path))
    made = compile_to_wasm(gamedsl.load("nim"))

    def compiled(*texts: str) -> bytes:
        raise AssertionError("compiled")

    monkeypatch.setattr(build_wasm, "wasm_code", compiled)
    assert compile_to_wasm(gamedsl.load("nim")) == made
    for other, plies in (("nim", 7), ("tic-tac-toe", made.memory.plies)):
        with pytest.raises(AssertionError, match="compiled"):
            compile_to_wasm(gamedsl.load(other), plies)


@pytest.mark.parametrize("name", QUICK)
def test_plays_are_those_of_machine_code(name: str) -> None:
    alike(name, 100)


@pytest.mark.parametrize("name", QUICK)
def test_moves_are_those_of_the_interpreter(name: str) -> None:
    moves_alike(name, 3, 60)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_ruleset_plays_alike(name: str) -> None:
    alike(name, 20)
    moves_alike(name, 1, 40)
    assert len(zlib.compress(hosted(name)[1].module.code)) < MOST_BYTES


@pytest.mark.parametrize("value", [0, 1, 127, 128, 16383, 16384, 1 << 31])
def test_numbers_are_read_as_they_are_written(value: int) -> None:
    assert Reader(number(value)).number() == value


def test_other_files_are_refused() -> None:
    with pytest.raises(ValueError, match="not WebAssembly"):
        read_object(b"\x7fELF")


def test_functions_of_others_are_refused() -> None:
    parts = ObjectFile({}, (Import("__linear_memory", 2), Import("malloc", 0)), {}, 0)
    with pytest.raises(ValueError, match="needs malloc"):
        module_file(parts, {})


def test_a_module_that_shifts_itself_declares_it_once() -> None:
    """Of two declarations, older versions of LLVM refuse the second."""
    declared = 'declare i64 @"llvm.fshr.i64"(i64 %".1", i64 %".2", i64 %".3")\n'
    text = with_wide_numbers(declared)
    assert len(re.findall(r"^declare .*llvm\.fsh", text, re.M)) == 2
    module_file(read_object(wasm_code(text)), {"__multi3": "__multi3"})


@pytest.mark.parametrize("name", ["__multi3", "__ashlti3", "__lshrti3", "__ashrti3"])
def test_wide_numbers_are_those_of_python(name: str) -> None:
    """The functions that LLVM calls, run as WebAssembly."""
    import wasmtime

    code = module_file(read_object(wasm_code(with_wide_numbers(""))), {name: name})
    store = wasmtime.Store()
    instance = wasmtime.Instance(store, wasmtime.Module(store.engine, code), [])
    found, memory, at = instance.exports(store)[name], instance.exports(store)["memory"], 64
    rng = Random(3)
    for n in [0, 1, 63, 64, 65, 127, *(rng.randrange(128) for _ in range(30))]:
        a, b = rng.getrandbits(128), rng.getrandbits(128)
        found(store, at, *_halves(a), *([n] if name != "__multi3" else _halves(b)))
        result = int.from_bytes(memory.read(store, at, at + 16), "little")
        negative = a - (1 << 128) if a >> 127 else a
        wanted = {"__multi3": a * b, "__ashlti3": a << n, "__lshrti3": a >> n, "__ashrti3": negative >> n}[name]
        assert result == wanted & (1 << 128) - 1


def _halves(value: int) -> tuple[int, int]:
    """Two signed words, the low one first."""
    low, high = value & (1 << 64) - 1, value >> 64
    return (low - (1 << 64) if low >> 63 else low), (high - (1 << 64) if high >> 63 else high)
