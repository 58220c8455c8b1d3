"""Counted games of ``verify``: the same findings in any order, by any workers, from a file; the shortest game of all."""

from __future__ import annotations

import json
import subprocess
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from gamedsl.cli.main import main
from gamedsl.engine import InterpretedGame, State
from gamedsl.lab.base import Clock, read_claim
from gamedsl.lab.claims.claim_games import ClaimGames, FoundGames, Line, play_counted
from gamedsl.lab.search import Budget, Play, RandomSearch
from gamedsl.lab.shards import ShardRunner, ShardStore, never
from gamedsl.language.rules import load_lowered
from gamedsl.language.source import ExitCode, child_environment, module_command
from tests.lab.shards.stand_ins import Threads

NAMES = sorted(path.stem for path in (Path(__file__).parents[2] / "rulesets").rglob("*.gdl"))
STEPS = """game "Steps"

players one, two

state
  at: 0..30
  total: 0..30

move forward written "forward"
  when at < 30 "the end"
  add 1 to at

move jump written "jump"
  when at < 28 "too far"
  add 3 to at
  add 1 to total

play
  turns from one
    me plays forward | jump
    if at = 30
      win me

claim never total > 4
claim never at = 29 and total = 0
claim reachable total = 2 and at = 8
"""


@pytest.fixture
def question(tmp_path: Path) -> ClaimGames:
    file = tmp_path / "steps.gdl"
    file.write_text(STEPS, encoding="utf-8")
    rules = load_lowered(file)
    return ClaimGames(InterpretedGame(rules.program).initial_state(), rules.program.claims, 7)


def found_by(question: ClaimGames, runner: ShardRunner, plays: int = 75) -> list[Any]:
    """Returns the games that decide the claims, as texts, and how many games there were."""
    found = play_counted(question.start, list(question.claims), Budget(plays, seed=7), runner, Clock())
    plays_of = [None if t is None or t.found is None else [str(m) for m in t.found.moves] for t in found.targets]
    return [*plays_of, found.met.plays, found.met.positions]


def test_items_do_not_depend_on_others(question: ClaimGames) -> None:
    """The rules are compiled once for several items, whose searches begin anew."""
    several = question.answer(0, 3, never)
    assert several[2] == ClaimGames(question.start, question.claims, 7).answer(2, 1, never)[0]
    assert several[0] != several[1]


def test_the_shortest_games_whoever_plays(question: ClaimGames, tmp_path: Path) -> None:
    """Five jumps are five moves, and no shorter game has five. 29 steps without a jump are 29 moves, and random ones are
    not met (1 in 2**28). A position at 8 after 2 jumps takes 4 moves."""
    alone = found_by(question, ShardRunner())
    assert alone[0] == ["jump"] * 5 and len(alone[2]) == 4
    path = tmp_path / "file"
    for workers in (None, Threads(2)):
        runner = ShardRunner(workers, ShardStore(path), alone=0.0, least=0.0)
        assert found_by(question, runner) == alone
        runner.close()


def test_more_games_need_only_the_new_ones(question: ClaimGames, tmp_path: Path) -> None:
    store = ShardStore(tmp_path / "file")
    found_by(question, ShardRunner(store=store, least=0.0), 30)  # two items, since the second one is begun
    assert sum(count for _, count in store.known(question)) == 2
    more = found_by(question, ShardRunner(store=store, least=0.0), 100)
    assert sum(count for _, count in store.known(question)) == 4
    assert more == found_by(question, ShardRunner(), 100)


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "rock-paper-scissors", "backgammon", "reversi"])
def test_lines_are_replayed(name: str) -> None:
    """Also those with dice, simultaneous choices, drawings and passes: from texts to the same positions."""
    state: State = InterpretedGame(load_lowered(name).program).initial_state()
    play, rng = Play.begin(state), Random(name)
    for _ in range(12):
        if not play.is_over:
            play.do(play.end.propose(rng))
    line = Line.of(play)
    again = line.replayed(state)
    assert again is not None and again.end == play.end and Line.of(again) == line
    assert Line([*line.moves, "no such move"]).replayed(state) is None
    assert Line(line.moves, fails=True).replayed(state) is None


def test_forged_games_show_nothing(question: ClaimGames) -> None:
    """A file may say that a game violates a claim. Only the engine decides."""
    (honest,) = question.answer(0, 1, never)
    for line in (Line(["forward"]), Line(["jump"] * 4), Line(["fly"]), Line(["jump"], fails=True), Line()):

        class Forged(ClaimGames):
            def answer(self, first: int, count: int, stopped: Any, line: Line = line) -> list[FoundGames]:
                return [honest._replace(shown={0: line}, faults=[line])] * count

        forged = Forged(question.start, question.claims, 7)
        assert forged.size(forged.answer(0, 1, never)) == 1
        store = ShardStore()
        runner = ShardRunner(store=store)
        runner.items = lambda *_, forged=forged: iter(forged.answer(0, 1, never))  # type: ignore[method-assign]
        found = play_counted(question.start, list(question.claims), Budget(25), runner, Clock())
        assert found.targets[0] is not None and found.targets[0].found is None and found.met.faults == []


