"""WebAssembly against machine code and the interpreter: the same plays for the same seeds, the same moves one by one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from gamedsl.native import compile_program, compile_to_wasm
from gamedsl.native.host.tally import read
from gamedsl.native.wasm.module_file import module_file, number
from gamedsl.native.wasm.object_file import Reader, read_object
from tests.shipped_sample import sampled

pytest.importorskip("wasmtime")

from .wasm_host import WasmHost, hosted  # noqa: E402  (needs wasmtime)

ROOT = Path(__file__).parents[2]
NAMES = sorted(p.stem for p in [*ROOT.glob("rulesets/*.gdl"), *ROOT.glob("rulesets/classics/*.gdl")])
QUICK = ["tic-tac-toe", "connect-four", "nim", "kuhn-poker", "rock-paper-scissors"]
MOST_BYTES = 600_000
KINDS = {0: "end", 1: "move", 2: "choose", 3: "chance", 4: "together", 5: "drawing"}


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
            assert host.kind(block) == host.kind(block)
            if state.is_terminal:
                assert host.kind(block) == 0
                assert host.payoffs(block) == tuple(state.returns)
                break
            assert KINDS[host.kind(block)] != "end"
            if state.kind == "drawing":
                return
            if state.kind != "chance":
                assert list(dict.fromkeys(host.actors(block))) == list(state.to_act)
            legal = host.legal(block)
            assert legal == sorted(state.legal_actions())
            action = rng.choice(legal)
            state, block = state.apply_action(action), host.act(block, action)


@pytest.mark.parametrize("name", QUICK)
def test_plays_are_those_of_machine_code(name: str) -> None:
    alike(name, 300)


@pytest.mark.parametrize("name", QUICK)
def test_moves_are_those_of_the_interpreter(name: str) -> None:
    moves_alike(name, 3, 60)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_ruleset_plays_alike(name: str) -> None:
    alike(name, 20)
    moves_alike(name, 1, 40)
    assert len(hosted(name)[1].module.code) < MOST_BYTES


@pytest.mark.parametrize("value", [0, 1, 127, 128, 16383, 16384, 1 << 31])
def test_numbers_are_read_as_they_are_written(value: int) -> None:
    assert Reader(number(value)).number() == value


def test_other_files_are_refused() -> None:
    with pytest.raises(ValueError, match="no WebAssembly"):
        read_object(b"\x7fELF")
