"""Solvers for the exact value of a position."""
