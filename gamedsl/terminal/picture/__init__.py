"""A position as plain data: the look rules evaluated, before any character is chosen."""
