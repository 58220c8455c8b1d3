"""One game without input or output: its moments, seats, log and undo."""
