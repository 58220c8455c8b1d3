"""Libraries that only an extra installs: their names, and the error that says how to install them."""

from __future__ import annotations

from gamedsl.language.source.diagnostic import UsageError

# by the name to import: what the library is called, and the extra
LIBRARIES = {
    "gymnasium": ("Gymnasium", "gymnasium"),
    "hypothesis": ("Hypothesis", "testing"),
    "jinja2": ("Jinja", "pages"),
    "llvmlite": ("llvmlite", "native"),
    "lsprotocol": ("lsprotocol", "lsp"),
    "markupsafe": ("MarkupSafe", "pages"),
    "numba": ("Numba", "native"),
    "numpy": ("NumPy", "native"),
    "pettingzoo": ("PettingZoo", "pettingzoo"),
    "pygls": ("pygls", "lsp"),
    "pyspiel": ("OpenSpiel", "openspiel"),
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
    """The error that says how to install what could not be imported; None if no extra installs it.

    ``extra``: the one that brings all that is needed, where the library is only a part of it.
    """
    if (top := (error.name or "").partition(".")[0]) not in LIBRARIES:
        return None
    name, own = LIBRARIES[top]
    extra = extra or own
    return UsageError(
        f"{name} is not installed", help=f"It comes with the extra `{extra}`: pip install 'gamedsl[{extra}]'"
    )
