"""Source text, positions in it, diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source.lazy import offered

__all__ = [
    "NOWHERE",
    "SHOWN_INPUT",
    "STANDARD_INPUT",
    "UNFIT",
    "Diagnostic",
    "Edit",
    "Entry",
    "ExitCode",
    "FileError",
    "Fix",
    "GameDSLError",
    "Label",
    "PluginError",
    "Registry",
    "Resolver",
    "Source",
    "Span",
    "UsageError",
    "advice",
    "apply_edits",
    "child_environment",
    "codes",
    "diagnostic_json",
    "exists",
    "explain",
    "find_culprit",
    "first_unfit",
    "has_place",
    "holds",
    "input_named",
    "is_folder",
    "is_regular",
    "kill_session",
    "lazy_dataclass",
    "limit_process",
    "marked",
    "missing_library",
    "module_command",
    "node",
    "offered",
    "on_one_line",
    "open_file",
    "read_file",
    "read_index",
    "reason",
    "render_all",
    "replace_file",
    "resolved",
    "resource_path",
    "span_json",
    "standard_input",
    "title",
    "unchanged",
    "write_file",
]

if TYPE_CHECKING:
    from gamedsl.language.source.atomic_write import replace_file, unchanged, write_file
    from gamedsl.language.source.bounded_read import (
        Resolver,
        exists,
        holds,
        is_folder,
        is_regular,
        open_file,
        read_file,
        reason,
        resolved,
    )
    from gamedsl.language.source.child_process import child_environment, kill_session, limit_process, module_command
    from gamedsl.language.source.control_characters import UNFIT, first_unfit
    from gamedsl.language.source.diagnostic import Diagnostic, ExitCode, FileError, GameDSLError, Label, UsageError
    from gamedsl.language.source.entry_points import PluginError, Registry, find_culprit
    from gamedsl.language.source.explanations import codes, explain, marked, title
    from gamedsl.language.source.extras import missing_library
    from gamedsl.language.source.fix import Edit, Fix, apply_edits
    from gamedsl.language.source.index import Entry, read_index
    from gamedsl.language.source.lazy_classes import lazy_dataclass, node
    from gamedsl.language.source.piped_file import SHOWN_INPUT, STANDARD_INPUT, input_named, standard_input
    from gamedsl.language.source.render import advice, diagnostic_json, has_place, on_one_line, render_all, span_json
    from gamedsl.language.source.resources import resource_path
    from gamedsl.language.source.text import NOWHERE, Source, Span
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "atomic_write": "replace_file unchanged write_file",
            "bounded_read": "Resolver exists holds is_folder is_regular open_file read_file reason resolved",
            "child_process": "child_environment kill_session limit_process module_command",
            "control_characters": "UNFIT first_unfit",
            "diagnostic": "Diagnostic ExitCode FileError GameDSLError Label UsageError",
            "entry_points": "PluginError Registry find_culprit",
            "explanations": "codes explain marked title",
            "extras": "missing_library",
            "fix": "Edit Fix apply_edits",
            "index": "Entry read_index",
            "lazy_classes": "lazy_dataclass node",
            "render": "advice diagnostic_json has_place on_one_line render_all span_json",
            "resources": "resource_path",
            "piped_file": "SHOWN_INPUT STANDARD_INPUT input_named standard_input",
            "text": "NOWHERE Source Span",
        },
    )
