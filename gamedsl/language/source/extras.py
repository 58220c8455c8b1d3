"""Libraries that only an extra installs: their names, and the error that says how to install them."""

from __future__ import annotations

from gamedsl.language.source.diagnostic import UsageError

# The name and the extra of each library, by the name to import.
LIBRARIES = {
    "gymnasium": ("Gymnasium", "gymnasium"),
    "hypothesis": ("Hypothesis", "testing"),
    "jinja2": ("Jinja", "pages"),
    "llvmlite": ("llvmlite", "native"),
    "lsprotocol": ("lsprotocol", "lsp"),
    "markupsafe": ("MarkupSafe", "pages"),
    "mcp": ("mcp", "mcp"),
    "msgspec": ("msgspec", "native"),
    "numba": ("Numba", "native"),
    "numpy": ("NumPy", "native"),
    "pettingzoo": ("PettingZoo", "pettingzoo"),
    "pygls": ("pygls", "lsp"),
    "pyspiel": ("OpenSpiel", "openspiel"),
    "ray": ("Ray", "ray"),
    "ribs": ("pyribs", "rule-search"),
    "rich": ("rich", "native"),
    "scipy": ("SciPy", "lp"),
    "segno": ("segno", "server"),
    "shapely": ("Shapely", "drawing"),
    "shtab": ("shtab", "completions"),
    "starlette": ("Starlette", "server"),
    "uvicorn": ("uvicorn", "server"),
    "websockets": ("websockets", "server"),
    "z3": ("z3", "smt"),
    "zensical": ("Zensical", "docs"),
}


def missing_library(error: ImportError, extra: str | None = None) -> UsageError | None:
    """Returns the error that says how to install a library that could not be imported; None if no extra installs it.

    ``extra``: the extra to name instead, where a feature needs more than this library.
    """
    if (top := (error.name or "").partition(".")[0]) not in LIBRARIES:
        return None
    name, own = LIBRARIES[top]
    extra = extra or own
    return UsageError(
        f"{name} is not installed", help=f"It comes with the extra `{extra}`: pip install 'gamedsl[{extra}]'"
    )
