"""Claims judged by z3."""
