"""States packed into rows, and all successors of a state."""
