"""Compiles the kernels that pages call anew, into `gamedsl/compiler/wasm/kernels`.

    python -m scripts.wasm_kernels [FOLDER]

Run it after a change of a kernel, of what a kernel calls, or of how it is compiled, with the locked versions of numba and
llvmlite. The texts are the same on every machine: no processor is named, and nothing comes from a cache.
"""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
import tempfile
from pathlib import Path

NO_PROCESSOR = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


def main(arguments: list[str]) -> int:
    """Compiles in another process, because numba reads which processor to compile for when it is imported."""
    if all(os.environ.get(name) == value for name, value in NO_PROCESSOR.items()):
        return write_all(*map(Path, arguments))
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, **NO_PROCESSOR, "GAMEDSL_CACHE": cache}
        return subprocess.run([sys.executable, "-m", "scripts.wasm_kernels", *arguments], env=environment).returncode


def write_all(folder: Path | None = None) -> int:
    """Writes the files of all kernels, and removes those of others."""
    from gamedsl.agents.wasm_search import all_kernels
    from gamedsl.compiler.wasm.kernel_code import SHIPPED, compile_kernels, shipped_file

    folder = folder or SHIPPED
    folder.mkdir(exist_ok=True)
    written = {shipped_file(kernels).name: compile_kernels(kernels) for kernels in all_kernels()}
    for old in folder.glob("*.ll.xz"):
        old.unlink()
    for name, text in written.items():
        (folder / name).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
