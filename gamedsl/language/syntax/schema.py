"""Writes ``grammar/ruleset.schema.json`` (JSON Schema 2020-12) from the shapes of the data form.

Run ``python -m gamedsl.language.syntax.schema`` after a change of ``ast`` or ``data_shapes``; a test checks that the
file is up to date.
"""

from __future__ import annotations

import json
from typing import Any

from gamedsl.language.syntax import ast
from gamedsl.language.syntax.data.data_shapes import (
    PATTERNS,
    BoolShape,
    ChoiceShape,
    FieldShape,
    ListShape,
    NotesShape,
    NumberShape,
    ObjectShape,
    Shape,
    TextShape,
    WrappedShape,
    fields_of,
    kind_of,
    node_classes,
)

Plain = dict[str, Any]


def ruleset_schema() -> Plain:
    """Returns the schema of a ruleset's data form. Every object is closed; ``kind`` distinguishes objects."""
    groups: dict[tuple[type, ...], str] = {}
    definitions: Plain = {kind_of(c): _object(c, groups) for c in node_classes()}
    definitions["notes"] = _notes(groups)
    for classes, name in groups.items():
        definitions[name] = _group(classes)
    definitions |= {name: {"type": "string", "pattern": _anchored(p)} for name, p in PATTERNS.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "ruleset.schema.json",
        "title": "A ruleset in its data form",
        "$ref": "#/$defs/ruleset",
        "$defs": dict(sorted(definitions.items())),
    }


def _anchored(pattern: str) -> str:
    # in some dialects, "$" alone would accept a line end
    return f"^{pattern}$(?!\\n)"


def _object(cls: type, groups: dict[tuple[type, ...], str]) -> Plain:
    fields = fields_of(cls)
    properties: Plain = {"kind": {"const": kind_of(cls)}} | {f.key: _field(f, groups) for f in fields}
    return {
        "type": "object",
        "properties": properties,
        "required": ["kind", *(f.key for f in fields if f.required)],
        "additionalProperties": False,
    }


def _notes(groups: dict[tuple[type, ...], str]) -> Plain:
    properties = {f.key: _field(f, groups) for f in fields_of(ast.Notes)}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _field(field: FieldShape, groups: dict[tuple[type, ...], str]) -> Plain:
    return _shape(field.shape, groups)


def _shape(shape: Shape, groups: dict[tuple[type, ...], str]) -> Plain:
    match shape:
        case TextShape(text) | WrappedShape(_, _, text):
            return {"$ref": f"#/$defs/{text}"}
        case NumberShape(low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case BoolShape():
            return {"type": "boolean"}
        case ChoiceShape(words):
            return {"enum": list(words)}
        case ListShape(item, least):
            return {"type": "array", "items": _shape(item, groups)} | ({"minItems": least} if least else {})
        case NotesShape():
            return {"$ref": "#/$defs/notes"}
        case ObjectShape(classes):
            return {"$ref": f"#/$defs/{_group_name(classes, groups)}"}


# The names of unions of classes; any other union is named after its classes.
_NAMES = {"Type": ast.Type, "Expr": ast.Expr, "Stmt": ast.Stmt, "Decl": ast.Decl, "LookItem": ast.LookItem}
_TITLES = {"Type": "type", "Expr": "expression", "Stmt": "statement", "Decl": "declaration", "LookItem": "look_item"}


def _group_name(classes: tuple[type, ...], groups: dict[tuple[type, ...], str]) -> str:
    if len(classes) == 1:
        return kind_of(classes[0])
    for name, union in _NAMES.items():
        if {c.__name__ for c in classes} == {_class_name(a) for a in union.__args__}:
            return groups.setdefault(classes, f"any_{_TITLES[name]}")
    return groups.setdefault(classes, "_or_".join(kind_of(c) for c in classes))


def _class_name(hint: Any) -> str:
    return str(getattr(hint, "__name__", getattr(hint, "__forward_arg__", "")))


def _group(classes: tuple[type, ...]) -> Plain:
    """Returns the schema of one of several objects. The conditions lead a validator straight to the given kind, so
    that a fault is reported at its place, not as a failure of every kind.
    """
    kinds = [kind_of(c) for c in classes]
    return {
        "type": "object",
        "properties": {"kind": {"enum": kinds}},
        "required": ["kind"],
        "allOf": [
            {
                "if": {"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind"]},
                "then": {"$ref": f"#/$defs/{kind}"},
            }
            for kind in kinds
        ],
    }


def schema_text() -> str:
    """Returns the text of the schema file."""
    return json.dumps(ruleset_schema(), indent=1) + "\n"


def main() -> None:
    """Writes the schema beside the grammar."""
    from gamedsl.language.source import resource_path

    resource_path("grammar", "ruleset.schema.json").write_text(schema_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
