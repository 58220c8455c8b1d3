"""One play without input or output: its moments, seats, log, undo."""
