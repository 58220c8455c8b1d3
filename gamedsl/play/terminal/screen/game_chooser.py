"""A full-screen list of games with a search: typing narrows it, the arrow keys move in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, VSplit, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.styles import Style

from gamedsl.language.source import Entry, lazy_dataclass

KEYS = "arrows: move   letters: search   Enter: play   Esc: leave"
PROMPT = "Search: "
ROWS_AROUND = 4  # the search, the line below it, the line above the keys, and the keys
FEWEST_ROWS = 3
STYLE = Style.from_dict({"family": "bold", "chosen": "reverse", "dim": "italic", "keys": "reverse"})


@lazy_dataclass()
class ChooserList:
    """The games that match the typed text, and the chosen one."""

    families: Mapping[str, Sequence[Entry]]
    typed: str = ""
    at: int = 0
    shown: list[tuple[str, Entry]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.search("")

    def search(self, text: str) -> None:
        """Narrow the list to games whose name, title, summary or family contains all words; the chosen one stays if it can."""
        before, self.typed = self.chosen, text
        words = text.casefold().split()
        self.shown = [(family, e) for family, es in self.families.items() for e in es if _fits(family, e, words)]
        entries = [entry for _, entry in self.shown]
        if words:  # the best hit: a name that begins with the typed text
            self.at = next((n for n, e in enumerate(entries) if e.name.startswith(text.strip().casefold())), 0)
        else:
            self.at = entries.index(before) if before in entries else 0

    @property
    def chosen(self) -> Entry | None:
        return self.shown[self.at][1] if self.at < len(self.shown) else None

    def move(self, by: int) -> None:
        self.at = max(0, min(len(self.shown) - 1, self.at + by))

    def lines(self, columns: int, rows: int) -> StyleAndTextTuples:
        """The part of the list around the chosen game, with headings, in that many columns and rows."""
        lines: list[tuple[str, str]] = []
        chosen_line, heading = 0, ""
        width = max((len(e.name) for _, e in self.shown), default=0)
        for number, (family, entry) in enumerate(self.shown):
            if family != heading:
                lines.append(("class:family", _cut(family, columns)))
                heading = family
            if number == self.at:
                chosen_line = len(lines)
            style = "class:chosen" if number == self.at else ""
            mark = ">" if number == self.at else " "
            lines.append((style, _cut(f"{mark} {entry.name.ljust(width)}  {entry.about or entry.title}", columns)))
        if not lines:
            return [("class:dim", _cut("no game fits; Backspace widens the search", columns))]
        top = max(0, min(chosen_line - rows // 2, len(lines) - rows))
        top = 0 if chosen_line < rows else top
        shown: StyleAndTextTuples = []
        for line in lines[top : top + rows]:
            shown += [line, ("", "\n")]
        return shown[:-1]


def _fits(family: str, entry: Entry, words: Sequence[str]) -> bool:
    text = f"{family} {entry.name} {entry.title} {entry.about}".casefold()
    return all(word in text for word in words)


def _cut(text: str, columns: int) -> str:
    return text if len(text) <= columns else text[: max(0, columns - 3)] + "..."


def choose_game(families: Mapping[str, Sequence[Entry]]) -> str | None:
    """Ask which game to play. Returns its name, or None if the person leaves."""
    listed = ChooserList(families)
    buffer = Buffer(multiline=False, on_text_changed=lambda b: listed.search(b.text))

    def rows() -> int:
        return max(FEWEST_ROWS, get_app().output.get_size().rows - ROWS_AROUND)

    def columns() -> int:
        return get_app().output.get_size().columns

    def count() -> StyleAndTextTuples:
        text = f"{len(listed.shown)} game{'s' * (len(listed.shown) != 1)}"
        return [("class:dim", text)]

    search = Window(BufferControl(buffer), height=1)
    layout = HSplit(
        [
            VSplit([Window(FormattedTextControl(PROMPT), width=len(PROMPT), height=1), search]),
            Window(FormattedTextControl(count), height=1),
            Window(FormattedTextControl(lambda: listed.lines(columns(), rows())), wrap_lines=False),
            Window(FormattedTextControl(lambda: _cut(_about(listed.chosen), columns())), height=1, style="class:dim"),
            Window(FormattedTextControl(lambda: _cut(f" {KEYS}", columns())), height=1, style="class:keys"),
        ]
    )
    application: Application[str | None] = Application(
        layout=Layout(layout, focused_element=search),
        key_bindings=_keys(listed),
        full_screen=True,
        style=STYLE,
    )
    application.ttimeoutlen = 0.05  # after Esc alone
    return application.run()


def _about(entry: Entry | None) -> str:
    """The description of a game to read before choosing it."""
    if entry is None:
        return ""
    least, most = min(entry.players, default=2), max(entry.players, default=2)
    counted = f"{least} player{'s' * (least != 1)}" if least == most else f"{least} to {most} players"
    extra = [text for text, is_so in (("chance", entry.has_chance), ("hidden information", entry.is_hidden)) if is_so]
    return f"{entry.title}: {', '.join([counted, *extra])}"


def _keys(listed: ChooserList) -> KeyBindings:
    keys = KeyBindings()
    for key, by in (("up", -1), ("c-p", -1), ("down", 1), ("c-n", 1), ("pageup", -10), ("pagedown", 10)):
        keys.add(key)(lambda event, by=by: listed.move(by))

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        if listed.chosen is not None:
            event.app.exit(result=listed.chosen.name)

    @keys.add("escape", eager=True)
    @keys.add("c-d")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=None)

    @keys.add("c-c")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt())

    return keys
