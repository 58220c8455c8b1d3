"""Syntax tree ↔ plain data, JSON and YAML."""
