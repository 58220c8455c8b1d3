"""Lark trees → nodes of the syntax tree."""
