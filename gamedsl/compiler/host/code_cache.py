"""Machine code of programs and other data about them, from the code cache on disk or made.

The cache is keyed by the rules, the compiler, its cut-offs and the processor. Damaged files are not loaded.

A file has one line of JSON (format, key, digest of the code, places of errors) and the machine code. The digest detects
damage but does not prove the origin of the code. It is the user's own because the folder is private (see
``cache_folder``).
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeAlias

from gamedsl.compiler import cutoffs
from gamedsl.compiler.compile import machine
from gamedsl.compiler.compile.compiler import ProgramForms, Text, Wanted, write
from gamedsl.compiler.host.cache_folder import OWNED, WRITABLE, private_folder
from gamedsl.language.core import all_spans, print_core
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span, open_file

FORMAT = "gamedsl code 3"
MOST_BYTES = 1 << 28
# An error: the index of its span among those of the program (-1: none), and its message. The span itself is not stored,
# because the same rules may occur in another file or on other lines.
KeptPlace: TypeAlias = tuple[int, str]


@cache
def digest_of(*packages: str) -> str:
    """A digest of the source files of packages of gamedsl."""
    total = hashlib.sha256()
    for package in packages:
        for file in sorted((Path(__file__).parents[2] / package).rglob("*.py")):
            total.update(file.read_bytes())
    return total.hexdigest()


def key_of(core: str) -> str:
    """The key of cached code: a digest of the printed Core, the compiler, its cut-offs and the processor."""
    parts = (FORMAT, core, digest_of("compiler"), _cutoffs(), machine.description())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _cutoffs() -> str:
    """The cut-offs in use. They are read each time, because measurements change them while the program runs."""
    return repr(sorted((name, value) for name, value in vars(cutoffs).items() if name.isupper()))


def load(key: str) -> tuple[bytes, list[KeptPlace]] | None:
    """The code cached under a key. Returns None if it is absent, damaged or not the user's own."""
    where = private_folder()
    if where is None:
        return None
    try:
        head, _, code = _read(where / f"{key}.code").partition(b"\n")
        data = json.loads(head)
        if data["format"] != FORMAT or data["key"] != key or data["sha256"] != hashlib.sha256(code).hexdigest():
            return None
        return code, [(int(number), str(message)) for number, message in data["places"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _read(path: Path) -> bytes:
    """Reads a file that only this user can have written. It is checked and read through one handle; links are not
    followed."""
    with open_file(path, follow_links=False) as file:
        status = os.fstat(file.fileno())
        if OWNED and (status.st_uid != os.getuid() or status.st_mode & WRITABLE):
            raise PermissionError("it belongs to another user")
        if status.st_size > MOST_BYTES:
            raise OSError("it is too large")
        return file.read(MOST_BYTES)


def save(key: str, code: bytes, places: list[KeptPlace]) -> None:
    """Caches code. It is not an error if the folder is not writable."""
    where = private_folder()
    if where is None:
        return
    head = {"format": FORMAT, "key": key, "sha256": hashlib.sha256(code).hexdigest(), "places": places}
    beside = where / f".new-{secrets.token_hex(8)}"
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(json.dumps(head).encode() + b"\n" + code)
        os.replace(beside, where / f"{key}.code")
    except OSError:
        pass
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def cached_data(program: n.Program, name: str, packages: tuple[str, ...], make: Callable[[], bytes]) -> bytes:
    """Data about a program, from the cache or made now. The name and the sources of these packages must determine
    them."""
    key = key_of("\0".join((print_core(program), name, *(digest_of(package) for package in packages))))
    kept = load(key)
    if kept is not None:
        return kept[0]
    data = make()
    save(key, data, [])
    return data


def compiled(forms: ProgramForms, keep: bool, wanted: Wanted) -> tuple[bytes, list[KeptPlace]]:
    """The code of a module, and the places of its errors. ``keep``: save it if it is new."""
    return compiled_text(forms, keep, str(wanted), lambda: write(forms, wanted), wanted.level)


def compiled_text(
    forms: ProgramForms, keep: bool, name: str, text_of: Callable[[], Text], level: int
) -> tuple[bytes, list[KeptPlace]]:
    """The code of the module with this name, and the places of its errors. The name must contain everything that its
    text depends on besides the rules."""
    key = key_of(f"{forms.core}\0{name}")
    kept = load(key)
    if kept is not None:
        return kept
    text = text_of()
    code = machine.object_code(text.ir, level)
    numbers: dict[Span, int] = {}
    for number, span in enumerate(all_spans(forms.program)):
        numbers.setdefault(span, number)
    places = [(numbers.get(span, -1), message) for span, message in text.places]
    if keep:
        save(key, code, places)
    return code, places
