"""Renders HTML pages from templates. Values are escaped unless they are ``Markup``."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def render(template: str, package: str = "gamedsl.lab.base", **values: Any) -> str:
    """Renders a template with these values. ``package``: the package whose folder ``templates`` contains it."""
    return _environment(package).get_template(template).render(values)


@cache
def _environment(package: str) -> Environment:
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
