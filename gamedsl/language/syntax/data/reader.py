"""JSON or YAML text → ``Datum``, with a limit on its size."""

from __future__ import annotations

from gamedsl.language.source import GameDSLError, Source, Span
from gamedsl.language.syntax.data.datum import Datum
from gamedsl.language.syntax.data.json_reader import read_json
from gamedsl.language.syntax.data.messages import data_problem
from gamedsl.language.syntax.data.yaml_reader import read_yaml

MOST_BYTES = 2_000_000


def read_document(source: Source) -> Datum:
    """Returns the document of a source: JSON if ``is_json``, otherwise YAML.

    Raises ``GameDSLError`` (E0601 to E0612) if it cannot be read.
    """
    size = len(source.text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise GameDSLError(data_problem("E0607", Span(source, 0, 0), size=size, most=MOST_BYTES))
    if not source.text.strip("\ufeff \t\r\n"):
        raise GameDSLError(data_problem("E0609", Span(source, 0, 0)))
    if is_json(source):
        return read_json(source)
    return read_yaml(source)


def is_json(source: Source) -> bool:
    """Returns whether the source is read as JSON rather than as YAML: by the end of its path, else if it begins with
    ``{``.
    """
    if source.path.endswith((".yaml", ".yml")):
        return False
    return source.path.endswith(".json") or source.text.lstrip("\ufeff \t\r\n").startswith("{")