@pytest.mark.parametrize(
    "change",
    [{"plays": -1}, {"shown": {9: Line()}}, {"shown": {0: Line(["\x1b[2J"])}}, {"faults": [Line(["\n"])]}],
    ids=str,
)
def test_forged_findings_are_refused(change: dict[str, Any], question: ClaimGames) -> None:
    honest = FoundGames(
        [0, 1], [(0, "")], [3], [[0], [1]], 25, 400, 0, (0, None), [(0, 0)], [], {0: Line(["jump"] * 5)}
    )
    data = msgspec.msgpack.encode([honest])
    assert question.decode(data, 1) == [msgspec.convert(msgspec.to_builtins(honest, str_keys=False), FoundGames)]
    with pytest.raises(ValueError, match=r"cannot be printed|other claims|negative"):
        question.decode(msgspec.msgpack.encode([honest._replace(**change)]), 1)


def test_a_fault_is_found_and_short(tmp_path: Path) -> None:
    """After a step and nine jumps the next jump goes over the bound: eleven moves. Other faults need more steps."""
    file = tmp_path / "steps.gdl"
    file.write_text(STEPS.replace('  when at < 28 "too far"\n', '  when at > 0 "step first"\n'), encoding="utf-8")
    start = InterpretedGame(load_lowered(file).program).initial_state()
    found = play_counted(start, [], Budget(50), ShardRunner(), Clock())
    assert min(len(play.moves) + 1 for play in found.met.faults) == 11


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The same verdicts and games from one process, two, and a file. The exploration ends before either claim is decided."""
    file = tmp_path / "steps.gdl"
    file.write_text(STEPS, encoding="utf-8")
    monkeypatch.setattr("gamedsl.lab.shards.ShardRunner", partial(ShardRunner, alone=0.0, least=0.02))
    line = ["verify", str(file), "--limit", "4", "-n", "50", "--no-save", "--format", "json", "--counted"]
    stored = ["--games-checkpoint", str(tmp_path / "games")]

    def run(*more: str) -> dict[str, Any]:
        assert main([*line, *more]) == 3
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return {name: value for name, value in found.items() if name != "seconds"}

    alone = run()
    assert [v["status"] for v in alone["verdicts"][:3]] == ["violated", "holds", "proved"]
    assert alone["plays"] >= 50
    assert run("-j", "2", *stored) == run(*stored) == alone


@pytest.mark.parametrize("option", ["--smt", "--hashes"])
def test_counted_games_need_an_exploration_of_states(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "tic-tac-toe", "--counted", option]) == 2
    assert "cannot be combined" in capsys.readouterr().err


def test_claims_are_part_of_the_question(question: ClaimGames) -> None:
    rules = load_lowered("tic-tac-toe")
    start = InterpretedGame(rules.program).initial_state()
    digests = {
        ClaimGames(start, claims, seed).digest
        for claims in ([], [read_claim(rules, "never count(mark[X]) > 4")])
        for seed in (0, 1)
    }
    assert len(digests) == 4 and question.digest not in digests


def test_an_item_ends_after_counted_work(question: ClaimGames, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game has at most 30 moves: that many plies more than 40 may be made. An item has 25 games otherwise."""
    searched = RandomSearch(question.start, [], Budget(1000, seed=7)).run(plies=40)
    assert 40 <= searched.positions < 40 + 30
    (whole,), digest = question.answer(0, 1, never), question.digest
    monkeypatch.setattr("gamedsl.lab.claims.claim_games.PLIES", 40)
    (short,) = question.answer(0, 1, never)
    assert 0 < short.plays - (whole.plays - 25) < 25
    monkeypatch.setattr("gamedsl.lab.claims.claim_games.ASKED", 0)
    (unguided,) = question.answer(0, 1, never)
    assert unguided.plays < short.plays
    assert ClaimGames(question.start, question.claims, 7).digest != digest


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_findings_are_the_same_under_other_hash_seeds(name: str) -> None:
    """Of every shipped ruleset, verdicts that rest on samples included; only the seconds differ."""
    found = []
    for seed in ("1", "2"):
        words = ["verify", name, "--counted", "-n", "25", "--limit", "2000", "--no-save", "--format", "json", "-q"]
        line = [*module_command("gamedsl"), *words]
        done = subprocess.run(
            line, env=child_environment() | {"PYTHONHASHSEED": seed}, capture_output=True, check=False
        )
        assert done.returncode in (ExitCode.FINE, ExitCode.FAILED, ExitCode.BOUND), done.stderr.decode()
        found.append(json.loads(done.stdout))
        del found[-1]["seconds"]
    assert found[0] == found[1]
