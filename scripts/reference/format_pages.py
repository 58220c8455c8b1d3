"""The files and texts that gamedsl reads and writes: samples that are made by running it, and the tables of the JSON Schemas."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

from gamedsl.engine import Record
from gamedsl.language.source import resource_path
from scripts.reference.builtin_pages import position
from scripts.reference.markdown import ROOT, fence, page, table

MOST_WIDE = 100  # characters of a line of a saved state
SCHEMAS = {
    "examples.schema.json": (
        "Examples",
        "`NAME.examples.yaml` beside a ruleset; [the guide](../guide/examples.md) explains them.",
    ),
    "clauses.schema.json": ("Index of clauses", "The file that `clauses` of a ruleset names."),
    "web.schema.json": ("Data of a page", "What the page in the browser gets; [the page's data](web.md) explains it."),
    "ruleset.schema.json": (
        "Data form of a ruleset",
        "A ruleset as JSON or YAML: a node for every form, with `kind` and these fields.",
    ),
}
MODULES = {
    "Explorations": ("gamedsl/engine/records/exploration.py", "Written by the page, read by `gamedsl replay`"),
    "Strategies": ("gamedsl/lab/equilibrium/saved_strategies.py", "`gamedsl solve -o`"),
    "Checkpoints of an exploration": ("gamedsl/lab/explore/checkpoint.py", "`gamedsl verify --checkpoint`"),
    "Checkpoints of sampling": (
        "gamedsl/lab/equilibrium/sampling_file.py",
        "`gamedsl solve --method external --checkpoint`",
    ),
    "Points of a drawing": ("gamedsl/language/boards/drawing/point_text.py", "Drawings in records and at the terminal"),
}


def format_pages() -> Iterator[tuple[str, str]]:
    """The page, by its path in the docs."""
    state = position()
    record = Record(game="example", seats=("human", "human"), digest=state.game.digest[:16])
    for move in state.history:
        record = record.plus_move(state.game, move)
    parts = [
        f"## Records\n\n{_docstring('gamedsl/engine/records/record.py')}\n\nA record of the position that the examples of the "
        f"[builtins](builtins.md) use (codes and digests are shortened):\n\n{fence(_shortened(record.text()))}",
        "## Positions\n\nA position as YAML, or as JSON on one line. [The guide](../guide/positions.md) explains every key. "
        "The same position:"
        f"\n\n{fence(state.position_text())}",
        f"## Saved states\n\nJSON, of `State.serialize`. Damaged text, and text of other rules, is refused. "
        "The same position:"
        f"\n\n{fence(_keys(json.loads(state.serialize())))}",
        *(f"## {title}\n\n{where}. {_docstring(module)}" for title, (module, where) in MODULES.items()),
        *(
            f"## {title}\n\n{lead} [`{name}`](../../grammar/{name}) is its JSON Schema.\n\n{_schema(name)}"
            for name, (title, lead) in SCHEMAS.items()
        ),
    ]
    lead = "What gamedsl reads and writes. Every file is untrusted input: what is damaged or of other rules is refused with a code."
    yield "reference/formats.md", page("File formats", lead, *parts)


def _docstring(module: str) -> str:
    found = ast.get_docstring(ast.parse((ROOT / module).read_text(encoding="utf-8"))) or ""
    return re.sub(r"``(.+?)``", r"`\1`", found)


def _shortened(text: str) -> str:
    """A text without what changes with every change of the rules' meaning."""
    return re.sub(r"~[0-9a-f]{6}", "~......", re.sub(r"\b[0-9a-f]{16,64}\b", "...", text))


def _keys(saved: dict[str, Any]) -> str:
    """The keys of a saved state, a line each, with as much of each value as fits."""
    lines = [f"{json.dumps(key)}: {_shortened(json.dumps(value))}" for key, value in saved.items()]
    return "\n".join(line if len(line) <= MOST_WIDE else f"{line[: MOST_WIDE - 4]} ..." for line in lines)


def _schema(name: str) -> str:
    schema = json.loads(resource_path("grammar", name).read_text(encoding="utf-8"))
    objects = dict(schema.get("$defs", {}))
    if "properties" in schema:
        objects = {"the file": schema, **objects}
    if "items" in schema:
        objects = {"an item": schema["items"], **objects}
    rows = [
        (
            f"`{title}`",
            f"`{field}`{'' if field in node.get('required', ()) else '?'}",
            _type(value),
            value.get("description", ""),
        )
        for title, node in objects.items()
        for field, value in node.get("properties", {}).items()
        if field not in ("kind", "notes")
    ]
    return table(("object", "field", "type", "meaning"), rows) + "\n\nA field with a question mark may be left out."


def _type(node: Any) -> str:
    """A schema in a few words."""
    if not isinstance(node, dict):
        return "anything"
    if "$ref" in node:
        return str(node["$ref"]).removeprefix("#/$defs/")
    if "const" in node:
        return f"`{node['const']}`"
    if "enum" in node:
        return ", ".join(f"`{value}`" for value in node["enum"])
    for key in ("anyOf", "oneOf"):
        if key in node:
            return " or ".join(dict.fromkeys(map(_type, node[key])))
    kind = node.get("type", "anything")
    if kind == "array":
        return f"list of {_type(node.get('items', {}))}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)
