"""Libraries that only an extra installs: their names, and the error that says how to install them."""

from __future__ import annotations

from gamedsl.language.source.diagnostic import UsageError

# by the name to import: what the library is called, and the extra
LIBRARIES = {
    "gymnasium": ("Gymnasium", "gymnasium"),
    "hypothesis": ("Hypothesis", "testing"),
    "jinja2": ("Jinja", "pages"),
    "llvmlite": ("llvmlite", "native"),
    "markdown_it": ("markdown-it-py", "pages"),
    "markupsafe": ("MarkupSafe", "pages"),
    "numba": ("Numba", "native"),
    "numpy": ("NumPy", "native"),
    "pettingzoo": ("PettingZoo", "pettingzoo"),
    "pyspiel": ("OpenSpiel", "openspiel"),
    "scipy": ("SciPy", "lp"),
    "segno": ("segno", "server"),
    "shapely": ("Shapely", "drawing"),
    "shtab": ("shtab", "completions"),
    "starlette": ("Starlette", "server"),
    "uvicorn": ("uvicorn", "server"),
    "websockets": ("websockets", "server"),
    "z3": ("z3", "smt"),
}


def missing_library(error: ImportError) -> UsageError | ImportError:
    """The error that says how to install what could not be imported; the same error if no extra installs it."""
    if (top := (error.name or "").partition(".")[0]) not in LIBRARIES:
        return error
    name, extra = LIBRARIES[top]
    return UsageError(
        f"{name} is not installed", help=f"It comes with the extra `{extra}`: pip install 'gamedsl[{extra}]'"
    )
