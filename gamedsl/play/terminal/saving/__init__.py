"""Plays on disk: save files, autosave, the folder of kept plays, starting and resuming."""
