"""The exceptions for refused requests and bad data. Nothing has changed when one of them is raised."""

from __future__ import annotations

from typing import Any

DAMAGED = "the log of this table is damaged; it can be viewed, but not continued"
FAILED = "the server failed here; its log says why"


class BadData(Exception):
    """Data that does not have the required form."""


class Refused(Exception):
    """A refused request. ``code``: one of the words in docs/reference/server.md; ``reasons``: the rules that
    forbid a move, as in the page's data."""

    def __init__(self, code: str, message: str, reasons: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reasons = reasons if reasons is not None else [{"message": message, "clauses": []}]

    @property
    def answer(self) -> dict[str, Any]:
        """The answer to a socket, without the number of the request."""
        return {"ok": False, "code": self.code, "reasons": self.reasons}
