"""Libraries that only an extra installs."""

from __future__ import annotations

from gamedsl.language.source import UsageError

# by the name to import: what the library is called, and the extra
LIBRARIES = {
    "gymnasium": ("Gymnasium", "gymnasium"),
    "pettingzoo": ("PettingZoo", "pettingzoo"),
    "pyspiel": ("OpenSpiel", "openspiel"),
}


def missing(module: str) -> UsageError:
    """The error that says how to install a library."""
    name, extra = LIBRARIES[module]
    return UsageError(f"{name} is not installed; it comes with the extra `{extra}`: pip install gamedsl[{extra}]")
