"""The folder where numba caches a compiled kernel, named by a digest of everything the kernel is compiled from.

By default numba considers only the kernel's own file, but everything that the kernel calls is compiled into it. The
digest therefore covers that file and, transitively, every file of the package whose functions or types it uses.
Imported constants count by their values. If any of these changes, another folder is used.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np

from gamedsl.compiler.host.cache_folder import private_folder

SHOWN = 16  # digits of a digest in the name of a folder
PLAIN = (bool, int, float, str, bytes, np.generic)


@contextmanager
def kept(function: Callable[..., Any]) -> Iterator[bool]:
    """Directs numba's cache to the function's folder. Yields whether there is one."""
    settings: Any = numba.config
    before = settings.CACHE_DIR
    folder = kernel_folder(function, before)
    if folder is not None:
        settings.CACHE_DIR = str(folder)
    try:
        yield folder is not None
    finally:
        settings.CACHE_DIR = before


def kernel_folder(function: Callable[..., Any], chosen: str = "") -> Path | None:
    """The cache folder of a function: in ``chosen`` (``NUMBA_CACHE_DIR``) if given, else beside the source like
    Python's own compiled files, else in the private folder. None if there is none."""
    source = Path(function.__code__.co_filename)
    name = f"{source.stem}-kernels-{digest(function.__module__)[:SHOWN]}"
    if chosen:
        return Path(chosen) / name
    if not os.access(source.parent, os.W_OK):
        private = private_folder()
        return None if private is None else private / "kernels" / name
    folder = source.parent / "__pycache__" / name
    if not folder.exists():
        for old in folder.parent.glob(f"{source.stem}-kernels-*"):
            shutil.rmtree(old, ignore_errors=True)
    return folder


@cache
def digest(module: str) -> str:
    """A digest of a module and of everything that may be compiled into its functions."""
    total = hashlib.sha256()
    for name in sorted(_sources(module, set())):
        found = sys.modules[name]
        total.update(name.encode())
        total.update(_contents(str(found.__file__)))
        for variable, value in sorted(vars(found).items()):
            if _is_constant(value):
                total.update(f"{variable}={value!r}".encode())
    return total.hexdigest()


@cache
def _contents(file: str) -> bytes:
    """A digest of a file; cached, because many kernels are compiled from the same files."""
    return hashlib.sha256(Path(file).read_bytes()).digest()


def _sources(module: str, known: set[str]) -> set[str]:
    """The module and, transitively, those of its package whose functions and types it uses."""
    known.add(module)
    package = module.partition(".")[0]
    for value in list(vars(sys.modules[module]).values()):
        home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if isinstance(home, str) and home.partition(".")[0] == package and home in sys.modules and home not in known:
            _sources(home, known)
    return known


def _is_constant(value: object) -> bool:
    return isinstance(value, PLAIN) or (isinstance(value, tuple) and all(map(_is_constant, value)))
