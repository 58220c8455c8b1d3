"""The texts that an editor holds, over those on the disk; each check sees one state of all of them."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from gamedsl.editor.outline import outline
from gamedsl.language.rules import (
    ENDINGS,
    MOST_BYTES,
    Env,
    Parsed,
    decoded,
    examine,
    parse_source,
    shipped,
)
from gamedsl.language.source import (
    Diagnostic,
    GameDSLError,
    Resolver,
    Source,
    is_regular,
    lazy_dataclass,
    read_file,
    resource_path,
)
from gamedsl.language.syntax import KeptDeclarations, read_lines

MOST_KEPT = 40  # parsed files
EXAMPLES = ".examples.yaml"
NOWHERE = str(Path("/no file").resolve())  # the folder in which texts without a file are held
Reading: TypeAlias = Callable[[str], Source | None]  # of a file by its path, as ``Desk.source`` reads it
_IS_RULESET = re.compile(r"""["']?kind["']?\s*:\s*["']?(?:ruleset|variant)""")
_HEAD = 2000  # characters in which a ruleset as data says that it is one
_MOST_ABOVE, _MOST_BESIDE = 3, 500  # folders, and rulesets in each, that may name a file
_NAMES_FILES = re.compile(r"(?m)^[ \t\ufeff]*(?:use|variant|clauses)\b")


@lazy_dataclass(frozen=True)
class Analysis:
    """What a check of a file found: its messages, the names it knows, and the texts it depends on, with what they were.
    ``trees``: what it read. Its places are right as long as the desk has these trees.
    """

    source: Source
    found: tuple[Diagnostic, ...]
    env: Env | None
    clauses: Mapping[str, str]
    used: Mapping[str, str]
    trees: tuple[Parsed, ...]


@lazy_dataclass()
class Desk:
    """Open texts by resolved path, and what is known of all texts that were read. Texts are checked and parsed on one thread: the tree
    of a text takes over what it can of the last tree of its file, whose places are no longer right then.
    """

    open: dict[str, Source] = field(default_factory=dict)
    _parsed: OrderedDict[str, tuple[Parsed, KeptDeclarations]] = field(default_factory=OrderedDict)
    _analyses: dict[str, Analysis] = field(default_factory=dict)
    _good: dict[str, Analysis] = field(default_factory=dict)

    def put(self, path: str, text: str) -> Source:
        """Takes the text of an open file."""
        source = Source(path, text.replace("\r\n", "\n"))
        self.open[path] = source
        return source

    def close(self, path: str) -> None:
        self.open.pop(path, None)

    def source(self, path: str) -> Source | None:
        """The text of a file: as it is open, else from the disk; None if it cannot be read."""
        if path in self.open:
            return self.open[path]
        file = Path(path)
        try:
            if not is_regular(file):
                return None
            return Source(path, decoded(read_file(file, MOST_BYTES), file).replace("\r\n", "\n"))
        except (OSError, GameDSLError):
            return None

    def parse(self, source: Source) -> Parsed:
        """The tree of a text, kept for the last files."""
        last = self._parsed.get(source.path)
        if last is not None and last[0].source == source:
            return last[0]
        kept = KeptDeclarations() if last is None else last[1]
        found = parse_source(source, kept)
        self._parsed[source.path] = found, kept
        self._parsed.move_to_end(source.path)
        while len(self._parsed) > MOST_KEPT:
            self._parsed.popitem(last=False)
        return found

    def _has(self, tree: Parsed) -> bool:
        """Returns whether a tree is the last one of its file, so that its places are right."""
        last = self._parsed.get(tree.source.path)
        return last is not None and last[0] is tree

    def snapshot(self) -> dict[str, Source]:
        """The open texts as they are now."""
        return dict(self.open)

    def analyze(self, path: str, texts: Mapping[str, Source] | None = None) -> Analysis:
        """Checks a ruleset as the texts are in a snapshot. The last answer is given again while nothing it used changed."""
        texts = self.open if texts is None else texts
        source = texts.get(path) or self.source(path) or Source(path, "")
        kept = self._analyses.get(path)
        read = cache(self.source)
        is_known = kept is not None and kept.source == source and all(map(self._has, kept.trees))
        if kept is not None and is_known and kept.used == self._used(path, source, texts, read):
            return kept
        overlay = {p: self.parse(s) for p, s in texts.items() if p.endswith(ENDINGS) and not p.endswith(EXAMPLES)}
        overlay[path] = self.parse(source)
        for other in () if kept is None else kept.used:  # files on the disk that the last check read are parsed once
            found_there = None if other in overlay or not other.endswith(ENDINGS) else read(other)
            if found_there is not None:
                overlay[other] = self.parse(found_there)
        try:
            examined = examine(Path(path), None, overlay)
            found, env = tuple(examined.found), examined.env
            clauses = dict(examined.program.clauses) if examined.program is not None else self.clauses(path)
            opened = {p: one.source for p, one in examined.files.items()}
        except GameDSLError as mistake:
            found, env, clauses, opened = mistake.diagnostics, None, self.clauses(path), {}
        used = self._used(path, source, {**texts, **opened}, read)
        trees = tuple(overlay[p] for p in (path, *used) if p in overlay)
        analysis = Analysis(source, found, env, clauses, used, trees)
        self._analyses[path] = analysis
        if env is not None and env.symbols:
            self._good[path] = analysis
        return analysis

    def _used(self, path: str, source: Source, texts: Mapping[str, Source], read: Reading) -> dict[str, str]:
        """The files on which a ruleset depends, clauses too, each with its text: as among these, else as it is read; empty if it cannot
        be read.
        """
        found = {p: texts.get(p) or read(p) for p in self._linked(path, source, read)}
        return {p: "" if one is None else one.text for p, one in found.items()}

    def names(self, path: str) -> Env | None:
        """The names of the last check of a file that came that far."""
        good = self._good.get(path)
        return None if good is None else good.env

    def clauses(self, path: str) -> Mapping[str, str]:
        """The clauses of a ruleset's document, as the last check that read them knows them."""
        last = self._analyses.get(path)
        return {} if last is None else last.clauses

    def dependents(self, path: str) -> list[str]:
        """The open rulesets that depend on a file, and what belongs to it or to one of them: examples, clauses."""
        rulesets = [p for p, source in self.open.items() if p != path and path in self.linked(p, source)]
        changed = {path, *rulesets}
        examples = [p for p in self.open if p.endswith(EXAMPLES) and self.ruleset_of(p) in changed]
        named = {other for p in changed if p in self.open for _, _, other in self.links(self.open[p])}
        clauses = [p for p in named if p in self.open and p.endswith(ENDINGS[1:])]
        return [p for p in dict.fromkeys((*rulesets, *examples, *clauses)) if p != path]

    def links(self, source: Source) -> list[tuple[int, int, str]]:
        """The files that a text names, with the extents of their names: used and original rulesets, clauses."""
        return self._links(source, Resolver())

    def _links(self, source: Source, paths: Resolver) -> list[tuple[int, int, str]]:
        named = ((start, end, self._resolve(source.path, file, paths)) for start, end, file in _files_named(source))
        return [(start, end, path) for start, end, path in named if path is not None]

    def resolve(self, beside: str, file: str) -> str | None:
        """The path of a file that a ruleset names: in its folder, or a shipped one. Of others nothing is said, as they cannot be used."""
        return self._resolve(beside, file, Resolver())

    def _resolve(self, beside: str, file: str, paths: Resolver) -> str | None:
        folder = paths.resolved(Path(beside).parent)
        near = None if folder is None else paths.resolved(folder / file)
        if folder is not None and near is not None:
            is_usable = near.is_relative_to(folder) or near.is_relative_to(resource_path("rulesets").resolve())
            if is_usable and (str(near) in self.open or is_regular(near)):
                return str(near)
        named = shipped().get(Path(file).stem)
        return str(named.resolve()) if named is not None and named.name == file else None

    def naming(self, source: Source, path: str) -> tuple[int, int]:
        """Where a text names a file, or a file that depends on it; the first line of the text if it does so nowhere."""
        links = self.links(source)
        direct = [(start, end) for start, end, other in links if other == path]
        if direct:
            return direct[0]
        for start, end, other in links:
            found = self.source(other)
            if found is not None and path in self.linked(other, found):
                return start, end
        return 0, len(source.line(1))

    def involved(self, path: str) -> frozenset[str]:
        """The files on which the examples and claims of a ruleset depend, by the path of either of its files."""
        stem = path.removesuffix(EXAMPLES) if path.endswith(EXAMPLES) else str(Path(path).with_suffix(""))
        found = {path, stem + EXAMPLES, *(stem + ending for ending in ENDINGS)}
        for one in sorted(found):
            source = self.source(one) if one.endswith(".gdl") else None
            if source is not None:
                found |= self.linked(one, source)
        return frozenset(found)

    def linked(self, path: str, source: Source) -> set[str]:
        """All files on which a ruleset depends, by way of others too."""
        return self._linked(path, source, self.source)

    def _linked(self, path: str, source: Source, read: Reading) -> set[str]:
        seen: set[str] = set()
        waiting, paths = [source], Resolver()
        while waiting:
            for _, _, other in self._links(waiting.pop(), paths):
                if other not in seen and other != path:
                    seen.add(other)
                    found = read(other) if other.endswith(".gdl") else None
                    if found is not None:
                        waiting.append(found)
        return seen

    def ruleset_of(self, path: str) -> str | None:
        """The ruleset to which a file of examples belongs: beside it, as it is open or on the disk."""
        stem = path.removesuffix(EXAMPLES)
        beside = [stem + ending for ending in ENDINGS]
        return next((p for p in beside if p in self.open), None) or next((p for p in beside if Path(p).is_file()), None)

    def naming_it(self, path: str) -> list[str]:
        """The rulesets that name a file: open ones, those beside it, and those in the folders above."""
        found = {p for p in self.open if p.endswith(".gdl")}
        with suppress(OSError):
            for folder in list(Path(path).parents)[:_MOST_ABOVE]:
                found |= {str(p) for p in islice(folder.glob("*.gdl"), _MOST_BESIDE)}
        return [
            p
            for p in sorted(found)
            if (s := self.source(p)) is not None and any(o == path for _, _, o in self.links(s))
        ]

    def kind(self, source: Source) -> str:
        """What a text is: ``rules``, ``data`` (a ruleset as JSON or YAML), ``examples``, ``clauses``, or ``other``."""
        path = source.path
        if path.endswith(EXAMPLES):
            return "examples"
        if path.endswith(ENDINGS[1:]):
            if _IS_RULESET.search(source.text[:_HEAD]):
                return "data"
            return "clauses" if self.naming_it(path) else "other"
        return "rules" if path.endswith(".gdl") or path.startswith(NOWHERE) else "other"

    def around(self, path: str) -> list[str]:
        """The rulesets beside a file and open ones: where its names may occur."""
        folder = Path(path).parent
        found = {p for p in self.open if p.endswith(".gdl")}
        with suppress(OSError):
            found |= {str(p) for p in folder.glob("*.gdl")} if folder.is_dir() else set()
        return sorted(found - {path})

    def original(self, source: Source) -> str | None:
        """The ruleset of which a text is a variant."""
        if any(d.kind == "variant" for d in outline(source)):
            head = next(line for line in read_lines(source) if line.first == "variant")
            text = next((w for w in head.words if w.kind == "string"), None)
            return None if text is None else self.resolve(source.path, text.text[1:-1])
        return None


@lru_cache(maxsize=64)
def _files_named(source: Source) -> tuple[tuple[int, int, str], ...]:
    """The files that a text names, as it names them, with the extents of their names."""
    if not _NAMES_FILES.search(source.text):
        return ()
    return tuple(
        (word.start, word.end, word.text[1:-1])
        for line in read_lines(source)
        if line.first in ("use", "variant", "clauses")
        for word in line.words
        if word.kind == "string"
    )
