"""The schema of the data form → one that decoders of language models take: objects by ``anyOf`` instead of conditions, and
patterns without a look at what follows.
"""

from __future__ import annotations

import json
from typing import Any

from gamedsl.language.syntax import ruleset_schema

_END = "$(?!\\n)"  # of a pattern: in some dialects, "$" alone would accept a line end
_SURROGATES = "\\ud800-\\udfff"  # no text in UTF-8 holds them, and some dialects refuse to name them


def decoding_schema() -> str:
    """Returns the schema as text."""
    return json.dumps(_strict(ruleset_schema()), separators=(",", ":")).replace('},"', '},\n"') + "\n"


def _strict(part: Any) -> Any:
    if isinstance(part, list):
        return [_strict(one) for one in part]
    if not isinstance(part, dict):
        return part
    if "allOf" in part:  # one of several kinds of objects
        return {"anyOf": [{"$ref": f"#/$defs/{kind}"} for kind in part["properties"]["kind"]["enum"]]}
    found = {key: _strict(value) for key, value in part.items()}
    if isinstance(found.get("pattern"), str):
        found["pattern"] = found["pattern"].replace(_END, "$").replace(_SURROGATES, "")
    return found
