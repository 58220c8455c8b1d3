"""The picture of a position: everything that a person sees, as plain data, before any character is chosen."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from gamedsl.language.boards import Board, Domain
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Gain, PartEnd, Taking

Kind: TypeAlias = Literal["grid", "hex", "track", "graph", "drawing", "none"]
Place: TypeAlias = tuple[str, int]  # the name of a domain, and the index of the element
CellStyle: TypeAlias = Literal["squares", "crossings", "dots"]


TRAIL_STYLES = ("heavy", "double", "light", "dashed")  # of the lines that players draw, by their numbers
SHEET = 100  # a drawing sheet shows at least 0,0 to 100,100


@lazy_dataclass(frozen=True, slots=True)
class Glyph:
    """A mark on a place. ``scar``: it is only drawn on the sheet and not part of the position. ``sign``: the text
    without its ``number``; ``piece`` and ``owner``: the kind of piece and its owner, in the words of the rules, if the
    look says so; ``shape``: the form that the look asks for, or empty."""

    text: str
    colour: str | None = None
    scar: bool = False
    number: int | None = field(default=None, compare=False)
    piece: str = field(default="", compare=False)
    owner: str = field(default="", compare=False)
    shape: str = field(default="", compare=False)

    @property
    def sign(self) -> str:
        return self.text if self.number is None else self.text.removesuffix(str(self.number))


@lazy_dataclass(frozen=True, slots=True)
class Spot:
    """What is shown at one element of a domain. ``tint``: an index in ``Picture.tints``; ``stroke``: the style of a
    line along an edge; ``last``: the last move touched it; ``decides``: it helped decide the game; ``hint``: a
    highlight for the person who is choosing a move; ``threat``: a guard of the rules protects what stands here (``at``), or
    keeps it from threatening (``from``). ``below``: what lies in a stack under what stands here, from the bottom."""

    glyphs: tuple[Glyph, ...] = ()
    tint: int | None = None
    stroke: str | None = None
    stroke_colour: str | None = None
    last: bool = False
    decides: bool = False
    hint: Literal["", "cursor", "chosen", "lit"] = ""
    threat: Literal["", "at", "from"] = ""
    below: tuple[Glyph, ...] = ()


BARE = Spot()


@lazy_dataclass(frozen=True, slots=True)
class Trail:
    """A line through the centers of cells, from one to the next. ``last``: the last move drew it; ``owner``: the player
    of the part who drew it, and on whom its ``style`` depends."""

    cells: tuple[int, ...]
    last: bool = False
    owner: int | None = None

    @property
    def style(self) -> str:
        return TRAIL_STYLES[(self.owner or 0) % len(TRAIL_STYLES)]


@lazy_dataclass(frozen=True, slots=True)
class Enlarged:
    """A sign drawn large over a block of places, as a trace on the sheet. ``called``: its name in the legend."""

    places: tuple[Place, ...]
    glyph: Glyph
    called: str


@lazy_dataclass(frozen=True, slots=True)
class Scored:
    """A border, or the cells of a line in order, as long as it counts for a score. ``owner``: the player of the part
    whose score it is."""

    places: tuple[Place, ...]
    owner: int | None = None


@lazy_dataclass(frozen=True, slots=True)
class LineEnd:
    """The center of a place; with an ``offset``, the point that many percent across and down from its upper left
    corner. ``name`` is the name of the place."""

    place: Place
    name: str
    offset: tuple[int, int] | None = None


@lazy_dataclass(frozen=True, slots=True)
class Line:
    """A line between two places, or within one. ``text`` is its name in the legend; ``by``: the point through which it
    goes, as an arc of a circle."""

    ends: tuple[LineEnd, LineEnd]
    style: str
    colour: str | None
    text: str
    by: LineEnd | None = None


@lazy_dataclass(frozen=True, slots=True)
class Tint:
    """A kind of colored places, and their name in the ruleset."""

    text: str
    colour: str | None


@lazy_dataclass(frozen=True, slots=True)
class Entry:
    """A line of the legend. ``sign``: a mark, or the style of a stroke (``is_stroke``); ``group``: the owner's name,
    under which entries are listed together."""

    sign: str
    text: str
    colour: str | None = None
    group: str = ""
    is_stroke: bool = False
    shape: str = ""  # of a piece, as in ``Glyph``
    piece: str = ""
    owner: str = ""


@lazy_dataclass(frozen=True, slots=True)
class Border:
    """A label along the outside of the board, next to some of its cells. ``side``: all cells of that side of the
    board."""

    cells: tuple[int, ...]
    side: tuple[int, ...]
    text: str
    colour: str | None


@lazy_dataclass(frozen=True, slots=True)
class Aside:
    """A line beside the board: its ``label`` and the ``values`` after it. ``owner``: the player it names; ``because``:
    how the score comes about, to be put after it; ``places``: the places that count; ``is_held``: ``Picture.held`` shows
    the same."""

    label: str
    values: tuple[str, ...] = ()
    owner: str = ""
    because: str = field(default="", compare=False)
    places: tuple[Place, ...] = field(default=(), compare=False)
    is_held: bool = field(default=False, compare=False)

    @property
    def text(self) -> str:
        return f"{self.label} {', '.join(self.values)}" if self.values else self.label


@lazy_dataclass(frozen=True, slots=True)
class Held:
    """What a seat sees of the things that a variable holds (``holdings``). ``places``: per combination of its keys the
    things, from the bottom or in order; None where they are hidden. ``sizes``: how many are hidden there, if everybody knows;
    else None. ``told``: these numbers in words."""

    holding: int
    places: tuple[tuple[int, ...] | None, ...]
    sizes: tuple[int | None, ...] = ()
    told: str = ""


@lazy_dataclass(frozen=True, slots=True)
class TakenPieces:
    """Pieces of a kind that a player of the part (``by``: its number) has taken: how they look, and how many there are."""

    by: int
    glyph: Glyph
    count: int


@lazy_dataclass(frozen=True, slots=True)
class PenMark:
    """The points of a stroke that is being drawn, and the position of the pen, if it is shown."""

    points: tuple[tuple[float, float], ...]
    at: tuple[float, float] | None


@lazy_dataclass(frozen=True, slots=True)
class Seat:
    """A player as shown: name, who plays it ("human"), its names in the part being played, and whether it is to act."""

    name: str
    played_by: str
    roles: tuple[str, ...]
    acts: bool


@lazy_dataclass(frozen=True)
class Fallen:
    """Outcomes of chance that came together: what happened ("rolled"), and the value of each."""

    what: str
    values: tuple[str, ...]

    @property
    def text(self) -> str:
        """``rolled: 3, 5``"""
        return f"{self.what}: {', '.join(self.values)}"


@lazy_dataclass(frozen=True)
class Picture:
    """A position to be shown.

    ``spots`` are keyed by the domain's name ("cell", "edge", "point", "space") and the element's index; elements that
    show nothing are left out. ``paper`` holds the plan and strokes of a drawing board. ``line_names`` are edges that
    form whole inner lines, with the name that moves use for them. ``edge_marks``, ``has_trails``: there can be such
    things, so the layout leaves room for them from the start. ``cells``: how cells are drawn; ``unnamed``: without
    their names at the rim. ``fallen``: the outcomes of chance since the previous turn. ``past``: at the end of the
    game, the last boards of the parts that ended before the one that is shown. ``held``: the things that are not on a board.
    ``taken``: the pieces that players have taken from others on this board. ``over``: how the part ended whose last board
    is shown, and what follows, while the game goes on; ``asides`` have it too.
    """

    kind: Kind
    title: str
    subtitle: str
    phase: str
    seats: tuple[Seat, ...]
    place: Domain | None = None
    board: Board | None = field(default=None, compare=False)
    paper: Any = field(default=None, compare=False)
    spots: dict[tuple[str, int], Spot] = field(default_factory=dict)
    trails: tuple[Trail, ...] = ()
    enlarged: tuple[Enlarged, ...] = ()
    scored: tuple[Scored, ...] = ()
    lines: tuple[Line, ...] = ()
    tints: tuple[Tint, ...] = ()
    asides: tuple[Aside, ...] = ()
    over: tuple[str, ...] = ()
    bubbles: tuple[str, ...] = ()
    legend: tuple[Entry, ...] = ()
    borders: tuple[Border, ...] = ()
    cells: CellStyle = "squares"
    unnamed: bool = False
    pen: PenMark | None = None
    fallen: tuple[Fallen, ...] = ()
    last: str = ""
    outcome: str = ""
    redraw: bool = False
    edge_marks: bool = False
    has_trails: bool = False
    line_names: tuple[tuple[str, int], ...] = ()
    past: tuple[PastBoard, ...] = ()
    held: tuple[Held, ...] = ()
    taken: tuple[TakenPieces, ...] = ()

    @property
    def beside(self) -> tuple[str, ...]:
        """The lines beside the board as strings."""
        return tuple(aside.text for aside in self.asides)

    def spot(self, domain: str, index: int) -> Spot:
        """What is shown at an element."""
        return self.spots.get((domain, index), BARE)


@lazy_dataclass(frozen=True)
class PastBoard:
    """The last board of a part that has ended, and how it ended."""

    end: PartEnd = field(compare=False)
    caption: str
    picture: Picture


@lazy_dataclass(frozen=True, slots=True)
class Scar:
    """A mark left on the sheet, at elements of a domain."""

    text: str
    domain: str
    elements: tuple[int, ...]


@lazy_dataclass(frozen=True, slots=True)
class Scars:
    """The traces that earlier plies left on the sheet: marks, lines, and texts beside the board. ``redraw``: whether a
    redraw is offered; ``ended``: the parts that have ended; ``past``: at the end of the game, the traces on the sheets
    of these parts; ``taken``: the pieces that players have taken from others."""

    marks: tuple[Scar, ...] = ()
    trails: tuple[Trail, ...] = ()
    bubbles: tuple[str, ...] = ()
    redraw: bool = False
    ended: tuple[PartEnd, ...] = field(default=(), compare=False)
    enlarged: tuple[Enlarged, ...] = ()
    gains: tuple[Gain, ...] = field(default=(), compare=False)
    past: tuple[Scars, ...] = ()
    taken: tuple[Taking, ...] = ()


CLEAN = Scars()
