"""The data form as plain values: dicts, lists, strings, integers and truth values."""

from __future__ import annotations

import json
from typing import Any

from gamedsl.language.source import GameDSLError
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.data.datum import NOWHERE, Datum, pointer_to
from gamedsl.language.syntax.data.dump import dump_json
from gamedsl.language.syntax.data.load import build


def to_data(node: ast.Node) -> dict[str, Any]:
    """Returns the object of a node."""
    data: dict[str, Any] = json.loads(dump_json(node))
    return data


def from_data(data: Any) -> ast.Node:
    """Returns the node of an object. Raises ``GameDSLError`` with all problems."""
    node, problems = build(datum_of(data))
    if node is None or problems:
        raise GameDSLError(*problems)
    return node


def datum_of(value: Any, pointer: str = "") -> Datum:
    """Returns a plain value as a ``Datum`` without places."""
    if isinstance(value, dict):
        entries = {key: datum_of(inner, pointer_to(pointer, key)) for key, inner in value.items()}
        return Datum(entries, NOWHERE, pointer)
    if isinstance(value, list):
        return Datum([datum_of(v, pointer_to(pointer, i)) for i, v in enumerate(value)], NOWHERE, pointer)
    return Datum(value, NOWHERE, pointer)
