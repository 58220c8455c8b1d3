"""Random playouts: the generic form, scalar specialized code, lockstep in vector lanes; tallies; perft."""
