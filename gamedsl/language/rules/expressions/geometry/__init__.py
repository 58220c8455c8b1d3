"""Expressions about the board: relations of its places, steps and legs, placings of shapes, connection and closures."""
