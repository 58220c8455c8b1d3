"""Syntax tree -> data form, as plain values, JSON text and YAML text; plain values -> tree.

A node is an object with its ``kind`` (the class's name in small letters) and its fields; a field that holds its
default, an empty list or None is omitted, and spans are never written. A node's own field ``kind`` is called ``form``.
"""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.data.data_shapes import (
    ListShape,
    NotesShape,
    ObjectShape,
    Shape,
    WrappedShape,
    fields_of,
    kind_of,
)
from gamedsl.language.syntax.data.datum import room_for_depth

Plain = dict[str, Any]


def _object(node: ast.Node | ast.Notes) -> Plain:
    data: Plain = {} if isinstance(node, ast.Notes) else {"kind": kind_of(type(node))}
    for field in fields_of(type(node)):
        value = getattr(node, field.name)
        if field.required or value != field.default:
            data[field.key] = _value(value, field.shape)
    return data


def _value(value: Any, shape: Shape) -> Any:
    match shape:
        case ListShape(item, _):
            return [_value(v, item) for v in value]
        case ObjectShape() | NotesShape():
            return _object(value)
        case WrappedShape(_, field, _):
            return getattr(value, field)
        case _:
            return value


def dump_json(tree: ast.Node) -> str:
    """Returns the data form as JSON, ending in a line end."""
    with room_for_depth():
        return json.dumps(_object(tree), indent=2, ensure_ascii=False) + "\n"


def dump_yaml(tree: ast.Node) -> str:
    """Returns the data form as YAML that readers of YAML 1.1 and 1.2 interpret alike."""
    with room_for_depth():
        data = _object(tree)
        return yaml.dump(
            data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**9, default_flow_style=False
        )


class _Dumper(yaml.SafeDumper):
    """Double-quotes every string that some reader would not take for a plain word; never emits aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Truth values, nulls and special numbers of YAML 1.1, in lower case.
_UNCLEAR = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    clear = _WORD.fullmatch(text) is not None and text.lower() not in _UNCLEAR
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if clear else '"')


_Dumper.add_representer(str, _represent_text)
