"""Moves chosen by touching places: what is left, what is lit, when a move is meant; and the cursor that goes there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from gamedsl.play.terminal.input.cursor_places import BoardCursor, nearest
from gamedsl.play.terminal.input.move_selection import Selection, options
from gamedsl.play.terminal.input.prompt import read_line
from gamedsl.play.terminal.render.page import layout_page
from gamedsl.play.terminal.render.rendered_board import Box
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.terminal.table.move_turn import MoveTurn
from tests.shipped_sample import sampled

from .script import make, session_of, sit
from .test_shipped_boards import GAMES, WITHOUT


def selection(session: Session) -> Selection:
    state = session.state
    return Selection.among(options(state, state.legal_moves(), lambda place: True))


def touch(session: Session, *names: str, domain: str = "cell") -> Selection:
    found = selection(session)
    board = session.game.program.parts[session.state.part].board
    assert board is not None
    for name in names:
        again = found.touch((domain, board.domains[domain].index(name)))
        assert again is not None, name
        found = again
    return found


def lit(session: Session, found: Selection) -> set[str]:
    board = session.game.program.parts[session.state.part].board
    assert board is not None
    return {board.domains[d].names[i] for d, i in found.targets}


def test_a_move_of_one_place_is_made_at_once() -> None:
    assert str(touch(session_of("tic-tac-toe"), "b2").decided) == "b2"


def test_a_piece_is_touched_and_then_where_it_goes() -> None:
    session = session_of("chess")
    knight = touch(session, "g1")
    assert knight.decided is None and lit(session, knight) == {"f3", "h3"} and not knight.ambiguous
    assert str(touch(session, "g1", "f3").decided) == "g1f3"
    assert knight.touch(("cell", 0)) is None, "no knight goes to a1: nothing changes"
    assert knight.back() == selection(session)


def test_another_piece_can_be_touched_instead() -> None:
    session = session_of("chess")
    make(session, "e2e4", "e7e5")
    assert lit(session, touch(session, "d1", "g1")) == {"e2", "f3", "h3"}
    assert str(touch(session, "g1", "e2").decided) == "g1e2", "a place to go to comes first"
    assert touch(session, "d1", "g1").touched == touch(session, "g1").touched
    assert touch(session, "d1").touch(("cell", 0)) is None, "the rook cannot move: nothing changes"


def test_where_to_go_can_be_touched_first() -> None:
    """Nothing stands on e4: the moves that lead there are left."""
    session = session_of("chess")
    assert str(touch(session, "e4", "e4").decided) == "e2e4"
    assert {str(m) for m in touch(session, "f3", "f3").ambiguous} == {"f2f3", "g1f3"}


def test_a_single_move_is_shown_before_it_is_made(tmp_path: Path) -> None:
    session = session_of("breakthrough-6x6")
    one = touch(session, "a2")
    assert lit(session, one) == {"a3", "b3"}
    make(session, "a2-a3", "a5-a4")
    blocked = touch(session, "a3")
    assert lit(session, blocked) == {"b4"} and blocked.decided is None
    assert str(touch(session, "a3", "a3").decided) == "a3-b4"


def test_promotions_are_told_apart_by_a_number() -> None:
    session = session_of("chess")
    make(session, "h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "g8f6", "h6h7", "b8c6")
    found = touch(session, "h7", "g8") if any(str(m) == "h7g8q" for m in session.state.legal_moves()) else None
    if found is not None:
        assert len(found.ambiguous) == 4 and found.decided is None


def test_lines_with_bends() -> None:
    """The same place again ends the choice: a straight line and not the beginning of a bent one."""
    session = session_of("x-s-and-lines", n="4")
    make(session, "a1", "d1", "c4", "a3")
    straight = next(str(m) for m in session.state.legal_moves() if " by " not in str(m))
    start, goal = straight.split(" to ")
    assert str(touch(session, start, goal, goal).decided) == straight
    bent = [str(m) for m in session.state.legal_moves() if " by " in str(m)]
    for text in bent[:5]:
        start, rest = text.split(" by ")
        bend, goal = rest.split(" to ")
        found = touch(session, start, bend, goal)
        assert str(found.decided) == text or text in {str(m) for m in found.ambiguous}


def test_blocks_are_told_by_some_of_their_places() -> None:
    session = session_of("t-tic-t-tac-toe-game")
    make(session, "a1")
    assert str(touch(session, "c3", "c3").decided) == "c3", "the square alone, not a block around it"
    edges = touch(session, "a1/a2", domain="edge")
    assert {str(m).split()[0] for m in (o.move for o in edges.live)} == {"curtain", "wall"}


def test_moves_without_places_by_what_they_change() -> None:
    session = session_of("chess")
    make(session, "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5")
    (castling,) = (o for o in selection(session).options if str(o.move) == "O-O")
    assert {i for (group,) in [castling.groups] for domain, i in group if domain == "cell"} == {4, 5, 6, 7}, "e1 to h1"
    assert {str(o.move) for o in selection(session).options} == {str(m) for m in session.state.legal_moves()}


@pytest.mark.parametrize(
    "name",
    sampled(sorted(set(GAMES) - {*WITHOUT, "snakes-and-ladders"}), "test_every_move_that_names_places_can_be_chosen"),
)
def test_every_move_that_names_places_can_be_chosen(name: str) -> None:
    """Touching a place of every group in turn, and the last one again, leaves the move (and those with the same places)."""
    session = session_of(name, "random", seed=5)
    while (session.state.kind != "moves" and not session.state.is_terminal) or session.now.plies < 4:
        session.play_by_program()
    found = selection(session)
    for option in found.options[:: max(1, len(found.options) // 12)]:
        chosen: Selection | None = found
        touched: list[tuple[str, int]] = []
        for group in option.groups:
            for place in sorted(group):
                step = chosen.touch(place) if chosen is not None and place not in touched else None
                if step is not None:
                    chosen = step
                    touched.append(place)
        assert chosen is not None
        end = chosen if chosen.decided else chosen.touch(touched[-1])
        assert end is not None and (end.decided == option.move or option.move in (o.move for o in end.live))


def test_arrows_go_to_the_nearest_place() -> None:
    boxes = {("cell", i): Box(4 * (i % 3), 2 * (i // 3), 3) for i in range(9)}
    middle = boxes[("cell", 4)]
    assert [nearest(boxes, middle, way) for way in ((-1, 0), (1, 0), (0, -1), (0, 1))] == [
        ("cell", 3), ("cell", 5), ("cell", 1), ("cell", 7)
    ]  # fmt: skip
    assert nearest(boxes, boxes[("cell", 0)], (-1, 0)) is None


def pointer(session: Session, columns: int = 80) -> BoardCursor:
    state = session.state
    found = BoardCursor(lambda drawn: options(state, state.legal_moves(), drawn))
    found.rendered = layout_page(session.picture(), Viewport(columns, 20))
    return found


@pytest.mark.parametrize("name", ["go", "hex", "backgammon", "nine-mens-morris", "dots-and-boxes", "kalah", "havannah"])
def test_the_cursor_reaches_every_place(name: str) -> None:
    """On all kinds of boards, also where only a part of the board is shown."""
    session = session_of(name, "human", seed=5)
    while session.state.kind == "chance":
        session.play_by_program()
    for columns in (80, 40):
        walker = pointer(session, columns)
        walker.move("up")
        boxes = walker._boxes()
        reached, ahead = set(), [walker.cursor]
        while ahead:
            place = ahead.pop()
            if place is not None and place not in reached:
                reached.add(place)
                ahead += [nearest(boxes, boxes[place], way) for way in ((-1, 0), (1, 0), (0, -1), (0, 1))]
        assert reached == set(boxes)


@contextmanager
def typed(text: str) -> Iterator[PipeInput]:
    with create_pipe_input() as source, create_app_session(input=source, output=DummyOutput()):
        source.send_text(text)
        yield source


def test_keys_and_clicks_choose_a_move() -> None:
    session = session_of("tic-tac-toe")
    for keys, wanted, mouse in (
        ("\x1b[A\x1b[A\r", "b3", False),  # the cursor is shown in the middle, then goes up
        ("\x1b[A\x1b[C\r", "c2", False),
        ("c1\r", "c1", False),  # what is typed goes to the prompt
        ("\x1b[<0;13;2M", "", True),
    ):
        hand = pointer(session)
        if mouse:
            box = hand.rendered.at[("cell", 0)]
            keys, wanted = f"\x1b[<0;{box.x + 1};{box.y + 1}M", "a1"
        with typed(keys):
            assert read_line(PromptSession(), "X> ", lambda: None, hand, mouse) == wanted


def test_a_click_on_another_piece_is_seen_and_chooses_it() -> None:
    """Every click has the page painted again: the cursor has moved."""
    session = session_of("chess")
    table, _ = sit(session)
    hand = MoveTurn(table, 0)._cursor()
    hand.rendered = layout_page(session.picture(), Viewport(80, 20))
    chosen = []

    def click(name: str) -> str:
        board = session.game.program.parts[0].board
        assert board is not None
        box = hand.rendered.at[("cell", board.domains["cell"].index(name))]
        return f"\x1b[<0;{box.x + 1};{box.y + 1}M"

    with typed("".join(click(name) for name in ("g1", "a1", "b1", "c3"))):
        text = read_line(
            PromptSession(), "> ", lambda: chosen.append((hand.cursor, hand.selection.touched)), hand, mouse=True
        )
    assert text == "b1c3"
    assert [cursor[1] for cursor, _ in chosen if cursor] == [6, 0, 1, 18]
    assert [[place[1] for place in touched] for _, touched in chosen] == [[6], [6], [1], [1, 18]]


def test_a_choice_by_number_is_listed() -> None:
    session = session_of("t-tic-t-tac-toe-game")
    make(session, "a1")
    table, face = sit(session, "")
    turn = MoveTurn(table, 1)
    hand = turn._cursor()
    hand.rendered = layout_page(session.picture(), Viewport(80, 20))
    board = session.game.program.parts[0].board
    assert board is not None
    hand.cursor = ("edge", board.domains["edge"].index("a1/a2"))
    hand.touch()
    hand.touch()
    turn._choose_among(hand)
    assert "choose one by its number:" in face.text and "wall" in face.text and table.listed


def test_nothing_is_pointed_at_in_secret() -> None:
    session = session_of("rock-paper-scissors")
    table, _ = sit(session, "rock", "paper", people=False)
    table.run()
    assert table.pointer is None
