"""Playouts: generic code, scalar specialized code, lockstep in vector lanes; tallies; perft."""
