"""Rules that people bring: each runs in a process of its own, a server behind the server."""
