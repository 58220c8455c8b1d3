"""What all checks share: verdicts, options, values, successors, statistics, time."""
