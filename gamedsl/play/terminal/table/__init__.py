"""The conversation at the table: turns, questions, and the effect of each answer."""
