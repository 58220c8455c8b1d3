"""The server's log: refusals of requests that our pages never send, at a rate that a person can read."""

from __future__ import annotations

import logging
import time

from gamedsl.play.web.server.limits import MINUTE, MOST_LINE, MOST_LOGGED
from gamedsl.play.web.server.refusals import Refused

LOG = logging.getLogger("gamedsl.server")
HOSTILE = frozenset(
    {"malformed", "rate", "origin", "host", "key", "table"}
)  # never or rarely the answer to one of our pages


def log_refusal(refused: Refused, where: str) -> None:
    """Logs a refusal. ``where``: an address, and what it asked for. Refused moves and the like are logged as
    information only."""
    LOG.log(logging.WARNING if refused.code in HOSTILE else logging.INFO, "refused (%s): %s", refused.code, where)


class Throttle(logging.Filter):
    """Lets a limited number of lines a minute through; the next minute begins with the number of lines omitted."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.lines = time.monotonic(), 0

    def filter(self, record: logging.LogRecord) -> bool:
        now = time.monotonic()
        if now - self.begun >= MINUTE:
            if self.lines > MOST_LOGGED:
                record.msg, record.args = f"({self.lines - MOST_LOGGED} lines omitted) {record.getMessage()}", None
            self.begun, self.lines = now, 0
        self.lines += 1
        return self.lines <= MOST_LOGGED


class Short(logging.Formatter):
    """Lines with their times, cut to a length: a fault with a long traceback must not fill the disk."""

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record)[:MOST_LINE]


def log_to_stderr() -> None:
    """Sends warnings of the server and of all libraries to standard error, throttled; for a server process."""
    handler = logging.StreamHandler()
    handler.setFormatter(Short("%(asctime)s %(message)s"))
    handler.addFilter(Throttle())
    logging.getLogger().addHandler(handler)
