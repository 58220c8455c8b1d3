"""Parse trees → nodes of the syntax tree."""
