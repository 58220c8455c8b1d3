"""Measures games: lengths, choices, results, tension, decisions, sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "ActionValues",
    "Assessment",
    "Decision",
    "Figure",
    "GameMetrics",
    "MeasuredPlayer",
    "MetricsPlan",
    "PlayerFigures",
    "RandomPlayer",
    "RecordedGames",
    "TracePlan",
    "affordable_games",
    "affordable_rungs",
    "measure",
    "play_random_games",
]

if TYPE_CHECKING:
    from gamedsl.lab.metrics.affordable import affordable_games, affordable_rungs
    from gamedsl.lab.metrics.game_metrics import GameMetrics, MetricsPlan, measure
    from gamedsl.lab.metrics.player_figures import Figure, PlayerFigures
    from gamedsl.lab.metrics.random_games import play_random_games
    from gamedsl.lab.metrics.random_player import RandomPlayer
    from gamedsl.lab.metrics.traces import (
        ActionValues,
        Assessment,
        Decision,
        MeasuredPlayer,
        RecordedGames,
        TracePlan,
    )
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "affordable": "affordable_games affordable_rungs",
            "game_metrics": "GameMetrics MetricsPlan measure",
            "player_figures": "Figure PlayerFigures",
            "random_games": "play_random_games",
            "random_player": "RandomPlayer",
            "traces": "ActionValues Assessment Decision MeasuredPlayer RecordedGames TracePlan",
        },
    )
