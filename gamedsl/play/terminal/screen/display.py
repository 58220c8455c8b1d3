"""The page: the board, the news below it, and later messages. All of it can be shown again at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from gamedsl.engine.picture import Picture, part_over
from gamedsl.play.terminal.input.cursor_places import PageCursor
from gamedsl.play.terminal.render.canvas import Ink, Line, width
from gamedsl.play.terminal.render.page import layout_page, render_board, render_page
from gamedsl.play.terminal.render.past_boards import past_boards
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.terminal.screen.face import Face, text_lines
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.terminal.texts import messages
from gamedsl.play.terminal.texts.rulebook_text import rulebook

MOST_NEWS = 6
LEAST_BOARD = 12  # rows
Block: TypeAlias = Callable[[], list[Line]]  # called again for every repaint: the page may be wider then


class Display:
    """Shows a game on a face. ``boards``: show the board after every ply, even between programs.

    On a face that keeps a page, the board, the last message and the prompt are always on the screen together: the
    board is drawn smaller, earlier messages go, and a text that is longer still is shown page by page.
    """

    def __init__(self, session: Session, face: Face, boards: bool = False) -> None:
        self.session = session
        self.face = face
        self.boards = boards
        self.plies_shown = len(session.log(session.viewer))  # lines of the log that were shown
        self.news: list[str] = []
        self.pointer: PageCursor | None = None  # of the person who is choosing a move
        self._board: Callable[[Viewport], list[Line]] = lambda _: []
        self._said: list[Block] = []
        self._passing: Block | None = None  # removed by the next message
        face.repaint = self.repaint

    # ------------------------------------------------------------------------------------------------ the page

    def _put(self, block: Block) -> None:
        """Shows lines at the end of the page; repaints the page if earlier lines change, and shows a long block by
        itself."""
        if not self.face.keeps_page:
            self.face.show(block())
            return
        shown = self._page()
        self._drop_passing()
        self._said.append(block)
        page = self._page()
        if not self._fits(page):
            self._said.pop()
            self._read_through(block())
        elif page[: len(shown)] == shown:
            self.face.show(page[len(shown) :])
        else:
            self.face.paint(page)

    def _page(self) -> list[Line]:
        """The board and later messages, as much of both as fits, and the last message in any case."""
        while True:
            said = [line for block in self._said for line in block()]
            viewport = self.face.viewport
            room = self.face.page_rows - self._height(said)
            page = [*self._board(replace(viewport, rows=max(LEAST_BOARD, min(viewport.rows, room)))), *said]
            if self._fits(page) or len(self._said) < 2:
                return page
            del self._said[0]

    def _height(self, lines: Sequence[Line]) -> int:
        """The number of rows that lines take; one that is too long continues in the next row."""
        columns = self.face.viewport.columns
        return sum(max(1, -(-width(line) // columns)) for line in lines)

    def _fits(self, page: Sequence[Line]) -> bool:
        return self._height(page) <= self.face.page_rows

    def _read_through(self, lines: Sequence[Line]) -> None:
        """Shows a text that does not fit with the board by itself, and then the page again."""
        self.face.clear()
        self.face.page(lines)
        self.face.ask("-- Enter: back --")
        self.repaint()

    def repaint(self) -> None:
        """Shows the whole page again, at its present size."""
        self.face.paint(self._page())

    def clear(self) -> None:
        """Takes everything from the screen."""
        self._board, self._said = (lambda _: []), []
        self.face.clear()

    # ----------------------------------------------------------------------------------------------- what is said

    def say(self, *lines: str, ink: Ink | None = None) -> None:
        """Shows a message at once, in lines that fit the page."""
        self._put(lambda: self._lines(lines, ink))

    def _lines(self, texts: Sequence[str], ink: Ink | None = None) -> list[Line]:
        columns = self.face.viewport.columns - 1
        return text_lines([x for text in texts for x in messages.folded(text, columns)], ink)

    def say_in_passing(self, text: str) -> None:
        """Shows what the program is doing, until the next message."""
        self._put(lambda: self._lines([text], Ink(dim=True)))
        self._passing = self._said[-1] if self._said else None

    def _drop_passing(self) -> None:
        if self._passing in self._said:
            self._said.remove(self._passing)
        self._passing = None

    def say_whole(self, *lines: str) -> None:
        """Shows lines that must not be broken, because they are meant to be copied."""
        self._put(lambda: text_lines(lines))

    def say_long(self, lines: Sequence[str]) -> None:
        """Shows a text that may be long."""
        self._put(lambda: self._lines(lines))

    def show_rules(self) -> None:
        """Shows the rulebook of the game."""
        self.say_long(rulebook(self.session.game.program, columns=self.face.viewport.columns - 1))

    def tell(self, *lines: str) -> None:
        """Shows news: at once, or below the next board if the page is cleared for it."""
        if self.face.keeps_page:
            self.news = [*self.news, *lines][-MOST_NEWS:]
        else:
            self.face.show(text_lines(lines))

    def tell_plies(self) -> None:
        """Shows the plies that have not been shown yet."""
        session = self.session
        log = session.log(session.viewer)
        for entry in log[self.plies_shown :]:
            before, after = session.moments[entry.at - 1].state, session.moments[entry.at].state
            self.tell(messages.ply_line(entry.number, session.ply_text(entry, short=self.face.keeps_page)))
            if entry.number == len(log) or log[entry.number].at != entry.at:
                self.tell(
                    *(
                        f"      {session.shown(text, before)}"
                        for text in part_over(before, after, session.viewer, session.moments[entry.at].sheet.ended)
                    )
                )
            if self.boards and not self.face.keeps_page and not session.state.is_terminal:  # the end is shown by itself
                self.face.show(render_page(session.picture(session.viewer), self.face.viewport))
        self.plies_shown = len(log)

    def show_past_boards(self) -> None:
        """Shows the boards of finished parts, if the game has any."""
        picture = self.session.picture(self.session.viewer)
        self._put(lambda: past_boards(picture, self.face.viewport, render_board))

    def show_board(self, viewer: int | None, picture: Picture | None = None) -> None:
        """Shows the board (or another picture) on a fresh page, then the news."""
        shown = picture or self.session.picture(viewer)
        news, self.news = self.news, []
        if not self.face.keeps_page:
            self.face.show(render_page(shown, self.face.viewport))
            return
        pointer = self.pointer
        self.clear()
        self._board = lambda viewport: _with_cursor(shown, pointer, viewport)
        self._said = [
            partial(self._lines, [text], Ink(dim=True)) for text in news
        ]  # the oldest go first for lack of room
        self.face.show(self._page())


def _with_cursor(picture: Picture, pointer: PageCursor | None, viewport: Viewport) -> list[Line]:
    """The page of a picture, with the marks of the person who is choosing."""
    if pointer is None:
        return render_page(picture, viewport)
    sentence = text_lines(messages.folded(pointer.instruction, viewport.columns - 1)) if pointer.instruction else []
    rows = max(LEAST_BOARD, viewport.rows - len(sentence))
    pointer.rendered = layout_page(pointer.marked(picture), replace(viewport, rows=rows))
    return [*pointer.rendered.lines, *sentence]
