"""The LALR parse tables, kept in a file: building them from the grammar takes some tenths of a second in every process.

``python -m gamedsl.language.syntax.parse_tables`` writes the file anew after a change to the grammar; until then the tables are built
from the grammar, so an old file slows the start but never changes what is parsed.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.parsers.lalr_analysis import IntParseTable, Reduce, Shift
from lark.parsers.lalr_parser import LALR_Parser, _Parser

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
    table = data["parser"]["parser"]
    table["states"] = [_row_text(table["states"][state]) for state in sorted(table["states"])]
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
    parser: Lark = Lark._load_from_dict(  # type: ignore[no-untyped-call]
        kept["data"], kept["memo"], _plugins={"LALR_Parser": KeptParser}
    )
    return parser


def _row_text(row: dict[int, tuple[int, Any]]) -> str:
    """The actions of a state: `3s15` shifts the third token and goes to state 15, `4r22` reduces by the rule noted as 22."""
    return " ".join(f"{token}r{to['@']}" if action else f"{token}s{to}" for token, (action, to) in row.items())


class Rows(dict[int, dict[str, tuple[Any, Any]]]):
    """The rows of a parse table by state. A row is read when the parser first comes to its state: a short text visits few."""

    def __init__(self, texts: list[str], tokens: dict[int, str], rules: dict[int, Rule]):
        super().__init__()
        self._texts, self._tokens, self._rules = texts, tokens, rules

    def __missing__(self, state: int) -> dict[str, tuple[Any, Any]]:
        row = self[state] = dict(map(self._action, self._texts[state].split()))
        return row

    def _action(self, text: str) -> tuple[str, tuple[Any, Any]]:
        token, shift, to = text.partition("s")
        if shift:
            return self._tokens[int(token)], (Shift, int(to))
        token, _, to = text.partition("r")
        return self._tokens[int(token)], (Reduce, self._rules[int(to)])


class KeptParser(LALR_Parser):
    """Lark's parser over stored rows."""

    @classmethod
    def deserialize(  # type: ignore[override]
        cls, data: Any, memo: Any, callbacks: Any, debug: bool = False
    ) -> KeptParser:
        parser = cls.__new__(cls)
        rows = Rows(data["states"], data["tokens"], memo)
        table: Any = IntParseTable(rows, data["start_states"], data["end_states"])  # type: ignore[no-untyped-call]
        parser._parse_table = table
        parser.parser = _Parser(parser._parse_table, callbacks, debug)
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
