"""A seat's beliefs: positions that fit everything it has seen, drawn from the rules themselves."""
