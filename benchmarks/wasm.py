"""Plays a second of the WebAssembly module of a ruleset beside scalar machine code, by turns, by processor time.

    python benchmarks/wasm.py [NAME ...] [--seconds S] [--json FILE]

Needs the extra ``dev`` (wasmtime).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import gamedsl  # noqa: E402
from gamedsl.compiler import compile_program, compile_to_wasm  # noqa: E402
from tests.compiler.wasm_host import WasmHost  # noqa: E402

TURNS = 5


def enough(play: Callable[[int], object], seconds: float) -> int:
    """A number of plays that takes about so long."""
    n = 1
    while True:
        begun = process_time()
        play(n)
        spent = process_time() - begun
        if spent >= seconds / 3:
            return max(1, round(n * seconds / spent))
        n *= 2


def rate(play: Callable[[int], object], n: int) -> float:
    begun = process_time()
    play(n)
    return n / (process_time() - begun)


def compared(name: str, seconds: float) -> tuple[float, float, float]:
    """Plays a second of WebAssembly and of machine code: the best of some turns; and the median of their ratios."""
    game = gamedsl.load(name)
    host = WasmHost(compile_to_wasm(game), game.num_players)
    native = compile_program(game.program)
    contestants: list[Callable[[int], object]] = [
        lambda n: host.plays(n, 1),
        lambda n: native.playouts(n, 1, lockstep=False),
    ]
    for play in contestants:
        play(10)  # compiles
    sizes = [enough(play, seconds) for play in contestants]
    rows = [[rate(play, n) for play, n in zip(contestants, sizes, strict=True)] for _ in range(TURNS)]
    ratios = sorted(a / b for a, b in rows)
    return max(a for a, _ in rows), max(b for _, b in rows), ratios[len(ratios) // 2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.2, help="of each turn")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    files = [*ROOT.glob("rulesets/*.gdl"), *ROOT.glob("rulesets/classics/*.gdl")]
    found = {}
    for name in args.names or sorted(p.stem for p in files):
        wasm, native, ratio = compared(name, args.seconds)
        found[name] = {"wasm": round(wasm), "native": round(native), "ratio": round(ratio, 3)}
        print(f"{name:28} {wasm:12,.0f} {native:12,.0f} {ratio:6.2f}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
