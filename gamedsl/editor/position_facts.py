"""A position that an example leads to → what is legal there, who is to move, how it ended: what an author may want to write.

Runs in a process of its own, see ``task_process.py``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gamedsl.engine import Broken, State, board_rows, hidden_reasons
from gamedsl.lab.examples import Bench, examples_in, position
from gamedsl.language.rules import Parsed
from gamedsl.language.source import GameDSLError, Source, has_place

MOST_MOVES = 1_000
_KEPT: dict[tuple[Any, ...], Bench] = {}
_STEPS = ("opening", "position", "moves", "random", "set", "then")  # of an example: what leads to its position


def position_facts(ruleset: str, parsed: Mapping[str, Parsed], asked: Mapping[str, Any]) -> dict[str, Any] | None:
    """What is known of a position. ``asked``: ``example``, as in a file of examples, of which only that what leads to the position
    is read, ``openings``, and ``move``, a string to be judged there (None: none). None if the position cannot be reached.

    Raises ``GameDSLError`` if the ruleset or an option is wrong.
    """
    example = asked["example"]
    steps = {key: example[key] for key in _STEPS if example.get(key) is not None}
    document = {
        "openings": asked.get("openings") or {"none": ["none"]},
        "examples": [{"name": "asked", "to_move": "end", "options": example.get("options") or {}, **steps}],
    }
    (made,) = examples_in(Source("<asked>", json.dumps(document)))
    rules, game = _bench(ruleset, parsed).game(made.options)
    try:
        state = position(rules, game, made)
    except Broken:
        return None
    move = asked.get("move")
    return _facts(state) | ({} if move is None else {"judged": _judged(state, move)})


def _bench(ruleset: str, parsed: Mapping[str, Parsed]) -> Bench:
    """The loaded ruleset, kept for the next question about the same texts."""
    key = (ruleset, *sorted((path, one.source.text) for path, one in parsed.items()))
    if key not in _KEPT:
        _KEPT.clear()
        _KEPT[key] = Bench(Path(ruleset), parsed)
    return _KEPT[key]


def _facts(state: State) -> dict[str, Any]:
    names = state.game.players
    over = state.is_terminal
    legal = state.legal_moves() if not over and state.kind != "drawing" else []
    acting = [names[seat] for seat in state.to_act]
    return {
        "moves": [{"text": move.text, "kind": move.name} for move in legal[:MOST_MOVES]],
        "count": len(legal),
        "to_move": {"chance": ["chance"], "end": ["end"]}.get(state.kind, acting),
        "winners": [names[seat] for seat in state.winners] if over else None,
        "scores": dict(zip(names, state.scores, strict=False)) if over else {},
        "board": [" ".join(row) for row in board_rows(state) or ()],
    }


def _judged(state: State, text: str) -> dict[str, Any]:
    """What a string is in a position: which kind of move, whose, and why it is refused."""
    seat = state.to_act[0] if state.to_act else None
    try:
        move = state.game.parse_move(text, state, seat if state.kind == "together" else None)
        refusals = state.why_not(move) or (hidden_reasons(state, move) if move.player is not None else [])
    except GameDSLError as mistake:
        return {"problem": mistake.diagnostics[0].message}
    who = "chance" if move.player is None else state.game.players[move.player]
    reasons = [{"message": r.message, "clauses": list(r.clauses)} for r in refusals]
    places = [(r.span.source.path, r.span.line) for r in refusals if r.span is not None and has_place(r.span)]
    return {"text": move.text, "kind": move.name, "who": who, "reasons": reasons, "places": places}
