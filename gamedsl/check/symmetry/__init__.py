"""Finds and applies the symmetries of a ruleset."""
