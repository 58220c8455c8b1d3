"""The language server: what an editor asks about rulesets while they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = ["make_server"]

if TYPE_CHECKING:
    from gamedsl.editor.features import make_server
else:
    __getattr__, __dir__ = offered(__name__, {"features": "make_server"})
