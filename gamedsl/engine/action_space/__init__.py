"""Numbered actions: the fixed action space of a game, as learning programs need it."""
