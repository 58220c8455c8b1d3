"""Games on disk: save files, autosave, the folder of kept games, starting and resuming."""
