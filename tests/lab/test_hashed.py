"""Exploring with hashes: the same numbers of states, violated claims with shortest plays, and nothing proved."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.engine import InterpretedGame
from gamedsl.lab.base.verdict import Status
from gamedsl.lab.claims.verification import VerifyConfig, verify
from gamedsl.lab.explore.explorer import Limits, explore
from gamedsl.lab.explore.hashed import explore_hashed
from gamedsl.language.rules import load_program
from gamedsl.language.source.diagnostic import UsageError
from tests.lab.test_checkpoint import GAMES


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("limits", [Limits(), Limits(depth=3)])
def test_as_many_states(name: str, options: dict[str, int], limits: Limits) -> None:
    game = InterpretedGame(load_program(name, options))
    whole = explore(game, limits)
    seen: list[int] = []
    found = explore_hashed(game, limits, lambda store, first: bool(seen.append(store.size)))
    assert (found.states, found.levels) == (len(whole), whole.levels)
    assert sum(seen) == len(whole)
    for i in range(0, found.states, 1 + found.states // 40):
        moves, state = found.play(i)
        assert state == whole.state(i)
        assert len(moves) == whole.depth(i)


def test_the_birthday_bound() -> None:
    game = InterpretedGame(load_program("tic-tac-toe"))
    found = explore_hashed(game, Limits(), lambda store, first: False)
    assert found.odds == Fraction(5478 * 5477, 2**65)


@pytest.mark.parametrize(
    "claim", ["never three(X)", "always b2 in empty", "never three(X) and three(O)", "reachable drawn"]
)
def test_the_same_verdicts_but_nothing_is_proved(claim: str) -> None:
    plain = verify("tic-tac-toe", config=VerifyConfig(claims=[claim], own=False, defaults=False)).verdicts[0]
    hashed = verify("tic-tac-toe", config=VerifyConfig(claims=[claim], own=False, hashed=True)).verdicts[0]
    if plain.status == Status.VIOLATED:
        assert hashed.status == Status.VIOLATED
        assert hashed.evidence is not None
        assert plain.evidence is not None
        assert len(hashed.evidence.moves) == len(plain.evidence.moves)
    elif claim.startswith("reachable"):
        assert hashed.status == Status.PROVED  # it was found
    else:
        assert hashed.status == Status.HOLDS
        assert "odds of at most 1 in" in hashed.detail


def test_rules_errors_are_found(tmp_path: Path) -> None:
    text = Path(__file__).parents[2].joinpath("rulesets/classics/m-n-k.gdl").read_text(encoding="utf-8")
    path = tmp_path / "stuck.gdl"
    path.write_text(text.replace("if empty = {}", "if count(empty) > m * n"), encoding="utf-8")
    stuck = next(v for v in verify(path, config=VerifyConfig(hashed=True)).verdicts if v.status == Status.VIOLATED)
    assert stuck.claim == "a player who must act can act"
    assert stuck.evidence is not None
    assert len(list(stuck.evidence.states())) == 9


def test_limits() -> None:
    game = InterpretedGame(load_program("connect-four"))
    assert explore_hashed(game, Limits(states=1000), lambda store, first: False).stopped == "states"
    assert explore_hashed(game, Limits(seconds=0.0), lambda store, first: False).stopped == "time"


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "tic-tac-toe", "--hashes"]) == 4
    out = capsys.readouterr().out
    assert "5,478 states, told apart by 64-bit hashes" in out
    assert "proved    never" not in out


def test_only_for_compiled_rules() -> None:
    with pytest.raises(UsageError):
        verify("abs-trac-toe", config=VerifyConfig(hashed=True))
