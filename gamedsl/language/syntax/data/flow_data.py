"""Plain values as single-line YAML."""

from __future__ import annotations

import json
import re
from typing import Any

_PLAIN_WORD = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?")
_OTHER_MEANING = {"yes", "no", "true", "false", "null", "on", "off", "y", "n"}


def flow(value: Any) -> str:
    """Formats a value as single-line YAML."""
    match value:
        case None | bool() | int():
            return json.dumps(value)
        case list():
            return f"[{', '.join(map(flow, value))}]"
        case dict() if not value:
            return "{}"
        case dict():
            return f"{{ {', '.join(f'{flow(k)}: {flow(v)}' for k, v in value.items())} }}"
        case _:
            word = str(value)
            safe = _PLAIN_WORD.fullmatch(word) and word.lower() not in _OTHER_MEANING
            return word if safe else json.dumps(word, ensure_ascii=False)
