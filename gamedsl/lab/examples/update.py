"""``gamedsl test --update``: replaces an example's expectations with the results of the rules, and changes nothing
else.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gamedsl.engine import State, board_rows, perft, same_value
from gamedsl.lab.examples.checks import value_of
from gamedsl.lab.examples.example_reader import Cell, Example, OptionValue, examples_data, examples_in
from gamedsl.lab.examples.positions import Broken
from gamedsl.lab.examples.runner import Bench, both_files, position
from gamedsl.language.rules import Lowered, decoded
from gamedsl.language.source import FileError, GameDSLError, Source, Span, lazy_dataclass, reason, unchanged, write_file
from gamedsl.language.syntax import Datum, flow, plain


@lazy_dataclass(frozen=True)
class Change:
    """One expectation that was rewritten."""

    example: str
    span: Span
    what: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.span}: {self.example}: {self.what} {flow(self.before)} -> {flow(self.after)}"


def update_examples(file: str | Path, options: Mapping[str, OptionValue] | None = None) -> list[Change]:
    """Rewrites the expectations in the examples of a ruleset to the results of the rules. Returns the changes.

    Counts, players to move, results, values, boards and lists of all legal moves are rewritten; ``legal`` and
    ``illegal`` never are, nor is an example whose position cannot be built. Comments and layout are kept. Raises
    ``GameDSLError`` if the ruleset or the file is wrong, and ``FileError`` if the file cannot be written, or was
    changed in the meantime.
    """
    ruleset, path = both_files(str(file))
    bench = Bench(ruleset)
    data = examples_data(path)
    source = Source(str(path), decoded(data, path))
    changes, edits = [], []
    for example in examples_in(source):
        for change, edit in _changes(bench, example, options or {}):
            changes.append(change)
            edits.append(edit)
    if edits:
        _write(path, edited(source.text, edits), data)
    return changes


def _write(path: Path, text: str, before: bytes) -> None:
    try:
        write_file(path, text, check=unchanged(path, before))
    except OSError as error:
        raise FileError(f"`{path}` cannot be written: {reason(error)}", code="E0008") from None


def edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Replaces spans (start, end, replacement) of a string."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _changes(
    bench: Bench, example: Example, options: Mapping[str, OptionValue]
) -> list[tuple[Change, tuple[int, int, str]]]:
    try:
        rules, game = bench.game({**options, **example.options})
        state = position(rules, game, example)
    except (Broken, GameDSLError):
        return []
    found = []
    for cell, datum in example.cells.items():
        try:
            now = actual(state, rules, example, cell)
        except GameDSLError:
            continue
        before = plain(datum)
        if now is not None and not _agree(cell, before, now):
            change = Change(example.name, datum.span, cell[1] or cell[0], before, now.value)
            found.append((change, _edit(datum, now.value)))
    return found


@lazy_dataclass(frozen=True)
class Actual:
    """A value computed by the rules (possibly None)."""

    value: Any


def actual(state: State, rules: Lowered, example: Example, cell: Cell) -> Actual | None:
    """Returns the correct value of a cell; None if the rules do not define one (such as the result of an unfinished
    game).
    """
    names = state.game.players
    match cell:
        case "to_move", _:
            acting = [names[p] for p in state.to_act] or ["chance" if state.kind == "chance" else "end"]
            return Actual(acting[0] if len(acting) == 1 else acting)
        case "only", _:
            return Actual([str(m) for m in state.legal_moves()])
        case "legal_count", _:
            return Actual(len(state.legal_moves()))
        case "winners", _ if state.is_terminal:
            return Actual([names[p] for p in sorted(state.winners)])
        case "scores", _ if state.is_terminal and state.scores:
            return Actual(dict(zip(names, state.scores, strict=True)))
        case "value", text:
            return Actual(value_of(state, rules, text))
        case "perft", _:
            return Actual([perft(state, depth) for depth in range(1, len(example.perft) + 1)])
        case "board", _:
            return Actual([" ".join(row) for row in board_rows(state)])
        case _:
            return None


def _agree(cell: Cell, before: Any, now: Actual) -> bool:
    after = now.value
    match cell[0]:
        case "to_move":
            return _listed(before) == _listed(after)
        case "only" | "winners":
            return sorted(before) == sorted(after)
        case "board":
            return [row.split() for row in before] == [row.split() for row in after]
        case "value":
            return same_value(after, before)
        case _:
            return bool(before == after)


def _listed(names: Any) -> set[str]:
    return {names} if isinstance(names, str) else set(names)


# ----------------------------------------------------------------------------------------------------------- writing


def _edit(datum: Datum, value: Any) -> tuple[int, int, str]:
    """Returns the span of the old value, and the new value in the same style: a multi-line list stays multi-line."""
    start, end = datum.span.start, _end(datum)
    text = datum.span.source.text
    if isinstance(value, list) and value and text[start] == "-":
        indent = " " * (datum.span.column - 1)
        return start, end, f"\n{indent}".join(f"- {flow(x)}" for x in value)
    return start, end, flow(value)


def _end(datum: Datum) -> int:
    """Returns the end of a value; of a multi-line list or object, the end of its last entry."""
    inner = list(datum.value.values()) if isinstance(datum.value, dict) else datum.value
    if not isinstance(inner, list) or not inner or datum.span.text[:1] in ("[", "{"):
        return datum.span.end
    return _end(inner[-1])
