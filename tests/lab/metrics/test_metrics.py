"""The metrics of small games against published numbers, counts by hand, and a script that shares no code with them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from gamedsl.cli.main import main
from gamedsl.compiler import NativeGame
from gamedsl.lab.metrics import GameMetrics, MetricsPlan, RandomPlayer, measure
from gamedsl.lab.metrics.exact_figures import exact_figures
from gamedsl.lab.metrics.game_figures import figures_of, leader, narrowness
from gamedsl.lab.metrics.player_figures import summarize_player
from gamedsl.lab.metrics.random_games import play_random_games
from gamedsl.lab.metrics.sampled_tree import chen_size, size_from_logs
from gamedsl.lab.metrics.traces import ActionValues, Trace, TracePlan
from gamedsl.lab.shards import ShardRunner
from gamedsl.language.rules import load_program
from scripts.recompute_metrics import compare
from tests.lab.shards.stand_ins import helped

pytest.importorskip("scipy")


def native(name: str, **options: Any) -> NativeGame:
    return NativeGame(load_program(name, {k: str(v) for k, v in options.items()}))


def measured(game: NativeGame, games: int, runner: ShardRunner | None = None) -> GameMetrics:
    plan = MetricsPlan(game, [RandomPlayer.of(game, 16, 1000)], games, 3, runner or ShardRunner(), limit=20_000)
    return measure(plan, lambda: False, lambda text: None)


def test_exact_figures_of_tic_tac_toe() -> None:
    """255,168 games, 5,478 positions; random play: X 737/1260, O 121/420, drawn 8/63 (all published). A game of n plies
    has probability 1 / (9 * 8 * ...), with n factors."""
    found = exact_figures(native("tic-tac-toe"), 20_000)
    assert found.is_solved and found.value == ((0.0, 0.0), (0.0, 0.0))
    assert found.positions == 5478
    counts = found.random
    assert counts is not None and counts.games == 255_168
    assert counts.results[0] == pytest.approx((737 / 1260, 8 / 63, 121 / 420))
    assert counts.results[1] == pytest.approx((121 / 420, 8 / 63, 737 / 1260))
    # published numbers of games by plies; those of 9 are 81,792 wins and 46,080 draws
    games = {5: 1440, 6: 5328, 7: 47_952, 8: 72_576, 9: 127_872}
    paths = {n: count / np.prod([9 - k for k in range(n)]) for n, count in games.items()}
    assert sum(paths.values()) == pytest.approx(1)
    assert counts.length == pytest.approx(sum(n * p for n, p in paths.items()))
    assert counts.shortest == (5, 6)


def test_random_games_agree_with_the_exact_figures() -> None:
    game = native("tic-tac-toe")
    found = measured(game, 40)
    (player,) = found.players
    counts = found.exact.random
    assert counts is not None and player.counted == 4000
    # 4000 games: within 4 standard errors, here at most 0.032 for a share
    assert player.results[0]["wins"].estimate.value == pytest.approx(counts.results[0][0], abs=0.032)
    assert player.figures["length"].estimate.value == pytest.approx(counts.length, abs=0.1)
    assert counts.branching is not None
    assert player.figures["branching"].estimate.value == pytest.approx(counts.branching, abs=0.08)
    assert player.tree is not None
    assert player.tree.log10.value == pytest.approx(np.log10(255_168), abs=0.02)
    first = player.figures["first_mover"].estimate.value
    assert first == pytest.approx(737 / 1260 + 4 / 63 - 0.5, abs=0.032)
    assert set(player.restricted) == {"greedy"} and player.restricted["greedy"].estimate.value > 0
    assert found.symmetries == 16  # 8 of the square, with and without exchanged players


def test_the_games_do_not_depend_on_the_number_of_threads() -> None:
    game = native("tic-tac-toe")
    assert measured(game, 6).to_json() == measured(game, 6, helped()).to_json()


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *(("tic-tac-toe", 8), ("pig", 8), ("kuhn-poker", 8)),
        *((name, 2) for name in ("clobber", "connect-four", "goofspiel", "kayles", "liars-dice")),
    ],
)
def test_an_independent_script_finds_the_same(name: str, number: int, tmp_path: Path) -> None:
    """In plain games, with chance, with simultaneous choices, and with hidden information."""
    figures, games = tmp_path / "figures.json", tmp_path / "games.jsonl"
    line = f"metrics {name} -n {number} --playouts 16 --limit 1000 --plain --format json -q".split()
    assert main([*line, "-o", str(figures), "--traces", str(games)]) == 0
    told = json.loads(figures.read_text())
    rows = [json.loads(text) for text in games.read_text().splitlines()]
    assert len(rows) == number and told["players"][0]["figures"]
    for player in told["players"]:
        assert player["counted"] == 100 * number
    assert compare(told, rows) == []
    told["players"][0]["figures"]["blunder_cost"]["value"] *= 1.01
    assert len(compare(told, rows)) == 1


def trace(values: list[tuple[float, float]], returns: tuple[float, float]) -> Trace:
    size = len(values)
    return Trace(
        0, seats=[k % 2 for k in range(size)], choices=[3] * size, moves=["m"] * size, kinds=["m"] * size,
        values=list(values), margins=[0.1] * size, returns=returns, finished=True,
    )  # fmt: skip


def test_figures_of_a_game_by_hand() -> None:
    """The lead goes +, (none), -, -, +: two changes. The first seat wins, and is behind at two of five positions, by
    differences of 1 and 0.5 of 2, whose roots are 0.7071 and 0.5. It is ahead for good from the fifth on."""
    game = trace([(0.5, -0.5), (0.0, 0.0), (-0.5, 0.5), (-0.25, 0.25), (0.9, -0.9)], (1.0, -1.0))
    found = figures_of(game)
    assert found["lead_changes"] == (2.0, 1)
    assert found["winner_trails"] == (0.4, 1)
    assert found["drama"][0] == pytest.approx((0.5**0.5 + 0.25**0.5) / 2)
    assert found["decided_at"] == (0.8, 1)
    assert found["uncertainty"][0] == pytest.approx(1 - (0.5 + 0 + 0.5 + 0.25 + 0.9) / 5)
    assert found["length"] == (5.0, 1) and found["branching"] == (15.0, 5)
    assert found["first_mover"] == (0.5, 1)


def test_a_lead_within_the_margin_is_none() -> None:
    assert leader((0.1, 0.05), 0.1) is None
    assert leader((0.3, 0.05, -0.35), 0.1) == 0


def test_narrowness_counts_in_fractions() -> None:
    """One of four actions is promising: a quarter, not 0 as with a division of whole numbers."""
    assert narrowness(ActionValues((), (1.0, 0.0, 0.0, 0.0), 0.0)) == 0.25


def test_a_cost_is_not_inflated_by_noise() -> None:
    """All actions are worth the same; the best of two noisy estimates would seem better than the mean."""
    rng, costs = Random(1), []
    for _ in range(2000):
        game = trace([(0.0, 0.0)], (1.0, -1.0))
        game.actions[0] = ActionValues(*(tuple(rng.gauss(0, 1) for _ in range(5)) for _ in range(2)), 0.1)  # type: ignore[arg-type]
        costs.append(figures_of(game)["blunder_cost"][0])
    assert abs(sum(costs) / len(costs)) < 0.1  # 4.5 standard errors; by the same estimate it would be 1.16


def test_probes_by_strata_count_a_tree() -> None:
    """The number of games is published."""
    game = native("tic-tac-toe")
    found = chen_size(game, 1, 60_000, lambda: False)
    assert found is not None
    assert found.log10.value == pytest.approx(np.log10(255_168), abs=0.03)
    assert found.log10.low is not None and found.log10.high is not None
    assert found.log10.low < found.log10.value < found.log10.high


def test_the_mean_is_that_of_the_estimates() -> None:
    """Two probes of 10 and 1000 leaves: 505, not 100."""
    found = size_from_logs(np.log(np.array([10.0, 1000.0])), 1)
    assert found is not None and 10**found.log10.value == pytest.approx(505)


def test_hidden_values_come_out() -> None:
    """Of the two cards of Kuhn poker, each player sees the own one."""
    found = measured(native("kuhn-poker"), 10)
    (player,) = found.players
    assert found.exact.why and found.hidden
    assert player.hidden[0] is not None and 0 < player.hidden[0] < 1


def test_one_player_and_simultaneous_choices() -> None:
    (alone,) = measured(native("macmahon-dominoes"), 2).players
    assert "drama" not in alone.figures and "blunder_cost" in alone.figures
    (both,) = measured(native("rock-paper-scissors"), 10).players
    assert both.figures["branching"].estimate.value == 3


def test_a_measurement_ends_when_its_time_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    """No time at all: what is known without games remains. The command that is shown has the limit."""
    assert main(["metrics", "connect-four", "-n", "50", "--time", "0", "--format", "json"]) == 0
    shown = capsys.readouterr()
    told = json.loads(shown.out)
    assert told["out_of_time"] and not told["interrupted"] and "--time 0" in told["command"]
    assert told["players"] == [] and told["bits"] > 0
    assert "the time ran out" in shown.err


def test_counted_games_are_enough_for_some_figures() -> None:
    """Where no game is recorded in time. Exactly: 5.59 choices of a decision, and 14.8 % more than one half for X; 1,000
    games are within four standard errors."""
    game = native("tic-tac-toe")
    found = summarize_player(game, "random", [], 1, play_random_games(game, range(1000), 1, 100, lambda: False))
    assert found.figures.keys() == {"length", "branching", "forced", "first_mover", "drawishness"}
    assert found.figures["branching"].estimate.value == pytest.approx(5.59, abs=0.1)
    assert found.figures["first_mover"].estimate.value == pytest.approx(0.148, abs=0.06)


def test_a_stop_does_not_wait_for_the_end_of_a_game() -> None:
    """A game of 1000 plies is left at the step after the request."""
    asked: list[int] = []

    def stopped() -> bool:
        asked.append(1)
        return len(asked) > 20

    game = native("pig", target=100)
    trace = TracePlan(game, RandomPlayer.of(game, 8, 1000), 0, 1000, assess=False, stopped=stopped).record(0)
    assert len(trace.seats) == 20 and not trace.finished


def test_symmetries_that_are_not_sought_are_unknown() -> None:
    """Nobody looks for symmetries where earlier positions count; their number is not 1, but unknown."""
    for name, known in (("oware", None), ("goofspiel", 1)):
        found = measure(MetricsPlan(native(name), [], limit=5, games=1), lambda: False, lambda text: None)
        assert found.symmetries == known and bool(found.asymmetry) == (known is None)


def test_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "tic-tac-toe", "--agents", "random,random", "-n", "2"]) == 2
    assert "twice" in capsys.readouterr().err
    assert main(["metrics", "backgammon", "--agents", "ab:d1", "-n", "1"]) == 2
    assert "chance" in capsys.readouterr().err


def test_a_search_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """The values of a search that proves the result are exact, and a player that searches finds the draw."""
    assert main(["metrics", "tic-tac-toe", "--agents", "ab:d9", "-n", "2", "--plain", "--format", "json"]) == 0
    (player,) = json.loads(capsys.readouterr().out)["players"]
    assert player["figures"]["drawishness"]["value"] == 1.0
    assert player["figures"]["uncertainty"]["value"] == 1.0
    assert player["figures"]["lead_changes"]["value"] == 0.0


def test_games_that_are_only_counted_show_no_shortest_wins() -> None:
    """Somebody won them, but how long each of these took is not kept: nobody is said to have won none."""
    game = native("tic-tac-toe")
    bulk = play_random_games(game, range(50), 1, 100, lambda: False)
    found = summarize_player(game, "random", [], 1, bulk)
    assert found.results and found.shortest == []
