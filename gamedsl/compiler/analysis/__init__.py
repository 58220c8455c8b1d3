"""Analyses of Core programs. They change nothing."""
