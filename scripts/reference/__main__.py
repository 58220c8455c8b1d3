"""Writes the generated pages of the reference: `python -m scripts.reference`. Without writing: `python -m scripts.reference --check`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from scripts.reference.builtin_pages import builtin_pages
from scripts.reference.error_pages import error_pages
from scripts.reference.figure_pages import figure_pages
from scripts.reference.form_pages import form_pages
from scripts.reference.format_pages import format_pages
from scripts.reference.markdown import COMMAND, DOCS
from scripts.reference.protocol_pages import protocol_pages
from scripts.reference.python_pages import python_pages

WHOLE_FOLDERS = ("reference/errors", "reference/language", "reference/python")  # hold nothing but generated pages


def pages() -> dict[str, str]:
    """The text of every generated page, by its path in the docs."""
    makers = (form_pages, error_pages, python_pages, builtin_pages, format_pages, protocol_pages, figure_pages)
    return {path: text for make in makers for path, text in make()}


def stale(expected: Mapping[str, str]) -> list[Path]:
    """The files that are missing, different, or left over from a page that is no longer generated."""
    different = [DOCS / path for path, text in expected.items() if _read(DOCS / path) != text]
    left = [p for folder in WHOLE_FOLDERS for p in (DOCS / folder).glob("*.md")]
    return different + [p for p in left if p.relative_to(DOCS).as_posix() not in expected]


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        sys.stderr.write(f"usage: {COMMAND} [--check]\n")
        return 2
    expected = pages()
    found = stale(expected)
    for path in found:
        name = path.relative_to(DOCS).as_posix()
        if not arguments and name in expected:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(expected[name], encoding="utf-8")
        elif not arguments:
            path.unlink()
        sys.stdout.write(f"{'stale' if arguments else 'written' if name in expected else 'removed'}: docs/{name}\n")
    return int(bool(found and arguments))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
