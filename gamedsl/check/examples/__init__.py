"""Reads, runs and updates examples."""
