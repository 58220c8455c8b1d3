"""A game without Python: the contents of files that play it."""
