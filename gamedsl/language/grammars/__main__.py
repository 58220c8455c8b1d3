"""Rewrites the files that are made of the grammar."""

from __future__ import annotations

from gamedsl.language.grammars.derived_files import write

if __name__ == "__main__":
    write()
