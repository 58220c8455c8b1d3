"""A picture turned into lines of characters or SVG: one renderer for each kind of board, and the page around it."""
