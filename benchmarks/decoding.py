"""How long decoders take with the grammar for constrained decoding: `python benchmarks/decoding.py`.

CPU seconds to read `grammar/decoding.lark`, and milliseconds to judge 2,500 characters, over all shipped rulesets.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from gamedsl.language.source import resource_path
from tests.language.decoders import DECODERS, RULESETS

CHARACTERS = 2500


def main() -> None:
    grammar = resource_path("grammar", "decoding.lark").read_text(encoding="utf-8")
    texts = [path.read_text(encoding="utf-8") for path in RULESETS]
    print(f"grammar: {len(grammar) / 1000:.0f} kB")
    for name, decoder in DECODERS.items():
        begin = process_time()
        accepts = decoder(grammar, "lark")
        read = process_time() - begin
        begin = process_time()
        refused = [path.stem for path, text in zip(RULESETS, texts, strict=True) if not accepts(text)]
        per_text = (process_time() - begin) * CHARACTERS / sum(map(len, texts))
        print(f"{name}: {read:.2f} s to read it, {1000 * per_text:.0f} ms for {CHARACTERS:,} characters", *refused)


if __name__ == "__main__":
    main()
