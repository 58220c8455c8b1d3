"""Laws that hold for every shipped ruleset, along random plays."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.engine.records.record import Record
from gamedsl.engine.state import Game, State
from gamedsl.language.core.constant_folding import limits, offset
from gamedsl.language.source.diagnostic import GameDSLError
from tests.language.core.verifier import verify
from tests.shipped_sample import sampled, small

FOLDER = Path(__file__).parents[2] / "rulesets"
NAMES = sorted(str(p.relative_to(FOLDER).with_suffix("")) for p in FOLDER.rglob("*.gdl"))
MOST_ARGUMENTS = 20_000


@cache
def game(name: str) -> Game:
    return gamedsl.load(path(name), **small(name))


def path(name: str) -> str:
    return str(FOLDER / f"{name}.gdl")


def positions(name: str, seeds: int = 2, most: int = 60) -> list[State]:
    """The states of some plays at random."""
    found = []
    for seed in range(seeds):
        rng, state = random.Random(seed), game(name).initial_state()
        for _ in range(most):
            found.append(state)
            if state.is_terminal:
                break
            state = state.apply(state.propose(rng))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_program_is_well_formed(name: str) -> None:
    assert verify(game(name).program) == []


@pytest.mark.parametrize("name", sampled(NAMES, "test_options_given_as_they_are_anyway"))
def test_options_given_as_they_are_anyway(name: str) -> None:
    """The defaults said aloud make the same rules: a record can be replayed with the options it tells."""
    assert gamedsl.load(path(name), **game(name).options).digest == game(name).digest


@pytest.mark.parametrize("name", sampled(NAMES, "test_notation_is_unique_in_each_part"))
def test_notation_is_unique_in_each_part(name: str) -> None:
    seen: dict[tuple[int, str], tuple[object, ...]] = {}
    states = positions(name)
    for i, state in enumerate(states):
        legal = state.legal_moves(mistakes=True) if state.kind != "drawing" else [state.propose(random.Random(i))]
        assert len({str(m) for m in legal}) == len(legal)
        for m in random.Random(i).sample(legal, min(6, len(legal))):
            key = (m.kind, m.schema, m.args)
            assert seen.setdefault((state.part, str(m)), key) == key
            assert game(name).parse_move(str(m), state, m.player) == m
            others = [s for s in states if s.part == state.part]
            elsewhere = game(name).parse_move(str(m), random.Random(i).choice(others), m.player)
            assert (elsewhere.kind, elsewhere.schema, elsewhere.args, elsewhere.text) == (*key, m.text)


@pytest.mark.parametrize("name", sampled(NAMES, "test_legal_moves_are_those_without_a_reason_against_them"))
def test_legal_moves_are_those_without_a_reason_against_them(name: str) -> None:
    """The plan's enumeration against asking every guard and forbid for arguments picked at random."""
    for i, state in enumerate(positions(name, 1, 40)):
        if state.kind != "player" or not state.legal_moves():
            continue
        legal = {(m.schema, m.args) for m in state.legal_moves(mistakes=True)}
        rng = random.Random(i)
        for alt in getattr(state.terminator, "alternatives", ()):
            params = state.game.program.schemas[alt.schema].params
            for _ in range(20):
                args = tuple(rng.randint(*limits(p.local.type)) for p in params)
                assert all(a >= offset(p.local.type) for a, p in zip(args, params, strict=True))
                from gamedsl.engine.facts.move_making import make_move

                move = make_move(state.game, alt.schema, state.current_player, args)
                assert (state.why_not(move) == []) == ((alt.schema, args) in legal), str(move)


@pytest.mark.parametrize("name", sampled(NAMES, "test_states_come_back_from_text_and_bits"))
def test_states_come_back_from_text_and_bits(name: str) -> None:
    for state in positions(name, 1)[::4]:
        assert game(name).deserialize(state.serialize()) == state
        block, slots, pending = game(name).layout.unpack(state.bits)
        assert (block, pending) == (state.block, state.pending)
        assert all(a == b for a, b in zip(slots, state.slots, strict=True) if a is not None)
        for player in range(state.game.num_players):
            assert json.loads(json.dumps(state.observation(player))) is not None
            state.serialize(player)


@pytest.mark.parametrize("name", sampled(NAMES, "test_records_come_back"))
def test_records_come_back(name: str) -> None:
    record, state, rng = Record.begin(game(name), name), game(name).initial_state(), random.Random(7)
    states = [state]
    for _ in range(80):
        if state.is_terminal:
            break
        move = state.propose(rng)
        record, state = record.plus_move(game(name), move), state.apply(move)
        states.append(state)
    assert Record.parse(record.text()).replay(game(name)) == states


@pytest.mark.parametrize("name", sampled(NAMES, "test_any_text_is_a_move_or_an_error"))
@given(
    text=st.text(max_size=40) | st.from_regex(r"[a-z]{1,8}[ ,;:()0-9a-z.-]{0,30}", fullmatch=True),
    at=st.integers(0, 30),
)
@settings(max_examples=40, deadline=None)
def test_any_text_is_a_move_or_an_error(name: str, text: str, at: int) -> None:
    states = _some_states(name)
    state = states[at % len(states)]
    try:
        move = game(name).parse_move(text, state)
        assert game(name).parse_move(str(move), state) == move
        state.apply(move)
    except GameDSLError as error:
        assert error.diagnostics


@cache
def _some_states(name: str) -> list[State]:
    return positions(name, 1, 30)
