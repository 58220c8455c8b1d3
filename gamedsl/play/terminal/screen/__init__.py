"""The two faces of a game, a full screen and plain lines, and the display on them."""
