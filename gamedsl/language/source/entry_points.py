"""Registries of objects that packages offer by name: agents, commands, record formats, adapters.

A registry turns a name that a user typed into the object. The objects of gamedsl itself are in tables, in the form of
entry points ("module:attribute"), and come first. Other packages are searched only for other names, because looking
through all installed packages takes as long as a small command. Source: "Entry points specification",
packaging.python.org.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from gamedsl.language.source.diagnostic import Diagnostic, ExitCode, GameDSLError
from gamedsl.language.source.text import NOWHERE

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

_loaded: dict[str, str] = {}  # modules of other packages, each with its package


class PluginError(GameDSLError):
    """Something that another package registers cannot be used; neither the rules nor the command are wrong."""

    def __init__(self, message: str, package: str) -> None:
        help = f"Update the package {package}, or remove it: pip uninstall {package}."
        super().__init__(Diagnostic("E0012", message, NOWHERE, help=help), exit_code=ExitCode.IO)


class Offer(NamedTuple):
    """An object that another package registers: its name, the package, and the package's summary."""

    name: str
    package: str
    summary: str


class Registry(Generic[T]):
    """Objects of one kind by name. ``group``: that of the entry points, such as "gamedsl.agents"; ``what``: one of
    them in a message, such as "agent"; ``kind``: the class of them all (None: they are functions); ``built_in``: the
    entry point of each that gamedsl registers.
    """

    def __init__(self, group: str, what: str, kind: type[T] | None, built_in: Mapping[str, str]) -> None:
        self.group, self.what, self.kind, self.built_in = group, what, kind, built_in

    def find(self, name: str) -> T | None:
        """Loads the object of this name; None if there is none. Raises ``PluginError`` if another package registers it
        and it cannot be used, or if two packages register it.
        """
        if name in self.built_in:
            module, _, attribute = self.built_in[name].partition(":")
            found: T = getattr(import_module(module), attribute)
            return found
        points = [point for point in _entry_points(self.group) if point.name == name]
        if not points:
            return None
        packages = sorted({_package(point) for point in points})
        if len(packages) > 1:
            message = f"the {self.what} `{name}` is registered by two packages, {' and '.join(packages[:2])}"
            raise PluginError(message, packages[1])
        return self._load(points[0])

    def _load(self, point: EntryPoint) -> T:
        package = _package(point)
        what = f"the {self.what} `{point.name}` of the package {package}"
        _loaded[point.module] = package
        try:
            found: Any = point.load()
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            raise PluginError(f"{what} cannot be loaded: {reason}", package) from error
        if not (callable(found) if self.kind is None else isinstance(found, self.kind)):
            wanted = "a function" if self.kind is None else f"of the class {self.kind.__name__}"
            raise PluginError(f"{what} is not {wanted}: `{point.value}`", package)
        loaded: T = found
        return loaded

    def offers(self) -> list[Offer]:
        """Returns what other packages register under names that gamedsl itself does not use, by name."""
        points = {p.name: p for p in _entry_points(self.group) if p.name not in self.built_in}
        return [Offer(name, _package(point), _summary(point)) for name, point in sorted(points.items())]

    def names(self) -> list[str]:
        """Returns all names: those of gamedsl, then those of other packages."""
        return [*self.built_in, *(offer.name for offer in self.offers())]


@cache
def _entry_points(group: str) -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # start-up: few commands need it

    return tuple(entry_points(group=group))


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.module.partition(".")[0]


def _summary(point: EntryPoint) -> str:
    return "" if point.dist is None else (point.dist.metadata["Summary"] or "")


def find_culprit(error: BaseException) -> str | None:
    """Returns the other package whose code raised an error or called the code that raised it; None if there is none."""
    from traceback import walk_tb  # start-up: only errors need it

    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__", ""))
        for loaded, package in _loaded.items():
            root = loaded.partition(".")[0]
            if module == root or module.startswith(f"{root}."):
                return package
    return None
