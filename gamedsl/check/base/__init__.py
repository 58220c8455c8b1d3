"""Shared by all checks: verdicts, options, values, successors, statistics, clocks."""
