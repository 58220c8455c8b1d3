"""Divides long work into shards, which are answered in this process, in others or on other machines, and kept in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "ForgottenError",
    "LocalProcesses",
    "Question",
    "RayCluster",
    "ShardRunner",
    "ShardStore",
    "StickyQuestion",
    "answer_shard",
    "never",
]

if TYPE_CHECKING:
    from gamedsl.lab.shards.local_processes import LocalProcesses
    from gamedsl.lab.shards.question import Question, answer_shard, never
    from gamedsl.lab.shards.ray_cluster import RayCluster
    from gamedsl.lab.shards.shard_runner import ShardRunner
    from gamedsl.lab.shards.shard_store import ShardStore
    from gamedsl.lab.shards.workers import ForgottenError, StickyQuestion
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "local_processes": "LocalProcesses",
            "question": "Question answer_shard never",
            "ray_cluster": "RayCluster",
            "shard_runner": "ShardRunner",
            "shard_store": "ShardStore",
            "workers": "ForgottenError StickyQuestion",
        },
    )
