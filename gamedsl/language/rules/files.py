"""Finds and reads rulesets: by path, by shipped name, or beside the ruleset that uses them; applies variants."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from gamedsl.language.rules.error_report import Bail, Report, near_names
from gamedsl.language.rules.variants import apply_variant, refuse_outside_variants
from gamedsl.language.source import (
    SHOWN_INPUT,
    STANDARD_INPUT,
    Diagnostic,
    FileError,
    GameDSLError,
    Resolver,
    Source,
    Span,
    UsageError,
    exists,
    input_named,
    is_folder,
    is_regular,
    node,
    read_file,
    reason,
    resource_path,
)
from gamedsl.language.syntax import KeptDeclarations, ast, parse_ruleset

ENDINGS = (".gdl", ".json", ".yaml", ".yml")
MOST_BYTES = 2_000_000
MOST_SHOWN = 120  # characters of a path in a message


@node()
class Loaded:
    path: str
    tree: tuple[ast.Decl, ...]
    source: Source
    variant: Variant | None = None


@node()
class Variant:
    """A variant as written: its head, its declarations, and the original."""

    head: ast.VariantDecl
    own: tuple[ast.Decl, ...]
    original: Loaded


@cache  # an editor asks at every keystroke
def shipped() -> Mapping[str, Path]:
    """Returns the paths of the shipped rulesets by name."""
    folder = resource_path("rulesets")
    return {p.stem: p for p in sorted(folder.rglob("*.gdl"))}


@cache
def library() -> Path:
    """Returns the folder of the shipped rulesets, resolved."""
    return resource_path("rulesets").resolve()


def find_ruleset(name: str) -> Path:
    """Returns the file that an argument names: a path, or a shipped ruleset. Raises ``UsageError`` if there is none."""
    path = Path(name)
    if input_named(path) is not None:
        return path
    if name == STANDARD_INPUT:
        raise UsageError(
            "`-` stands for standard input, which does not hold a ruleset here",
            code="E0002",
            help="Name a file, or a shipped ruleset.",
        )
    if path.suffix in ENDINGS or exists(path):
        if is_folder(path):
            raise UsageError(
                f"`{shortened(name)}` is a folder, not a ruleset",
                code="E0003",
                help="Name a file, or a shipped ruleset.",
            )
        if exists(path):
            return path
        by_stem = shipped().get(path.stem)
        if by_stem is not None and path.parts[:1] == ("rulesets",) and path.suffix == ".gdl":
            return by_stem
        near = near_names(path.name, [p.name for p in path.parent.glob("*")] if is_folder(path.parent) else [])
        raise UsageError(f"there is no file `{shortened(name)}`", code="E0002", near=near)
    known = shipped()
    if name in known:
        return known[name]
    raise UsageError(
        f"`{shortened(name)}` is neither a file nor a shipped ruleset",
        code="E0002",
        near=near_names(name, known),
        help="`gamedsl list` shows the shipped rulesets.",
    )


def read_text(path: Path) -> Source:
    """Returns the text of a ruleset file. Raises ``FileError`` if it cannot be read, and ``GameDSLError`` if it is not
    UTF-8.
    """
    try:
        data = read_file(path, MOST_BYTES)
    except OSError as problem:
        raise FileError(f"`{path}` cannot be read: {reason(problem)}", code="E0003") from None
    is_piped = input_named(path) is not None
    if "logging" in sys.modules:  # start-up: without it nobody listens
        sys.modules["logging"].getLogger(__name__).info("read %s", SHOWN_INPUT if is_piped else path.resolve())
    return Source(SHOWN_INPUT if is_piped else str(path), decoded(data, path).replace("\r\n", "\n"))


def decoded(data: bytes, path: Path) -> str:
    """Returns the decoded text of a file. Raises ``GameDSLError`` at the first byte that is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = Source(str(path), data[: problem.start].decode("utf-8", "replace"))
        span = Span(before, len(before.text), len(before.text))
        message = "this is not UTF-8 text"
        raise GameDSLError(Diagnostic("E0113", message, span, help="Save the file as UTF-8.")) from None


def read_tree(
    source: Source, kept: KeptDeclarations | None = None
) -> tuple[ast.Ruleset | None, tuple[Diagnostic, ...]]:
    """Returns the declarations of a file in text or data form (None: no document), and the problems. ``kept``: as for
    ``parse_ruleset``.
    """
    if source.path.endswith(ENDINGS[1:]):
        from gamedsl.language.syntax import load_data  # start-up: needs YAML and JSON readers

        tree, found = load_data(source.text, source.path)
        return tree, tuple(found)
    return parse_ruleset(source, kept)


