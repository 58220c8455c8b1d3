"""Methods of states for CPython, in machine code."""
