"""Mutated rulesets, data documents, records and move texts: diagnostics, never a traceback, a hang or unbounded memory.

`pytest` tries some of each; `pytest -m slow tests/language/fuzz` tries 20,000 in all.
"""

from __future__ import annotations

import random
import re
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import gamedsl
from gamedsl.engine.records.record import Record
from gamedsl.language.rules import check_file
from gamedsl.language.source.diagnostic import GameDSLError
from gamedsl.language.source.text import Source
from gamedsl.language.syntax.data.dump import dump_json, dump_yaml
from gamedsl.language.syntax.data.load import load_data
from gamedsl.language.syntax.parser import parse_ruleset
from gamedsl.language.syntax.print.printer import format_ruleset

from .mutate import mutate

ROOT = Path(__file__).resolve().parents[3]
TEXTS = [p.read_text(encoding="utf-8") for p in sorted((ROOT / "rulesets").glob("*.gdl"))]
VOCABULARY = sorted({w for t in TEXTS for w in re.findall(r"[A-Za-z_]\w*|[^\s\w]", t)})
SECONDS = 20  # of the processor
MOST_MEMORY_KB = 1_000_000  # more than the process had before
QUICK, SLOW = 40, 3_000


@contextmanager
def limited(what: str) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise AssertionError(f"takes more than {SECONDS} s:\n{what}")

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # of all tests that ran in this process
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEMORY_KB, what


def survives(what: str, do: Callable[[], object]) -> bool:
    """Whether it went through; a mistake must come as diagnostics, anything else is shown with its text."""
    with limited(what):
        try:
            do()
        except GameDSLError as problem:
            assert problem.diagnostics and all(d.message and d.code for d in problem.diagnostics)
            return False
        except Exception as problem:
            raise AssertionError(f"{type(problem).__name__}: {problem}\n{what}") from problem
    return True


def rulesets(count: int, seed: int, folder: Path) -> None:
    rng = random.Random(seed)
    path = folder / "mutated.gdl"
    for _ in range(count):
        text = mutate(rng.choice(TEXTS), rng, VOCABULARY)
        path.write_text(text, encoding="utf-8", newline="")

        def run(text: str = text) -> None:
            tree, found = parse_ruleset(Source("mutated.gdl", text))
            if not any(d.is_error for d in found):
                once = format_ruleset(tree)
                assert format_ruleset(parse_ruleset(Source("again.gdl", once))[0]) == once
            check_file(path)

        survives(text, run)


def documents(count: int, seed: int) -> None:
    rng = random.Random(seed)
    trees = [parse_ruleset(Source("x.gdl", t))[0] for t in TEXTS[-3:]]
    data = [d for t in trees for d in (dump_json(t), dump_yaml(t))]
    for _ in range(count):
        text = mutate(rng.choice(data), rng, VOCABULARY)
        survives(text, lambda text=text: load_data(text, "mutated.yaml"))


def records(count: int, seed: int, folder: Path) -> None:
    rng = random.Random(seed)
    game = gamedsl.load("tic-tac-toe")
    path = folder / "play.record"
    record = Record.begin(game, "tic-tac-toe", seed)
    state = game.initial_state()
    while not state.is_terminal:
        move = state.propose(rng)
        record = record.plus_move(game, move)
        state = state.apply(move)
    text = record.text()
    for _ in range(count):
        changed = mutate(text, rng, VOCABULARY)
        path.write_text(changed, encoding="utf-8", newline="")
        survives(changed, lambda: Record.read(path).replay(game))
        assert path.read_text(encoding="utf-8") == changed.replace("\r\n", "\n") or "\r" in changed


def move_texts(count: int, seed: int) -> None:
    rng = random.Random(seed)
    for name in ("t-tic-t-tac-toe-game", "atreso", "abs-trac-toe", "x-s-and-lines"):
        game = gamedsl.load(name)
        state = game.initial_state()
        for i in range(count // 4):
            move = state.propose(rng)
            text = mutate(str(move), rng, VOCABULARY)
            survives(text, lambda text=text, game=game, state=state: state.why_not(game.parse_move(text, state)))
            state = state.apply(move) if i % 20 else game.initial_state()
            if state.is_terminal:
                state = game.initial_state()


def test_rulesets(tmp_path: Path) -> None:
    rulesets(QUICK, 1, tmp_path)


def test_documents() -> None:
    documents(QUICK, 2)


def test_records(tmp_path: Path) -> None:
    records(QUICK, 3, tmp_path)


def test_move_texts() -> None:
    move_texts(QUICK, 4)


@pytest.mark.slow
def test_many_rulesets(tmp_path: Path) -> None:
    rulesets(SLOW, 11, tmp_path)


@pytest.mark.slow
def test_many_documents() -> None:
    documents(SLOW, 12)


@pytest.mark.slow
def test_many_records(tmp_path: Path) -> None:
    records(SLOW, 13, tmp_path)


@pytest.mark.slow
def test_many_move_texts() -> None:
    move_texts(SLOW, 14)
