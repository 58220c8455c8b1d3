"""Positions as text that a person can read, edit and give to the commands."""