def shortened(file: str) -> str:
    """Returns a name for a message, without the middle if it is long."""
    return file if len(file) <= MOST_SHOWN else f"{file[:40]}...{file[-20:]}"


@node()
class Parsed:
    """A parsed file: its text, its tree before variants are applied, and the problems of its form."""

    source: Source
    tree: ast.Ruleset
    problems: tuple[Diagnostic, ...] = ()


def parse_source(source: Source, kept: KeptDeclarations | None = None) -> Parsed:
    """Parses a source; a document without a ruleset has an empty tree. ``kept``: as for ``parse_ruleset``."""
    tree, problems = read_tree(source, kept)
    return Parsed(source, tree or ast.Ruleset((), span=Span(source, 0, 0)), problems)


class Files:
    """The files of one run, each read once. ``parsed``: trees by resolved path that replace the files."""

    def __init__(self, report: Report, parsed: Mapping[str, Parsed] | None = None) -> None:
        self.report = report
        self.parsed: dict[str, Parsed] = dict(parsed or {})
        self.loaded: dict[str, Loaded] = {}
        self.opening: list[str] = []
        self.first: Loaded | None = None  # the file being checked
        self.resolved = Resolver().resolved

    @property
    def is_variant(self) -> bool:
        """Whether the file being checked is a variant."""
        return self.first is not None and self.first.variant is not None

    def load_first(self, path: Path) -> Loaded:
        self.first = self._load(path, None)
        return self.first

    def load(self, file: str, span: Span, beside: str) -> Loaded:
        """Loads a file that a ruleset refers to: in its folder or shipped, never elsewhere."""
        folder = (self.resolved(Path(beside)) or Path(beside)).parent
        wanted, shipped_one = self.resolved(folder / file), self.resolved(library() / file)
        if wanted is None or shipped_one is None:
            self.report.fail("E0436", span, file=shortened(file))
        if Path(file).is_absolute() or not (wanted.is_relative_to(folder) or wanted.is_relative_to(library())):
            self.report.fail("E0435", span, file=shortened(file))
        if not exists(wanted):
            if not shipped_one.is_relative_to(library()):
                self.report.fail("E0435", span, file=shortened(file))
            by_name = shipped().get(Path(file).stem)
            if not is_regular(shipped_one) and by_name is not None and by_name.name == file:
                shipped_one = by_name  # shipped ones are found by name, in any folder
            if not is_regular(shipped_one):
                names = [p.name for p in (*folder.glob("*.gdl"), *library().glob("*.gdl"))]
                self.report.fail("E0436", span, near=self.report.near_names(file, names), file=shortened(file))
            wanted = shipped_one
        shown = Path(beside).parent / file
        return self._load(shown if exists(shown) else wanted, span)

    def _load(self, path: Path, span: Span | None) -> Loaded:
        key = str(self.resolved(path) or path)
        if key in self.loaded:
            return self.loaded[key]
        if key in self.opening:
            assert span is not None
            self.report.fail("E0437", span, file=path.name)
        self.opening.append(key)
        try:
            read = self.parsed.get(key) or parse_source(self._read(path, span))
            self.report.extend(read.problems)
            if read.problems and not read.tree.decls:
                raise Bail
            if any(d.is_error for d in read.problems):
                self.report.broken = True
            decls, variant = self._with_variant(read.tree, str(path))
            loaded = Loaded(str(path), decls, read.source, variant)
            self.loaded[key] = loaded
            self.parsed[key] = read
            return loaded
        finally:
            self.opening.pop()

    def _read(self, path: Path, span: Span | None) -> Source:
        """Reads a file. ``span``: the place that names it."""
        try:
            return read_text(path)
        except FileError as problem:
            if span is None:
                raise
            self.report.fail("E0447", span, problem=problem.diagnostics[0].message)

    def _with_variant(self, tree: ast.Ruleset, path: str) -> tuple[tuple[ast.Decl, ...], Variant | None]:
        variants = [d for d in tree.decls if isinstance(d, ast.VariantDecl)]
        if not variants:
            refuse_outside_variants(tree.decls, self.report)
            return tree.decls, None
        if len(variants) > 1:
            self.report.fail("E0211", variants[1].span, what="variant of")
        base = self.load(variants[0].file, variants[0].span, beside=path)
        return apply_variant(base.tree, variants[0], tree.decls, self.report), Variant(variants[0], tree.decls, base)
