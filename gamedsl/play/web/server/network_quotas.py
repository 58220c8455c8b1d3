"""Quotas per network (an IPv4 address, or a /64 of IPv6): sockets at a time, new tables a minute."""

from __future__ import annotations

import time
from dataclasses import field

from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.server.limits import Limits
from gamedsl.play.web.server.links import network_of


@lazy_dataclass()
class Bucket:
    """A token bucket: ``rate`` tokens a second, at most ``size``."""

    rate: float
    size: float
    tokens: float = field(init=False)
    at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.tokens = self.size

    def take(self) -> bool:
        """Takes a token; False if there is none."""
        now = time.monotonic()
        self.tokens = min(self.size, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    @property
    def is_full(self) -> bool:
        return self.tokens + (time.monotonic() - self.at) * self.rate >= self.size


class NetworkQuotas:
    """Counts sockets and new tables by address."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.sockets: dict[str, int] = {}
        self.buckets: dict[str, Bucket] = {}
        self.questions: dict[str, Bucket] = {}

    def enter(self, address: str) -> bool:
        """Counts a socket that opens; False if there are too many."""
        address = network_of(address)
        here = self.sockets.get(address, 0)
        if here >= self.limits.sockets or sum(self.sockets.values()) >= self.limits.all_sockets:
            return False
        self.sockets[address] = here + 1
        return True

    def leave(self, address: str) -> None:
        address = network_of(address)
        self.sockets[address] -= 1
        if not self.sockets[address]:
            del self.sockets[address]

    def may_make(self, address: str) -> bool:
        """Counts a new table; False if there are too many."""
        return self._takes(self.buckets, address, self.limits.tables_a_minute)

    def may_ask(self, address: str) -> bool:
        """Counts a question about the tables of a person; False if there are too many."""
        return self._takes(self.questions, address, self.limits.questions_a_minute)

    def _takes(self, buckets: dict[str, Bucket], address: str, rate: float) -> bool:
        if len(buckets) > 1000:
            for one in [one for one, bucket in buckets.items() if bucket.is_full]:
                del buckets[one]
        return buckets.setdefault(network_of(address), Bucket(rate / 60, rate)).take()
