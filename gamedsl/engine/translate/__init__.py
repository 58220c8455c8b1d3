"""A program of the Core -> the Python functions that play a game."""
