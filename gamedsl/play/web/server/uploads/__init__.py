"""Uploaded rules: each ruleset runs in a process of its own, a server behind the server."""
