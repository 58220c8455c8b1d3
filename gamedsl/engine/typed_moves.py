"""Typed text -> the move it stands for."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from gamedsl.engine.errors import play_error
from gamedsl.engine.facts.move_making import choice_move, make_move, pass_move
from gamedsl.engine.moves import Move
from gamedsl.engine.notation import Reading, has_tuple, tidy
from gamedsl.engine.play.actions import to_act
from gamedsl.engine.play.cell_names import in_own_names
from gamedsl.engine.play.drawing_moves import read_drawing
from gamedsl.engine.positions.joined_plies import read_joined
from gamedsl.engine.positions.move_notations import read_in
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError

if TYPE_CHECKING:
    from gamedsl.engine.state import Game, State

LONGEST = 20_000  # characters; the longest moves are large drawings
LONGEST_TURN = 200  # characters
MOST_COMPARED = 400


def parse_move(game: Game, text: str, state: State, player: int | None, notation: str | None = None) -> Move:
    """The move that a text stands for; it need not be legal. ``notation``: a declared notation to try first. Raises
    ``GameDSLError``: E0501 if it is not a move, E0502 if it can mean several, E0503 if the game is over, E0658 or E0659
    if there is no such notation for moves."""
    if len(text) > LONGEST:
        raise play_error("E0501", f"a move of {len(text)} characters is too long")
    who = player if player is not None else _first_to_act(state)
    drawing = _drawing(game, text, who)
    if drawing is not None:
        return drawing
    declared = _declared(game, state, text, who, notation) if notation is not None else []
    if declared:
        return _only(declared, text)
    readings = game.notation.readings(text) or _readings_renamed(game, state, text)
    readings = [r for r in readings if game.notation.may_be_meant(r, state.part)] or readings
    moves = [_move(game, r, who) for r in readings]
    exact = [m for m in moves if m.text == tidy(text)]
    fitting = exact or [m for m, r in zip(moves, readings, strict=True) if _offered(state, r)] or moves
    fitting = fitting or _declared(game, state, text, who, None)
    if fitting:
        return _only(fitting, text)
    if state.is_terminal:
        raise play_error("E0503", f"{_short(text)}: the game is over", help="No move follows the end.")
    problem = f"{_short(text)!r} is not a move of this game"
    raise play_error("E0501", problem, help=_how_tuples(state, who), near=_near(state, text, who))


def play_text(game: Game, text: str, state: State, player: int | None) -> list[tuple[Move, State]]:
    """Makes the plies of a text: one, or those of a turn that are written as one. Raises as ``parse_move`` and
    ``apply`` do."""
    try:
        plies: tuple[Move, ...] = (parse_move(game, text, state, player),)
        return _make(plies, state)
    except GameDSLError as error:  # one ply is the usual case; a whole turn is tried only if that fails
        plies = _joined(game, text, state, player) if error.diagnostics[0].code in ("E0501", "E0503") else ()
        if not plies:
            raise
    return _make(plies, state)


def _make(plies: tuple[Move, ...], state: State) -> list[tuple[Move, State]]:
    made = []
    for move in plies:
        state = state.apply(move)
        made.append((move, state))
    return made


def _joined(game: Game, text: str, state: State, player: int | None) -> tuple[Move, ...]:
    """The plies of a turn that is written as one move; empty if the text is not one."""
    who = player if player is not None else _first_to_act(state)
    if who is None or state.kind != "player" or game.secrets.hides or len(text) > LONGEST_TURN:
        return ()
    return read_joined(state, text, who)


def _readings_renamed(game: Game, state: State, text: str) -> list[Reading]:
    """The meanings of a text that names cells in another style than this board."""
    board = game.program.parts[state.part].board
    renamed = None if board is None else in_own_names(board, text)
    return [] if renamed is None else game.notation.readings(renamed)


def _declared(game: Game, state: State, text: str, player: int | None, notation: str | None) -> list[Move]:
    """The legal moves that a text may stand for in the declared notations, or in one of them."""
    if notation is None and (not game.program.parts[0].notations or game.secrets.hides):
        return []  # reading a declared notation could reveal something hidden, so a caller must ask for it by name
    return read_in(state, text, player, notation)


def _only(moves: list[Move], text: str) -> Move:
    if len(moves) > 1:
        meant = ", ".join(m.text for m in moves[:6])
        raise play_error("E0502", f"{tidy(text)!r} can mean several moves", help=f"write one of: {meant}")
    return moves[0]


def _first_to_act(state: State) -> int | None:
    acting = to_act(state)
    return acting[0] if acting else None


def _short(text: str) -> str:
    text = tidy(text)
    return text if len(text) <= 60 else text[:57] + "..."


def _drawing(game: Game, text: str, player: int | None) -> Move | None:
    strokes = {name for b in game.program.blocks if isinstance(b.end, n.DecideDrawing) for name in b.end.strokes}
    words = text.split()
    if len(words) < 2 or words[0] not in strokes or "," not in words[1]:
        return None
    return read_drawing(text, strokes, player)


def _move(game: Game, r: Reading, player: int | None) -> Move:
    match r.kind:
        case "move":
            assert r.schema is not None
            return make_move(game, r.schema, player, r.args)
        case "pass":
            return pass_move(player)
        case "choose":
            return choice_move(game, r.name, player)
        case _:
            return Move("chance", None, r.name.split(" ", 1)[0], None, (), r.name)


def _offered(state: State, r: Reading) -> bool:
    """Whether this stop offers moves of this kind."""
    match state.terminator:
        case n.Decide(alternatives=alternatives, may_pass=may_pass):
            return any(a.schema == r.schema for a in alternatives) or (r.kind == "pass" and may_pass is not None)
        case n.DecideTogether(alternatives=alternatives):
            return any(a.schema == r.schema for a in alternatives)
        case n.Choose(names=names):
            return r.kind == "choose" and r.name in names
        case _:
            return r.kind == state.kind


def _how_tuples(state: State, player: int | None) -> str:
    """A hint on how a tuple is written, with an example; empty if no legal move has one."""
    for move in state.legal_moves(player)[:MOST_COMPARED]:
        if move.schema is not None and has_tuple(state.game.program.schemas[move.schema]):
            return f"A tuple is written in brackets, with commas between its parts: `{move.text}`."
    return ""


def _near(state: State, text: str, player: int | None) -> tuple[str, ...]:
    """Legal moves whose notation resembles the text but is not the text itself."""
    typed = tidy(text)
    legal = [m.text for m in state.legal_moves(player)][:MOST_COMPARED]
    others = [t for t in legal if t.casefold() != typed.casefold()]
    return tuple(get_close_matches(typed[:60], others, 3, 0.5))
