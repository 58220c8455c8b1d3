"""Objects of the data form as earlier versions wrote them, brought to the present form."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.syntax.data.datum import Datum

# By the former key `form` of a claim: its kind now, and the present names of keys that are called differently.
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
    """The object as it would be written today; one that is of today already is left as it is.

    A claim had the key ``form`` (always, never ...) and all its other keys beside ``name``."""
    entries = datum.value
    if not isinstance(entries, dict) or "form" not in entries or "claim" in entries:
        return datum
    kind, form = entries.get("kind"), entries["form"].value
    if kind is None or kind.value != "claim_decl" or not isinstance(form, str) or form not in _CLAIMS:
        return datum
    now, renamed = _CLAIMS[form]
    said = {"kind": replace(entries["form"], value=now)}
    said |= {renamed.get(k, k): v for k, v in entries.items() if k not in (*_OWN_KEYS, "form")}
    own = {k: v for k, v in entries.items() if k in _OWN_KEYS}
    return replace(datum, value=own | {"claim": replace(datum, value=said)})
