"""The players of seats: people, random players, and the agents of ``gamedsl.agents``. ``mcts:2s`` is the kind "mcts" with the
argument "2s"."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.language.source import UsageError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents import Agent
    from gamedsl.engine import Game, Move, State

Chooser: TypeAlias = "Callable[[State, int, Random], Move]"
Maker: TypeAlias = "Callable[[str], Chooser]"


@lazy_dataclass(frozen=True)
class SeatPlayer:
    """The player of a seat. ``text`` is its specification ("random"); ``choose`` is None for a person."""

    text: str
    choose: Chooser | None = None

    @property
    def is_human(self) -> bool:
        return self.choose is None


HUMAN = SeatPlayer("human")
_KINDS: dict[str, Maker] = {}


def register(kind: str, make: Maker) -> None:
    """Adds a kind of seat. ``make`` gets the text after the colon (or "") and returns the chooser, a function of the
    state, the player, and a random number generator; it may raise ``UsageError`` for an invalid argument."""
    _KINDS[kind] = make


def kinds() -> tuple[str, ...]:
    """The registered kinds of seats."""
    from gamedsl.agents import AGENT_KINDS  # start-up: people alone need no search

    return tuple(dict.fromkeys(("human", *_KINDS, *AGENT_KINDS.names())))


def make_seat(text: str) -> SeatPlayer:
    """A seat from its text. Raises UsageError for an unknown kind."""
    text = text.strip()
    kind, _, argument = text.partition(":")
    if kind == "human" and not argument:
        return HUMAN
    if kind in _KINDS:
        return SeatPlayer(text, _KINDS[kind](argument))
    from gamedsl.agents import AGENT_KINDS, parse_agent  # start-up: people alone need no search

    if AGENT_KINDS.find(kind) is None:
        near = tuple(get_close_matches(kind, kinds(), n=2, cutoff=0.5))
        raise UsageError(f"`{text}` is not a kind of seat", near=near, help=f"possible kinds: {', '.join(kinds())}")
    return SeatPlayer(text, AgentSeat(parse_agent(text)))


def make_seats(text: str | None, players: tuple[str, ...]) -> tuple[SeatPlayer, ...]:
    """The seats of a game from a list such as ``human,random``; a single kind applies to all seats; None: only
    people."""
    if text is None:
        return (HUMAN,) * len(players)
    wanted = [make_seat(piece) for piece in text.split(",")]
    if len(wanted) == 1:
        return tuple(wanted) * len(players)
    if len(wanted) != len(players):
        raise UsageError(
            f"{len(wanted)} seats are given, but the game has {len(players)} players ({', '.join(players)})",
            help=f"write `--seats {','.join(['human'] * len(players))}`, or one kind for all seats",
        )
    return tuple(wanted)


def read_marks(text: str, players: tuple[str, ...]) -> tuple[str, ...]:
    """The marks of the seats from a list such as ``*,#``; an empty item keeps the sign of the look."""
    marks = tuple(mark.strip() for mark in text.split(","))
    if len(marks) != len(players):
        raise UsageError(
            f"{len(marks)} marks are given, but the game has {len(players)} players ({', '.join(players)})",
            help="write one mark for each, as in `--marks '*,#'`; an empty one keeps the usual sign",
        )
    return marks


def _random(argument: str) -> Chooser:
    if argument:
        raise UsageError(f"`random` takes no argument, but got `{argument}`")

    def choose(state: State, player: int, rng: Random) -> Move:
        if state.kind == "together":
            return rng.choice(state.legal_moves(player))
        return state.propose(rng)

    return choose


@lazy_dataclass(frozen=True)
class AgentSeat:
    """The chooser of an agent that searches."""

    agent: Agent

    def __call__(self, state: State, player: int, rng: Random) -> Move:
        return self.agent.choose(state, rng.getrandbits(62), player)


def check_seats(seats: tuple[SeatPlayer, ...], game: Game) -> None:
    """Raises UsageError with the reason if a player at these seats cannot play the game."""
    for seat in seats:
        if isinstance(seat.choose, AgentSeat):
            seat.choose.agent.check(game)


register("random", _random)
