"""The entry points that the host calls."""
