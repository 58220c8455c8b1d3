"""Parses agent specifications.

These are ``random``, ``mcts:2s``, ``mcts:200ms``, ``mcts:5000``, ``mcts:5000:threads=2``, ``ab:2s``, ``ab:d6``, ``auto:2s``,
``strategy:FILE``, ``net:FILE``, the levels ``beginner`` to ``expert``, and those of other packages.
"""

from __future__ import annotations

from difflib import get_close_matches

from gamedsl.agents.agent import Agent
from gamedsl.agents.kind import AgentKind
from gamedsl.language.source import Registry, UsageError

AGENT_KINDS = Registry(
    "gamedsl.agents",
    "agent",
    AgentKind,
    {
        "random": "gamedsl.agents.uniform:KIND",
        "mcts": "gamedsl.agents.mcts:KIND",
        "ab": "gamedsl.agents.alphabeta:KIND",
        "net": "gamedsl.agents.net:KIND",
        "strategy": "gamedsl.agents.saved:KIND",
        "auto": "gamedsl.agents.auto:KIND",
        "beginner": "gamedsl.agents.levels:BEGINNER",
        "easy": "gamedsl.agents.levels:EASY",
        "medium": "gamedsl.agents.levels:MEDIUM",
        "strong": "gamedsl.agents.levels:STRONG",
        "expert": "gamedsl.agents.levels:EXPERT",
    },
)
"""All kinds of agents by name: those of this package, and those that other packages register."""


def parse_agent(text: str) -> Agent:
    """Returns the agent of a specification. Raises ``UsageError`` with the known forms if it is not valid."""
    name, colon, argument = text.strip().partition(":")
    kind = AGENT_KINDS.find(name)
    if kind is None:
        raise _unknown(text, tuple(get_close_matches(name, AGENT_KINDS.names(), n=2, cutoff=0.5)))
    agent = None if colon and not argument else kind.make(argument)
    if agent is None:
        raise _unknown(text, forms=kind.forms)
    return agent


def parse_agents(texts: str) -> tuple[Agent, ...]:
    """Returns the agents of a list such as ``random,mcts:1000,ab:d4``. Raises ``UsageError`` as ``parse_agent``."""
    words = texts.replace(",", " ").split()
    if len(words) > len(texts.split(",")) and all(map(_is_agent, words)):
        raise UsageError(f"`{texts}` has agents without a comma", help=f"Write `{','.join(words)}`.")
    return tuple(parse_agent(piece) for piece in texts.split(","))


def _is_agent(text: str) -> bool:
    try:
        parse_agent(text)
    except UsageError:
        return False
    return True


def _unknown(text: str, near: tuple[str, ...] = (), forms: tuple[tuple[str, str], ...] = ()) -> UsageError:
    kinds = [kind for name in AGENT_KINDS.built_in if (kind := AGENT_KINDS.find(name)) is not None]
    known = dict.fromkeys((*forms, *(form for kind in kinds for form in kind.forms)))
    lines = [f"`{name}` {what}" for name, what in known]
    lines += [f"`{offer.name}` of the package {offer.package}" for offer in AGENT_KINDS.offers()]
    return UsageError(f"`{text}` is not an agent", near=near, help=f"agents: {'; '.join(lines)}")
