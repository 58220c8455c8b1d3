"""What is known of a game before any state: its code, the numbers of its actions, what is hidden, layouts of tensors."""
