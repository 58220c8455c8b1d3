"""Imports the names that a package offers on first use (PEP 562), so that commands start quickly.

A package's ``__init__`` lists each name twice: under ``TYPE_CHECKING`` for type checkers, and here for the program. A
test compares the two. Type checkers must not see ``__getattr__``: with it they would accept every name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def offered(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Returns ``__getattr__`` and ``__dir__`` for a package. ``modules``: the names that each of its modules defines,
    separated by spaces; modules are written relative to the package.
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return get, names
