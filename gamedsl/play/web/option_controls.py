"""The options of a ruleset as a form offers them: from their declarations, with the values that they have now."""

from __future__ import annotations

from typing import Any, TypeAlias

from gamedsl.language.core import nodes as n
from gamedsl.language.core import words
from gamedsl.language.rules import Lowered, value_type
from gamedsl.language.syntax import ast

Json: TypeAlias = dict[str, Any]


def describe_options(rules: Lowered) -> list[Json]:
    """For every option `name`, `label` (in words), `text` (its sentence), `value`, and either the bounds `low` and
    `high` of a number or its `values`: pairs of a value and its words. Bounds may follow from other options."""
    env = rules.builder.envs[0]
    declared = {_name(d): d for d in env.decls if isinstance(d, ast.OptionDecl | ast.PlayersRange)}
    found = []
    for name, value in rules.program.options:
        match declared.get(name):
            case ast.OptionDecl(type=of, text=text):
                rest = {"text": text or "", **_choice(value_type(env, of))}
            case ast.PlayersRange(low=low, high=high):
                rest = {"text": "", "low": low, "high": high}
            case _:  # not of the ruleset itself: it can be typed
                rest = {"text": "", "values": []}
        found.append({"name": name, "label": words(name), "value": value, **rest})
    return found


def _name(d: ast.OptionDecl | ast.PlayersRange) -> str:
    return d.name.id if isinstance(d, ast.OptionDecl) else "players"


def _choice(of: object) -> Json:
    match of:
        case n.IntT(low, high):
            return {"low": low, "high": high}
        case n.ElemT(domain):
            return {"values": [[name, words(name)] for name in domain.names]}
        case _:
            return {"values": [["no", "no"], ["yes", "yes"]]}
