"""What a seat may know: observations, a state as a seat sees it, the announcements of plies."""
