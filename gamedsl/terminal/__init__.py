"""Playing in a terminal: the position as a picture, the picture as text, the session, and the two faces it is shown by."""
