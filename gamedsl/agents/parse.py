"""Parses agent specifications: ``random``, ``mcts:2s``, ``mcts:200ms``, ``mcts:5000``, ``mcts:5000:threads=2``,
``ab:2s``, ``ab:d6``, ``strategy:FILE``.
"""

from __future__ import annotations

import re
from difflib import get_close_matches

from gamedsl.agents.agent import Agent
from gamedsl.agents.alphabeta import AlphaBeta
from gamedsl.agents.mcts import Mcts
from gamedsl.agents.saved import Saved
from gamedsl.agents.uniform import Uniform
from gamedsl.language.source import UsageError

# specification, description
KNOWN = (
    ("random", "any legal move, with equal probability"),
    ("mcts:2s", "Monte-Carlo tree search for two seconds a move (also 200ms, 0.5s, 1m)"),
    ("mcts:5000", "the same with 1000 iterations (:threads=2 shares them between two threads)"),
    ("ab:2s", "alpha-beta for two seconds a move"),
    ("ab:d6", "the same, six plies deep"),
    ("strategy:FILE", "the strategy that `gamedsl solve GAME --save FILE` has written"),
)
MOST_ITERATIONS, MOST_SECONDS, MOST_DEPTH, MOST_THREADS = 10**9, 86_400.0, 200, 64
_DURATION = re.compile(r"([0-9]{1,8}(?:\.[0-9]{1,6})?)(ms|s|m)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}


def parse_agent(text: str) -> Agent:
    """Returns the agent of a specification. Raises ``UsageError`` listing the known ones for anything else."""
    kind, *arguments = text.strip().split(":")
    match kind, arguments:
        case "random", []:
            return Uniform()
        case "mcts", [*given] if len(given) <= 2:
            return _mcts(text, given)
        case "ab", [] | [_]:
            return _ab(text, arguments)
        case "strategy", [_, *_] if all(arguments):
            return Saved(":".join(arguments))
    kinds = ("random", "mcts", "ab", "strategy")
    near = tuple(get_close_matches(kind, kinds, n=2, cutoff=0.5)) if kind not in kinds else ()
    raise _unknown(text, near)


def parse_agents(texts: str) -> tuple[Agent, ...]:
    """Returns the agents of a list such as ``random,mcts:1000,ab:d4``."""
    return tuple(parse_agent(piece) for piece in texts.split(","))


def _mcts(text: str, arguments: list[str]) -> Mcts:
    threads = 1
    if arguments and (found := re.fullmatch(r"threads=([0-9]{1,3})", arguments[-1])):
        threads, arguments = int(found[1]), arguments[:-1]
    if not 1 <= threads <= MOST_THREADS or len(arguments) > 1:
        raise _unknown(text)
    if not arguments:
        return Mcts(threads=threads)
    if re.fullmatch(r"[0-9]{1,10}", arguments[0]) and 1 <= int(arguments[0]) <= MOST_ITERATIONS:
        return Mcts(int(arguments[0]), None, threads)
    return Mcts(None, _seconds(text, arguments[0]), threads)


def _ab(text: str, arguments: list[str]) -> AlphaBeta:
    if not arguments:
        return AlphaBeta()
    if (found := re.fullmatch(r"d([0-9]{1,3})", arguments[0])) and 1 <= int(found[1]) <= MOST_DEPTH:
        return AlphaBeta(int(found[1]), None)
    return AlphaBeta(None, _seconds(text, arguments[0]))


def _seconds(text: str, argument: str) -> float:
    found = _DURATION.fullmatch(argument)
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if not 0.0 < seconds <= MOST_SECONDS:
        raise _unknown(text)
    return seconds


def _unknown(text: str, near: tuple[str, ...] = ()) -> UsageError:
    known = "; ".join(f"`{name}` {what}" for name, what in KNOWN)
    return UsageError(f"`{text}` is not an agent", near=near, help=f"agents: {known}")
