"""Messages, lists of moves and the rulebook, as lines of text."""
