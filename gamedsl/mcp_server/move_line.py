"""A line of moves from the first position: the position after it, what is legal there, and why something is not."""

from __future__ import annotations

import json
import sys
from typing import Any

from gamedsl.engine import Game, InterpretedGame, State
from gamedsl.language.rules import load_program
from gamedsl.language.source import GameDSLError, UsageError, diagnostic_json

MOST_PLIES = 2_000
MOST_SHOWN = 300  # legal moves


def answer_request() -> int:
    """Answers the request on standard input, on standard output. Returns the exit code."""
    request: dict[str, Any] = json.load(sys.stdin)
    try:
        answer = examine_line(request)
    except GameDSLError as mistake:
        answer = {"problems": [diagnostic_json(d) for d in mistake.diagnostics]}
    json.dump(answer, sys.stdout, ensure_ascii=False)
    return 0


def examine_line(request: dict[str, Any]) -> dict[str, Any]:
    """``request``: ``file``, ``options``, ``moves``, and what is wanted: ``why`` (moves), ``seat``."""
    game = InterpretedGame(load_program(request["file"], request["options"]))
    viewer = None if not request.get("seat") else _seat(game, request["seat"])
    state = game.initial_state()
    for number, text in enumerate(request["moves"]):
        if number >= MOST_PLIES:
            raise UsageError(f"a line has at most {MOST_PLIES} moves")
        try:
            *_, (_, state) = game.play_text(text, state)
        except GameDSLError as mistake:
            refused = {"made": number, "refused": text, "problems": [diagnostic_json(d) for d in mistake.diagnostics]}
            return refused | _position(state, viewer) | _why(game, state, [text])
    return _position(state, viewer) | _why(game, state, request.get("why") or [])


def _seat(game: Game, name: str) -> int:
    if name not in game.players:
        raise UsageError(f"there is no player {name[:40]}", help=f"The players are {', '.join(game.players)}.")
    return game.players.index(name)


def _position(state: State, viewer: int | None) -> dict[str, Any]:
    from gamedsl.play.terminal import position_lines

    answer: dict[str, Any] = {"board": "\n".join(position_lines(state, viewer))}
    if state.is_terminal:
        return answer | {
            "over": state.outcome_text,
            "returns": dict(zip(state.game.players, state.returns, strict=True)),
        }
    answer["to_act"] = [state.game.players[seat] for seat in state.to_act] or "chance"
    if state.kind == "chance":
        chances = state.chance_outcomes()
        answer["outcomes"] = [f"{move} ({probability})" for move, probability in chances[:MOST_SHOWN]]
    elif state.kind != "drawing":
        answer["legal"] = {}
        for seat in state.to_act if viewer is None else [s for s in state.to_act if s == viewer]:
            moves = [str(move) for move in state.legal_moves(seat)]
            answer["legal"][state.game.players[seat]] = {"count": len(moves), "moves": moves[:MOST_SHOWN]}
    return answer


def _why(game: Game, state: State, texts: list[str]) -> dict[str, Any]:
    """The reasons why moves are illegal, with the places of the rules."""
    reasons: dict[str, Any] = {}
    for text in texts[:20]:
        try:
            refusals = state.why_not(game.parse_move(text, state))
        except GameDSLError as mistake:
            reasons[text] = {"problems": [diagnostic_json(d) for d in mistake.diagnostics]}
            continue
        reasons[text] = [
            {"reason": r.message, "clauses": list(r.clauses), "line": None if r.span is None else r.span.line}
            for r in refusals
        ] or "legal"
    return {"why": reasons} if texts else {}
