"""Printed moves are words for people, not code, and are read back as the same moves: a law over all shipped rulesets."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import gamedsl
from gamedsl.engine import Game
from gamedsl.engine.notation import value_words
from gamedsl.engine.picture import view
from gamedsl.language.core.nodes import Chance, Choose
from gamedsl.language.rules import find_ruleset
from gamedsl.language.rules.files import shipped
from gamedsl.language.source import GameDSLError
from tests.shipped_sample import sampled

NAMES = sorted(shipped())
CODE = re.compile(r"[\[\]_]|\br\d+c\d+\b")  # brackets, underscores, and the numbers of rows and columns


@cache
def game(name: str) -> Game:
    return gamedsl.load(find_ruleset(name))


def printed(game: Game) -> Iterator[str]:
    """Everything that the text of a move is made of: the literal texts, and the words for every value."""
    for schema, templates in zip(game.program.schemas, game.notation.templates, strict=True):
        yield from (piece for piece in templates[0] if isinstance(piece, str))
        for param in schema.params:
            yield from value_words(param.local.type)
    for block in game.program.blocks:
        if isinstance(block.end, Choose | Chance):
            yield from block.end.names


@pytest.mark.parametrize("name", sampled(NAMES, "test_no_move_is_printed_as_code"))
def test_no_move_is_printed_as_code(name: str) -> None:
    """Every move that there is, played or not."""
    assert [text for text in dict.fromkeys(printed(game(name))) if CODE.search(text)] == []


def games(name: str, seeds: range, plies: int) -> None:
    """Random games in which every move is read back from what is printed."""
    for seed in seeds:
        rng, state = random.Random(seed), game(name).initial_state()
        for _ in range(plies):
            if state.is_terminal:
                break
            move = state.propose(rng)
            text = str(move)
            assert move.kind == "drawing" or not CODE.search(text), text
            assert game(name).parse_move(text, state, move.player) == move
            state = state.apply(move)


@pytest.mark.parametrize("name", sampled(NAMES, "test_moves_are_read_back"))
def test_moves_are_read_back(name: str) -> None:
    games(name, range(2), 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_moves_of_twenty_games_are_read_back(name: str) -> None:
    games(name, range(20), 200)


TOKENS = """
players left, right
type way = {up "upward", down}
token gate: gate_of of player "{player}'s gate", iron_door, bolt of way
  shut: bool
state
  last: way?
move close(g: gate, w: way) written "close {g} {w}" or "shut {g} {w}"
  when not g.shut "it is shut"
  set g.shut to yes
move knock_twice(w: way)
  set last to w
play
  turns from left, 4 times
    me plays close | knock_twice
  draw
look
  beside "{g}:" g.shut for g in gate
"""


def tokens(tmp_path: Path) -> Game:
    (tmp_path / "gates.gdl").write_text(TOKENS)
    return gamedsl.load(tmp_path / "gates.gdl")


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("close left's gate upward", "close left's gate upward"),
        ("close gate_of[left] up", "close left's gate upward"),  # as the rules name the values
        ("shut left's gate upward", "close left's gate upward"),  # another way to write it
        ("close iron_door down", "close iron door down"),
        ("Close Bolt of Upward down", "close bolt of upward down"),  # words in words
        ("close(bolt[up], up)", "close bolt of upward upward"),
        ("knock_twice down", "knock twice down"),
    ],
)
def test_words_and_code_are_read_and_words_are_printed(typed: str, text: str, tmp_path: Path) -> None:
    made = tokens(tmp_path)
    state = made.initial_state()
    assert made.parse_move(typed, state).text == text
    assert made.parse_move(text, state).text == text


def test_words_stand_beside_the_board(tmp_path: Path) -> None:
    labels = [aside.label for aside in view(tokens(tmp_path).initial_state()).asides]
    assert labels == ["left's gate:", "right's gate:", "iron door:", "bolt of upward:", "bolt of down:"]


def test_cells_are_read_by_row_and_column_too() -> None:
    made = game("x-s-and-lines")
    assert made.parse_move("r6c1", made.initial_state()).text == "a6"


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ('token gate: gate of player "{payer}"', "E0451"),
        ('token gate: gate "{player}"', "E0451"),
        ('token gate: gate of player "the gate"', "E0218"),  # the same for both
        ('type way = {up " ", down}', "E0218"),
        ('type way = {up "down", down}', "E0218"),
    ],
)
def test_words_that_cannot_stand_for_the_elements(declared: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "gates.gdl"
    path.write_text(f"players left, right\n{declared}\nplay\n  draw\n")
    with pytest.raises(GameDSLError) as raised:
        gamedsl.load(path)
    assert raised.value.diagnostics[0].code == code
