"""A minimal failing file for every error code, and what is said about it."""
