"""The module of all methods.

They follow the C API of CPython (``METH_FASTCALL | METH_KEYWORDS``; ``current_player`` is a getter), and call the
methods of the same names in Python for everything except the common case: no keywords, compiled code that answers, a
legal action that is an ``int``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

from llvmlite import ir

from gamedsl.compiler.emit.methods.apply_action import ApplyAction
from gamedsl.compiler.emit.methods.listing import Listing
from gamedsl.compiler.emit.methods.method_words import API
from gamedsl.compiler.emit.methods.query_methods import Telling


def state_methods(offsets: Mapping[str, int]) -> ir.Module:
    """The module with the functions ``ENTRIES``. ``offsets``: the offsets of the slots of a state object, by name."""
    module = ir.Module(name="state methods")
    api = SimpleNamespace(
        **{n: ir.Function(module, ir.FunctionType(result, args), n) for n, (result, args) in API.items()}
    )
    listed = Listing(module, api, offsets).emit()
    ApplyAction(module, api, offsets).emit(listed)
    telling = Telling(module, api, offsets)
    telling.legal_actions(listed)
    telling.action_mask(listed)
    telling.observation_tensor()
    telling.current_player()
    return module
