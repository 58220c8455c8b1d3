"""Text to syntax tree and back; syntax tree to plain data (JSON, YAML) and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "FOREIGN_FUNCTIONS",
    "GOES_ON",
    "HARD_WORDS",
    "MOST_NUMBER",
    "REMOVABLE",
    "YAML_LOADER",
    "Datum",
    "KeptDeclarations",
    "Line",
    "Page",
    "Piece",
    "Stand",
    "Word",
    "WordEntry",
    "build_lark",
    "data_problem",
    "declaration_trees",
    "dump_json",
    "dump_yaml",
    "flow",
    "format_expression",
    "format_ruleset",
    "is_declaration_word",
    "is_json",
    "kinds_with_keys",
    "language",
    "level_of",
    "line_starters",
    "load_data",
    "node_text",
    "parse_expression",
    "parse_ruleset",
    "parse_text",
    "plain",
    "print_stmt",
    "read_document",
    "read_lines",
    "read_nodes",
    "refuse_comments",
    "ruleset_schema",
    "source_kinds",
    "stand_at",
    "token_kinds",
    "walk",
    "walk_lines",
    "walker",
    "word_at_end",
    "word_entries",
]

if TYPE_CHECKING:
    from gamedsl.language.syntax.build.build_declarations import REMOVABLE
    from gamedsl.language.syntax.build.kept_declarations import KeptDeclarations
    from gamedsl.language.syntax.coloring import Piece, source_kinds, token_kinds
    from gamedsl.language.syntax.data.data_shapes import kinds_with_keys
    from gamedsl.language.syntax.data.datum import Datum, plain
    from gamedsl.language.syntax.data.dump import dump_json, dump_yaml
    from gamedsl.language.syntax.data.flow_data import flow
    from gamedsl.language.syntax.data.load import load_data, read_nodes
    from gamedsl.language.syntax.data.messages import data_problem
    from gamedsl.language.syntax.data.quotes import node_text
    from gamedsl.language.syntax.data.reader import is_json, read_document
    from gamedsl.language.syntax.data.yaml_reader import YAML_LOADER, refuse_comments
    from gamedsl.language.syntax.foreign_words import FOREIGN_FUNCTIONS
    from gamedsl.language.syntax.parse.language import HARD_WORDS, language
    from gamedsl.language.syntax.parse.parse_lines import GOES_ON, Line
    from gamedsl.language.syntax.parse.scanner import MOST_NUMBER, Word
    from gamedsl.language.syntax.parse_tables import build_lark
    from gamedsl.language.syntax.parser import (
        declaration_trees,
        line_starters,
        parse_expression,
        parse_ruleset,
        parse_text,
        read_lines,
    )
    from gamedsl.language.syntax.print.layout import Page
    from gamedsl.language.syntax.print.print_ast_expressions import level_of
    from gamedsl.language.syntax.print.print_statements import print_stmt
    from gamedsl.language.syntax.print.printer import format_expression, format_ruleset
    from gamedsl.language.syntax.schema import ruleset_schema
    from gamedsl.language.syntax.token_reading import Stand, is_declaration_word, stand_at, word_at_end
    from gamedsl.language.syntax.tree_walk import walk, walk_lines, walker
    from gamedsl.language.syntax.words import WordEntry, word_entries
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "build.build_declarations": "REMOVABLE",
            "build.kept_declarations": "KeptDeclarations",
            "data.data_shapes": "kinds_with_keys",
            "data.datum": "Datum plain",
            "data.dump": "dump_json dump_yaml",
            "data.flow_data": "flow",
            "data.load": "load_data read_nodes",
            "data.messages": "data_problem",
            "data.quotes": "node_text",
            "data.reader": "is_json read_document",
            "data.yaml_reader": "YAML_LOADER refuse_comments",
            "foreign_words": "FOREIGN_FUNCTIONS",
            "parse.language": "HARD_WORDS language",
            "parse.parse_lines": "GOES_ON Line",
            "parse.scanner": "MOST_NUMBER Word",
            "parse_tables": "build_lark",
            "parser": "declaration_trees line_starters parse_expression parse_ruleset parse_text read_lines",
            "print.print_ast_expressions": "level_of",
            "print.layout": "Page",
            "print.printer": "format_expression format_ruleset",
            "print.print_statements": "print_stmt",
            "coloring": "Piece source_kinds token_kinds",
            "schema": "ruleset_schema",
            "token_reading": "Stand is_declaration_word stand_at word_at_end",
            "tree_walk": "walk walk_lines walker",
            "words": "WordEntry word_entries",
        },
    )
