"""Agents: uniform random play, Monte-Carlo tree search, alpha-beta search; and tournaments between them."""

from gamedsl.agents.agent import Agent, Ranked
from gamedsl.agents.parse import parse_agent, parse_agents

__all__ = ["Agent", "Ranked", "parse_agent", "parse_agents"]
