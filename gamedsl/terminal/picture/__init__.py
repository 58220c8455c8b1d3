"""What a person sees of a position, as plain data: the look rules worked out, before any character is chosen."""
