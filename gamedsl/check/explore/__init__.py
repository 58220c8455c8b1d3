"""The explorer: every state that can be reached."""
