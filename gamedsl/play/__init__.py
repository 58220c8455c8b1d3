"""Where people play: the terminal and the web page."""
