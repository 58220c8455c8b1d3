"""Verification by SMT solving (z3)."""
