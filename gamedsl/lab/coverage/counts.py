"""Line coverage: how often each line of a ruleset was used, with which result, and when first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Literal, TypeAlias

from gamedsl.engine import State
from gamedsl.lab.coverage.instrument import InstrumentedGame, Probe
from gamedsl.language.core import nodes as n
from gamedsl.language.core import with_identifier, words_of_move
from gamedsl.language.source import NOWHERE, Source, lazy_dataclass

How: TypeAlias = Literal["examples", "random", "explore", "search"]
Mark: TypeAlias = Literal["none", "never", "partly", "used"]
QUESTIONS = ("guard", "forbid", "test")


@lazy_dataclass()
class Tally:
    """Counts for one item on a line: hits, hits of the opposite result (conditions only), the first hit, and its
    position.

    ``where`` is None if the first hit came while the game was being set up, or if the position is not known.
    """

    kind: str
    hits: int = 0
    other: int | None = None
    first: int | None = None
    where: State | None = None

    def meet(self, first: int | None, where: State | None) -> None:
        """Records a hit."""
        if first is not None and (self.first is None or first < self.first):
            self.first, self.where = first, where


@lazy_dataclass(frozen=True)
class Line:
    """A line of a ruleset with its counts.

    ``times``: how often it was executed, or its condition held. ``other``: how often the condition did not hold
    (for a guard: how often it refused). ``first``: the ply, or the number of the example, of the first use.
    ``mark``: nothing to count ("none"), never used, always the same result ("partly"), or used. ``alone``: whether
    it was ever the only reason against a move (None: not examined, or not a guard). ``where``: the position in
    which it was first used, if known.
    """

    number: int
    text: str
    times: int | None = None
    other: int | None = None
    first: int | None = None
    mark: Mark = "none"
    kind: str = ""
    path: str = ""
    alone: bool | None = None
    where: State | None = field(default=None, compare=False, repr=False)


@lazy_dataclass(frozen=True)
class Coverage:
    """The coverage of a ruleset.

    ``whole``: all reachable positions were examined, so a line that was not used can never be used.
    """

    title: str
    how: How
    extent: str  # "100 playouts (seed 1), 763 plies"
    whole: bool
    files: tuple[tuple[str, tuple[Line, ...]], ...]
    moves: tuple[tuple[str, int], ...]
    phases: tuple[tuple[str, int], ...]
    clauses: tuple[tuple[str, int | None], ...]  # None: no line that cites it has anything to count
    firsts: Mapping[str, int] = field(default_factory=dict)  # the first use of each clause that was used
    texts: Mapping[str, str] = field(default_factory=dict)  # the paraphrases of clauses
    missing: tuple[str, ...] = ()  # goals that a search did not reach, in words
    move_words: Mapping[str, str] = field(
        default_factory=dict
    )  # the players' words for kinds of moves, with the rules' names

    @property
    def counted(self) -> list[Line]:
        """The lines that have something to count."""
        return [line for _, lines in self.files for line in lines if line.mark != "none"]

    @property
    def never(self) -> list[Line]:
        return [line for line in self.counted if line.mark == "never"]

    @property
    def first_uses(self) -> list[tuple[int, State, list[int]]]:
        """The positions in which lines were first used: (ply, position before it, line numbers).

        If a ruleset has several files, only the lines of the first one are listed.
        """
        found: dict[tuple[int, State], list[int]] = {}
        for line in self.files[0][1] if self.files else ():
            if line.first is not None and line.where is not None:
                found.setdefault((line.first, line.where), []).append(line.number)
        return sorted(((ply, state, lines) for (ply, state), lines in found.items()), key=lambda use: (use[0], use[2]))

    @property
    def partly(self) -> list[Line]:
        """The guards that never or always refused, and the conditions that were always or never true."""
        return [line for line in self.counted if line.mark == "partly"]


# ------------------------------------------------------------------------------------------------------ gathering


@lazy_dataclass()
class _Found:
    """Tallies by line of a file, by kind of move, and by phase."""

    sources: dict[str, Source] = field(default_factory=dict)
    lines: dict[tuple[str, int], dict[tuple[int, int, str], Tally]] = field(default_factory=dict)
    moves: dict[str, int] = field(default_factory=dict)
    phases: dict[str, int] = field(default_factory=dict)

    def add(self, probed: InstrumentedGame, probe: Probe) -> None:
        counts, source = probed.counts, probe.span.source
        hits = counts.hits[probe.number]
        if probe.kind == "move":
            self.moves[probe.name] = self.moves.get(probe.name, 0) + hits
        elif probe.kind in ("stop", "end") and probe.name:
            self.phases[probe.name] = self.phases.get(probe.name, 0) + hits
        if probe.span is NOWHERE:
            return
        self.sources.setdefault(source.path, source)
        here = self.lines.setdefault((source.path, probe.span.line), {})
        tally = here.setdefault((probe.span.start, probe.span.end, probe.kind), Tally(probe.kind))
        tally.hits += hits
        tally.meet(counts.first[probe.number], counts.where[probe.number])
        if probe.other is not None:
            tally.other = (tally.other or 0) + counts.hits[probe.other]
            tally.meet(counts.first[probe.other], counts.where[probe.other])


def gathered(
    runs: Iterable[InstrumentedGame],
    how: How,
    extent: str,
    whole: bool,
    alone: Mapping[tuple[str, int], bool] | None = None,
) -> Coverage:
    """Merges runs of a ruleset (each with one choice of options) into counts per line.

    ``alone`` states, for the guards at these places (file and line), whether they were ever the only reason against
    a move.
    """
    found = _Found()
    programs: list[n.Program] = []
    for probed in runs:
        programs.append(probed.program)
        for probe in probed.probes:
            found.add(probed, probe)
    first = programs[0]
    files = tuple((path, _lines(source, found, alone or {})) for path, source in found.sources.items())
    clauses, firsts = _clauses(programs, found)
    moves, phases = tuple(found.moves.items()), tuple(found.phases.items())
    texts = dict(pair for p in programs for pair in p.clauses)
    names = {s.name: with_identifier(words_of_move(s), s.name) for p in programs for s in p.schemas}
    return Coverage(first.title, how, extent, whole, files, moves, phases, clauses, firsts, texts, move_words=names)


def _lines(source: Source, found: _Found, alone: Mapping[tuple[str, int], bool]) -> tuple[Line, ...]:
    texts, path = source.text.splitlines(), source.path
    return tuple(
        replace(_line(number, text, found.lines.get((path, number), {})), path=path, alone=alone.get((path, number)))
        for number, text in enumerate(texts, 1)
    )


def _line(number: int, text: str, tallies: Mapping[tuple[int, int, str], Tally]) -> Line:
    """Returns one line, with the counts of its conditions if it has any, else those of the item executed most often
    there.
    """
    if not tallies:
        return Line(number, text)
    asked = [t for t in tallies.values() if t.kind in QUESTIONS]
    earliest = Tally("")
    for tally in tallies.values():
        earliest.meet(tally.first, tally.where)
    first, where = earliest.first, earliest.where
    if asked:
        times, other = sum(t.hits for t in asked), sum(t.other or 0 for t in asked)
        mark: Mark = "used" if times and other else "partly" if times or other else "never"
        return Line(number, text, times, other, first, mark, asked[0].kind, where=where)
    most = max(tallies.values(), key=lambda t: t.hits)
    return Line(number, text, most.hits, None, first, "used" if most.hits else "never", most.kind, where=where)


def _clauses(programs: list[n.Program], found: _Found) -> tuple[tuple[tuple[str, int | None], ...], dict[str, int]]:
    """Returns for each clause cited by acting lines how often such a line was used, and the first use of each used
    clause.
    """
    cited: dict[str, list[n.Citation]] = {}
    for program in programs:
        for c in program.citations:
            if not c.presentation:
                cited.setdefault(c.clause, []).append(c)
    uses: list[tuple[str, int | None]] = []
    firsts: dict[str, int] = {}
    for clause, citations in cited.items():
        places = {(c.span.source.path, c.span.line) for c in citations} & found.lines.keys()
        tallies = [t for place in places for t in found.lines[place].values()]
        uses.append((clause, max((t.hits + (t.other or 0) for t in tallies), default=None)))
        when = [t.first for t in tallies if t.first is not None]
        if when:
            firsts[clause] = min(when)
    return tuple(uses), firsts
