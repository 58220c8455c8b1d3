"""Play in a browser: positions as JSON for one seat, and the page that shows them."""
