"""Expressions of the language → typed expressions of the Core."""
