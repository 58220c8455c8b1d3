"""Positions as text: what a person can read, edit and give to the commands."""
