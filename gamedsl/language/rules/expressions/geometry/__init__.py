"""Expressions about the board: relations of its places, steps and legs, placings of shapes, reachability."""
