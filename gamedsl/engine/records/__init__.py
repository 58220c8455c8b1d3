"""Records of games, and saved states."""
