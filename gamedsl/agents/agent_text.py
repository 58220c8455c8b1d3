"""What a specification of an agent stands for, wherever it is used."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from gamedsl.agents.kind import read_seconds
from gamedsl.language.source import is_regular


def agent_identity(text: str) -> str:
    """Returns the specification; that of an agent in a file, with the digest of the file's contents."""
    kind, _, argument = text.partition(":")
    path = Path(argument)
    if not argument or not is_regular(path):
        return text
    return f"{kind}:{sha256(path.read_bytes()).hexdigest()}"


def is_timed(text: str) -> bool:
    """Whether an agent's budget is a time, so that it may play otherwise the next time."""
    return any(read_seconds(part) is not None for part in text.split(":"))
