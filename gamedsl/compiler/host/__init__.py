"""Compiled rules within Python: calls, memory, the code cache, states of the Python API."""
