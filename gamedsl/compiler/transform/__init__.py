"""Passes that transform a Core program into an equivalent, faster one. `pipeline.py` lists them in order."""
