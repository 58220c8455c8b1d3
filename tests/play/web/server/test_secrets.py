"""A seat's socket carries what the seat may know, and nothing else: two plays that differ only in what a seat may not know
send it the same bytes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from gamedsl.engine import Move, State
from gamedsl.language.core import told_by_results
from gamedsl.play.web import describe_preview
from gamedsl.play.web.server.events import Rematch
from gamedsl.play.web.server.table_registry import _public
from gamedsl.play.web.server.views import Account

from .tables import NAMES, Driven, loaded

PLIES, TRIES, PLAYS = 10, 5, 3
MOST_OTHER = 2  # plies in which the plays part: in long deals more would take what the seat must get
MOST_PLIES = 200  # with those of chance: long deals come before anybody is sent anything
QUICK = ("kuhn-poker", "dark-hex", "rock-paper-scissors")


def _options(state: State, rng: Random) -> list[Move]:
    """Some moves that could be made here, in random order."""
    if state.kind == "drawing":
        return [state.propose(rng)]
    moves = [m for m, _ in state.chance_outcomes()] if state.kind == "chance" else state.legal_moves(state.to_act[0])
    return rng.sample(moves, min(TRIES, len(moves)))


def _same_to(seat: int | None, a: State, b: State) -> bool:
    both_rest = (a.kind == "chance") == (b.kind == "chance")
    return (
        both_rest and a.is_terminal == b.is_terminal and a.information_state(seat).key == b.information_state(seat).key
    )


def _twins(name: str, seat: int | None, seed: int) -> tuple[Driven, Driven, int]:
    """Two plays that a seat can't tell apart, and how many of their plies differ."""
    rng, game = Random(f"{name} {seat} {seed}"), loaded(name)
    one, two, differing = Driven(game), Driven(game), 0
    decided = 0
    for _ in range(MOST_PLIES):
        a, b = one.play.state, two.play.state
        if a.is_terminal or b.is_terminal or decided == PLIES:
            break
        decided += a.kind != "chance"
        move = a.propose(rng) if a.kind != "together" else rng.choice(a.legal_moves(a.to_act[0]))
        after = a.apply(move)
        if move.player is not None and move.player == seat:
            found = move if b.kind == a.kind and seat in b.to_act and not b.why_not(move) else None
        else:
            wants_other = differing < MOST_OTHER and rng.random() < 0.5
            options = sorted(_options(b, rng), key=lambda m: (m == move) is wants_other)
            found = next((m for m in options if _same_to(seat, after, b.apply(m))), None)
            if (found is None or not wants_other) and b.kind == a.kind and not b.why_not(move):
                found = move
        if found is None or not _same_to(seat, after, b.apply(found)):
            break
        differing += found != move
        one.make(move)
        two.make(found)
    return one, two, differing


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in NAMES])
def test_plays_that_a_seat_cannot_tell_apart_send_it_the_same_bytes(name: str) -> None:
    game = loaded(name)
    if not game.secrets.hides and "together" not in game.kinds:
        pytest.skip("nothing is hidden, and nobody chooses in secret")
    differing = frames = 0
    for seat in (None, *range(loaded(name).num_players)):
        for seed in range(PLAYS):
            one, two, found = _twins(name, seat, seed)
            differing += found
            open_to = (
                -1 if one.play.state.is_terminal and told_by_results(game.program) else None
            )  # the end tells all of it
            assert one.frames[seat][:open_to] == two.frames[seat][:open_to]
            frames += len(one.frames[seat]) - 1
    assert differing and frames, "no two plays differ in a secret: this shows nothing"


@pytest.mark.parametrize("name", ["rock-paper-scissors"])
def test_a_choice_in_secret_is_not_even_known_to_be_made(name: str) -> None:
    table = Driven(loaded(name))
    before = {seat: len(frames) for seat, frames in table.frames.items()}
    mover = table.play.state.to_act[0]
    table.make(table.play.state.legal_moves(mover)[0])
    for seat, frames in table.frames.items():
        assert len(frames) == before[seat] + (seat == mover), seat


def _cards(position: Any) -> list[Any]:
    """The hands of both players of a game with one card each: numbers of cards, or None where they are hidden."""
    [hands] = position["picture"]["held"]
    return [None if place is None else place[0] for place in hands["places"]]


def test_the_end_reveals_hands_also_in_the_positions_before() -> None:
    """Kuhn poker, whose results may tell the hands: until the end, each sees one card."""
    table = Driven(loaded("kuhn-poker"))
    for text in ("deal 3", "deal 1", "bet", "call"):
        account = {seat: Account(seat) for seat in (None, 0, 1)}
        for one in account.values():
            one.follow(table.play.moments)
        if table.play.state.kind == "player":
            assert [_cards(account[seat].position(table.play)) for seat in (0, 1, None)] == [
                [2, None],
                [None, 0],
                [None, None],
            ]
        table.make(table.play.game.parse_move(text, table.play.state))
    for one in account.values():
        one.follow(table.play.moments)
        assert _cards(one.position(table.play)) == [2, 0]
        assert _cards(one.position(table.play, len(one.entries) - 1)) == [2, 0]


def test_a_folded_hand_is_shown_to_nobody_in_no_position() -> None:
    """Kuhn poker shows the hands of those who did not fold, if there are two of them. Before the end nobody has folded."""
    table = Driven(loaded("kuhn-poker"))
    for text in ("deal 3", "deal 1", "bet", "fold"):
        table.make(table.play.game.parse_move(text, table.play.state))
    assert table.play.state.is_terminal
    for seat, own in ((0, [2, None]), (1, [None, 0]), (None, [None, None])):
        account = Account(seat)
        account.follow(table.play.moments)
        assert _cards(account.position(table.play)) == own
        assert _cards(account.position(table.play, len(account.entries) - 1)) == own


def test_a_delayed_viewer_sees_the_end_when_it_is_due() -> None:
    table = Driven(loaded("kuhn-poker"))
    for text in ("deal 3", "deal 1", "bet", "call"):
        table.make(table.play.game.parse_move(text, table.play.state))
    account = Account(None)
    account.follow(table.play.moments[:-1])
    assert _cards(account.position(table.play)) == [None, None]


def test_a_delayed_viewer_does_not_learn_of_the_end_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by the wish for a rematch, which only the end allows, nor by the list of tables in the lobby."""
    table = Driven(loaded("kuhn-poker"), delay=5.0)
    for text in ("deal 3", "deal 1", "bet", "call"):
        table.make(table.play.game.parse_move(text, table.play.state))
    moments = table.play.moments
    monkeypatch.setattr(table.table, "moments_for", lambda seat: moments[:-1] if seat is None else moments)
    table.look()
    before = len(table.frames[None])
    table.play.take(Rematch(1, 0, ""))
    table.look()
    assert len(table.frames[None]) == before and not _public(table.table)["over"]
    table.play.take(Rematch(2, 1, "another"))
    table.look()
    assert len(table.frames[None]) == before and '"another"' in table.frames[0][-1]
    monkeypatch.undo()
    monkeypatch.setattr(table.table, "moments_for", lambda seat: moments)
    table.look()
    assert '"another"' in table.frames[None][-1] and _public(table.table)["over"]


@pytest.mark.parametrize("name", ["kuhn-poker", "dark-hex", "rock-paper-scissors"])
def test_no_move_is_previewed_where_something_is_hidden(name: str) -> None:
    state, rng = loaded(name).initial_state(), Random(3)
    while state.kind == "chance":
        state = state.apply(state.propose(rng))
    seat = state.to_act[0]
    assert all(describe_preview(state, action, seat) is None for action in state.legal_actions(seat))
