"""Which lines of a ruleset were used."""
