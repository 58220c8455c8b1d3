"""What processes that this package starts have in common: where they find the package, and the bounds that they set themselves."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio.subprocess import Process

PACKAGE_FOLDER = Path(__file__).parents[3]


def module_command(module: str) -> list[str]:
    """Returns the command that runs a module of this package. Modules beside the user's files are not ours (``-P``)."""
    return [sys.executable, "-P", "-m", module]


def child_environment() -> dict[str, str]:
    """Returns the environment in which a process finds this package, wherever it starts."""
    paths = filter(None, (str(PACKAGE_FOLDER), os.environ.get("PYTHONPATH", "")))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def limit_process(memory: int, largest_file: int | None = None, seconds: int | None = None, niceness: int = 0) -> None:
    """Bounds this process and those that it starts, as far as the system can.

    ``memory``: bytes of addresses, not of memory in use; ``largest_file``: bytes; ``seconds``: of the processor.
    """
    try:
        import resource
    except ImportError:  # Windows has no such bounds
        return
    bounds = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_FSIZE: largest_file,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: seconds,
    }
    for what, most in bounds.items():
        if most is not None:
            _, hard = resource.getrlimit(what)
            within = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (within, within))
    os.nice(niceness)


def kill_session(process: Process) -> None:
    """Ends a process that leads a session, with all that it started. Raises ``ProcessLookupError`` if none is left.

    ``Process.kill`` would take the exit code of one that has ended from the loop; only Windows, which has no groups, needs it.
    """
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
