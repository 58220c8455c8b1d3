"""The Python API: for every name of the documented face of the packages its signature and docstring, read by griffe without importing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from griffe import Attribute, Class, Function, Module, Object, Parameter, ParameterKind, visit

from scripts.reference.markdown import ROOT, fence, page, slug

FOLDER = "reference/python"
ALL = ("*",)  # all that the package offers


class Face(NamedTuple):
    """A page: what it is about, and the names of packages that it documents."""

    title: str
    lead: str
    names: dict[str, tuple[str, ...]]


FACES = (
    Face(
        "Loading a game",
        "The package itself: loading a ruleset, and the two kinds of mistakes.",
        {"gamedsl": ("load", "GameDSLError", "UsageError")},
    ),
    Face("Game", "A ruleset with values for its options. `gamedsl.load` makes one.", {"gamedsl": ("Game",)}),
    Face("State", "A position of a game. Seats are numbered from 0; -1 is chance.", {"gamedsl": ("State",)}),
    Face(
        "Move",
        "One choice by one player, or one outcome of chance, and the reasons against one.",
        {"gamedsl": ("Move",), "gamedsl.engine": ("Refusal",)},
    ),
    Face(
        "Actions and observations",
        "Numbers for moves and layouts of tensors, for programs that learn.",
        {
            "gamedsl.engine": (
                "ActionSpace",
                "ActionKind",
                "ObservationLayout",
                "Feature",
            ),
            "gamedsl.engine.facts.action_kinds": (
                "ActionParameter",
            ),  # types of values, which programs meet without importing them
            "gamedsl.engine.noticed": ("InformationState",),
        },
    ),
    Face(
        "Records and announcements",
        "Records of games, formats of records, what a seat learns of each ply, and counts of sequences.",
        {
            "gamedsl.engine": (
                "Record",
                "Entry",
                "RecordFormat",
                "Announcement",
                "announced_plies",
                "perft",
                "InterpretedGame",
            )
        },
    ),
    Face(
        "Environments",
        "Many games at once as arrays, and adapters for other libraries. Needs the extra `native`, and that of the other library.",
        {"gamedsl.envs": ALL},
    ),
    Face(
        "Agents",
        "Programs that choose moves, and tournaments between them. Needs the extra `native`.",
        {"gamedsl.agents": ALL},
    ),
    Face(
        "Testing",
        "For authors who test their own games with pytest and Hypothesis. Needs the extra `testing`.",
        {"gamedsl.testing": ALL},
    ),
    Face(
        "Compiled rules",
        "Machine code of a ruleset. Needs the extra `native`.",
        {"gamedsl.compiler": ("compile_program", "Native", "NativeGame"), "gamedsl.language.rules": ("load_program",)},
    ),
    Face(
        "Facts about a ruleset",
        "What the commands `verify`, `solve` and `simulate` use. Needs the extra `native`.",
        {
            "gamedsl.lab.claims": ("verify", "VerifyConfig"),
            "gamedsl.lab.explore": ("explore", "Limits"),
            "gamedsl.lab.solve": ("solve",),
            "gamedsl.lab.simulate": ("simulate", "Plan"),
            "gamedsl.lab.equilibrium": ("game_tree", "sequence_form", "RegretMinimizer"),
            "gamedsl.lab.equilibrium.linear_program": ("solve_linear_program",),
        },
    ),
    Face(
        "Web pages", "The data of a page in the browser.", {"gamedsl.play.web": ("describe_game", "describe_position")}
    ),
    Face(
        "Commands of your own",
        "What a package that adds a command uses.",
        {
            "gamedsl.cli": (
                "Subparsers",
                "command",
                "add_file",
                "add_format",
                "add_options",
                "read_options",
                "say",
                "say_json",
            )
        },
    ),
)


@cache
def _module(path: str) -> Module:
    """A module, alone: griffe's loader would read the whole package."""
    file = ROOT.joinpath(*path.split("."))
    file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    return visit(path, filepath=file, code=file.read_text(encoding="utf-8"))


def find(package: str, name: str) -> Object:
    """The definition of a name that a package offers, wherever it stands."""
    while True:
        member = _module(package).members[name]
        if not member.is_alias:
            assert isinstance(member, Object)
            return member
        package, _, name = member.target_path.rpartition(".")  # type: ignore[union-attr]


def offered(package: str, names: tuple[str, ...]) -> list[str]:
    """These names; for ``ALL`` the list that the package gives of itself."""
    if names != ALL:
        return list(names)
    exports = _module(package).exports
    assert exports is not None
    return [str(name) for name in exports]


def entries() -> Iterator[tuple[Face, str, str, Object]]:
    """Every name of the face: its page, package and name, and where it is defined."""
    for face in FACES:
        for package, names in face.names.items():
            for name in offered(package, names):
                yield face, package, name, find(package, name)


