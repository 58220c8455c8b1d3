"""What all tests share: the goldens, and the option that rewrites them (`pytest --rebaseline`; look at the diff after)."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Generator, Iterator
from dataclasses import fields, replace
from functools import wraps
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import settings

from gamedsl.cli.main import COLLECTED_AFTER
from gamedsl.engine.facts import translated_rules
from gamedsl.lab.base.clock import Clock
from gamedsl.lab.search import guided_search
from gamedsl.language.core.nodes import Program
from gamedsl.language.rules import lower
from gamedsl.language.rules.files import shipped

from . import source_trees
from .slow_cases import listed

# Where no bytecode is kept, every command that a test starts compiles the whole package first.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

MEMORY = Path("/dev/shm")  # of Linux: a file system in memory
ENOUGH = 2 << 30  # bytes free there; containers often have 64 MB
QUICK = "not slow"
FEWEST_EXAMPLES = 10  # of a law, in the quick suite

settings.register_profile("untimed", deadline=None)  # a busy machine is no failure
settings.load_profile("untimed")


def _keep_folders_in_memory() -> None:
    """Lets pytest make its folders where nothing waits for a disk: 9,000 calls that write to one, of databases above
    all, took 35 s of the quick suite."""
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK | os.X_OK)):
        return
    found = os.statvfs(MEMORY)
    if found.f_bavail * found.f_frsize >= ENOUGH and not found.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


_keep_folders_in_memory()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rebaseline", action="store_true", help="write the goldens anew instead of comparing with them")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collects the tests without garbage collection, and keeps what exists then out of every later one: the modules and
    tens of thousands of tests stay until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*COLLECTED_AFTER)
        gc.enable()


def pytest_unconfigure() -> None:
    """Keeps what the tests leave out of the two collections with which pytest ends: 3 s of a worker."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)  # when all arguments are known
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None, object, object]:
    """Leaves the long cases of a test out of the quick suite before they are made: half of the cases are long, and a case takes
    0.1 ms of every worker. (What pytest calls them is private to it; where that has changed, they are left out later.)"""
    done = yield
    calls = getattr(metafunc, "_calls", None)
    if calls and metafunc.config.option.markexpr == QUICK:
        node, slow = metafunc.definition.nodeid, listed()
        is_slow = metafunc.definition.get_closest_marker("slow") is not None
        quick = [
            c for c in calls if not (is_slow or f"{node}[{c.id}]" in slow or any(m.name == "slow" for m in c.marks))
        ]
        calls[:] = quick or calls[:1]
    return done


@pytest.hookimpl(tryfirst=True)  # before the marks are asked for
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not _reads_sources(item))  # side by side, so that one worker parses them
    slow = listed()
    for item in items:
        if item.nodeid in slow:
            item.add_marker(pytest.mark.slow)
    laws = [item for item in items if getattr(getattr(item, "obj", None), "is_hypothesis_test", False)]
    for item in laws:
        item.add_marker(pytest.mark.law)
    if config.option.markexpr == QUICK:
        for test in {item.obj for item in laws}:  # type: ignore[attr-defined]
            test._hypothesis_internal_use_settings = quick(test._hypothesis_internal_use_settings)


def _reads_sources(item: pytest.Item) -> bool:
    module = getattr(item, "module", None)
    return any(getattr(module, name, None) is getattr(source_trees, name) for name in ("nodes_of", "tree_of"))


def quick(usual: settings) -> settings:
    """What a law is tried with in the quick suite: a quarter of its examples, at least some (`pytest -m "slow or law"` tries all)."""
    return settings(usual, max_examples=min(usual.max_examples, max(FEWEST_EXAMPLES, usual.max_examples // 4)))


@pytest.hookimpl(optionalhook=True)  # without xdist there is none
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each worker begins with a half of its own, so that what a module prepares is prepared by one of them; who is through
    takes over from the other."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """``golden(path, text)`` compares a text with a golden file, or writes the file with ``--rebaseline``."""
    rebaseline = request.config.getoption("--rebaseline")

    def check(path: Path, text: str) -> None:
        if rebaseline:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path.name} is missing: run pytest --rebaseline and look at it"
        assert text == path.read_text(encoding="utf-8")

    return check


@pytest.fixture(scope="session")
def data_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders in one folder. (``mktemp`` looks through all earlier ones for the next number: 11 ms after 6000 tests.)"""
    folder = tmp_path_factory.mktemp("data")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_data_folder(data_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps saved games in a folder of the test's own, never in the user's."""
    folder = next(data_folders)
    folder.mkdir()
    monkeypatch.setenv("GAMEDSL_DATA", str(folder))


@pytest.fixture(scope="session")
def browser_and_loop() -> Iterator[tuple[Any, Any]]:
    """The one browser of this process, and the event loop that Playwright leaves running."""
    from .play.web.browser import browser, needs_browser

    needs_browser()
    with browser() as found:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield found, loop
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def chrome(browser_and_loop: tuple[Any, Any]) -> Iterator[Any]:
    """A browser for the tests of one module; between modules no event loop runs, so that others can run theirs."""
    from .play.web.browser import is_unused

    found, loop = browser_and_loop
    asyncio._set_running_loop(loop)
    yield found
    for context in found.contexts:
        if not is_unused(context):
            context.close()
    asyncio._set_running_loop(None)


@pytest.fixture(scope="module")
def blank(chrome: Any) -> Any:
    """An empty page with the address of the page's own files."""
    from .play.web.browser import ADDRESS

    page = chrome.new_page()
    page.goto(f"{ADDRESS}blank.html")
    return page


@pytest.fixture(scope="session", autouse=True)
def checks_count_processor_time() -> Iterator[None]:
    """Time limits of a check count this process's own seconds: what else the machine does must not change an answer."""
    Clock()  # compiles its `__init__`
    begin = Clock.__init__
    *others, _ = begin.__defaults__ or ()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(begin, "__defaults__", (*others, process_time))
        patch.setattr(guided_search, "perf_counter", process_time)
        yield


@pytest.fixture(scope="session", autouse=True)
def shipped_rulesets_are_lowered_once() -> Iterator[None]:
    """A shipped ruleset is lowered, and translated for the interpreter, once in each process: some thirty tests ask for
    every one."""
    names, paths, known = set(shipped()), {str(path) for path in shipped().values()}, dict[Any, Any]()
    check_file, translate, codes = lower.check_file, translated_rules.translate_program, dict[Any, Any]()

    @wraps(check_file)
    def remembered(name: str | Path, options: Any = None) -> Any:
        by_name = name in names and not Path(name).exists()
        if not (by_name or str(name) in paths):
            return check_file(name, options)
        key = str(name), tuple((k, type(v), v) for k, v in (options or {}).items())
        if key not in known:
            program, _ = known[key] = check_file(name, options)
            if program:
                codes[_parts(program)] = None
        program, found = known[key]
        return (program and replace(program)), list(found)  # an object of its own: what is compiled is kept with it

    @wraps(translate)
    def translated(program: Program) -> Any:
        parts = _parts(program)
        if parts not in codes:
            return translate(program)
        if codes[parts] is None:
            codes[parts] = translate(program)
        return codes[parts]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lower, "check_file", remembered)
        patch.setattr(translated_rules, "translate_program", translated)
        yield


def _parts(program: Program) -> tuple[int, ...]:
    """The same for all copies of a program, whatever is kept with them."""
    return tuple(id(getattr(program, field.name)) for field in fields(program))
