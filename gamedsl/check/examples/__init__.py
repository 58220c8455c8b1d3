"""Examples: read, run, updated."""
