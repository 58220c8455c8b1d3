"""Equilibria of games with hidden information and perfect recall, over the tree of all histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "EXPLOITABILITY",
    "HISTORIES",
    "POSITIONS",
    "Approximation",
    "Equilibrium",
    "GameTree",
    "GraphSampler",
    "Method",
    "Profile",
    "RegretMinimizer",
    "SampledStep",
    "SamplingOptions",
    "SavedStrategy",
    "SequenceForm",
    "Step",
    "TreeTooLarge",
    "approximate_equilibrium",
    "approximation_json",
    "find_equilibrium",
    "game_tree",
    "margins",
    "profile_of",
    "read_strategy",
    "sequence_form",
    "set_texts",
    "strategy_json",
    "utilities",
]

if TYPE_CHECKING:
    from gamedsl.lab.equilibrium.approximation import Approximation, SampledStep, approximate_equilibrium
    from gamedsl.lab.equilibrium.cfr import RegretMinimizer
    from gamedsl.lab.equilibrium.expansion import TreeTooLarge, margins, utilities
    from gamedsl.lab.equilibrium.finding import (
        EXPLOITABILITY,
        Equilibrium,
        Method,
        SamplingOptions,
        Step,
        find_equilibrium,
    )
    from gamedsl.lab.equilibrium.graph_sampler import POSITIONS, GraphSampler
    from gamedsl.lab.equilibrium.play_tree import HISTORIES, GameTree, game_tree
    from gamedsl.lab.equilibrium.profile import Profile
    from gamedsl.lab.equilibrium.saved_strategies import (
        SavedStrategy,
        approximation_json,
        profile_of,
        read_strategy,
        strategy_json,
    )
    from gamedsl.lab.equilibrium.sequences import SequenceForm, sequence_form
    from gamedsl.lab.equilibrium.texts import set_texts
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "approximation": "Approximation SampledStep approximate_equilibrium",
            "graph_sampler": "GraphSampler POSITIONS",
            "cfr": "RegretMinimizer",
            "profile": "Profile",
            "sequences": "SequenceForm sequence_form",
            "expansion": "TreeTooLarge margins utilities",
            "finding": "EXPLOITABILITY Equilibrium Method SamplingOptions Step find_equilibrium",
            "saved_strategies": "SavedStrategy approximation_json profile_of read_strategy strategy_json",
            "texts": "set_texts",
            "play_tree": "HISTORIES GameTree game_tree",
        },
    )
