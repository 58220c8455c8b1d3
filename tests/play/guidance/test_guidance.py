"""The sentence that says what to do now: in the words of the rules, for every kind of move, at every stage of a choice."""

from __future__ import annotations

from dataclasses import replace

import pytest

import gamedsl
from gamedsl.engine import Game, Move, State
from gamedsl.engine.picture import covered_change, covered_places, piece_changes, place_names
from gamedsl.play.guidance import IN_THE_PAGE, Choice, instruction, words_of_kinds
from gamedsl.play.terminal.input.move_selection import Option, Selection, named_options
from tests.shipped_sample import small

# Written by hand from the rulebooks, not printed by the program.
FIRST = {
    "tic-tac-toe": "Choose a square for a mark.",
    "go": "Choose a point for a stone or press “pass”.",
    "quoridor": "Choose a square for your pawn or an edge for a fence.",
    "chess": "Choose a piece to move.",
    "amazons": "Choose an amazon to move.",
    "breakthrough": "Choose a man to move.",
    "konane": "Choose a stone to take off.",
    "dots-and-boxes": "Choose an edge for a line.",
    "hive": "Choose a cell for a bug.",
    "twixt": "Choose a dot for a peg.",
    "domineering": "Choose a square for a domino.",
    "nine-mens-morris": "Choose a place for a man.",
    "rock-paper-scissors": "Press “rock”, “paper”, or “scissors”.",
    "nim": "Press one of the buttons.",
    "x-s-and-lines": "Choose a square for an x.",
}


def load(name: str) -> Game:
    return gamedsl.load(name, **small(name))


def options_of(state: State) -> list[Option]:
    names = place_names(state.game.program.parts[state.part])
    return named_options(state, state.legal_moves(), lambda place: place[0] in names)


def choices(game: Game, options: list[Option]) -> list[Choice]:
    kinds = [game.action_parts(game.action(o.move))[0] for o in options]
    return [Choice(kind, o.move.text, o.params, o.groups, o.at) for kind, o in zip(kinds, options, strict=True)]


def sentence(state: State, *touched: tuple[str, int], place: str = "") -> str:
    selection = Selection.among(options_of(state))
    for one in touched:
        found = selection.touch(one)
        assert found is not None, one
        selection = found
    live = list(selection.live) if touched else options_of(state)
    return instruction(words_of_kinds(state.game), choices(state.game, live), IN_THE_PAGE, touched, place)


def cell(state: State, name: str, domain: str = "cell") -> tuple[str, int]:
    return domain, place_names(state.game.program.parts[state.part])[domain].names.index(name)


def after(state: State, *texts: str) -> State:
    for text in texts:
        move: Move = next(m for m in state.legal_moves() if m.text == text)
        state = state.apply(move)
    return state


@pytest.mark.parametrize("name", FIRST)
def test_the_first_sentence_names_the_moves(name: str) -> None:
    assert sentence(load(name).initial_state()) == FIRST[name]


def test_a_square_of_a_larger_move_may_be_touched_again() -> None:
    state = load("t-tic-t-tac-toe-game").initial_state()
    found = sentence(state, cell(state, "c3"), place="c3")
    assert found == f"Choose c3 again for a mark or 3 more squares for “super”. {IN_THE_PAGE.back}"
    later = after(state, "a1")
    assert sentence(later) == "Choose a square for a mark, or an edge for “curtain” or “wall”."


def test_a_piece_goes_somewhere() -> None:
    state = load("chess").initial_state()
    assert sentence(state, cell(state, "g1"), place="g1") == f"Choose a square to move it to. {IN_THE_PAGE.back}"


def test_moves_without_places_are_named_as_they_are_written() -> None:
    state = after(load("twixt").initial_state(), "e4")
    assert sentence(state) == "Choose a dot for a peg or press “swap”."


def test_a_fence_is_touched_where_it_goes() -> None:
    """e3h runs between rows 3 and 4 under e4 and f4, so it covers the edges e3/e4 and f3/f4."""
    game = load("quoridor")
    state = game.initial_state()
    kind = next(k for k in game.action_kinds if k.name == "build")
    found = covered_places(game, kind)
    assert found is not None and found[0] == "edge"
    names = place_names(game.program.parts[0])["edge"].names
    middle = next(m for m in state.legal_moves() if m.text == "c3h")
    assert sorted(names[i] for i in found[1][game.action(middle) - kind.first]) == ["c3/c4", "d3/d4"]
    assert "another edge" in sentence(state, cell(state, "c3/c4", "edge"), place="c3/c4")


def test_no_move_is_touched_elsewhere_where_it_names_its_places() -> None:
    for name in ("chess", "breakthrough-6x6", "hive", "blokus-duo", "t-tic-t-tac-toe-game", "dots-and-boxes"):
        game = load(name)
        assert [covered_places(game, kind) for kind in game.action_kinds] == [None for _ in game.action_kinds], name


def test_two_moves_at_one_place_lead_to_a_list() -> None:
    """Two moves that share all their places: the same place again leads to a list."""
    state = load("quoridor").initial_state()
    options = [replace(o, at=0) for o in options_of(state) if o.move.text in ("c3h", "d3h")]
    game = state.game
    shared = cell(state, "d3/d4", "edge")
    found = instruction(words_of_kinds(game), choices(game, options), IN_THE_PAGE, (shared,), "d3/d4")
    assert found.startswith("Choose d3/d4 again for a list or another edge.")


def test_notes_on_files_are_not_places_to_touch() -> None:
    """A ruleset of chess keeps the file of a pawn that has just passed as a piece; nobody touches a file."""
    for name in ("chess", "dark-chess"):
        for schema in load(name).program.schemas:
            assert covered_change(schema, piece_changes(schema)) is None
