"""Reads arrays from an untrusted file (an ``.npz``: a zip archive of ``.npy`` files).

Nothing is unpickled or decompressed, and no memory is allocated until the declared sizes match the file.
"""

from __future__ import annotations

import errno
import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from gamedsl.engine import play_error
from gamedsl.language.source import FileError, GameDSLError, lazy_dataclass, open_file, reason, replace_file

HEADER = 1 << 12  # bytes read to find the header of an array


class BadArrays(Exception):
    """The file does not hold the expected arrays; the message says why."""


@lazy_dataclass(frozen=True)
class Form:
    """The required form of an array: its element type in numpy notation (``<i8``) and its number of dimensions."""

    type: str
    dimensions: int


def refused(path: Path, why: str) -> GameDSLError:
    """The error (E0523) for a checkpoint that cannot be resumed."""
    return play_error(
        "E0523", f"{path} cannot be resumed: {why}", help="Delete the file or name another one to begin anew."
    )


def write_checkpoint(path: Path, arrays: Mapping[str, Any]) -> None:
    """Writes arrays atomically: the path holds either the old file or the complete new one.

    Raises ``FileError`` (E0530) if that fails.
    """
    try:
        replace_file(path, lambda file: np.savez(file, **arrays))
    except OSError as error:
        raise FileError(f"{path} cannot be written: {reason(error)}", code="E0530") from error


def read_checkpoint(path: Path, forms: Mapping[str, Form]) -> dict[str, npt.NDArray[Any]] | None:
    """Returns the arrays of a checkpoint; None if there is no file.

    Raises ``GameDSLError`` (E0523) for a file that cannot be a checkpoint, and ``FileError`` (E0530) for an
    unreadable one.
    """
    try:
        return read_arrays(path, forms)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EISDIR):  # not a regular file
            raise refused(path, reason(error)) from error
        raise FileError(f"{path} cannot be read: {reason(error)}", code="E0530") from error
    except BadArrays as error:
        raise refused(path, str(error)) from error


def read_arrays(path: Path, forms: Mapping[str, Form]) -> dict[str, npt.NDArray[Any]]:
    """Returns the arrays of a file, which must have exactly these names and forms.

    Raises ``OSError`` for a file that cannot be read and ``BadArrays`` for any other content.
    """
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > _memory():
            raise BadArrays("it is larger than the memory of this computer")
        try:
            with zipfile.ZipFile(file) as archive:
                return _arrays(archive, size, forms)
        except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, MemoryError) as error:
            raise BadArrays(f"it is not a complete archive of arrays ({str(error) or type(error).__name__})") from error


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 1 << 36


def _arrays(archive: zipfile.ZipFile, size: int, forms: Mapping[str, Form]) -> dict[str, npt.NDArray[Any]]:
    members = archive.infolist()
    wanted = {f"{name}.npy" for name in forms}
    names = [m.filename for m in members]
    if len(names) != len(wanted) or set(names) != wanted:
        strange = sorted(set(names) ^ wanted)[:3] or ["one of them twice"]
        raise BadArrays(f"its arrays are not those of a checkpoint: {', '.join(map(repr, strange))}"[:200])
    if any(m.compress_type != zipfile.ZIP_STORED or m.file_size != m.compress_size or m.flag_bits & 1 for m in members):
        raise BadArrays("its arrays are compressed, which gamedsl never does")
    if sum(m.file_size for m in members) > size:
        raise BadArrays("it declares more bytes than it contains")
    return {m.filename[:-4]: _array(archive.read(m), m.filename[:-4], forms[m.filename[:-4]]) for m in members}


def _array(data: bytes, name: str, form: Form) -> npt.NDArray[Any]:
    start: BinaryIO = io.BytesIO(data[:HEADER])
    if npy.read_magic(start) != (1, 0):
        raise BadArrays(f"the array `{name}` has a form that gamedsl never writes")
    shape, column_order, dtype = npy.read_array_header_1_0(start)
    if column_order or dtype != np.dtype(form.type) or len(shape) != form.dimensions or min(shape, default=0) < 0:
        raise BadArrays(
            f"the array `{name}` is {dtype} in {len(shape)} dimensions, not {np.dtype(form.type)} in {form.dimensions}"
        )
    count = 1
    for extent in shape:
        count *= extent
    if count * dtype.itemsize != len(data) - start.tell():
        raise BadArrays(f"the array `{name}` does not have the size that it declares")
    return np.frombuffer(data, dtype=dtype, offset=start.tell()).reshape(shape)
