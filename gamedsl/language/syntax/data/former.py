"""Objects of the data form as earlier versions wrote them, converted to the current form."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.language.syntax.data.datum import Datum

# By the former key `form` of a claim: its current kind, and the current names of renamed keys.
_CLAIMS: dict[str, tuple[str, dict[str, str]]] = {
    "always": ("always", {}),
    "never": ("never", {}),
    "reachable": ("reachable", {}),
    "leads to": ("leads_to", {}),
    "ends": ("ends", {}),
    "used": ("used", {"uses": "moves"}),
    "balanced": ("balanced", {"bound": "percent"}),
}
_OWN_KEYS = ("kind", "name", "notes")  # of the declaration


def in_present_form(datum: Datum) -> Datum:
    """Returns the object as it would be written today; a current one is returned unchanged."""
    entries = datum.value
    if not isinstance(entries, dict) or "kind" not in entries:
        return datum
    match entries["kind"].value:
        case "claim_decl":
            return _claim(datum, entries)
        case "board_decl":
            return _board(datum, entries)
        case _:
            return datum


def _claim(datum: Datum, entries: dict[str, Datum]) -> Datum:
    """Converts a claim whose kind was in the key ``form`` (always, never ...) and whose other keys were beside
    ``name``.
    """
    if "form" not in entries or "claim" in entries:
        return datum
    form = entries["form"].value
    if not isinstance(form, str) or form not in _CLAIMS:
        return datum
    now, renamed = _CLAIMS[form]
    said = {"kind": replace(entries["form"], value=now)}
    said |= {renamed.get(k, k): v for k, v in entries.items() if k not in (*_OWN_KEYS, "form")}
    own = {k: v for k, v in entries.items() if k in _OWN_KEYS}
    return replace(datum, value=own | {"claim": replace(datum, value=said)})


def _board(datum: Datum, entries: dict[str, Datum]) -> Datum:
    """Converts a board whose key ``without`` held names of cells."""
    without = entries.get("without")
    if without is None or not isinstance(without.value, list):
        return datum
    cells = [_named(c) if isinstance(c.value, str) else c for c in without.value]
    return replace(datum, value=entries | {"without": replace(without, value=cells)})


def _named(name: Datum) -> Datum:
    return replace(name, value={"kind": replace(name, value="ref"), "name": name})
