"""The two faces of a play, a full screen and plain lines, and what is displayed on them."""
