"""Many games at once: one call steps all lanes. It takes an action per lane, and writes masks, observations and
rewards."""
