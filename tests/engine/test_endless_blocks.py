"""Rules that go on without a decision: rounds of blocks are noticed, and the error is that of all blocks run one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.engine import RulesError
from gamedsl.engine.play import advance
from gamedsl.language.source import Span

# after two laps the count goes round: 2, 3, 4, 5, 6, for three players: a round of 15 turns
ENDLESS = """game "Endless"

players one, two, three

state
  laps: 0..6
  over: bool

move wait written "wait"

play
  one plays wait
  turns from one
    if over
      draw
    if laps < 6
      add 1 to laps
    else
      set laps to 2
"""


def found(file: Path, monkeypatch: pytest.MonkeyPatch, most: int, many: int) -> tuple[Span, int]:
    """The place of the error, and how many blocks were run."""
    run = 0
    block_after = advance.block_after

    def counted(*arguments: object) -> int | None:
        nonlocal run
        run += 1
        return block_after(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(advance, "MOST_BLOCKS", most)
        patched.setattr(advance, "MANY_BLOCKS", many)
        patched.setattr(advance, "block_after", counted)
        state = gamedsl.load(file).initial_state()
        with pytest.raises(RulesError, match="goes on forever without a decision") as raised:
            state.apply(state.legal_moves()[0])
    return raised.value.diagnostics[0].span, run


def test_rounds_of_blocks_end_with_the_error_of_all_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "endless.gdl"
    file.write_text(ENDLESS, encoding="utf-8")
    spans = set()
    for most in range(1000, 1020):
        plain, all_run = found(file, monkeypatch, most, 1 << 30)
        quick, run = found(file, monkeypatch, most, 16)
        assert quick == plain
        assert all_run >= most > 500 > run
        spans.add(plain)
    assert len(spans) > 1
