"""Records of plays, and saved states."""
