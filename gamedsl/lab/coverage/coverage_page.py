"""Formats coverage as text and as an HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from markupsafe import Markup

from gamedsl.lab.base import render
from gamedsl.lab.coverage.counts import Coverage, Line
from gamedsl.language.source import lazy_dataclass

ANSI = {"never": "31", "partly": "33", "used": "32"}
SIGN = {"never": "!", "partly": "~", "used": " ", "none": " "}


def as_text(found: Coverage, colour: bool = False) -> str:
    """Returns the ruleset with its counts, and a summary. ``colour``: adds escape sequences for a terminal."""
    out = [f"{found.title}: {found.extent}"]
    for path, lines in found.files:
        out += [
            "",
            Path(path).name,
            f"{'times':>9} {'else':>9} {_when(found):>5}" + (" only" if _asks_alone(found) else ""),
        ]
        out += [_row(line, _asks_alone(found), colour) for line in lines]
    return "\n".join([*out, "", *summary(found)])


def _when(found: Coverage) -> str:
    """Returns the unit of ``first``, abbreviated."""
    return "ex." if found.how == "examples" else "ply"


def _asks_alone(found: Coverage) -> bool:
    """Whether it is known which guards were the only reason against a move."""
    return found.how == "search"


def _alone(line: Line) -> str:
    return "" if line.alone is None else "yes" if line.alone else "no"


def _row(line: Line, with_alone: bool, colour: bool) -> str:
    numbers = f"{_number(line.times):>9} {_number(line.other):>9} {_number(line.first):>5}"
    numbers += f" {_alone(line):>4}" if with_alone else ""
    row = f"{numbers} {SIGN[line.mark]} {line.number:>4}  {line.text}".rstrip()
    code = ANSI.get(line.mark) if colour else None
    return f"\x1b[{code}m{row}\x1b[0m" if code else row


def _number(n: int | None) -> str:
    return "" if n is None else f"{n:,}"


def summary(found: Coverage) -> Iterator[str]:
    """Yields the lines of a short summary: what was used and what was not."""
    counted = found.counted
    used = len(counted) - len(found.never)
    yield f"{used} of {len(counted)} lines used" + _listed(found, found.never, "not used: line")
    guards = [x for x in counted if x.kind == "guard"]
    yield f"{sum(bool(x.other) for x in guards)} of {len(guards)} guards refused something" + _listed(
        found, [x for x in guards if not x.other], "never refused: line"
    )
    asked = [x for x in found.counted if x.alone is not None]
    if asked:
        yield (
            f"{sum(bool(x.alone) for x in asked)} of {len(asked)} guards were the only reason against some move"
            + _listed(found, [x for x in asked if not x.alone], "never alone: line")
        )
    tests = [x for x in found.partly if x.kind == "test"]
    if tests:
        yield f"conditions that were always or never true{_listed(found, tests, 'line')}"
    yield from _named("moves", "played", [(found.move_words.get(name, name), hits) for name, hits in found.moves])
    yield from _named("phases", "reached", found.phases)
    reached = [(c, n) for c, n in found.clauses if n is not None]
    yield from _named("clauses", "used", reached)
    if found.missing:
        yield "not found:"
        yield from (f"  {line}" for line in found.missing)
    yield verdict(found)


def clause_table(found: Coverage) -> str:
    """Returns a table of the clauses cited by acting lines: how often such a line was used, when first, and the
    clause's text.
    """
    rows = [f"{'times':>9} {_when(found):>5}  clause"]
    for clause, times in found.clauses:
        first = found.firsts.get(clause)
        text = found.texts.get(clause, "")
        rows.append(f"{'-' if times is None else _number(times):>9} {_number(first):>5}  {clause:<8} {text}".rstrip())
    counted = [n for _, n in found.clauses if n is not None]
    used = f"{sum(map(bool, counted))} of {len(counted)} clauses used"
    other = len(found.clauses) - len(counted)
    more = f"; {other} are cited only by lines that cannot be counted (-)" if other else ""
    return "\n".join([f"{found.title}: {found.extent}", *rows, used + more])


def _listed(found: Coverage, lines: Iterable[Line], words: str) -> str:
    numbers: dict[str, list[str]] = {}
    for line in lines:
        numbers.setdefault(Path(line.path).name, []).append(str(line.number))
    listed = [f"{', '.join(those)}{f' of {name}' if len(found.files) > 1 else ''}" for name, those in numbers.items()]
    plural = "s" if sum(map(len, numbers.values())) > 1 else ""
    return f" ({words}{plural} {'; '.join(listed)})" if numbers else ""


def _named(what: str, done: str, counts: Iterable[tuple[str, int]]) -> Iterator[str]:
    pairs = list(counts)
    never = [name for name, n in pairs if not n]
    if pairs:
        yield f"{len(pairs) - len(never)} of {len(pairs)} {what} {done}" + (
            f" (not: {', '.join(never)})" if never else ""
        )


def verdict(found: Coverage) -> str:
    """Returns the conclusion that the coverage allows, as a sentence."""
    if found.whole:
        return "All positions were examined: a line not used here can never be used."
    return "This is a sample: a line not used here may well be used in other games."


# ----------------------------------------------------------------------------------------------------------- HTML


@lazy_dataclass(frozen=True)
class RowView:
    """A line of a ruleset, with its counts and number formatted."""

    mark: str
    cells: tuple[str, ...]
    text: str


@lazy_dataclass(frozen=True)
class FileView:
    name: str
    rows: tuple[RowView, ...]


@lazy_dataclass(frozen=True)
class CoverageView:
    """The values shown by the templates."""

    extent: str
    points: tuple[str, ...]
    heads: tuple[str, ...]
    files: tuple[FileView, ...]


def as_html(found: Coverage, boards: Sequence[tuple[str, str]] = (), assets: str = "") -> str:
    """Returns one self-contained page. ``boards``: captions and pictures (HTML) of positions; ``assets``: the HTML
    they need.
    """
    return render(
        "coverage.html",
        title=f"Coverage of {found.title}",
        coverage=coverage_view(found),
        boards=[{"caption": caption, "picture": Markup(picture)} for caption, picture in boards],
        assets=Markup(assets),
    )


def coverage_view(found: Coverage) -> CoverageView:
    """Returns the summary and tables, for a page of their own or as part of another."""
    alone = ("only reason",) if _asks_alone(found) else ()
    heads = ("times", "else", f"first {_when(found)}", *alone, "", "")
    files = tuple(
        FileView(Path(path).name, tuple(_row_view(line, _asks_alone(found)) for line in lines))
        for path, lines in found.files
    )
    return CoverageView(found.extent, tuple(summary(found)), heads, files)


def _row_view(line: Line, with_alone: bool) -> RowView:
    texts = [_number(n) for n in (line.times, line.other, line.first)]
    texts += [_alone(line)] if with_alone else []
    return RowView(line.mark, (*texts, _number(line.number)), line.text)
