"""Equilibria of games with hidden information and perfect recall, over the tree of all histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

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
    from gamedsl.lab.equilibrium.approximation import Approximation, SampledStep, approximate_equilibrium
    from gamedsl.lab.equilibrium.cfr import Order, RegretMinimizer, Variant
    from gamedsl.lab.equilibrium.expansion import (
        CHANCE,
        END,
        Results,
        StateGraph,
        TreeTooLarge,
        margins,
        state_graph,
        utilities,
    )
    from gamedsl.lab.equilibrium.finding import (
        EXPLOITABILITY,
        Equilibrium,
        Method,
        SamplingOptions,
        Step,
        find_equilibrium,
    )
    from gamedsl.lab.equilibrium.graph_sampler import POSITIONS, GraphSampler
    from gamedsl.lab.equilibrium.graph_sampler_file import resume_graph_sampler, write_graph_sampler
    from gamedsl.lab.equilibrium.linear_program import solve_linear_program
    from gamedsl.lab.equilibrium.mccfr import SampledRegretMinimizer, Sampling
    from gamedsl.lab.equilibrium.play_tree import HISTORIES, GameTree, InformationSets, game_tree
    from gamedsl.lab.equilibrium.profile import Profile, best_response
    from gamedsl.lab.equilibrium.sampling_file import resume_sampling, write_sampling
    from gamedsl.lab.equilibrium.saved_strategies import (
        SavedStrategy,
        approximation_json,
        profile_of,
        read_strategy,
        strategy_json,
    )
    from gamedsl.lab.equilibrium.sequences import Forms, SequenceForm, sequence_form
    from gamedsl.lab.equilibrium.texts import set_texts
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
            "saved_strategies": "SavedStrategy approximation_json profile_of read_strategy strategy_json",
            "texts": "set_texts",
            "play_tree": "HISTORIES GameTree InformationSets game_tree",
        },
    )
