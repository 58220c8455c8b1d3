"""Programs that play: at random, by Monte-Carlo tree search, by alpha-beta; tournaments among them."""

from gamedsl.agents.agent import Agent, Ranked
from gamedsl.agents.parse import parse_agent, parse_agents

__all__ = ["Agent", "Ranked", "parse_agent", "parse_agents"]
