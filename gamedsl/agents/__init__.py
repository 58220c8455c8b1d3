"""Agents: uniformly random play, Monte-Carlo tree search, alpha-beta search; and tournaments between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "AGENT_KINDS",
    "LEARNED",
    "LEVELS",
    "MATCH_GAMES",
    "Agent",
    "AgentKind",
    "Findings",
    "LadderPlan",
    "LearnedLevel",
    "LearnedValue",
    "Learner",
    "Level",
    "MatchConditions",
    "MatchResult",
    "Mcts",
    "Outcome",
    "PairScores",
    "Row",
    "Rung",
    "StateAgent",
    "Strength",
    "TrainingBudget",
    "agent_identity",
    "agent_profile",
    "check_trainable",
    "climb_ladder",
    "compiled",
    "count_levels",
    "elo_in_all",
    "expected_levels",
    "is_timed",
    "known_levels",
    "learned_iterations",
    "level_beside",
    "level_from_file",
    "level_iterations",
    "measured",
    "pairings",
    "parse_agent",
    "parse_agents",
    "play_tournament",
    "read_learned",
    "search_for_wasm",
    "strength",
    "train",
    "value_file",
    "write_learned",
]

if TYPE_CHECKING:
    from gamedsl.agents.agent import Agent, StateAgent
    from gamedsl.agents.agent_text import agent_identity, is_timed
    from gamedsl.agents.kind import AgentKind
    from gamedsl.agents.ladder import LadderPlan, MatchResult, Rung, climb_ladder, count_levels, elo_in_all
    from gamedsl.agents.learned_file import LearnedValue, read_learned, value_file, write_learned
    from gamedsl.agents.learned_level import level_beside, level_from_file
    from gamedsl.agents.learning import Learner
    from gamedsl.agents.levels import (
        LEARNED,
        LEVELS,
        Level,
        expected_levels,
        known_levels,
        learned_iterations,
        level_iterations,
    )
    from gamedsl.agents.mcts import Mcts
    from gamedsl.agents.measured_agent import measured
    from gamedsl.agents.net import LearnedLevel
    from gamedsl.agents.parse import AGENT_KINDS, parse_agent, parse_agents
    from gamedsl.agents.policy import agent_profile
    from gamedsl.agents.position import compiled
    from gamedsl.agents.search_findings import Findings, Row
    from gamedsl.agents.tournament import MatchConditions, Outcome, PairScores, pairings, play_tournament
    from gamedsl.agents.training import MATCH_GAMES, Strength, TrainingBudget, check_trainable, strength, train
    from gamedsl.agents.wasm_search import search_for_wasm
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "agent": "Agent StateAgent",
            "agent_text": "agent_identity is_timed",
            "search_findings": "Findings Row",
            "kind": "AgentKind",
            "ladder": "LadderPlan MatchResult Rung climb_ladder count_levels elo_in_all",
            "learned_file": "LearnedValue read_learned value_file write_learned",
            "learned_level": "level_beside level_from_file",
            "learning": "Learner",
            "levels": "LEARNED LEVELS Level expected_levels known_levels learned_iterations level_iterations",
            "mcts": "Mcts",
            "measured_agent": "measured",
            "net": "LearnedLevel",
            "parse": "AGENT_KINDS parse_agent parse_agents",
            "policy": "agent_profile",
            "position": "compiled",
            "tournament": "MatchConditions Outcome PairScores pairings play_tournament",
            "training": "MATCH_GAMES Strength TrainingBudget check_trainable strength train",
            "wasm_search": "search_for_wasm",
        },
    )
