"""A position that an example leads to → what is legal there, who is to move, how it ended: what an author may want to write.

Runs in a process of its own, see ``task_process.py``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gamedsl.editor.example_completions import STEPS
from gamedsl.engine import Broken, Move, Record, State, board_rows, hidden_reasons
from gamedsl.lab.examples import Bench, examples_in, position, random_plies
from gamedsl.language.rules import Parsed
from gamedsl.language.source import GameDSLError, Source

MOST_MOVES, MOST_PLIES = 1_000, 2_000
_KEPT: dict[tuple[Any, ...], Bench] = {}


def game_asked(ruleset: str, parsed: Mapping[str, Parsed], asked: Mapping[str, Any]) -> dict[str, Any] | None:
    """A game from its beginning: ``record`` (text), ``plies`` (seat or None, move), ``options`` (as the command line takes them),
    ``seats`` (number). ``asked``: ``plies`` to be played as far as they are legal, or an ``example`` as in a file of examples. None
    if the example does not begin where the game begins, or its moves are not legal.

    Raises ``GameDSLError`` if the ruleset or an option is wrong.
    """
    example = asked.get("example") or {}
    if any(key in example for key in ("position", "set")):
        return None
    options, random = example.get("options") or {}, example.get("random") or {}
    opening = (asked.get("openings") or {}).get(example.get("opening"), [])
    before = [(None, str(text)) for text in (*opening, *(example.get("moves") or ()))]
    then = [(None, str(text)) for text in example.get("then") or ()]
    _, game = _bench(ruleset, parsed).game(options)
    moves: list[Move] = []
    state = game.initial_state()
    try:
        state = _play(state, asked.get("plies") or before, moves)
        if random:  # the same plies as those of ``gamedsl test``
            for move, after in random_plies(state, random.get("seed", 0), random.get("plies", MOST_PLIES)):
                state = after
                moves.append(move)
        _play(state, then, moves)
    except GameDSLError:
        if "plies" not in asked:
            return None
    record = Record.begin(game, Path(ruleset).name)
    for move in moves:
        record = record.plus_move(game, move)
    shown = {name: {True: "yes", False: "no"}[v] if isinstance(v, bool) else str(v) for name, v in options.items()}
    plies = [[move.player, move.text] for move in moves]
    return {"record": record.text(), "plies": plies, "options": shown, "seats": game.num_players}


def _play(state: State, plies: Iterable[tuple[int | None, str]], moves: list[Move]) -> State:
    """Plays plies (seat or None, move) and appends the moves. Raises ``GameDSLError`` at the first that is not legal."""
    for seat, text in plies:
        chooser = state.to_act[0] if seat is None and state.kind == "together" and state.to_act else seat
        for move, after in state.game.play_text(text, state, chooser):
            state = after
            moves.append(move)
    return state


def position_facts(ruleset: str, parsed: Mapping[str, Parsed], asked: Mapping[str, Any]) -> dict[str, Any] | None:
    """What is known of a position. ``asked``: ``example``, as in a file of examples, of which only that what leads to the position
    is read, ``openings``, and ``move``, a string to be judged there (None: none). None if the position cannot be reached.

    Raises ``GameDSLError`` if the ruleset or an option is wrong.
    """
    example = asked["example"]
    steps = {key: example[key] for key in STEPS if example.get(key) is not None}
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
    return {"text": move.text, "kind": move.name, "who": who, "reasons": reasons}
