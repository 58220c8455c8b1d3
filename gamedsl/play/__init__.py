"""The places where people play: the terminal and the web page."""
