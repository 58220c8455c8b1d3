"""AST and options → checked program in the Core."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "COLOURS",
    "ENDINGS",
    "MOST_BYTES",
    "SHAPES",
    "Bail",
    "Env",
    "Lowered",
    "Parsed",
    "RangeDomain",
    "builtin_names",
    "builtin_words",
    "changed_clauses",
    "check_file",
    "decoded",
    "describe",
    "examine",
    "explain_word",
    "find_ruleset",
    "load_lowered",
    "load_program",
    "lower_claim",
    "name_meaning",
    "near_words",
    "option_values",
    "outcome_words",
    "parse_source",
    "read_text",
    "read_tree",
    "related",
    "shipped",
    "signature",
    "value_type",
]

if TYPE_CHECKING:
    from gamedsl.language.rules.clause_changes import changed_clauses
    from gamedsl.language.rules.declarations.claims import lower_claim, outcome_words
    from gamedsl.language.rules.declarations.look import COLOURS, SHAPES
    from gamedsl.language.rules.error_report import Bail
    from gamedsl.language.rules.expressions.type_expressions import value_type
    from gamedsl.language.rules.files import (
        ENDINGS,
        MOST_BYTES,
        Parsed,
        decoded,
        find_ruleset,
        parse_source,
        read_text,
        read_tree,
        shipped,
    )
    from gamedsl.language.rules.lower import Lowered, check_file, examine, load_lowered, load_program
    from gamedsl.language.rules.name_meanings import (
        builtin_names,
        builtin_words,
        name_meaning,
        option_values,
        signature,
    )
    from gamedsl.language.rules.scope import Env
    from gamedsl.language.rules.types import RangeDomain, describe
    from gamedsl.language.rules.word_pages import explain_word, near_words
    from gamedsl.language.rules.word_search import related
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "clause_changes": "changed_clauses",
            "declarations.claims": "lower_claim outcome_words",
            "declarations.look": "COLOURS SHAPES",
            "expressions.type_expressions": "value_type",
            "files": "ENDINGS MOST_BYTES Parsed decoded find_ruleset parse_source read_text read_tree shipped",
            "lower": "Lowered check_file examine load_lowered load_program",
            "error_report": "Bail",
            "name_meanings": "builtin_names builtin_words name_meaning option_values signature",
            "scope": "Env",
            "types": "RangeDomain describe",
            "word_pages": "explain_word near_words",
            "word_search": "related",
        },
    )
