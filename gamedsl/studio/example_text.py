"""An example from a game that was just played: the moves, and what holds after them, in the format of ``gamedsl test``."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent, indent
from typing import Any

from gamedsl.engine import State
from gamedsl.lab.examples import examples_in
from gamedsl.language.source import Source
from gamedsl.language.syntax import flow
from gamedsl.studio.board_line import Board, Line

Refused = tuple[str, str]  # a move, and why it is refused


def example_text(board: Board, line: Line, options: Sequence[tuple[str, str]], refused: Sequence[Refused] = ()) -> str:
    """The lines of the example. ``options``: those that were set."""
    state, moves = line.state, [move.text for _, move in line.steps if move is not None]
    rows = [f"  - name: {flow(_name(board, state, moves))}"]
    if options:
        rows.append(f"    options: {flow({name: _plain(value) for name, value in options})}")
    if moves:
        rows.append(f"    moves: {flow(moves)}")
    rows += [f"    {key}: {flow(value)}" for key, value in _expected(board, state)]
    if refused:
        rows.append("    illegal:")
        rows += [f"      - {flow({'move': move, 'says': says})}" for move, says in refused]
    return "\n".join(rows) + "\n"


def _name(board: Board, state: State, moves: list[str]) -> str:
    if state.is_terminal:
        return f"after {len(moves)} plies: {state.outcome_text}"
    if not moves:
        return "the first position"
    return f"after {len(moves)} {'ply' if len(moves) == 1 else 'plies'}: {', '.join(moves[-3:])}"


def _expected(board: Board, state: State) -> list[tuple[str, Any]]:
    """What holds in a position: the result, or who is to move and how many moves there are."""
    names = board.game.players
    if state.is_terminal:
        result: dict[str, Any] = {"winners": [names[seat] for seat in sorted(state.winners)]}
        if state.scores:
            result["scores"] = dict(zip(names, state.scores, strict=True))
        return [("result", result)]
    found: list[tuple[str, Any]] = []
    acting = [names[seat] for seat in state.to_act]
    if acting:
        found.append(("to_move", acting[0] if len(acting) == 1 else acting))
    if state.kind == "player":
        found.append(("legal_count", len(state.legal_moves())))
    return found


def _plain(value: str) -> str | int | bool:
    if value in ("yes", "no"):
        return value == "yes"
    return int(value) if value.lstrip("-").isdigit() else value


def with_example(text: str, example: str) -> str:
    """A file of examples with one more at the end of its list. Raises ``GameDSLError`` if the file has mistakes."""
    if not text.strip():
        return f"examples:\n{example}"
    examples_in(Source("<examples>", text))
    lines = text.splitlines(keepends=True)
    begin = next((i for i, row in enumerate(lines) if row.startswith("examples:")), None)
    if begin is None:
        return f"{text.rstrip()}\n\nexamples:\n{example}"
    end = next((i for i, row in enumerate(lines[begin + 1 :], begin + 1) if row[:1].isalpha()), len(lines))
    head = "".join(lines[:end]).rstrip()
    dashes = [len(row) - len(row.lstrip(" ")) for row in lines[begin + 1 : end] if row.lstrip(" ").startswith("- ")]
    example = indent(dedent(example), " " * (dashes[0] if dashes else 2))
    rest = "".join(lines[end:])
    joined = f"{head}\n\n{example}{f'{chr(10)}{rest}' if rest else ''}"
    examples_in(Source("<examples>", joined))
    return joined
