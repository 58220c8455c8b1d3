"""Facts about a game that need no state: its code, the numbers of its actions, what it hides, the layouts of
tensors."""
