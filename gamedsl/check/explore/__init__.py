"""The explorer: enumerates all reachable states."""
