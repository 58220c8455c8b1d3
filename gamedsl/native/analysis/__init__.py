"""Facts about programs of the Core; nothing is changed here."""
