"""Waiting for what comes at once on an idle machine: so long that a busy one is no failure."""

PATIENCE = 120.0  # seconds
