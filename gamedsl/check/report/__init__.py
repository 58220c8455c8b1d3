"""HTML reports about a ruleset."""
