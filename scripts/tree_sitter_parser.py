"""Makes the Tree-sitter parser of `editors/tree-sitter` anew.

    python -m scripts.tree_sitter_parser [TREE_SITTER]

Run it after a change of the grammar. TREE_SITTER is the command of Tree-sitter 0.22.6, whose parsers Helix, Zed, Neovim and Emacs
read; otherwise it is searched for on the PATH and among what `.ci/debian-tools` fetched. It needs node, which reads the grammar.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from gamedsl.language.grammars.derived_files import write

ROOT = Path(__file__).resolve().parents[1]
GRAMMAR = ROOT / "editors" / "tree-sitter"
TOOLS = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gamedsl-tools" / "bin"
VERSION = "0.22.6"


def main(arguments: list[str]) -> int:
    """Writes the grammar, then the parser."""
    command = arguments[0] if arguments else generator()
    if command is None:
        print(f"needs tree-sitter {VERSION}: `.ci/debian-tools` fetches it", file=sys.stderr)
        return 1
    write()
    generate(command, GRAMMAR)
    return 0


def generator() -> str | None:
    """Returns the command of Tree-sitter, if it is there in the right version."""
    for path in (os.environ["PATH"], str(TOOLS)):
        command = shutil.which("tree-sitter", path=path)
        if command is not None:
            found = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
            if VERSION in found.stdout.split():
                return command
    return None


def generate(command: str, folder: Path) -> None:
    """Makes the parser in a folder that holds the grammar. Its first line names the grammar from which it was made."""
    words = [command, "generate", "--no-bindings", "--abi=14", "grammar.js"]
    subprocess.run(words, cwd=folder, check=True)
    made, digest = folder / "src" / "parser.c", hashlib.sha256((folder / "grammar.js").read_bytes()).hexdigest()
    made.write_text(
        f"// Made of grammar.js with the digest {digest}\n{made.read_text(encoding='utf-8')}", encoding="utf-8"
    )
    (folder / "src" / "node-types.json").unlink()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
