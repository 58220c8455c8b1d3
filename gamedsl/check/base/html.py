"""Renders HTML pages from the templates beside this file. Values are escaped unless they are ``Markup``."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def render(template: str, **values: Any) -> str:
    """Renders a template with these values."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("gamedsl.check.base"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
