"""Text, places in it, diagnostics."""
