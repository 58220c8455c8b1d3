"""The messages of a table: who may write and read them, how often, and which of them a viewer has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from gamedsl.play.web.server.events import Said
from gamedsl.play.web.server.limits import MOST_SPEAKERS, SAID_BURST, SAID_RATE
from gamedsl.play.web.server.network_quotas import Bucket
from gamedsl.play.web.server.refusals import Refused

Chat: TypeAlias = Literal["seats", "all", "off"]  # who writes and reads messages


def talks(chat: Chat, seat: int | None) -> bool:
    """Whether a viewer (None: a spectator) writes and reads messages."""
    return chat == "all" or (chat == "seats" and seat is not None)


class Speakers:
    """How often each of those at a table may still write. Reconnecting does not help: it belongs to the table."""

    def __init__(self) -> None:
        self.buckets: dict[int | str, Bucket] = {}

    def admit(self, who: int | str) -> None:
        """Counts a message of a seat, or of the spectators of a network. Raises ``Refused`` if there are too many."""
        if len(self.buckets) > MOST_SPEAKERS:
            self.buckets = {one: bucket for one, bucket in self.buckets.items() if not bucket.is_full}
        if who not in self.buckets and len(self.buckets) > MOST_SPEAKERS:
            raise Refused("rate", "too many people write here now")
        if not self.buckets.setdefault(who, Bucket(SAID_RATE, SAID_BURST)).take():
            raise Refused("rate", "too many messages; wait a little")


def heard(said: list[Said], until: int | None) -> list[Said]:
    """The messages that a viewer may read. ``until``: for spectators of a game with secrets, the instant up to which
    they see the moves; what the seats wrote later may be about what they do not see yet. None: all."""
    return said if until is None else [one for one in said if one.seat is None or one.at <= until]


def message_data(said: Sequence[Said]) -> list[dict[str, Any]]:
    """Messages as the page gets them: `seat` (null: a spectator), `name` of a spectator, `text`, `at` (milliseconds
    since 1970). No number and no ply, which would count what is secret."""
    return [{"seat": one.seat, "name": one.name, "text": one.text, "at": one.at} for one in said]