def members(cls: Class) -> dict[str, Object]:
    """The public members of a class, those of its bases in this package first."""
    found: dict[str, Object] = {}
    for base in cls.bases:
        parent = _base(cls, str(base).partition("[")[0])
        if parent is not None:
            found.update(members(parent))
    for name, member in cls.members.items():
        if not name.startswith("_") and isinstance(member, Object) and not member.is_class:
            found[name] = member
    return found


def _base(cls: Class, name: str) -> Class | None:
    if name not in cls.module.members:
        return None
    member = cls.module.members[name]
    package, _, last = member.target_path.rpartition(".") if member.is_alias else (cls.module.path, "", name)  # type: ignore[union-attr]
    found = find(package, last) if package.startswith("gamedsl.") else None
    return found if isinstance(found, Class) else None


def docstring(member: Object, cls: Class | None = None) -> str:
    """The docstring, or that of the same member of a base; empty if there is none."""
    if member.docstring is not None:
        return member.docstring.value
    for base in cls.bases if cls is not None else ():
        parent = _base(cls, str(base).partition("[")[0]) if cls is not None else None
        if parent is not None and member.name in members(parent):
            return docstring(members(parent)[member.name], parent)
    return ""


def python_pages() -> Iterator[tuple[str, str]]:
    """The pages, by their paths in the docs."""
    yield f"{FOLDER}/README.md", _index()
    for face in FACES:
        sections = [_section(package, name, thing) for of, package, name, thing in entries() if of is face]
        yield f"{FOLDER}/{slug(face.title)}.md", page(face.title, face.lead, *sections)


def _index() -> str:
    parts = []
    for face in FACES:
        names = [f"[`{name}`]({slug(face.title)}.md#{name.lower()})" for of, _, name, _ in entries() if of is face]
        parts.append(f"## [{face.title}]({slug(face.title)}.md)\n\n{face.lead}\n\n{', '.join(names)}")
    lead = (
        "Every name that the guide uses, with its signature and what it takes, gives and raises. "
        "[Decision 007](../../decisions/007-stable-names.md) says which of them are stable."
    )
    return page("Python API", lead, *parts)


def _section(package: str, name: str, thing: Object) -> str:
    parts = [f'<a id="{name.lower()}"></a>\n\n## {name}', fence(f"from {package} import {name}")]
    if isinstance(thing, Function):
        return "\n\n".join([*parts, fence(signature(thing)), _text(docstring(thing))])
    if isinstance(thing, Attribute):
        parts.append(fence(f"{name}{f': {thing.annotation}' if thing.annotation else ''} = {thing.value}"))
    parts.append(_text(docstring(thing)))
    if isinstance(thing, Class):
        if "__init__" in thing.members and isinstance(init := thing.members["__init__"], Function):
            parts.insert(2, fence(signature(init, name)))
        fields = [m for m in members(thing).values() if isinstance(m, Attribute) and "property" not in m.labels]
        lines = [
            f"{f.name}: {f.annotation}{'' if f.value is None else f' = {f.value}'}" for f in fields if f.annotation
        ]
        parts += [f"Attributes:\n\n{fence(chr(10).join(lines))}"] if lines else []
        for member in members(thing).values():
            if isinstance(member, Function) or "property" in member.labels:
                parts.append(_member(name, member, thing))
    return "\n\n".join(part for part in parts if part)


def _member(owner: str, member: Object, cls: Class) -> str:
    if isinstance(member, Function):
        shown = signature(member)
    else:
        shown = f"{member.name}: {member.annotation}" if isinstance(member, Attribute) else member.name
    return f"### {owner}.{member.name}\n\n{fence(shown)}\n\n{_text(docstring(member, cls))}"


def signature(function: Function, name: str | None = None) -> str:
    """The call, one line if it fits, with what it returns."""
    shown = [*_parameters(function)]
    returns = f" -> {function.returns}" if function.returns is not None and name is None else ""
    head = name or function.name
    line = f"{head}({', '.join(shown)}){returns}"
    return line if len(line) <= 100 else f"{head}(\n" + "".join(f"    {p},\n" for p in shown) + f"){returns}"


def _parameters(function: Function) -> Iterator[str]:
    before: Parameter | None = None
    for parameter in function.parameters:
        if parameter.name in ("self", "cls"):
            continue
        if before is not None and before.kind is ParameterKind.positional_only and parameter.kind is not before.kind:
            yield "/"
        if parameter.kind is ParameterKind.keyword_only and (before is None or before.kind in _POSITIONAL):
            yield "*"
        star = {ParameterKind.var_positional: "*", ParameterKind.var_keyword: "**"}.get(parameter.kind, "")
        is_optional = parameter.default is not None and not star
        default = f" = {'...' if 'lambda' in str(parameter.default) else parameter.default}" if is_optional else ""
        yield f"{star}{parameter.name}{'' if parameter.annotation is None else f': {parameter.annotation}'}{default}"
        before = parameter


_POSITIONAL = (ParameterKind.positional_only, ParameterKind.positional_or_keyword)


def _text(docstring: str) -> str:
    """A docstring as Markdown: names in single backticks."""
    return re.sub(r"``(.+?)``", r"`\1`", docstring, flags=re.S).strip()
