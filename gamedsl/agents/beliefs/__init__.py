"""What a seat may believe: positions that fit everything it has seen, drawn from the rules themselves."""
