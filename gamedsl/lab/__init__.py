"""Checks of a ruleset: examples, claims, exploration, statistics."""
