"""Compiled loops of the explorer."""
