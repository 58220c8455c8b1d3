"""The studio: the text of a ruleset, its board and its figures on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = ["files_of_link", "run_studio", "template_files", "template_kinds"]

if TYPE_CHECKING:
    from gamedsl.studio.new_game import template_files, template_kinds
    from gamedsl.studio.shared_link import files_of_link
    from gamedsl.studio.studio_app import run_studio
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "new_game": "template_files template_kinds",
            "shared_link": "files_of_link",
            "studio_app": "run_studio",
        },
    )
