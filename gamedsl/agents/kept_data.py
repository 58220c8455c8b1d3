"""What agents find out about a ruleset once, and keep in the code cache. The cache is untrusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from gamedsl.compiler import cached_data

if TYPE_CHECKING:
    from gamedsl.compiler import Native

T = TypeVar("T")


def kept_data(native: Native, name: str, make: Callable[[], Any], read: Callable[[Any], T]) -> T:
    """Returns what ``read`` makes of plain data: of that in the cache, or, if it refuses that, of what is made now."""
    data = cached_data(native.program, name, ("agents",), lambda: json.dumps(make()).encode())
    try:
        return read(json.loads(data))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return read(json.loads(json.dumps(make())))
