"""A page about a ruleset."""
