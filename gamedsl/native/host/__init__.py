"""Compiled rules in the Python process: calls, memory, kept code, states of the Python API."""
