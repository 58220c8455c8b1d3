"""Compiled rules in Python: calls, memory, the code cache, states of the Python API."""
