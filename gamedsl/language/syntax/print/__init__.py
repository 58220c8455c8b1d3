"""Syntax tree → text in its canonical form."""
