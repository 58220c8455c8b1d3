"""Compiled rules in the Python process: calls, memory, cached code, states of the Python API."""
