"""The indexes of clauses fit their schema, and no clause stands in one twice."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from gamedsl.language.source.resources import resource_path
from gamedsl.language.source.text import Source
from gamedsl.language.syntax.data.datum import plain
from gamedsl.language.syntax.data.reader import read_document

INDEXES = sorted(resource_path("rulesets", "clauses").glob("*.yaml"))


@pytest.mark.parametrize("path", INDEXES, ids=lambda p: p.stem)
def test_index(path: Path) -> None:
    schema = json.loads(resource_path("grammar", "clauses.schema.json").read_text(encoding="utf-8"))
    data = plain(read_document(Source(str(path), path.read_text(encoding="utf-8"))))
    jsonschema.Draft202012Validator(schema).validate(data)
    numbers = [entry["number"] for entry in data]
    assert len(numbers) == len(set(numbers))
