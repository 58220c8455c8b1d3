"""Hypothesis strategies for games (``Play``) and their positions.

A game is generated in two parts. First it follows a *playout* (see ``playouts``), most often to its end; every ply of
the playout can be omitted, so a game shrinks by losing plies. Then it continues with a list of numbers, each an index
into the actions (modulo their number); surplus numbers do nothing, so this part shrinks to fewer and earlier actions.
A game without a playout begins at the first position.

Hypothesis makes half of its examples by changing earlier ones: it copies one of several choices of a kind over
another, and takes the simplest choice where they do not fit. A game has one choice of each kind (an index, bytes, a
string), so this never drops a whole playout. It always has all three, because an example with fewer choices counts as
simpler when it shrinks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from hypothesis import strategies as st

from gamedsl.engine import Game, Move, State
from gamedsl.language.source import GameDSLError
from gamedsl.testing.known_steps import known_steps
from gamedsl.testing.playouts import covering_playouts
from gamedsl.testing.tested_play import Play, with_play

LARGEST = 2**16 - 1  # the largest number that selects an action
STRETCHES = 16  # of a playout that can be omitted as a whole
LATE = 30  # the last plies of a playout, among which it often ends
FINE = 8  # of 256: a stretch whose plies can be omitted one by one
SHORT = 20  # plies: half of the games have at least this many free choices
FREE = 60  # plies that are chosen one by one


def nth_action(state: State, number: int) -> Move | None:
    """Returns the action with this number, modulo the number of actions; None at the end of a game.

    Actions are moves, values, chance outcomes of positive weight (without regard to the weight), and choices of
    the first player who has not chosen; where players draw, a drawing generated from this number.
    """
    if state.is_terminal:
        return None
    if state.kind == "drawing":
        return state.propose(Random(number))
    moves = [m for m, _ in state.chance_outcomes()] if state.kind == "chance" else state.legal_moves()
    return moves[number % len(moves)]


def go_on(state: State, number: int) -> State:
    """Returns the position after the action with this number; the same position at the end of a game."""
    move = nth_action(state, number)
    return state if move is None else state.apply(move)


class _Course:
    """A game that grows by moves, up to a number of plies."""

    def __init__(self, start: State, most: int | None) -> None:
        self.states, self.moves, self.most = [start], list[Move](), most
        self.steps = known_steps(start.game)

    @property
    def is_over(self) -> bool:
        return self.states[-1].is_terminal or (self.most is not None and len(self.moves) >= self.most)

    def make(self, move: Move) -> None:
        try:
            after = self.steps.after(self.states[-1], move)
        except GameDSLError as error:
            raise with_play(error, self.play, move) from None
        self.states.append(after)
        self.moves.append(move)

    def choose(self, numbers: Iterable[int]) -> None:
        """Makes the actions with these numbers, until the game is over."""
        for number in numbers:
            if self.is_over:
                return
            try:
                move = nth_action(self.states[-1], number)
            except GameDSLError as error:
                raise with_play(error, self.play, None) from None
            assert move is not None, "the game goes on"
            self.make(move)

    def jump(self, playout: Play, length: int) -> None:
        """Replaces the game with the beginning of a playout from the same position."""
        self.states, self.moves = list(playout.states[: length + 1]), list(playout.moves[:length])

    @property
    def play(self) -> Play:
        return Play(tuple(self.states), tuple(self.moves))


# One choice of Hypothesis for a whole list of numbers: it is generated, mutated and shrunk as one. "0" is the simplest.
_NUMBERS = st.characters(codec="utf-8", min_codepoint=ord("0"), max_codepoint=LARGEST)  # no surrogates
_FREE = st.one_of(st.text(_NUMBERS, max_size=FREE), st.text(_NUMBERS, min_size=SHORT, max_size=FREE))


@st.composite
def plays(
    draw: st.DrawFn,
    game: Game,
    max_plies: int | None = None,
    start: State | None = None,
    playouts: Sequence[Play] | None = None,
) -> Play:
    """Generates games from ``start`` or the first position: long and short, finished and unfinished.

    ``max_plies``: the most plies (None: no limit). ``playouts``: the playouts that most games follow, by default
    ``covering_playouts(game, start)``; ``directed_playouts(game)`` has more of the rarely used lines; ``()`` for games
    whose every action is chosen freely. A rules error in a game is raised, with the game in a note.
    """
    begun = start if start is not None else known_steps(game).start
    course = _Course(begun, max_plies)
    known = covering_playouts(game, begun) if playouts is None else playouts
    which = draw(st.sampled_from(range(len(known)))) if known else None
    free = draw(_FREE)  # first: of two failing examples, the one whose first choices are simpler is shown
    if which is not None:
        _follow(draw, course, known[which])
    course.choose(ord(character) - ord("0") for character in free)
    return course.play


def _follow(draw: st.DrawFn, course: _Course, playout: Play) -> None:
    """Plays along a playout, perhaps not to its end; omits some plies, and those that are illegal as a result."""
    whole = len(playout.moves) if course.most is None else min(course.most, len(playout.moves))
    stretch = max(1, whole // STRETCHES)
    size = 2 + -(-whole // stretch) + whole
    drawn = draw(st.binary(min_size=size, max_size=size))
    length = _length(int.from_bytes(drawn[:2], "big"), whole)
    coarse, fine = drawn[2 : size - whole], drawn[size - whole :]
    kept = [_is_kept(coarse[at // stretch], fine[at]) for at in range(length)]
    first = kept.index(False) if False in kept else length
    course.jump(playout, first)
    for at in range(first, length):
        if course.is_over:
            return
        move = course.steps.legal_version(course.states[-1], playout.moves[at]) if kept[at] else None
        if move is not None:
            course.make(move)


def _length(number: int, whole: int) -> int:
    """Maps a number of two bytes to a number of plies of a playout, monotonically.

    In about 11 cases of 16 it is all plies, in two nearly all, in two any number, in one none. For a short game, whose
    end free choices reach too: in one case of 16 all, in six any number, in nine none.
    """
    late = min(whole, LATE)
    part = 2**12 if whole > SHORT else 3 * 2**12
    if number < part:
        return 0
    if number < 3 * part:
        return (whole - late) * (number - part) // (2 * part)
    return min(whole, whole - late + (late + 1) * (number - 3 * part) // (2 * part))


def _is_kept(coarse: int, fine: int) -> bool:
    """Returns whether a ply is kept, as nearly always. ``coarse`` is for its whole stretch: 0 omits it, a small one
    leaves it to ``fine``, where 0 omits the ply.
    """
    return coarse >= FINE or (coarse > 0 and fine > 0)


def states(
    game: Game, max_plies: int | None = None, start: State | None = None, playouts: Sequence[Play] | None = None
) -> st.SearchStrategy[State]:
    """Generates the last positions of the games of ``plays``: openings, middle games, endings."""
    return plays(game, max_plies, start, playouts).map(lambda play: play.last)


def moves(state: State) -> st.SearchStrategy[Move]:
    """Generates the actions of a position in which the game is not over."""
    if state.kind == "drawing":
        return st.integers(0, LARGEST).map(lambda number: state.propose(Random(number)))
    return st.sampled_from([m for m, _ in state.chance_outcomes()] if state.kind == "chance" else state.legal_moves())
