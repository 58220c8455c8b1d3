"""Finding and reading rulesets: by path or shipped name, beside the ruleset that uses them, with variants worked in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gamedsl.rules.report import Bail, Report, near_names
from gamedsl.rules.variants import apply_variant
from gamedsl.source.diagnostic import Diagnostic, GameDSLError, UsageError
from gamedsl.source.share import share
from gamedsl.source.text import Source, Span
from gamedsl.syntax import ast
from gamedsl.syntax.parser import parse

ENDINGS = (".gdl", ".json", ".yaml", ".yml")
MOST_BYTES = 2_000_000


@dataclass(frozen=True)
class Loaded:
    path: str
    tree: tuple[ast.Decl, ...]
    source: Source


def shipped() -> dict[str, Path]:
    """The shipped rulesets by name."""
    folder = share("rulesets")
    return {p.stem: p for p in sorted(folder.rglob("*.gdl"))}


def find(name: str) -> Path:
    """The file that a command's argument means: a path, or the name of a shipped ruleset."""
    path = Path(name)
    if path.suffix in ENDINGS or _exists(path):
        if path.is_dir():
            raise UsageError(
                f"`{name}` is a folder, not a ruleset", code="E0003", help="Name a file, or a shipped ruleset."
            )
        if _exists(path):
            return path
        by_stem = shipped().get(path.stem)
        if by_stem is not None and path.parts[:1] == ("rulesets",) and path.suffix == ".gdl":
            return by_stem
        near = near_names(path.name, [p.name for p in path.parent.glob("*")] if path.parent.is_dir() else [])
        raise UsageError(f"there is no file `{name}`", code="E0002", near=near)
    known = shipped()
    if name in known:
        return known[name]
    raise UsageError(
        f"`{name}` is neither a file nor a shipped ruleset",
        code="E0002",
        near=near_names(name, known),
        help="`gamedsl list` names the shipped rulesets.",
    )


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def read_text(path: Path) -> Source:
    try:
        if not path.is_file():
            raise UsageError(f"`{path}` is not a file", code="E0003")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as problem:
        raise UsageError(f"`{path}` can't be read: {problem.strerror or problem}", code="E0003") from None
    if len(data) > MOST_BYTES:
        raise UsageError(f"`{path}` is too large to be a ruleset (more than {MOST_BYTES} bytes)", code="E0003")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = Source(str(path), data[: problem.start].decode("utf-8", "replace"))
        span = Span(before, len(before.text), len(before.text))
        message = "this is not UTF-8 text"
        raise GameDSLError(Diagnostic("E0113", message, span, help="Save the file as UTF-8.")) from None
    return Source(str(path), text.replace("\r\n", "\n"))


def read_tree(source: Source) -> tuple[ast.Ruleset | None, tuple[Diagnostic, ...]]:
    """A file's declarations, from text or from the data form."""
    if source.path.endswith(ENDINGS[1:]):
        from gamedsl.syntax.dataload import load_data  # start-up: needs YAML and JSON readers

        tree, found = load_data(source.text, source.path)
        return tree, tuple(found)
    return parse(source)


class Files:
    """The files of one run, each read once."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.loaded: dict[str, Loaded] = {}
        self.opening: list[str] = []

    def load_first(self, path: Path) -> Loaded:
        return self._load(path, None)

    def load(self, file: str, span: Span, beside: str) -> Loaded:
        """A file that a ruleset names: beside it, or shipped; never outside those two folders."""
        folder = Path(beside).resolve().parent
        wanted = (folder / file).resolve()
        library = share("rulesets").resolve()
        shipped_one = (library / file).resolve()
        if Path(file).is_absolute() or not (wanted.is_relative_to(folder) or wanted.is_relative_to(library)):
            self.report.fail("E0435", span, file=file)
        if not wanted.is_file():
            if not shipped_one.is_relative_to(library):
                self.report.fail("E0435", span, file=file)
            by_name = shipped().get(Path(file).stem)
            if not shipped_one.is_file() and by_name is not None and by_name.name == file:
                shipped_one = by_name  # shipped ones are known by name, wherever they stand
            if not shipped_one.is_file():
                names = [p.name for p in (*folder.glob("*.gdl"), *library.glob("*.gdl"))]
                self.report.fail("E0436", span, near=near_names(file, names), file=file)
            wanted = shipped_one
        shown = Path(beside).parent / file
        return self._load(shown if shown.is_file() else wanted, span)

    def _load(self, path: Path, span: Span | None) -> Loaded:
        key = str(path.resolve())
        if key in self.loaded:
            return self.loaded[key]
        if key in self.opening:
            assert span is not None
            self.report.fail("E0437", span, file=path.name)
        self.opening.append(key)
        try:
            source = read_text(path)
            tree, found = read_tree(source)
            self.report.extend(found)
            if tree is None:
                raise Bail
            decls = self._with_variant(tree, str(path))
            loaded = Loaded(str(path), decls, source)
            self.loaded[key] = loaded
            if any(d.is_error for d in found):
                self.report.broken = True
            return loaded
        finally:
            self.opening.pop()

    def _with_variant(self, tree: ast.Ruleset, path: str) -> tuple[ast.Decl, ...]:
        variants = [d for d in tree.decls if isinstance(d, ast.VariantDecl)]
        if not variants:
            removes = [d for d in tree.decls if isinstance(d, ast.RemoveDecl)]
            for r in removes:
                self.report.add("E0438", r.span)
            return tree.decls
        if len(variants) > 1:
            self.report.fail("E0211", variants[1].span, what="variant of")
        base = self.load(variants[0].file, variants[0].span, beside=path)
        return apply_variant(base.tree, variants[0], tree.decls, self.report)
