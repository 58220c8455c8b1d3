"""Random rulesets pass the checker, can be played, and together reach every form of the Core."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from gamedsl.engine import InterpretedGame
from gamedsl.engine.errors import RulesError
from gamedsl.language.core.nodes import Program
from gamedsl.language.rules import check_file

from .census import census
from .generate import random_text, texts
from .spice import spiced

MOST_PLIES = 30
QUICK, SLOW = 40, 1000
EVERY_FORM = {
    "AfterE", "Assign", "BranchT", "CallF", "Chance", "Check", "Choose", "Cond", "Const", "Convert", "Decide", "DecideTogether",
    "Effect", "End", "Fail", "Flood", "ForS", "Get", "Goto", "IfS", "LetE", "LetS", "Load", "Lookup", "NoteS", "Noted", "PopS", "PushS",
    "Reset", "StopS", "Loop count", "Loop every", "Loop filter", "Loop max", "Loop min", "Loop some", "Loop sum", "Loop union",
    "Loop some where", "Loop sum where", "Loop union where", "Op1 complement", "Op1 count", "Op1 first", "Op1 is_empty",
    "Op1 is_none", "Op1 neg", "Op1 not", "Op1 single", "Op1 unwrap", "Op1 wrap", "Op2 add", "Op2 and", "Op2 disjoint", "Op2 div",
    "Op2 eq", "Op2 in", "Op2 le", "Op2 lt", "Op2 max", "Op2 meet", "Op2 min", "Op2 minus", "Op2 mod", "Op2 mul", "Op2 ne", "Op2 or",
    "Op2 sub", "Op2 union", "Op2 within", "SomeMove every legal", "SomeMove some legal", "StackOp height",
    "StackOp item", "StackOp top",
}  # fmt: skip


def program_of(text: str, folder: Path) -> Program | None:
    """The checked program; None when the checker refuses the text."""
    path = folder / "generated.gdl"
    path.write_text(text, encoding="utf-8")
    return check_file(path)[0]


def survives(program: Program, seed: int) -> None:
    """A play may end in a rules error, and in no other failure."""
    rng = Random(seed)
    try:
        state = InterpretedGame(program).initial_state()
        for _ in range(MOST_PLIES):
            if state.is_terminal:
                return
            assert state.kind == "chance" or state.legal_moves()
            state = state.apply(state.propose(rng))
    except RulesError as problem:
        assert problem.diagnostics[0].code == "E0510"


def check_many(seeds: range, folder: Path) -> Counter[str]:
    """Loads and plays the rulesets of some seeds; how often each form of the Core occurred."""
    found: Counter[str] = Counter()
    refused = 0
    for seed in seeds:
        program = program_of(random_text(seed), folder)
        if program is None:
            refused += 1
            continue
        survives(program, seed)
        program = spiced(program, seed)
        survives(program, seed)
        found += census(program)
    assert refused <= 0.1 * len(seeds)
    return found


def test_random_rulesets_load_and_play(tmp_path: Path) -> None:
    check_many(range(QUICK), tmp_path)


@pytest.mark.slow
def test_they_reach_every_form_of_the_core(tmp_path: Path) -> None:
    found = check_many(range(SLOW, 2 * SLOW), tmp_path)
    assert EVERY_FORM - set(found) == set()


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=texts())
def test_drawn_by_hypothesis(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    program = program_of(text, tmp_path_factory.getbasetemp())
    if program is not None:
        survives(program, 0)


def test_the_plainest_choices_give_a_plain_ruleset(tmp_path: Path) -> None:
    """What shrinking leads to: all choices 0."""
    from .generate import ruleset
    from .words import Pick

    text = ruleset(Pick(lambda n: 0))
    assert len(text.splitlines()) < 15
    assert program_of(text, tmp_path) is not None
