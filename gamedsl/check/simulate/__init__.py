"""Many random plays, counted."""
