"""Syntax tree → text in the one canonical form."""
