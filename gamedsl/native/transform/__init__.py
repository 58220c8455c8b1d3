"""Passes: a program of the Core to one that means the same and plays faster. `pipeline.py` lists them in order."""
