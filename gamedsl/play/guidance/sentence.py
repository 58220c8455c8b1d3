"""The sentence that says what to do now, from the moves that remain and the places touched so far.

``static/instruction.js`` is the same procedure for the page; all words come from here, as data.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from gamedsl.language.source import lazy_dataclass
from gamedsl.play.guidance.kind_words import PIECE, KindWords, StepWords

ANY_PLACE = StepWords("a place", "places")
COVERED = -1  # the parameter of a step that is touched where the move puts pieces
MOST_NAMED = 3  # buttons that a sentence names
LONGEST_NAME = 14


@lazy_dataclass(frozen=True)
class Phrases:
    """The parts of a sentence; ``{}`` stands for what is filled in."""

    choose: str = "Choose {}."
    press: str = "press {}"
    button: str = "a button"
    buttons: str = "Press one of the buttons."
    again: str = "{} again"
    several: str = "for a list"
    any_piece: str = f"a {PIECE}"
    another: str = "another {}"
    more: str = "{} more {}"
    most: str = "more {}"
    which: str = "Several moves fit: press a button."
    tray: str = "You may also begin with {}."
    card: str = "a card"
    die: str = "a die"
    pile: str = "a pile"
    shape: str = "a shape"
    line: str = "a line of the score sheet"
    confirm: str = "Touch {} again to make the move {}."
    back: str = "Escape, or a touch beside the board, takes it back."
    turn: str = "R turns it."
    flip: str = "F flips it."
    turn_by_finger: str = "Two fingers turn it."
    flip_by_finger: str = "A swipe over its picture flips it."
    larger: str = "The board is larger now: touch the exact place."
    wait: str = "Wait for {}."
    watch: str = "You are watching. The next move is made by {}."
    other: str = "You choose for {}."
    earlier: str = "This is an earlier position."
    seen: str = "This is the last board: continue when you have seen it."
    chance: str = "Press the button to let chance decide."
    draw: str = "Draw with the mouse, a pen or a finger."
    over: str = "The game is over."


IN_THE_PAGE = Phrases()
IN_THE_TERMINAL = Phrases(
    press="type {}",
    button="another move",
    buttons="Type your move.",
    which="Several moves fit: type the number of one.",
    back="Escape takes it back.",
)


@lazy_dataclass(frozen=True)
class Choice:
    """A move that remains: ``params`` are the parameters of its ``groups`` of places; ``at`` is the group touched last."""

    kind: int
    text: str
    params: tuple[int, ...]
    groups: tuple[frozenset[Hashable], ...]
    at: int = -1

    @property
    def is_whole(self) -> bool:
        return self.at == len(self.groups) - 1


def instruction(
    kinds: Sequence[KindWords],
    choices: Sequence[Choice],
    phrases: Phrases,
    touched: Sequence[Hashable] = (),
    place: str = "",
    is_ambiguous: bool = False,
) -> str:
    """The sentence. ``choices``: the moves that remain; ``touched``: the places so far; ``place``: the name of the last;
    ``is_ambiguous``: no place tells the moves apart."""
    if not touched:
        return _first(kinds, choices, phrases)
    if is_ambiguous:
        return f"{phrases.which} {phrases.back}"
    again = _again(kinds, choices, touched, phrases)
    parts = [f"{phrases.again.format(place)} {again}".strip()] if again is not None else []
    parts += _more(kinds, choices, touched, phrases)
    ahead = [(c.kind, _step(kinds, c, c.at + 1), _step(kinds, c, c.at)) for c in choices if not c.is_whole]
    parts += _listed(kinds, [(kind, _next(step, before, phrases)) for kind, step, before in ahead], choices, phrases)
    return f"{phrases.choose.format(_either(parts))} {phrases.back}" if parts else phrases.back


def _first(kinds: Sequence[KindWords], choices: Sequence[Choice], phrases: Phrases) -> str:
    parts = _listed(kinds, [(c.kind, _step(kinds, c, 0)) for c in choices if c.groups], choices, phrases)
    texts = list(dict.fromkeys(c.text for c in choices if not c.groups))
    is_short = len(texts) <= MOST_NAMED and all(len(text) <= LONGEST_NAME for text in texts)
    named = _either([f"“{text}”" for text in texts]) if is_short else phrases.button
    if not parts:
        return f"{_capital(phrases.press.format(named))}." if is_short and texts else phrases.buttons
    return phrases.choose.format(_either([*parts, *([phrases.press.format(named)] if texts else [])]))


def _step(kinds: Sequence[KindWords], choice: Choice, group: int) -> StepWords:
    words, param = kinds[choice.kind], choice.params[group]
    return (words.covered if param == COVERED else words.steps[param]) or ANY_PLACE


def _next(step: StepWords, before: StepWords, phrases: Phrases) -> StepWords:
    """A step after another: a second thing of the same sort is another one."""
    if step.thing != before.thing or (step.use and step.use != before.use):
        return step
    return StepWords(phrases.another.format(step.thing.split(" ", 1)[1]), step.things, step.use)


def _listed(
    kinds: Sequence[KindWords], steps: Sequence[tuple[int, StepWords]], choices: Sequence[Choice], phrases: Phrases
) -> list[str]:
    """What can be touched, each with all that it is for: ``a square for a stone``."""
    uses: dict[str, dict[str, None]] = {}
    several = len({c.kind for c in choices}) > 1
    for kind, step in steps:
        use = step.use or (f"for {kinds[kind].name}" if several else "")
        uses.setdefault(step.thing, {}).setdefault(use)
    general = uses.get(phrases.any_piece, {})  # which includes every kind of piece
    rows = (
        (thing, [use for use in found if thing == phrases.any_piece or use not in general])
        for thing, found in uses.items()
    )
    return [f"{thing} {_purposes(found)}".strip() for thing, found in rows if found]


def _purposes(uses: list[str]) -> str:
    """Purposes in a row: ``for a mark or “super”``, ``to move or to take off``."""
    uses = [use for use in uses if use]
    if len(uses) > 1 and all(use.startswith("for ") for use in uses):
        return f"for {_or([use.removeprefix('for ') for use in uses])}"
    return _or(uses)


def _again(
    kinds: Sequence[KindWords], choices: Sequence[Choice], touched: Sequence[Hashable], phrases: Phrases
) -> str | None:
    """What touching the last place again is for; None if it makes no move."""
    exact = [c for c in choices if frozenset().union(*c.groups) <= set(touched)]
    ended = exact or [c for c in choices if c.is_whole]
    uses = {kinds[c.kind].ending or f"for {kinds[c.kind].name}" for c in ended}
    if not ended:
        return None
    return uses.pop() if len(ended) == 1 else phrases.several


def _more(
    kinds: Sequence[KindWords], choices: Sequence[Choice], touched: Sequence[Hashable], phrases: Phrases
) -> list[str]:
    """The places that are missing of the line or block of which some are touched."""
    missing: dict[int, set[int]] = {}
    for c in choices:
        if c.groups[c.at] & set(touched):
            missing.setdefault(c.kind, set()).add(len(c.groups[c.at] - set(touched)))
    found = [
        (c.kind, _missing(_step(kinds, c, c.at), missing[c.kind], f"for {kinds[c.kind].name}", phrases))
        for c in choices
        if missing.get(c.kind, {0}) != {0} and c.groups[c.at] - set(touched)
    ]
    several = len({c.kind for c in choices}) > 1
    return _listed(kinds, found if several else [(kind, _without_use(step)) for kind, step in found], choices, phrases)


def _missing(step: StepWords, counts: set[int], use: str, phrases: Phrases) -> StepWords:
    """The rest of a line or block: ``another square``, ``3 more squares``, or an unknown number of them."""
    if counts == {1}:
        thing = phrases.another.format(step.thing.split(" ", 1)[1])
    else:
        thing = phrases.more.format(*counts, step.things) if len(counts) == 1 else phrases.most.format(step.things)
    return StepWords(thing, step.things, use)


def _without_use(step: StepWords) -> StepWords:
    return StepWords(step.thing, step.things)


def _either(parts: Iterable[str]) -> str:
    """Alternatives, parted by commas where one of them has an ``or`` of its own."""
    *first, last = [*parts] or [""]
    if not first:
        return last
    comma = "," if len(first) > 1 or any(" or " in part for part in (*first, last)) else ""
    return f"{', '.join(first)}{comma} or {last}"


def _or(texts: Sequence[str]) -> str:
    *first, last = texts or ("",)
    return f"{', '.join(first)} or {last}" if first else last


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
