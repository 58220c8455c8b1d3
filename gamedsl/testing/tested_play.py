"""A game under test: its moves and positions, and its display in a failing test."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import Protocol

from gamedsl.engine import Game, Move, State
from gamedsl.language.source import GameDSLError, lazy_dataclass
from gamedsl.play.terminal import position_lines

MOST_LISTED = 400  # moves; of a longer game the last ones are listed
WIDTH = 100


class Printer(Protocol):
    """The part of Hypothesis's pretty printer that is used here."""

    def text(self, text: str) -> None: ...


@lazy_dataclass(frozen=True)
class Play:
    """A game from a first position, finished or not. It has one more position than moves.

    ``repr`` is a line of Python that recreates it. A failing test also shows the moves and the last position.
    """

    states: tuple[State, ...]
    moves: tuple[Move, ...]

    @staticmethod
    def of(start: State, moves: Iterable[Move]) -> Play:
        """Returns the game of these moves from a position. Raises ``GameDSLError`` if a move is illegal."""
        states, made = [start], tuple(moves)
        for move in made:
            states.append(states[-1].apply(move))
        return Play(tuple(states), made)

    @property
    def last(self) -> State:
        """The last position."""
        return self.states[-1]

    def cut(self, length: int) -> Play:
        """Returns the game after its first ``length`` moves."""
        return Play(self.states[: length + 1], self.moves[:length])

    def __repr__(self) -> str:
        game = self.last.game
        return f"play_of({game_name(game)}, {moves_text(self.moves)!r})"

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text("".join(f"\n    # {line}".rstrip() for line in described(self)) + f"\n    {self!r}")


def play_of(game: Game, moves: str, start: State | None = None) -> Play:
    """Returns the game of some moves in the notation of the ruleset, one per line or separated by ``;``, for
    ``@example``.

    Raises ``GameDSLError`` if a part is not a move, or the move is illegal.
    """
    state = start if start is not None else game.initial_state()
    states, made = [state], []
    for text in filter(None, (m.strip() for m in (moves.split("\n" if "\n" in moves else ";")))):
        for move, after in game.play_text(text, state):
            made.append(move)
            states.append(after)
        state = states[-1]
    return Play(tuple(states), tuple(made))


def game_name(game: Game) -> str:
    """Returns a Python expression that loads the game again."""
    loaded = game.origin
    if loaded is None:
        return "game"
    options = "".join(f", {name}={value!r}" for name, value in loaded.options)
    return f"gamedsl.load({loaded.name!r}{options})"


def moves_text(moves: Iterable[Move]) -> str:
    """Returns moves as ``play_of`` reads them."""
    texts = [str(move) for move in moves]
    return ("\n" if any(";" in t or "\n" in t for t in texts) else "; ").join(texts)


def command_line(game: Game, moves: Iterable[Move]) -> str:
    """Returns the shell command that shows a game."""
    loaded = game.origin
    name = loaded.name if loaded is not None else game.program.name
    options = "".join(f" --set {n}={shlex.quote(str(v))}" for n, v in (loaded.options if loaded else ()))
    return f"gamedsl replay --game {shlex.quote(name)}{options} --moves {shlex.quote(moves_text(moves))}"


def described(play: Play) -> Iterator[str]:
    """Yields the lines that show a game: its moves, the last position, the players to act there, the line of the rules
    that it has reached, and a command that shows it.
    """
    yield from _listed(play)
    yield from position_lines(play.last)
    yield from _place(play.last)
    if play.states[0] == play.last.game.initial_state():
        yield command_line(play.last.game, play.moves)


def _listed(play: Play) -> Iterator[str]:
    players = play.last.game.players
    skipped = max(0, len(play.moves) - MOST_LISTED)
    words = [f"... {skipped} plies ..."] if skipped else []
    for number, move in enumerate(play.moves[skipped:], skipped + 1):
        words.append(f"{number}. {'chance' if move.player is None else players[move.player]}: {move}")
    line = ""
    for word in words or ["no moves"]:
        if line and len(line) + len(word) + 2 > WIDTH:
            yield line
            line = word
        else:
            line = f"{line}  {word}" if line else word
    yield line


def _place(state: State) -> Iterator[str]:
    """Yields the line of the rules that waits for an action, or that ended the game."""
    span = state.terminator.span
    if span.source.path and span.start < span.end:
        yield f"{span.source.path}:{span.line}: {' '.join(span.source.line(span.line).split())}"


def with_play(error: GameDSLError, play: Play, failing: Move | None) -> GameDSLError:
    """Returns the error with a note that shows the game that led to it."""
    lines = list(_listed(play))
    if failing is not None:
        lines.append(f"and then {failing}")
    lines += position_lines(play.last)
    if play.states[0] == play.last.game.initial_state():
        lines.append(command_line(play.last.game, [*play.moves, *([failing] if failing is not None else [])]))
    error.add_note("\n".join(lines))
    return error
