"""The codes of what random games say about a ruleset: who wins, how often a move is legal, what never happened."""

from __future__ import annotations

WINNER, LEGAL, NEVER = "figure-winner", "figure-legal", "figure-never"
