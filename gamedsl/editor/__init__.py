"""The language server: what an editor asks about rulesets while they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "EXAMPLES",
    "MOST_CHARACTERS",
    "FolderRefused",
    "RulesetServer",
    "SharedFolder",
    "make_server",
    "path_of",
    "uri_of",
]

if TYPE_CHECKING:
    from gamedsl.editor.desk import EXAMPLES
    from gamedsl.editor.features import make_server
    from gamedsl.editor.protocol import path_of, uri_of
    from gamedsl.editor.server import RulesetServer
    from gamedsl.editor.shared_folder import MOST_CHARACTERS, FolderRefused, SharedFolder
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "desk": "EXAMPLES",
            "features": "make_server",
            "protocol": "path_of uri_of",
            "server": "RulesetServer",
            "shared_folder": "MOST_CHARACTERS FolderRefused SharedFolder",
        },
    )
