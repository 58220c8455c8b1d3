"""Finds the files shipped with the code: the grammar and the rulesets."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


def resource_path(*parts: str) -> Path:
    """Returns the path of a shipped file or folder, such as ``resource_path("grammar", "gamedsl.lark")``.

    An installed package carries them inside (``_share``); in the source tree they are beside the package. The
    path is returned whether or not it exists; its first part decides where to look.
    """
    inside = _PACKAGE / "_share"
    base = inside if parts and (inside / parts[0]).exists() else _PACKAGE.parent
    return base.joinpath(*parts)
