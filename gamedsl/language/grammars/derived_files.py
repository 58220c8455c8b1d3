"""The files that are made of the grammar, in the source tree."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gamedsl.language.grammars.decoding import decoding_grammar
from gamedsl.language.grammars.decoding_schema import decoding_schema
from gamedsl.language.grammars.language_card import language_card
from gamedsl.language.grammars.lezer import lezer_grammar, lezer_words
from gamedsl.language.grammars.textmate import textmate_grammar
from gamedsl.language.grammars.tree_sitter import tree_sitter_grammar, tree_sitter_words
from gamedsl.language.grammars.tree_sitter_queries import TREE_SITTER_QUERIES
from gamedsl.language.source import resource_path


def _lines(data: dict[str, Any]) -> str:
    """JSON with a line for every part of a long part."""
    parts = []
    for key, value in data.items():
        if isinstance(value, dict) and len(value) > 1:
            inner = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in value.items())
            parts.append(f"{json.dumps(key)}: {{\n{inner}\n}}")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _snippets() -> dict[str, Any]:
    """Whole small games. The forms of declarations and statements are completed by the language server."""
    found = {}
    for line in resource_path("templates", "kinds.txt").read_text(encoding="utf-8").splitlines():
        kind, _, words = line.partition(" ")
        text = resource_path("templates", kind, "rules.gdl").read_text(encoding="utf-8")
        body = text.rstrip("\n").replace("\\", "\\\\").replace("$title", "${1:title}").split("\n")
        found[f"a new game: {kind}"] = {"prefix": f"new {kind}", "body": body, "description": words.strip() or kind}
    return found


# By the path in the source tree.
DERIVED: dict[str, Callable[[], str]] = {
    "grammar/card.md": language_card,
    "grammar/decoding.lark": decoding_grammar,
    "grammar/decoding.schema.json": decoding_schema,
    "editors/codemirror/gamedsl.grammar": lezer_grammar,
    "editors/codemirror/words.json": lambda: _lines(lezer_words()),
    "editors/tree-sitter/grammar.js": tree_sitter_grammar,
    "editors/tree-sitter/src/words.h": tree_sitter_words,
    **{f"editors/{name}": made for name, made in TREE_SITTER_QUERIES.items()},
    "editors/vscode/syntaxes/gamedsl.tmLanguage.json": lambda: _lines(textmate_grammar()),
    "editors/vscode/snippets/gamedsl.json": lambda: _lines(_snippets()),
}


def write() -> None:
    """Writes the files that differ from what the grammar makes now."""
    root = resource_path("grammar").parent
    for name, made in DERIVED.items():
        path, text = Path(root, name), made()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"written: {name}")


if __name__ == "__main__":
    write()
