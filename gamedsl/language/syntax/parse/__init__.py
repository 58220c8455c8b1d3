"""Text → syntax tree: words, logical lines, the LALR parser, and messages about text that it
cannot parse.
"""
