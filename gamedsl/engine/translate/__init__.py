"""A program of the Core → the Python functions that a game is played with."""
