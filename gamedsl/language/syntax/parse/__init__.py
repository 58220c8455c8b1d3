"""Text → syntax tree: words, logical lines, the LALR parser, and what is said about a text that it can't take."""
