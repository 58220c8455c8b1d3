"""Text to syntax tree and back; syntax tree to plain data and back."""
