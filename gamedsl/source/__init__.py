"""Source text, positions in it, diagnostics."""
