"""Equilibria of games with hidden information and perfect recall, over the tree of all histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.source import offered

__all__ = [
    "CHANCE",
    "END",
    "EXPLOITABILITY",
    "HISTORIES",
    "POSITIONS",
    "Approximation",
    "Equilibrium",
    "Forms",
    "GameTree",
    "GraphSampler",
    "InformationSets",
    "Method",
    "Order",
    "Profile",
    "RegretMinimizer",
    "Results",
    "SampledRegretMinimizer",
    "SampledStep",
    "Sampling",
    "SamplingOptions",
    "SavedStrategy",
    "SequenceForm",
    "StateGraph",
    "Step",
    "TreeTooLarge",
    "Variant",
    "approximate_equilibrium",
    "approximation_json",
    "best_response",
    "find_equilibrium",
    "game_tree",
    "margins",
    "profile_of",
    "read_strategy",
    "resume_graph_sampler",
    "resume_sampling",
    "sequence_form",
    "set_texts",
    "solve_linear_program",
    "state_graph",
    "strategy_json",
    "utilities",
    "write_graph_sampler",
    "write_sampling",
]

if TYPE_CHECKING:
    from gamedsl.check.equilibrium.approximation import Approximation, SampledStep, approximate_equilibrium
    from gamedsl.check.equilibrium.cfr import Order, RegretMinimizer, Variant
    from gamedsl.check.equilibrium.expansion import (
        CHANCE,
        END,
        Results,
        StateGraph,
        TreeTooLarge,
        margins,
        state_graph,
        utilities,
    )
    from gamedsl.check.equilibrium.finding import (
        EXPLOITABILITY,
        Equilibrium,
        Method,
        SamplingOptions,
        Step,
        find_equilibrium,
    )
    from gamedsl.check.equilibrium.graph_sampler import POSITIONS, GraphSampler
    from gamedsl.check.equilibrium.graph_sampler_file import resume_graph_sampler, write_graph_sampler
    from gamedsl.check.equilibrium.linear_program import solve_linear_program
    from gamedsl.check.equilibrium.mccfr import SampledRegretMinimizer, Sampling
    from gamedsl.check.equilibrium.profile import Profile, best_response
    from gamedsl.check.equilibrium.sampling_file import resume_sampling, write_sampling
    from gamedsl.check.equilibrium.saved import (
        SavedStrategy,
        approximation_json,
        profile_of,
        read_strategy,
        strategy_json,
    )
    from gamedsl.check.equilibrium.sequences import Forms, SequenceForm, sequence_form
    from gamedsl.check.equilibrium.texts import set_texts
    from gamedsl.check.equilibrium.tree import HISTORIES, GameTree, InformationSets, game_tree
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "approximation": "Approximation SampledStep approximate_equilibrium",
            "graph_sampler": "GraphSampler POSITIONS",
            "graph_sampler_file": "resume_graph_sampler write_graph_sampler",
            "cfr": "Order RegretMinimizer Variant",
            "linear_program": "solve_linear_program",
            "mccfr": "SampledRegretMinimizer Sampling",
            "profile": "Profile best_response",
            "sampling_file": "resume_sampling write_sampling",
            "sequences": "Forms SequenceForm sequence_form",
            "expansion": "CHANCE END Results StateGraph TreeTooLarge margins state_graph utilities",
            "finding": "EXPLOITABILITY Equilibrium Method SamplingOptions Step find_equilibrium",
            "saved": "SavedStrategy approximation_json profile_of read_strategy strategy_json",
            "texts": "set_texts",
            "tree": "HISTORIES GameTree InformationSets game_tree",
        },
    )
