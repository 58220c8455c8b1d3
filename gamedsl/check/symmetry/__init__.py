"""Symmetries of a ruleset, found and used."""
