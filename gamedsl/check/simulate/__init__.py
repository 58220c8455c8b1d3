"""Counts over many random plays."""
