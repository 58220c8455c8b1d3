"""Errors of the compiler."""

from __future__ import annotations


class NativeError(Exception):
    """The rules cannot be compiled, or compiled code was used wrongly."""
