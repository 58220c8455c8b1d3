"""A game without Python: what goes into files that play it."""
