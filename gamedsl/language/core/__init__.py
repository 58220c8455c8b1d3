"""The Core: nodes, constant folding, enumeration plans, state layout, liveness and printer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "HEADINGS",
    "LISTED",
    "SEATS",
    "BlockGraph",
    "Case",
    "Constants",
    "CostEstimator",
    "Layout",
    "Names",
    "NotConstant",
    "RangeProblem",
    "Sign",
    "Tally",
    "Thing",
    "alike_on",
    "all_exprs",
    "all_spans",
    "all_statements",
    "argument_combinations",
    "at_rest",
    "byline",
    "can_fail",
    "cases_of",
    "children",
    "chosen_signs",
    "claim_exprs",
    "claimed_length",
    "clear_dead",
    "closure",
    "colored_players",
    "conjunction",
    "conjuncts",
    "deciding_conditions",
    "digest",
    "ending_blocks",
    "evaluate",
    "eventually",
    "expression_text",
    "exprs_of",
    "fixed_signs",
    "flood",
    "fold",
    "fold_node",
    "former_digest",
    "free_locals",
    "greatest_utility",
    "guarded_optional",
    "has_decisions",
    "image",
    "inner_statements",
    "is_stop",
    "is_symmetric",
    "is_zero_sum",
    "kind_text",
    "labels_of",
    "limits",
    "live_before",
    "live_variables",
    "longest_play",
    "looks_ahead",
    "make_plan",
    "map_children",
    "may_depend_on",
    "meaning",
    "memoized",
    "node_count",
    "noted_positions",
    "offset",
    "outermost",
    "owner_of",
    "parts_after",
    "parts_played",
    "pieces_read",
    "place_text",
    "print_core",
    "reached",
    "replace_expr",
    "rule_fields",
    "sign_of",
    "signs_left_to",
    "statement_exprs",
    "statement_fields",
    "statement_lists",
    "substitute",
    "tallies_of",
    "targets",
    "terminator_exprs",
    "terminator_tick",
    "things_of",
    "told_by_results",
    "unset_variables",
    "utility_bounds",
    "value_bits",
    "variables_read",
    "walk",
    "walk_statements",
    "with_children",
    "with_identifier",
    "words",
    "words_of_move",
    "written",
]

if TYPE_CHECKING:
    from gamedsl.language.core.appearance import (
        SEATS,
        Sign,
        Thing,
        alike_on,
        colored_players,
        labels_of,
        owner_of,
        pieces_read,
        sign_of,
        things_of,
        words,
    )
    from gamedsl.language.core.block_graph import BlockGraph
    from gamedsl.language.core.cases import Case, cases_of, deciding_conditions
    from gamedsl.language.core.constant_folding import can_fail, fold, fold_node, guarded_optional
    from gamedsl.language.core.constants import Constants, eventually
    from gamedsl.language.core.core_printer import print_core
    from gamedsl.language.core.cost_estimate import CostEstimator
    from gamedsl.language.core.digests import digest, former_digest, meaning
    from gamedsl.language.core.enumeration_plan import conjunction, conjuncts, make_plan
    from gamedsl.language.core.evaluator import (
        NotConstant,
        RangeProblem,
        closure,
        evaluate,
        flood,
        image,
        is_symmetric,
        offset,
    )
    from gamedsl.language.core.liveness import at_rest, clear_dead, live_before, live_variables, variables_read
    from gamedsl.language.core.move_words import with_identifier, words_of_move
    from gamedsl.language.core.node_parts import statement_fields
    from gamedsl.language.core.node_tables import memoized
    from gamedsl.language.core.nodes import limits
    from gamedsl.language.core.own_signs import chosen_signs, fixed_signs, signs_left_to
    from gamedsl.language.core.part_endings import ending_blocks, parts_after, parts_played
    from gamedsl.language.core.play_length import claimed_length, longest_play
    from gamedsl.language.core.print_expressions import expression_text, place_text
    from gamedsl.language.core.print_names import Names, kind_text
    from gamedsl.language.core.program_walk import (
        all_exprs,
        all_spans,
        all_statements,
        noted_positions,
        outermost,
        statement_lists,
    )
    from gamedsl.language.core.rulebook import HEADINGS, LISTED, byline
    from gamedsl.language.core.state_layout import Layout, argument_combinations, value_bits
    from gamedsl.language.core.tallies import Tally, tallies_of
    from gamedsl.language.core.told_results import told_by_results
    from gamedsl.language.core.traverse import (
        children,
        claim_exprs,
        exprs_of,
        free_locals,
        has_decisions,
        inner_statements,
        is_stop,
        looks_ahead,
        map_children,
        may_depend_on,
        node_count,
        reached,
        replace_expr,
        rule_fields,
        statement_exprs,
        substitute,
        targets,
        terminator_exprs,
        terminator_tick,
        walk,
        walk_statements,
        with_children,
        written,
    )
    from gamedsl.language.core.unset import unset_variables
    from gamedsl.language.core.utilities import greatest_utility, is_zero_sum, utility_bounds
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "rulebook": "HEADINGS LISTED byline",
            "appearance": "SEATS Sign Thing alike_on colored_players labels_of owner_of pieces_read sign_of things_of words",
            "block_graph": "BlockGraph",
            "cases": "Case cases_of deciding_conditions",
            "own_signs": "chosen_signs fixed_signs signs_left_to",
            "constant_folding": "can_fail fold fold_node guarded_optional",
            "constants": "Constants eventually",
            "cost_estimate": "CostEstimator",
            "digests": "digest former_digest meaning",
            "part_endings": "ending_blocks parts_after parts_played",
            "enumeration_plan": "conjunction conjuncts make_plan",
            "evaluator": "NotConstant RangeProblem closure evaluate flood image is_symmetric offset",
            "move_words": "with_identifier words_of_move",
            "nodes": "limits",
            "liveness": "at_rest clear_dead live_before live_variables variables_read",
            "play_length": "claimed_length longest_play",
            "print_expressions": "place_text expression_text",
            "print_names": "Names kind_text",
            "core_printer": "print_core",
            "node_tables": "memoized",
            "program_walk": "all_exprs all_spans all_statements noted_positions outermost statement_lists",
            "state_layout": "Layout argument_combinations value_bits",
            "tallies": "Tally tallies_of",
            "node_parts": "statement_fields",
            "traverse": (
                "children claim_exprs exprs_of free_locals has_decisions inner_statements is_stop looks_ahead "
                "map_children may_depend_on node_count reached replace_expr rule_fields statement_exprs substitute targets "
                "terminator_exprs terminator_tick walk walk_statements with_children written"
            ),
            "told_results": "told_by_results",
            "unset": "unset_variables",
            "utilities": "greatest_utility is_zero_sum utility_bounds",
        },
    )
