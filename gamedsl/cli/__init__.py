"""The command line `gamedsl`: parses arguments, calls the rooms below, and returns text and an exit code."""
