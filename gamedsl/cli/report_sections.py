"""A section of a report as an answer in a file, so that a later report need not measure it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from gamedsl.lab.report import can_be_shown
from gamedsl.lab.shards import Question, ShardStore, answer_shard
from gamedsl.language.source import GameDSLError, lazy_dataclass


@lazy_dataclass(frozen=True)
class ReportSection(Question[list[tuple[float, str]]]):
    """The question has one item, which is answered by the seconds that the section had, and the section as JSON.

    ``digest``, ``seed``: of the report; ``is_counted``: its work is limited, and not its time; ``seconds`` that the section
    has; ``make`` measures it.
    """

    name: str
    digest_of_rules: str
    seed: int
    is_counted: bool
    seconds: float
    make: Callable[[], Any]

    @property
    def about(self) -> Mapping[str, Any]:
        """Not the seconds: a section that had more of them will do."""
        return {
            "question": "report", "section": self.name, "digest": self.digest_of_rules, "seed": self.seed,
            "counted": self.is_counted,
        }  # fmt: skip

    @property
    def is_repeatable(self) -> bool:
        return self.is_counted

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[tuple[float, str]]:
        try:
            found = self.make()
        except GameDSLError:  # it does not suit this game
            found = {}
        return [(self.seconds, json.dumps(found))]

    def known(self, store: ShardStore) -> Any:
        """Returns the section of an earlier report that had as much time; None if there is none of the right form."""
        if (0, 1) not in store.known(self):
            return None
        ((seconds, text),) = store.find(self, 0, 1)
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return None
        return found if seconds >= self.seconds and can_be_shown(self.name, found) else None

    def make_and_keep(self, store: ShardStore) -> Any:
        """Measures the section, and returns it as it will be read from the file."""
        shard = answer_shard(self, 0, 1)
        store.keep(self, shard)
        return json.loads(self.decode(shard.data, 1)[0][1])
