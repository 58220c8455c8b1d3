"""The command `gamedsl`: arguments in, calls of the rooms below, text and an exit code out."""
