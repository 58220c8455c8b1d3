"""What a seat may know: observations, a state as a seat sees it, what a seat is told of a ply."""
