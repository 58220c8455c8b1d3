"""What is on the page: the board, the news under it and what was said since. All of it can be shown again at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamedsl.terminal.input.board_cursor import PageCursor
from gamedsl.terminal.picture.picture import Picture
from gamedsl.terminal.picture.view import part_over
from gamedsl.terminal.render.canvas import Ink, Line
from gamedsl.terminal.render.page import layout_page, render_page
from gamedsl.terminal.screen.face import Face, text_lines
from gamedsl.terminal.session.session import Session
from gamedsl.terminal.texts import messages
from gamedsl.terminal.texts.rulebook import rulebook

MOST_NEWS = 6
MOST_KEPT = 200  # things said since the page was cleared


class Display:
    """Shows a play at a face. ``boards``: draw the board after every ply, also between programs."""

    def __init__(self, session: Session, face: Face, boards: bool = False) -> None:
        self.session = session
        self.face = face
        self.boards = boards
        self.told = len(session.log(session.viewer))  # lines of the log that people have been told
        self.news: list[str] = []
        self.pointer: PageCursor | None = None  # of the person who is choosing a move
        self._page: list[Callable[[], list[Line]]] = []
        face.repaint = self.repaint

    def _put(self, lines: Callable[[], list[Line]]) -> None:
        """Shows lines, which are made anew when the page is painted again (it may be wider or narrower by then)."""
        self.face.show(lines())
        if self.face.keeps_page:
            self._page = [*self._page[-MOST_KEPT:], lines]

    def repaint(self) -> None:
        """Shows the whole page again, as wide and high as it is now."""
        lines = [line for lines in self._page for line in lines()]
        if self.pointer is not None and self.pointer.is_shown and len(lines) > self.face.viewport.rows + 2:
            self._page = self._page[:1]  # the board has to be seen, whatever was said below it
            lines = self._page[0]()
        self.face.paint(lines)

    def _board(self, picture: Picture, pointer: PageCursor | None) -> list[Line]:
        """The page of a picture, with the marks of the person who is choosing."""
        if pointer is None:
            return render_page(picture, self.face.viewport)
        pointer.plot = layout_page(pointer.marked(picture), self.face.viewport)
        return pointer.plot.lines

    def clear(self) -> None:
        """Takes everything from the screen."""
        self._page = []
        self.face.clear()

    def say(self, *lines: str, ink: Ink | None = None) -> None:
        """Says something at once, in lines that fit the page."""
        viewport = self.face
        self._put(
            lambda: text_lines([x for text in lines for x in messages.folded(text, viewport.viewport.columns - 1)], ink)
        )

    def say_whole(self, *lines: str) -> None:
        """Says lines that must not be broken, as they are meant to be copied."""
        self._put(lambda: text_lines(lines))

    def say_long(self, lines: Sequence[str]) -> None:
        """Says a long text, page by page where the face has pages."""
        if self.face.keeps_page:
            self._page.append(lambda: text_lines(lines))
        self.face.page(text_lines(lines))

    def show_rules(self) -> None:
        """The rulebook of the game."""
        self.say_long(rulebook(self.session.game.program))

    def tell(self, *lines: str) -> None:
        """Tells news: at once, or under the next board where the page is cleared for it."""
        if self.face.keeps_page:
            self.news = [*self.news, *lines][-MOST_NEWS:]
        else:
            self.face.show(text_lines(lines))

    def tell_plies(self) -> None:
        """Tells the plies that have not been told yet."""
        session = self.session
        log = session.log(session.viewer)
        for entry in log[self.told :]:
            before, after = session.moments[entry.at - 1].state, session.moments[entry.at].state
            self.tell(messages.ply_line(entry.number, session.told(entry, short=self.face.keeps_page)))
            if entry.number == len(log) or log[entry.number].at != entry.at:
                self.tell(*(f"      {text}" for text in part_over(before, after, session.viewer)))
            if self.boards and not self.face.keeps_page:
                self.face.show(render_page(session.picture(session.viewer), self.face.viewport))
        self.told = len(log)

    def show_board(self, viewer: int | None, picture: Picture | None = None) -> None:
        """The board (or another picture) on a fresh page, then the news."""
        shown = picture or self.session.picture(viewer)
        if self.face.keeps_page:
            self.clear()
        pointer = self.pointer
        self._put(lambda: self._board(shown, pointer))
        if self.news:
            self.say(*self.news, ink=Ink(dim=True))
            self.news = []
