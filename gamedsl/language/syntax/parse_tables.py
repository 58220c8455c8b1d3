"""The LALR parse tables of the grammar, stored in a file because building them takes seconds.

``python -m gamedsl.language.syntax.parse_tables`` rewrites the file after a change to the grammar; until then the
tables are built from the grammar, so an outdated file only makes the start slower. Only building needs Lark.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.language.source import resource_path

if TYPE_CHECKING:
    from lark import Lark

STARTS = ("declaration", "expression")

# A rule: its origin, its number of parts, the name of its tree, whether a single kept part replaces the tree, and the
# parts it keeps (None: all). In this list, 2 * n keeps part n, 2 * n + 1 its children, and -1 is an optional
# part that is absent.
Rule: TypeAlias = tuple[str, int, str, bool, "list[int] | None"]


class Rows(dict[int, dict[str, int]]):
    """The actions of every state by the next symbol. A row is decoded when the parser first reaches its state, because
    a short source visits few. An action is the state to go to, or the complement of the number of the rule by which to
    reduce.
    """

    def __init__(self, texts: list[str], symbols: list[str]) -> None:
        super().__init__()
        self.texts, self._symbols = texts, symbols

    def __missing__(self, state: int) -> dict[str, int]:
        numbers = list(map(int, self.texts[state].split()))
        row = self[state] = {self._symbols[s]: to for s, to in zip(numbers[::2], numbers[1::2], strict=True)}
        return row


class ParseTables:
    """The tables of the grammar for the parser and the scanner.

    ``starts`` and ``ends`` are the first and last states, by start rule. ``words`` are the terminals with a fixed
    text, ``patterns`` those with a regular expression.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.rows = Rows(data["rows"], data["symbols"])
        self.rules: list[Rule] = data["rules"]
        self.starts: dict[str, int] = data["starts"]
        self.ends: dict[str, int] = data["ends"]
        self.words: dict[str, str] = data["words"]
        self.patterns: dict[str, str] = data["patterns"]


def load_tables() -> ParseTables:
    """Returns the tables of the grammar, from the file if it matches this grammar."""
    grammar = resource_path("grammar", "gamedsl.lark").read_text(encoding="utf-8")
    return ParseTables(_stored(grammar) or extract(build_lark(grammar)))


def build_lark(grammar: str) -> Lark:
    """Returns Lark's own parser of a grammar."""
    from lark import Lark  # start-up: needed only where the grammar has changed

    # ``scanner`` splits the lines and keeps comments and places; Lark's own lexer is not used.
    return Lark(grammar, parser="lalr", lexer="basic", start=list(STARTS), propagate_positions=True)


def write() -> None:
    """Writes the tables of the current grammar."""
    grammar = resource_path("grammar", "gamedsl.lark").read_text(encoding="utf-8")
    data = {"made_of": _digest(grammar), **extract(build_lark(grammar))}
    text = "{" + ",\n".join(f"{json.dumps(k)}:{json.dumps(v, separators=(',', ':'))}" for k, v in data.items()) + "}\n"
    resource_path("grammar", "parse_tables.json").write_text(text, encoding="utf-8")


def extract(lark: Lark) -> dict[str, Any]:
    """Extracts the tables from Lark's parser. States, rules and symbols are numbered in the order in which the parser
    can reach them, so that the file depends on the grammar only.
    """
    parser: Any = lark.parser
    table = parser.parser._parse_table
    order = _order(table)
    states = {state: number for number, state in enumerate(order)}
    rules: dict[Any, int] = {}
    symbols: dict[str, int] = {}
    rows = []
    for state in order:
        row = []
        for symbol, (_, to) in sorted(table.states[state].items()):
            number = states[to] if isinstance(to, int) else ~rules.setdefault(to, len(rules))
            row += [symbols.setdefault(symbol, len(symbols)), number]
        rows.append(" ".join(map(str, row)))
    fixed = {t.name: type(t.pattern).__name__ == "PatternStr" for t in lark.terminals}
    return {
        "rows": rows,
        "symbols": list(symbols),
        "rules": list(map(_rule, rules)),
        "starts": {start: states[table.start_states[start]] for start in STARTS},
        "ends": {start: states[table.end_states[start]] for start in STARTS},
        "words": {t.name: t.pattern.value for t in lark.terminals if fixed[t.name]},
        "patterns": {t.name: t.pattern.value for t in lark.terminals if not fixed[t.name]},
    }


def _order(table: Any) -> list[int]:
    """Returns the states in breadth-first order from the start states."""
    order = dict.fromkeys(table.start_states[start] for start in STARTS)
    pending = list(order)
    while pending:
        row = table.states[pending.pop(0)]
        found = [to for symbol in sorted(row) if isinstance(to := row[symbol][1], int) and to not in order]
        order |= dict.fromkeys(found)
        pending += dict.fromkeys(found)
    return list(order)


def _rule(rule: Any) -> Rule:
    """Converts a rule of Lark: decides once what Lark's parser would do with the parts."""
    options, size = rule.options, len(rule.expansion)
    # the number of absent optional parts before each part, and after the last
    absent = [len(run) for run in "".join(str(int(b)) for b in options.empty_indices).split("0")]
    kept: list[int] = []
    for number, symbol in enumerate(rule.expansion):
        kept += [-1] * (absent[number] if options.empty_indices else 0)
        if not (symbol.is_term and symbol.filter_out):
            kept.append(2 * number + (not symbol.is_term and symbol.name.startswith("_")))
    kept += [-1] * (absent[size] if options.empty_indices else 0)
    everything = [2 * number for number in range(size)]
    name = rule.alias or options.template_source or rule.origin.name
    single = bool(options.expand1 and not rule.alias)
    return str(rule.origin.name), size, str(name), single, None if kept == everything else kept


def _stored(grammar: str) -> Any:
    """Returns the tables of the file; None if there is none or it was made from another grammar."""
    try:
        text = resource_path("grammar", "parse_tables.json").read_text(encoding="utf-8")
    except OSError:
        return None
    return json.loads(text) if text.startswith(f'{{"made_of":"{_digest(grammar)}"') else None


def _digest(grammar: str) -> str:
    """Returns what tells grammars apart. (A checksum is enough, and ``hashlib`` takes 5 ms to import.)"""
    return f"{len(grammar)}-{zlib.crc32(grammar.encode()):08x}"


if __name__ == "__main__":
    write()
