"""The LALR parse tables, kept in a file: building them from the grammar takes some tenths of a second in every process.

``python -m gamedsl.language.syntax.tables`` writes the file anew after a change to the grammar; until then the tables are built
from the grammar, so an old file slows the start but never changes what is parsed.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from gamedsl.language.source import resource_path


def load_lark() -> Lark:
    """The parser of the grammar, from the stored tables if they match this grammar and version of Lark."""
    grammar = resource_path("grammar", "gamedsl.lark").read_text(encoding="utf-8")
    return _kept(grammar) or build(grammar)


def build(grammar: str) -> Lark:
    # The lines are cut by ``scanner``, which keeps comments and places; Lark's own lexer is never asked.
    return Lark(grammar, parser="lalr", lexer="basic", start=["declaration", "expression"], propagate_positions=True)


def write() -> None:
    """Writes the tables of the current grammar."""
    grammar = resource_path("grammar", "gamedsl.lark").read_text(encoding="utf-8")
    data, memo = build(grammar).memo_serialize([TerminalDef, Rule])
    text = json.dumps({"made_of": _digest(grammar), "data": data, "memo": memo}, separators=(",", ":"))
    resource_path("grammar", "parse_tables.json").write_text(text + "\n", encoding="utf-8")


def _kept(grammar: str) -> Lark | None:
    """The parser from the stored tables; None if there are none or they belong to another grammar."""
    try:
        text = resource_path("grammar", "parse_tables.json").read_text(encoding="utf-8")
    except OSError:
        return None
    if not text.startswith(f'{{"made_of":"{_digest(grammar)}"'):
        return None
    kept = json.loads(text, object_pairs_hook=_with_number_keys)
    # as the parsers that Lark's own generator writes are loaded
    parser: Lark = Lark._load_from_dict(kept["data"], kept["memo"])  # type: ignore[no-untyped-call]
    return parser


def _digest(grammar: str) -> str:
    return hashlib.sha256(grammar.encode()).hexdigest()


def _with_number_keys(pairs: list[tuple[str, Any]]) -> dict[Any, Any]:
    """JSON has only texts as keys; where Lark had numbers, they are numbers again."""
    if pairs and pairs[0][0].isdecimal():
        return {int(key): value for key, value in pairs}
    return dict(pairs)


if __name__ == "__main__":
    write()
